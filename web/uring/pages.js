/** A source from its latest items back through its archive, a file at a time. */

import { Folded, foldInto, merge, mergeInto } from "./archive.js";
import { isObject, isRecord, parsed, parseLines } from "./lines.js";
import { archivePath, isSource, monthOf, monthsBack } from "./months.js";

const ABSENT = [403, 404];
const EMPTY_MONTHS = 3;

/**
 * Page through a source: `latest.json`, then its months, the newest first, following `earlier`.
 *
 * No clock is asked: the first month is that of `meta.last_updated`. The walk ends after some
 * months that are not there, one of them behind a month that may be the first; where an item was
 * first seen before, it goes on in that month instead.
 *
 * A page has
 * - `items` that no page had before, the newest first, without those that are gone,
 * - `folded`, all that was read so far: one object, which grows,
 * - `month`, null of `latest.json`, and `meta`, null of a month,
 * - `broken`, how many lines or items could not be read,
 * - `missing`, the path of what should be there and could not be read, or null,
 * - `more`, false on the last page.
 *
 * A failure that may pass ends the walk with `more` still true: go on with the `month` and the
 * `folded` of that page.
 *
 * @param {string} source its id
 * @param {(path: string) => Promise<{status: number, text: string}>} load what is at a path below
 *   `data/`: 200 and the text; 403 or 404, there is none; all else, and a rejection, may pass
 * @param {{from?: string, month?: string, folded?: Folded, emptyMonths?: number}} [options]
 *   `from`: an instant, such as a push's `detected_at`, where it is later than `last_updated`;
 *   `month`, `folded`: of the page to go on from
 */
export async function* pages(source, load, options = {}) {
  const { emptyMonths = EMPTY_MONTHS, from = null } = options;
  const walk = { load, folded: merge(options.folded ?? new Folded(), []), shown: new Set() };
  for (const id of walk.folded.keys()) walk.shown.add(id);
  let month = options.month ?? null;
  if (isSource(source) && month === null) {
    const { page, mayPass } = await readLatest(`${source}/latest.json`, walk);
    month = later(monthOf(page.meta?.last_updated), monthOf(from));
    yield { ...page, more: mayPass || month !== null };
    if (mayPass || month === null) return;
  }
  let empty = 0;
  let isFirst = false;
  while (archivePath(source, month) !== null) {
    empty += 1;
    for await (const read of readMonth(archivePath(source, month), month, walk)) {
      yield read.page;
      if (read.mayPass) return;
      if (read.hasLines) [empty, isFirst] = [0, read.isFirst];
    }
    const isNear = empty < (isFirst ? 1 : emptyMonths);
    month = isNear ? (monthsBack(month, 2)[1] ?? null) : firstSeenBefore(month, walk.folded);
  }
  yield { ...pageOf(walk), more: false };
}

async function readLatest(path, walk) {
  const { text, mayPass } = await read(path, walk);
  const value = parsed(text);
  const document = isObject(value) ? value : null;
  const items = Array.isArray(document?.items) ? document.items : [];
  const meta = isObject(document?.meta) ? document.meta : null;
  const records = items.filter(isRecord);
  mergeInto(walk.folded, records);
  const page = pageOf(walk, records, {
    meta,
    broken: items.length - records.length,
    missing: document === null ? path : null,
  });
  return { page, mayPass };
}

/** Yield the pages of a month: of its address, then of the files before; none if it is absent. */
async function* readMonth(address, month, walk) {
  const visited = new Set();
  for (let path = address; path !== null && !visited.has(path); ) {
    visited.add(path);
    const { text, mayPass } = await read(path, walk);
    if (text === null && !mayPass && path === address) return;
    const { lines, broken, earlier } = parseLines(text);
    foldInto(walk.folded, lines);
    const missing = text === null ? path : null;
    const page = pageOf(walk, lines.toReversed(), { month, broken, missing });
    const isFirst = earlier === null && lines[0]?.kind === "baseline" && lines[0].revision === 1;
    yield { page, mayPass, isFirst, hasLines: lines.length > 0 };
    path = earlier && address.slice(0, address.lastIndexOf("/") + 1) + earlier;
  }
}

async function read(path, walk) {
  try {
    const { status, text } = await walk.load(path);
    if (status === 200 && typeof text === "string") return { text, mayPass: false };
    return { text: null, mayPass: !ABSENT.includes(status) };
  } catch {
    return { text: null, mayPass: true };
  }
}

function pageOf(walk, records = [], own = {}) {
  const items = [];
  for (const { id } of records) {
    if (walk.shown.has(id) || !walk.folded.has(id)) continue;
    walk.shown.add(id);
    const { item, isGone } = walk.folded.get(id);
    if (!isGone) items.push(item);
  }
  const { folded } = walk;
  return { items, folded, month: null, meta: null, broken: 0, missing: null, more: true, ...own };
}

/** Return the latest month before this one in which an item was first seen; null if none was. */
function firstSeenBefore(month, folded) {
  let before = null;
  for (const { item } of [...folded.values(), ...folded.texts.values()]) {
    const seen = monthOf(item.first_seen);
    if (seen !== null && seen < month) before = later(before, seen);
  }
  return before;
}

function later(one, other) {
  return one !== null && (other === null || one > other) ? one : other;
}
