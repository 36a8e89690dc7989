/**
 * The time, corrected by the server's: a device may be years off.
 *
 * Order and paging never ask it; it names days (today, yesterday), says when a copy was read, and
 * how long ago the weather was checked.
 */

/** A difference below this is the network's, or a cache's; weather is judged in minutes. */
const TOLERATED_MS = 120_000;
const SEOUL_MS = 9 * 3_600_000;

let offset = 0;

/** @returns {number} ms since the epoch */
export const now = () => Date.now() + offset;

/**
 * Return the server's clock by the headers of an answer: `Date`, and `Age` where a cache had it.
 *
 * @param {Headers} headers
 * @returns {number | null} ms; null without a date
 */
export const servedAt = (headers) => {
  const at = Date.parse(headers.get("date") ?? "") + 1000 * (Number(headers.get("age")) || 0);
  return Number.isFinite(at) ? at : null;
};

/**
 * Set the clock by an answer.
 *
 * The browser's own cache tells no age: an answer from it would set the clock back.
 *
 * @param {Headers} headers
 */
export const observe = (headers) => {
  const at = servedAt(headers);
  if (at === null) return;
  const difference = at - Date.now();
  offset = Math.abs(difference) > TOLERATED_MS ? difference : 0;
};

/** @param {number} at ms; @returns {string} the day in Seoul, `YYYY-MM-DD`; "" for no time */
export const dayOf = (at) => {
  const local = new Date(at + SEOUL_MS);
  return Number.isNaN(local.getTime()) ? "" : local.toISOString().slice(0, 10);
};
