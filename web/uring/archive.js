/** The archive folded into items: each record as it is now, and how it became so. */

import { instant, isName, isRecord } from "./lines.js";

/**
 * The records of a source, by id.
 *
 * Each value is `{item, history, isGone}`: `item` has the fields of `latest.json`, `history` the
 * lines of the archive in order, of former names too, and `isGone` is true of one that was deleted
 * or unlisted. They come in no order.
 *
 * @extends {Map<string, {item: object, history: object[], isGone: boolean}>}
 */
export class Folded extends Map {
  /** The texts of a registry's regulations, whose ids begin with `text/`; values as above. */
  texts = new Map();
  /** What it was folded of: lines by their `event_id`, and items of `latest.json` by id. */
  sources = { lines: new Map(), latest: new Map() };
  /** Lines by id, those of texts apart; by former id the last line that renamed it; by id the ids
   * that a rename connects it to. */
  index = { own: new Map(), texts: new Map(), renames: new Map(), kin: new Map() };
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
  return foldInto(copyOf(former), lines);
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
  return mergeInto(copyOf(folded), items);
}

/** Fold lines into what is there: only the records that they touch are derived again. */
export function foldInto(folded, lines) {
  const { own, texts } = folded.index;
  const known = folded.sources.lines;
  const [records, regulations] = [new Map(), new Map()];
  for (const each of Array.isArray(lines) ? lines : []) {
    if (!isRecord(each) || !isName(each.event_id) || known.has(each.event_id)) continue;
    const line = Object.hasOwn(each, "earlier") ? withoutEarlier(each) : each;
    known.set(line.event_id, line);
    const group = isText(line) ? regulations : records;
    if (group.has(line.id)) group.get(line.id).push(line);
    else group.set(line.id, [line]);
    if (group === records) noteRename(folded.index, line);
  }
  extend(own, records);
  extend(texts, regulations);
  for (const id of regulations.keys()) folded.texts.set(id, entry(inOrder([...texts.get(id)])));
  return derive(folded, records.keys());
}

/** Add items to what is there. */
export function mergeInto(folded, items) {
  const { latest } = folded.sources;
  const touched = new Set();
  for (const each of Array.isArray(items) ? items : []) {
    if (!isRecord(each)) continue;
    if (latest.has(each.id) && !isAsNew(each, latest.get(each.id))) continue;
    latest.set(each.id, each);
    touched.add(each.id);
  }
  return derive(folded, touched);
}

function copyOf(folded) {
  const copy = new Folded(folded);
  copy.texts = new Map(folded.texts);
  // The lists in them are never changed, but replaced.
  const copied = ([name, map]) => [name, new Map(map)];
  copy.sources = Object.fromEntries(Object.entries(folded.sources).map(copied));
  copy.index = Object.fromEntries(Object.entries(folded.index).map(copied));
  copy.index.kin = new Map([...folded.index.kin].map(([id, others]) => [id, new Set(others)]));
  return copy;
}

/** Derive records anew, with all that a rename connects to them. */
function derive(folded, ids) {
  const { index, sources } = folded;
  const touched = withKin(index.kin, ids);
  const pick = (map) =>
    new Map([...touched].filter((id) => map.has(id)).map((id) => [id, map.get(id)]));
  const fresh = new Map();
  const renames = pick(index.renames);
  const own = pick(index.own);
  const moved = withRenamed(own, renames);
  for (const [id, history] of own) fresh.set(id, entry(inOrder([...history])));
  for (const { history, rename } of moved.values()) {
    const heir = fresh.get(heirOf(rename, moved));
    heir.history = inOrder([...history, ...heir.history]);
  }
  for (const [id, item] of pick(sources.latest)) {
    const there = fresh.get(id);
    const rename = renames.get(id);
    const isCurrent = there
      ? isAsNew(item, there.item)
      : rename === undefined || item.revision >= rename.revision;
    if (isCurrent) fresh.set(id, { item, history: there?.history ?? [], isGone: false });
  }
  for (const id of touched) {
    if (fresh.has(id)) folded.set(id, fresh.get(id));
    else folded.delete(id);
  }
  return folded;
}

/** Note that a line renames its record. */
function noteRename({ renames, kin }, line) {
  const former = line.renamed_from;
  if (!isName(former) || former === line.id) return;
  const other = renames.get(former);
  if (other === undefined || compare(other, line) < 0) renames.set(former, line);
  for (const [one, another] of [[former, line.id], [line.id, former]]) {
    if (!kin.has(one)) kin.set(one, new Set());
    kin.get(one).add(another);
  }
}

/** Return ids with all that renames connect to them. */
function withKin(kin, ids) {
  const found = new Set(ids);
  for (const id of found) for (const other of kin.get(id) ?? []) found.add(other);
  return found;
}

function withoutEarlier({ earlier, ...line }) {
  return line;
}

function extend(groups, more) {
  for (const [id, lines] of more) {
    groups.set(id, groups.has(id) ? [...groups.get(id), ...lines] : lines);
  }
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
