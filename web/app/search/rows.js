/** What a search index or a file of an archive says of notices, read defensively. */

import { instant, isName, isObject } from "../../uring/lines.js";
import { clean, foldCase } from "../../uring/text.js";

const VERSION = 1;
const MONTH = /^\d{6}$/;
/** A title may be a megabyte; what is not shown is not searched. */
const LONGEST_TITLE = 500;

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} title as it was published
 * @property {string} folded the title as it is compared
 * @property {string | null} date
 * @property {string | null} category
 * @property {string | null} link not yet known to be safe
 * @property {string} first_seen
 * @property {number} revision
 * @property {string} [retracted] `all` or `part`
 * @property {boolean} isGone
 */
/**
 * @typedef {object} Part
 * @property {Row[]} rows
 * @property {[string, string][]} renamed former ids, each with when it was given up
 */

/**
 * Return what an index says; null for what is no index, or is one of a later version.
 *
 * @param {any} body
 * @param {string} year that it should be of
 * @returns {(Part & {months: Set<string>, unindexed: Set<string>, since: string}) | null} `months`
 *   are in the index, `unindexed` in the archive alone, `since` is the archive's first one
 */
export const indexOf = (body, year) => {
  if (!isObject(body) || body.version !== VERSION || body.year !== year) return null;
  const { ids, titles, since } = body;
  if (![ids, titles].every(Array.isArray) || ids.length !== titles.length) return null;
  if (!isMonth(since)) return null;
  const months = monthsOf(body.months, year);
  const column = (name) => (Array.isArray(body[name]) ? body[name] : []);
  const [dates, categories] = [column("dates"), column("categories")];
  const [seen, revisions] = [column("first_seen"), column("revisions")];
  const links = isObject(body.links) ? body.links : {};
  const retracted = isObject(body.retracted) ? body.retracted : {};
  const around = column("link").map(String);
  const linkOf = (id) => (Object.hasOwn(links, id) ? links[id] : around.join(id));
  const rows = ids.flatMap((id, at) => {
    const raw = { id, title: titles[at], date: dates[at], category: categories[at] };
    const own = { link: linkOf(id), first_seen: seen[at], revision: revisions[at] };
    const marks = Object.hasOwn(retracted, id) ? { retracted: retracted[id] } : {};
    return rowsOf({ ...raw, ...own, ...marks }, false);
  });
  const gone = column("gone").flatMap((of) => {
    const [id, first_seen, revision] = Array.isArray(of) ? of : [];
    return rowsOf({ id, first_seen, revision }, true);
  });
  return {
    rows: [...rows, ...gone],
    renamed: column("renamed").filter(isPair),
    months,
    unindexed: monthsOf(body.unindexed, year),
    since,
  };
};

/** @param {any[]} lines of an archive, as `parseLines` returns them; @returns {Part} */
export const partOf = (lines) => ({
  rows: lines.flatMap((line) => rowsOf(line, line.hash === "")),
  renamed: lines.map((line) => [line.renamed_from, line.detected_at]).filter(isPair),
});

const rowsOf = (raw, isGone) => {
  if (!isName(raw.id) || !Number.isSafeInteger(raw.revision) || raw.revision < 1) return [];
  const title = typeof raw.title === "string" ? raw.title.slice(0, LONGEST_TITLE) : "";
  const { id, revision, retracted, retracts } = raw;
  return [
    {
      id,
      title,
      folded: isGone ? "" : foldCase(title),
      date: typeof raw.date === "string" ? raw.date : null,
      category: typeof raw.category === "string" ? clean(raw.category) : null,
      link: typeof raw.link === "string" ? raw.link : null,
      first_seen: instant(raw.first_seen),
      revision,
      ...(retracted ? { retracted, retracts } : {}),
      isGone,
    },
  ];
};

const isPair = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isName);
const isMonth = (month) => typeof month === "string" && MONTH.test(month);
const monthsOf = (value, year) =>
  new Set((Array.isArray(value) ? value : []).filter((month) => isMonth(month) && month.startsWith(year)));
