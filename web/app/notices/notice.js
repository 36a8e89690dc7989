/** A notice as it was published, read defensively: whatever a field holds, the rest is shown. */

import { isRecord } from "../../uring/lines.js";
import { isRetracted } from "../../uring/retracted.js";
import { clean, cut } from "../../uring/text.js";
import { dayOf } from "../clock.js";
import { dueOf } from "./due.js";

/** More than any board allows: a title of a megabyte is cut, not refused. */
const LONGEST_TITLE = 500;
const LONGEST_CATEGORY = 60;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Kinds that readers are told of; pins and first sights are only stored. */
const TOLD = new Set(["new", "edited", "returned"]);

/**
 * @typedef {object} Notice
 * @property {string} id
 * @property {string} title "" where there is none
 * @property {string | null} date the board's, `YYYY-MM-DD`
 * @property {string | null} category
 * @property {string | null} link not yet known to be safe
 * @property {boolean} is_pinned
 * @property {number} revision from 1
 * @property {string} first_seen ISO 8601, UTC; "" where it is not known
 * @property {import("./due.js").Due | null} due the deadline that its title names
 * @property {boolean} is_retracted whether all its pushes were taken back
 * @property {boolean} was_wrong whether its last push was taken back
 */

/**
 * @param {any} raw an item of `latest.json`, or a line of an archive
 * @returns {Notice | null} null for what is no record
 */
export const noticeOf = (raw) =>
  isRecord(raw)
    ? {
        id: raw.id,
        title: cut(clean(raw.title), LONGEST_TITLE),
        date: typeof raw.date === "string" && DAY.test(raw.date) ? raw.date : null,
        category: cut(clean(raw.category), LONGEST_CATEGORY) || null,
        link: typeof raw.link === "string" ? raw.link : null,
        is_pinned: raw.is_pinned === true,
        revision: raw.revision,
        first_seen: instant(raw.first_seen),
        due: dueOf(raw.due),
        is_retracted: isRetracted(raw),
        was_wrong: typeof raw.retracts === "string" && raw.retracts !== "",
      }
    : null;

/** @param {any} body of a `latest.json`; @returns {{notices: Notice[], broken: number}} */
export const noticesOf = (body) => {
  const items = Array.isArray(body?.items) ? body.items : [];
  const notices = items.map(noticeOf).filter((notice) => notice !== null);
  const known = new Map(notices.map((notice) => [notice.id, notice]));
  return { notices: [...known.values()], broken: items.length - notices.length };
};

/** @param {any} value; @returns {string} the instant as it was published, or "" */
export const instant = (value) => (typeof value === "string" && INSTANT.test(value) ? value : "");

/**
 * Return what became of a notice, as far as the loaded lines tell.
 *
 * @param {Notice} notice
 * @param {any[]} history lines of the archive, oldest first; may be empty
 * @returns {{edited: boolean, returned: boolean, changed: boolean}} changed: it has more than one
 *   revision, and the lines that would say why are not loaded
 */
export const fate = (notice, history) => {
  const kinds = new Set(history.map((line) => line.kind));
  const edited = kinds.has("edited");
  const returned = kinds.has("returned");
  const explained =
    edited ||
    returned ||
    kinds.has("pinned") ||
    kinds.has("unpinned") ||
    kinds.has("retracted") ||
    notice.was_wrong;
  return { edited, returned, changed: notice.revision > 1 && !explained };
};

/**
 * Return the day under which a notice stands: that of the last change that readers are told of,
 * else the board's own date, unless it lies after the day on which the notice was found.
 *
 * @param {Notice} notice
 * @param {any[]} history
 * @returns {string} `YYYY-MM-DD` in Seoul, "" where nothing tells
 */
export const dayOfNotice = (notice, history) => {
  const told = history.filter((line) => TOLD.has(line.kind));
  const last = told.map((line) => instant(line.detected_at)).sort().at(-1);
  if (last) return dayOf(Date.parse(last));
  const found = dayOf(Date.parse(notice.first_seen));
  if (!notice.date) return found;
  return found && notice.date > found ? found : notice.date;
};
