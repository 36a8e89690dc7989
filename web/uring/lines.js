/** Lines of an archive: JSON Lines in which anything may be broken. */

const INSTANT = /^[0-9]{4}-(?:0[1-9]|1[0-2])-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;
const EARLIER = /^[0-9]{6}\.[0-9a-f]{32}\.jsonl$/;
const BLANK = /^[ \t\r]*$/;
// Records are flat; what is nested deeper than this is made to hurt.
const DEEPEST = 16;

/**
 * Parse a file of an archive.
 *
 * A line is a JSON object with an `event_id`, an `id` and a `revision`; every other one is counted
 * as broken, a last line that was cut among them. Unknown fields stay.
 *
 * @param {unknown} text
 * @returns {{lines: object[], broken: number, earlier: string | null}} `earlier` is the name of the
 *   file beside this one that has the lines before
 */
export function parseLines(text) {
  const lines = [];
  let broken = 0;
  let earlier = null;
  for (const each of typeof text === "string" ? text.split("\n") : []) {
    if (BLANK.test(each)) continue;
    const line = parsed(each);
    earlier ??= nameOfEarlier(line);
    if (isRecord(line) && isName(line.event_id)) lines.push(line);
    else broken += 1;
  }
  return { lines, broken, earlier };
}

/**
 * Return whether a value is a record: an object with an `id` and a `revision` from 1.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
export function isRecord(value) {
  return (
    isObject(value) &&
    isName(value.id) &&
    Number.isSafeInteger(value.revision) &&
    value.revision >= 1
  );
}

/** Return whether a value is a JSON object. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Return whether a value can name something: a string that is not empty. */
export function isName(value) {
  return typeof value === "string" && value !== "";
}

/** Return a time that compares as text, `2026-01-22T10:00:00Z`; "" where it is none. */
export function instant(value) {
  return typeof value === "string" && INSTANT.test(value) ? value : "";
}

/** Return a JSON value; null where it is none, or nested too deep. */
export function parsed(text) {
  try {
    const value = JSON.parse(text);
    return isDeeper(value, DEEPEST) ? null : value;
  } catch {
    return null;
  }
}

function isDeeper(value, levels) {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function nameOfEarlier(line) {
  const file = isObject(line) && isObject(line.earlier) ? line.earlier.file : null;
  // An address is made of it.
  return typeof file === "string" && EARLIER.test(file) ? file : null;
}
