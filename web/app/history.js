/** A source's archive, read back month by month; the events of a regulation and of its text. */

import { pages } from "../uring.js";
import { textOf } from "./values.js";

/** Months of an archive that are read at once. */
const MONTHS = 12;

/**
 * @typedef {object} Reading
 * @property {import("../uring.js").Folded} [folded] all that was read
 * @property {string | null} month where to go on
 * @property {boolean} more whether something older may be there
 * @property {number} broken lines that could not be read
 * @property {string[]} missing paths of what should be there and could not be read
 */

/** @type {Reading} */
export const UNREAD = { month: null, more: true, broken: 0, missing: [] };

/**
 * Read a source from its latest items backwards; never rejects.
 *
 * @param {string} source its id
 * @param {any} context
 * @param {(folded: import("../uring.js").Folded, month: string | null) => boolean} enough whether
 *   what was read down to a month suffices
 * @param {Reading} former to go on from
 * @returns {Promise<Reading>}
 */
export const readBack = async (source, context, enough, former = UNREAD) => {
  const load = async (path) => {
    const { state, body } = await context.data.load(path, { as: "text" });
    if (state === "missing") return { status: 403, text: "" };
    return state === "offline" ? { status: 503, text: "" } : { status: 200, text: body };
  };
  const reading = { ...former, more: false, missing: [] };
  const from = former.folded ? { month: former.month, folded: former.folded } : {};
  let months = 0;
  for await (const page of pages(source, load, from)) {
    if (page.month !== reading.month) months += 1;
    reading.folded = page.folded;
    reading.month = page.month;
    reading.more = page.more;
    reading.broken += page.broken;
    if (page.missing) reading.missing.push(page.missing);
    if (months > MONTHS || enough(page.folded, page.month)) break;
  }
  return reading;
};

/** Enough for what changed last: a month in which something did. See `readBack`. */
export const untilChange = (folded, month) =>
  month !== null && [...folded.sources.lines.values()].some(isChange);

/** @param {Reading} reading; @returns {any[]} events that are changes, the newest first */
export const changesOf = (reading) =>
  inOrder(linesOf(reading).filter(isChange));

/**
 * Return the events of a regulation and of its text, the newest first, those of former names too.
 *
 * @param {Reading} reading
 * @param {string} id the regulation's title
 * @returns {any[]} lines of the archive
 */
export const historyOf = (reading, id) => {
  if (!reading.folded) return [];
  // One that was renamed since is folded into its successor.
  const named = (line) => line.id === id || line.renamed_from === id;
  const own = reading.folded.get(id)?.history ?? linesOf(reading).filter(named);
  const names = new Set([id, ...own.flatMap(({ title, renamed_from }) => [title, renamed_from])]);
  const texts = [...reading.folded.texts.values()].flatMap(({ history }) => history);
  return inOrder([...own, ...texts.filter(({ title }) => names.has(title))]);
};

/** @param {any} line; @returns {boolean} whether it tells of a regulation's text */
export const isOfText = (line) => textOf(line.id).startsWith("text/");

const isChange = ({ kind }) => kind !== "baseline";

const linesOf = (reading) => [...(reading.folded?.sources.lines.values() ?? [])];

const inOrder = (lines) =>
  lines.sort((one, other) => later(textOf(other.detected_at), textOf(one.detected_at)));

const later = (one, other) => (one === other ? 0 : one > other ? 1 : -1);
