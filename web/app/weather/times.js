/**
 * Times of reports, in Korean time and in UTC.
 *
 * Ages are counted to the server's clock: the device's may be wrong.
 */

import { instantOf } from "../values.js";
import { language, timeFormat } from "../words.js";

const SEOUL = "Asia/Seoul";
const MINUTE = 60_000;

/** @param {any} instant ISO 8601 or ms; @returns {string} such as `3월 2일 09:30 (02/00:30Z)`; "" for none */
export const both = (instant) => {
  const at = timeOf(instant);
  if (at === null) return "";
  const local = inSeoul(at, { month: "short", day: "numeric", ...CLOCK });
  return `${local} (${utc(at)})`;
};

/**
 * Return a period; the second day is said only where it is another one.
 *
 * @param {any} start ISO 8601 or ms
 * @param {any} end ISO 8601 or ms
 * @returns {string} "" where neither is told
 */
export const period = (start, end) => {
  const [from, until] = [timeOf(start), timeOf(end)];
  if (from === null || until === null) return [both(start), both(end)].filter(Boolean).join(" – ");
  const day = { month: "short", day: "numeric" };
  const same = inSeoul(from, day) === inSeoul(until, day);
  const last = inSeoul(until, same ? CLOCK : { ...day, ...CLOCK });
  return `${inSeoul(from, { ...day, ...CLOCK })} – ${last} (${utc(from)} – ${utc(until)})`;
};

/** @param {number} from ms; @param {number} until ms; @returns {string} the time between */
export const span = (from, until) => {
  const minutes = Math.max(0, Math.round((until - from) / MINUTE));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [
    [days, "day"],
    [hours, "hour"],
    [days ? 0 : minutes % 60, "minute"],
  ].filter(([count]) => count > 0);
  if (parts.length === 0) parts.push([0, "minute"]);
  return parts.map(([count, unit]) => quantity(count, unit)).join(" ");
};

/** @param {number} at ms; @returns {[string, string]} the hour in Korea and in UTC, `09:00` `00Z` */
export const hourOf = (at) => [inSeoul(at, CLOCK), `${new Date(at).toISOString().slice(11, 13)}Z`];

/**
 * Return a time as a TAF writes it.
 *
 * @param {number} at ms
 * @param {{isEnd?: boolean, hasMinutes?: boolean}} how isEnd: midnight is hour 24 of the day before
 * @returns {string} day and hour in UTC, such as `0209`
 */
export const dayHour = (at, { isEnd = false, hasMinutes = false } = {}) => {
  const isMidnight = isEnd && at % 86_400_000 === 0;
  const text = new Date(isMidnight ? at - 1 : at).toISOString();
  const hour = isMidnight ? "24" : text.slice(11, 13);
  return `${text.slice(8, 10)}${hour}${hasMinutes ? text.slice(14, 16) : ""}`;
};

const timeOf = (instant) => (typeof instant === "number" ? instant : instantOf(instant));

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const inSeoul = (at, style) =>
  timeFormat({ ...style, timeZone: SEOUL }).format(at);

const utc = (at) => {
  const text = new Date(at).toISOString();
  return `${text.slice(8, 10)}/${text.slice(11, 16)}Z`;
};

const quantity = (count, unit) =>
  new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count);
