/** The archive folded into items: each record as it is now, and how it became so. */

import { instant, isName, isRecord } from "./lines.js";

/**
 * The records of a source, by id.
 *
 * Each value is `{item, history, isGone}`: `item` has the fields of `latest.json`, `history` the
 * lines of the archive in order, of former names too, and `isGone` is true of one that was deleted
 * or unlisted.
 *
 * @extends {Map<string, {item: object, history: object[], isGone: boolean}>}
 */
export class Folded extends Map {
  /** The texts of a registry's regulations, whose ids begin with `text/`; values as above. */
  texts = new Map();
  /** What it was folded of: lines by their `event_id`, and items of `latest.json` by id. */
  sources = { lines: new Map(), latest: new Map() };
}

/**
 * Fold lines of an archive, in any order, into the records that they tell of.
 *
 * An event counts once, the highest revision is shown. A record that is counted from 1 again (it
 * was forgotten meanwhile) begins anew: its later life is shown. One that was renamed is found
 * under its new id alone.
 *
 * @param {object[]} lines as `parseLines` returns them; what is no record is passed over
 * @param {Folded} [former] to which they are added; it stays as it is
 * @returns {Folded}
 */
export function fold(lines, former = new Folded()) {
  const known = new Map(former.sources.lines);
  for (const each of Array.isArray(lines) ? lines : []) {
    if (!isRecord(each) || !isName(each.event_id) || known.has(each.event_id)) continue;
    const { earlier, ...line } = each;
    known.set(each.event_id, earlier === undefined ? each : line);
  }
  return derived(known, former.sources.latest);
}

/**
 * Add the items of a `latest.json` to what was folded.
 *
 * An item replaces what is shown if it was first seen later (the same id, counted anew), or then
 * as well and its revision is as high. So neither an older copy nor an older archive wins.
 *
 * @param {Folded} folded it stays as it is
 * @param {object[]} items
 * @returns {Folded}
 */
export function merge(folded, items) {
  const latest = new Map(folded.sources.latest);
  for (const each of Array.isArray(items) ? items : []) {
    if (!isRecord(each)) continue;
    if (!latest.has(each.id) || isAsNew(each, latest.get(each.id))) latest.set(each.id, each);
  }
  return derived(folded.sources.lines, latest);
}

function derived(lines, latest) {
  const folded = new Folded();
  folded.sources = { lines, latest };
  const { own, texts, renames } = grouped(lines);
  for (const [id, history] of texts) folded.texts.set(id, entry(inOrder(history)));
  const moved = withRenamed(own, renames);
  for (const [id, history] of own) folded.set(id, entry(inOrder(history)));
  for (const { history, rename } of moved.values()) {
    const heir = folded.get(heirOf(rename, moved));
    heir.history = inOrder([...history, ...heir.history]);
  }
  for (const [id, item] of latest) {
    const there = folded.get(id);
    const rename = renames.get(id);
    const isCurrent = there
      ? isAsNew(item, there.item)
      : rename === undefined || item.revision >= rename.revision;
    if (isCurrent) folded.set(id, { item, history: there?.history ?? [], isGone: false });
  }
  return folded;
}

/** Return lines by id, those of texts apart, and by former id the last line that renamed it. */
function grouped(lines) {
  const own = new Map();
  const texts = new Map();
  const renames = new Map();
  for (const line of lines.values()) {
    const group = isText(line) ? texts : own;
    if (group.has(line.id)) group.get(line.id).push(line);
    else group.set(line.id, [line]);
    const isRenamed = group === own && isName(line.renamed_from);
    if (!isRenamed || line.renamed_from === line.id) continue;
    const other = renames.get(line.renamed_from);
    if (other === undefined || compare(other, line) < 0) renames.set(line.renamed_from, line);
  }
  return { own, texts, renames };
}

/** Return whether a line tells of the text behind a regulation rather than of a record. */
function isText(line) {
  return line.id.startsWith("text/") && Object.hasOwn(line, "articles_changed");
}

function entry(history) {
  const line = history.at(-1);
  const isGone = tellsEnd(line);
  // The last line of a record may tell no more than that it is gone.
  const before = isGone ? history.findLast((each) => !tellsEnd(each)) : undefined;
  const item = before ? { ...itemOf(before), ...itemOf(line) } : itemOf(line);
  return { item, history, isGone };
}

/** Return whether a line says that its record is gone: what has no content has no hash. */
function tellsEnd(line) {
  return line.hash === "";
}

function itemOf(line) {
  const { event_id, kind, detected_at, push, renamed_from, ...item } = line;
  return item;
}

/** Take the lines from before a rename out of a former id; what comes later is another record. */
function withRenamed(own, renames) {
  const moved = new Map();
  for (const [id, rename] of renames) {
    const [history, later] = [[], []];
    for (const line of own.get(id) ?? []) (isBefore(line, rename) ? history : later).push(line);
    if (history.length > 0) moved.set(id, { history, rename });
    if (later.length > 0) own.set(id, later);
    else own.delete(id);
  }
  return moved;
}

/** Follow renames to the id that is shown: each is later than the one before. */
function heirOf(rename, moved) {
  let line = rename;
  while (moved.has(line.id) && isBefore(line, moved.get(line.id).rename)) {
    line = moved.get(line.id).rename;
  }
  return line.id;
}

function isBefore(line, rename) {
  return instant(line.detected_at) < instant(rename.detected_at);
}

function isAsNew(item, shown) {
  const [seen, shownSeen] = [instant(item.first_seen), instant(shown.first_seen)];
  // Revisions count within one life alone: an id that was forgotten is counted from 1 again.
  if (seen && shownSeen && seen !== shownSeen) return seen > shownSeen;
  return item.revision >= shown.revision;
}

/** Sort the lines of a record in place, the oldest first. */
function inOrder(history) {
  if (history.length === 1) return history;
  const starts = history
    .filter((line) => line.revision === 1)
    .map((line) => instant(line.detected_at))
    .sort();
  if (starts.length < 2) return history.sort(compare);
  const lives = new Map(
    history.map((line) => [line, countUpTo(starts, instant(line.detected_at))]),
  );
  return history.sort((one, other) => lives.get(one) - lives.get(other) || compare(one, other));
}

/** Return how many of the sorted times are no later than this one. */
function countUpTo(times, time) {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle] <= time) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compare(one, other) {
  return (
    one.revision - other.revision ||
    order(instant(one.detected_at), instant(other.detected_at)) ||
    order(one.event_id, other.event_id)
  );
}

function order(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
