/** How often a source is checked, as the index says. */

import { html, nothing } from "../vendor/lit-html.js";
import { now } from "./clock.js";
import { objectOf, objectsOf } from "./values.js";
import { dateTime, words } from "./words.js";

const t = words({
  ko: {
    minutes: "{count}분마다 확인",
    minutesNow: "지금은 {count}분마다 확인",
    hours: "{count}시간마다 확인",
    hour: "매시간 확인",
    day: "하루 한 번 확인",
    paused: "{until}까지 확인을 쉽니다",
  },
  en: {
    minutes: "checked every {count} minutes",
    minutesNow: "checked every {count} minutes now",
    hours: "checked every {count} hours",
    hour: "checked every hour",
    day: "checked once a day",
    paused: "not checked until {until}",
  },
});

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/**
 * @param {any} source of the index, not to be trusted
 * @param {number} at in ms
 * @returns {{minutes: number, changes: boolean} | null} minutes between two checks at that time, and
 *   whether other hours have others; null: the index of a release before, or an unknown form
 */
export const paceOf = (source, at) => {
  const { zone, hours, otherwise } = objectOf(source?.rhythm);
  const now = hourIn(zone, at);
  const found = objectsOf(hours).find(
    ({ days, from, until }) =>
      Array.isArray(days) && days.includes(now?.day) && from <= now.hour && now.hour < until,
  );
  const changes = now !== null;
  const minutes = changes ? (found ? found.minutes : otherwise) : source?.interval_minutes;
  return Number.isInteger(minutes) && 0 < minutes && minutes <= DAY ? { minutes, changes } : null;
};

/** @returns {{day: number, hour: number} | null} 1 is Monday; null for an unknown zone */
const hourIn = (zone, at) => {
  if (typeof zone !== "string") return null;
  try {
    const parts = formatOf(zone).formatToParts(at);
    const { weekday, hour } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
    return { day: WEEKDAYS.indexOf(weekday) + 1, hour: Number(hour) };
  } catch {
    return null;
  }
};

/** One a zone: making it takes longer than all else, and an index may have ten thousand sources. */
const formats = new Map();
const formatOf = (timeZone) => {
  if (!formats.has(timeZone)) {
    const style = { timeZone, weekday: "short", hour: "numeric", hourCycle: "h23" };
    formats.set(timeZone, new Intl.DateTimeFormat("en-US", style));
  }
  return formats.get(timeZone);
};

/** @param {ReturnType<typeof paceOf>} pace; @returns {string} in words; "" for null */
export const paceText = (pace) => {
  if (!pace) return "";
  const { minutes, changes } = pace;
  if (minutes === DAY) return t("day");
  if (minutes === HOUR) return t("hour");
  if (minutes % HOUR === 0) return t("hours", { count: minutes / HOUR });
  return t(changes ? "minutesNow" : "minutes", { count: minutes });
};

/** @param {any} source of the index; @returns {any} a line; nothing of a source that is not well */
export const paceLine = (source) => {
  const until = source.paused_until;
  const pace = source.status === "ok" ? paceText(paceOf(source, now())) : "";
  const text = Date.parse(until) > now() ? t("paused", { until: dateTime(until) }) : pace;
  return text ? html`<p class="quiet pace">${text}</p>` : nothing;
};
