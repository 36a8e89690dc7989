/** Judges what is known of the weather: a product was checked, an airport answers, a report is due. */

import { instantOf, listOf, numberOf, objectOf, textOf } from "../values.js";

export const PRODUCTS = ["metar", "taf", "warning"];

const MINUTE = 60_000;
/** The index is written every ten minutes, and one writing may be missed. */
const LATE_MINUTES = 20;
/** The longest interval of a product, and what an index without one is given. */
const LONGEST_MINUTES = 30;

/**
 * @typedef {object} Trouble why a part is not current
 * @property {"unread" | "silent" | "absent" | "stale" | "overdue" | "over"} kind `unread`: its file
 *   was not read; `silent`: not checked of late; `absent`: the file has no such airport; `stale`:
 *   its calls fail; `overdue`: no newer report came in time; `over`: its forecast has ended
 * @property {number | null} since ms; of `silent` the last check, of `overdue` the due time
 * @property {number | null} [last] ms, the time of the last report
 * @property {string} [reason] of `stale`
 */

/**
 * Return when a product was last checked, up to what this device has read.
 *
 * @param {import("../data.js").Loaded} loaded its `latest.json`
 * @param {any} entry of the index, not to be trusted
 * @returns {number | null} ms; null where nothing tells it
 */
export const checkOf = (loaded, entry) => {
  const instants = [objectOf(entry).last_success, objectOf(loaded.body).fetched_at]
    .map(instantOf)
    .filter((at) => at !== null);
  if (instants.length === 0) return null;
  const at = Math.max(...instants);
  if (loaded.state !== "stored") return at;
  // A copy of the device has nothing of later checks.
  return Number.isFinite(loaded.savedAt) ? Math.min(at, loaded.savedAt) : null;
};

/** @param {number | null} checked; @param {any} entry; @param {number} now ms; @returns {boolean} */
export const isSilent = (checked, entry, now) => {
  const told = numberOf(objectOf(entry).interval_minutes) ?? LONGEST_MINUTES;
  const interval = Math.min(LONGEST_MINUTES, Math.max(0, told));
  return checked === null || now - checked > (interval + LATE_MINUTES) * MINUTE;
};

/** @param {any} taf an airport of the TAFs; @param {number} now ms; @returns {boolean} */
export const isOver = (taf, now) => {
  const end = instantOf(objectOf(objectOf(taf).header).valid_end);
  return objectOf(taf)._expired === true || (end !== null && end <= now);
};

/**
 * Return why an airport's part of a product is not current.
 *
 * @param {string} product
 * @param {{published: any, failed: any, isRead: boolean, isSilent: boolean, checked: number | null,
 *   now: number}} facts the airport in `latest.json` and in the index's `failed`, if they have it
 * @returns {Trouble[]} none: the part is current
 */
export const troublesOf = (product, { published, failed, isRead, isSilent, checked, now }) => {
  if (!isRead) return [{ kind: "unread", since: null }];
  const [part, health] = [objectOf(published), objectOf(failed)];
  const header = objectOf(part.header);
  // An overdue report is not a failed call.
  const isLate = health.reason === "overdue";
  const found = [];
  if (isSilent) found.push({ kind: "silent", since: checked });
  if (!isReadable(product, published)) found.push({ kind: "absent", since: null });
  if (part._stale === true || (failed !== undefined && !isLate)) {
    const since = instantOf(part._stale_since) ?? (isLate ? null : instantOf(health.since));
    found.push({ kind: "stale", since, reason: isLate ? "" : textOf(health.reason, 80) });
  }
  if (part._overdue === true || isLate) {
    const since = instantOf(part._overdue_since) ?? (isLate ? instantOf(health.since) : null);
    const last = instantOf(product === "metar" ? header.observation_time : header.issued);
    found.push({ kind: "overdue", since, last });
  }
  if (product === "taf" && isOver(part, now)) {
    found.push({ kind: "over", since: instantOf(header.valid_end) });
  }
  return found;
};

/** A list of warnings that cannot be read is not an empty one. */
const isReadable = (product, published) => {
  const isObject = (value) => objectOf(value) === value;
  if (!isObject(published)) return false;
  if (product !== "warning") return true;
  return Array.isArray(published.warnings) && listOf(published.warnings).every(isObject);
};
