/** The deadline that a notice's title names, as `latest.json` has it: its day, and what is left. */

import { dayOf, now } from "../clock.js";
import { language, timeFormat, words } from "../words.js";

const t = words({
  ko: {
    until: "~{day}",
    left: "D-{count}",
    today: "오늘",
    guess: "추정",
    over: "지남",
  },
  en: {
    until: "until {day}",
    left: "{count} days left",
    tomorrow: "tomorrow",
    today: "today",
    guess: "a guess",
    over: "closed",
  },
});

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_MS = 86_400_000;
/** Fewer days than this are said with weight. */
const SOON = 2;

/**
 * @typedef {object} Due as it is published; the days are those of the board
 * @property {string} date `YYYY-MM-DD`
 * @property {string | null} time `HH:MM`
 * @property {string | null} from the first day of a period
 * @property {"high" | "low"} confidence
 */

/** @param {any} raw; @returns {Due | null} null for what is no deadline */
export const dueOf = (raw) =>
  isDay(raw?.date)
    ? {
        date: raw.date,
        time: typeof raw.time === "string" && TIME.test(raw.time) ? raw.time : null,
        from: isDay(raw.from) ? raw.from : null,
        confidence: raw.confidence === "high" ? "high" : "low",
      }
    : null;

const isDay = (value) =>
  typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value));

/** @param {Due} due; @returns {number} days until then, negative when it is over */
export const daysLeft = ({ date }) =>
  Math.round((Date.parse(date) - Date.parse(dayOf(now()))) / DAY_MS);

/** @param {Due} due; @returns {string} such as `~11. 30. (D-3)` */
export const dueText = (due) => {
  const until = t("until", { day: [dayText(due.date), due.time].filter(Boolean).join(" ") });
  return `${until} (${due.confidence === "high" ? leftText(daysLeft(due)) : t("guess")})`;
};

const leftText = (left) => {
  if (left < 0) return t("over");
  if (left === 0) return t("today");
  return left === 1 && language() === "en" ? t("tomorrow") : t("left", { count: left });
};

const dayText = (day) =>
  timeFormat({
    month: language() === "ko" ? "numeric" : "short",
    day: "numeric",
    timeZone: "UTC",
    ...(day.slice(0, 4) === dayOf(now()).slice(0, 4) ? {} : { year: "numeric" }),
  }).format(new Date(`${day}T00:00:00Z`));

/** @param {Due} due; @returns {boolean} whether it is sure, and today or tomorrow */
export const isSoon = (due) =>
  due.confidence === "high" && daysLeft(due) >= 0 && daysLeft(due) < SOON;

/** @param {Due | null} due; @returns {boolean} false for a guess that is over */
export const isTold = (due) => due !== null && (due.confidence === "high" || daysLeft(due) >= 0);

/** Order two entries by their deadlines, the sooner first; a day without a time ends last. */
export const soonestFirst = ({ notice: one }, { notice: other }) => {
  const [first, second] = [one, other].map(({ due }) => `${due.date} ${due.time ?? "24:00"}`);
  return first < second ? -1 : first > second ? 1 : 0;
};
