/** One deadline as a calendar file (RFC 5545), with an alarm at nine o'clock on the day before. */

import { clean } from "../../uring/text.js";

const DAY_MS = 86_400_000;
/** Octets of a line without its end. */
const LONGEST_LINE = 75;
/** Of a whole day, counted from its first minute. */
const ALARM = "-PT15H";

/**
 * @param {import("./days.js").Entry} entry whose notice has a deadline
 * @param {string | null} address of the notice, known to be safe
 * @param {number} at now, in ms
 * @returns {string}
 */
export const calendarOf = ({ source, notice }, address, at) => {
  const { date, time } = notice.due;
  const title = `${time ? `~${time} ` : ""}${notice.title}`;
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  const about = [`~ ${date}${time ? ` ${time}` : ""}`, source.name, address ?? ""];
  const uid = ["urn:uring:notices", source.id, encodeURIComponent(notice.id)].join(":");
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//uRing//deadline//EN",
    "BEGIN:VEVENT",
    `UID:${text(uid)}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${compact(date)}`,
    `DTEND;VALUE=DATE:${compact(dayAfter(date))}`,
    `SUMMARY:${text(title)}`,
    `DESCRIPTION:${about.filter(Boolean).map(text).join("\\n")}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${text(title)}`,
    `TRIGGER:${ALARM}`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(folded)
    .join("\r\n");
};

const compact = (day) => day.replaceAll("-", "");

const dayAfter = (day) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

const text = (value) => clean(value).replace(/[\\;,]/g, "\\$&");

/** Neither within a character nor after a backslash: some readers unescape before they unfold. */
const folded = (line) => {
  const parts = [""];
  let size = 0;
  for (const character of line.match(/\\.|./gu) ?? []) {
    const octets = new TextEncoder().encode(character).length;
    if (size + octets > LONGEST_LINE) {
      parts.push(" ");
      size = 1;
    }
    parts[parts.length - 1] += character;
    size += octets;
  }
  return parts.join("\r\n");
};
