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
  const at = typeof instant === "number" ? instant : instantOf(instant);
  if (at === null) return "";
  const local = inSeoul(at, { month: "short", day: "numeric", ...CLOCK });
  return `${local} (${utc(at)})`;
};

/**
 * Return a period; the second day is said only where it is another one.
 *
 * @param {any} start ISO 8601
 * @param {any} end ISO 8601
 * @returns {string} "" where neither is told
 */
export const period = (start, end) => {
  const [from, until] = [instantOf(start), instantOf(end)];
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

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const inSeoul = (at, style) =>
  timeFormat({ ...style, timeZone: SEOUL }).format(at);

const utc = (at) => {
  const text = new Date(at).toISOString();
  return `${text.slice(8, 10)}/${text.slice(11, 16)}Z`;
};

const quantity = (count, unit) =>
  new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count);
