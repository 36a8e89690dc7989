/** What differs between two revisions of a record. */

import { isObject } from "./lines.js";

const FIRST = ["title", "date", "category", "link", "is_pinned"];
// What says which revision it is, not what it says.
const BESIDE = new Set([
  "event_id", "kind", "detected_at", "push", "earlier", "renamed_from",
  "id", "revision", "hash", "first_seen",
]);

/**
 * Return the fields of a record that differ, title first.
 *
 * @param {object | null} before an item or a line of the archive
 * @param {object | null} after
 * @returns {{field: string, before: unknown, after: unknown}[]} a field that is missing is null
 */
export function changed(before, after) {
  const [old, now] = [before, after].map((each) => (isObject(each) ? each : {}));
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const others = [...names].filter((name) => !FIRST.includes(name) && !BESIDE.has(name)).sort();
  return [...FIRST.filter((name) => names.has(name)), ...others]
    .map((field) => ({ field, before: own(old, field), after: own(now, field) }))
    .filter((change) => !isEqual(change.before, change.after));
}

function own(record, field) {
  return (Object.hasOwn(record, field) ? record[field] : null) ?? null;
}

function isEqual(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, at) => isEqual(each, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}
