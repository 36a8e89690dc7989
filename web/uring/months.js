/** Months of an archive, `YYYYMM` in UTC, and where they lie. */

import { instant } from "./lines.js";

const MONTH = /^[0-9]{4}(?:0[1-9]|1[0-2])$/;
const SOURCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Return the month of an instant such as `2026-01-22T10:00:00Z`; null where it is none.
 *
 * @param {unknown} value
 * @returns {string | null}
 */
export function monthOf(value) {
  const time = instant(value);
  return time ? time.slice(0, 4) + time.slice(5, 7) : null;
}

/**
 * Return so many months, this one first, then the one before, and so on.
 *
 * @param {unknown} from `YYYYMM`
 * @param {number} count
 * @returns {string[]} none where `from` is no month; fewer at the year 0
 */
export function monthsBack(from, count) {
  if (typeof from !== "string" || !MONTH.test(from)) return [];
  const number = Number(from.slice(0, 4)) * 12 + Number(from.slice(4)) - 1;
  const months = [];
  for (let at = number; at >= 0 && months.length < count; at -= 1) {
    const year = String(Math.floor(at / 12)).padStart(4, "0");
    months.push(year + String((at % 12) + 1).padStart(2, "0"));
  }
  return months;
}

/**
 * Return where a month of a source lies, below `data/`.
 *
 * @param {unknown} source its id
 * @param {unknown} month `YYYYMM`
 * @returns {string | null} null where one of them cannot be part of an address
 */
export function archivePath(source, month) {
  const isPath = isSource(source) && typeof month === "string" && MONTH.test(month);
  return isPath ? `${source}/archive/${month}.jsonl` : null;
}

/** Return whether a value can be a source's folder below `data/`. */
export function isSource(value) {
  return typeof value === "string" && SOURCE.test(value);
}
