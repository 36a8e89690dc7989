/** Notices in the order in which they are read: the newest day first, and the name of a day. */

import { dayOf, now } from "../clock.js";
import { timeFormat, words } from "../words.js";
import { dayOfNotice } from "./notice.js";

const t = words({
  ko: { today: "오늘", yesterday: "어제", undated: "날짜 없음" },
  en: { today: "Today", yesterday: "Yesterday", undated: "No date" },
});

const DAY_MS = 86_400_000;

/**
 * @typedef {object} Entry
 * @property {{id: string, name: string, base?: string | null}} source
 * @property {import("./notice.js").Notice} notice
 * @property {any[]} history lines of the archive that are loaded, oldest first
 * @property {string} title of the notice, for searches
 * @property {string} day
 */

/**
 * @param {Entry["source"]} source
 * @param {Entry["notice"]} notice
 * @param {any[]} history
 * @returns {Entry}
 */
export const entryOf = (source, notice, history = []) => ({
  source,
  notice,
  history,
  title: notice.title,
  day: dayOfNotice(notice, history),
});

/** Order two entries: the later day, the later find; ids last, so that no order is by chance. */
export const newestFirst = (one, other) =>
  compare(other.day, one.day) ||
  compare(other.notice.first_seen, one.notice.first_seen) ||
  compare(one.source.id, other.source.id) ||
  // Most boards count: of two numbers the longer is the later.
  other.notice.id.length - one.notice.id.length ||
  compare(other.notice.id, one.notice.id);

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** @param {Entry[]} entries in order; @returns {{day: string, entries: Entry[]}[]} */
export const byDay = (entries) => {
  const days = [];
  for (const entry of entries) {
    if (days.at(-1)?.day !== entry.day) days.push({ day: entry.day, entries: [] });
    days.at(-1).entries.push(entry);
  }
  return days;
};

/** @param {string} day `YYYY-MM-DD`; @returns {string} 오늘, 어제, or the date */
export const dayName = (day) => {
  if (!day) return t("undated");
  if (day === dayOf(now())) return t("today");
  if (day === dayOf(now() - DAY_MS)) return t("yesterday");
  return dateName(day);
};

/** @param {string} day `YYYY-MM-DD`; @returns {string} with its year unless that is this one */
export const dateName = (day) => {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  const style = { month: "long", day: "numeric", weekday: "short", timeZone: "UTC" };
  if (day.slice(0, 4) !== dayOf(now()).slice(0, 4)) style.year = "numeric";
  return timeFormat(style).format(at);
};
