/** What `data/index.json` lists, read defensively: a field of a later release, or a broken entry, costs nothing. */

import { isSource } from "../uring/months.js";
import { EARLIER, VIEWS } from "./families.js";
import { objectOf, textOf } from "./values.js";

const LONGEST_WORD = 60;

/**
 * @typedef {object} List of an index
 * @property {string} list its key
 * @property {string} family its name; "" of the release before
 * @property {string} view of `VIEWS`, or `items`: any other
 * @property {(language: "ko" | "en") => string} word for people; the key where there is none
 */
/**
 * @typedef {object} Source
 * @property {string} id
 * @property {string} name
 * @property {string} status `ok`, `failed`, `suspect`, `corrupt`, `pending`, `unchecked` or a later word
 * @property {string} latest path below `data/`
 * @property {string} list that it is in
 * @property {string} view of its list
 */

/** @param {any} index the parsed object, or nothing; @returns {List[]} in the order of the index */
export const listsOf = (index) =>
  Object.entries(objectOf(index))
    .filter(([, entries]) => Array.isArray(entries))
    .map(([list]) => listOf(index, list));

/** @param {any} index; @param {string} list; @param {"ko" | "en"} language; @returns {string} */
export const wordOf = (index, list, language) => listOf(index, list).word(language);

const listOf = (index, list) => {
  const said = own(objectOf(objectOf(index).families), list) ?? own(EARLIER, list);
  const { family, view, word } = objectOf(said);
  return {
    list,
    family: /^[a-z][a-z_]{0,39}$/.test(family) ? family : "",
    view: Object.hasOwn(VIEWS, view) ? view : "items",
    word: (language) => textOf(own(objectOf(word), language), LONGEST_WORD) || list,
  };
};

/** Keys come from data: `constructor` is none. */
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

/**
 * @param {any} index
 * @param {string} list its key
 * @returns {Source[]} each with an id and a name, and all else as it was published
 */
export const sourcesOf = (index, list) => {
  const { view } = listOf(index, list);
  return entriesOf(index, list).filter(isUsable).map((entry) => sourceFrom(entry, list, view));
};

/** @param {any} index; @param {string} list its key; @returns {boolean} */
export const hasSources = (index, list) => entriesOf(index, list).some(isUsable);

/**
 * Return the entries of all lists of a view as they were published: each has a usable id.
 *
 * @param {any} index
 * @param {string} view
 * @returns {any[]} for `sourceFrom`: making that of a hundred thousand takes a second
 */
export const entriesIn = (index, view) =>
  listsOf(index)
    .filter((each) => each.view === view)
    .flatMap(({ list }) => entriesOf(index, list).filter(isUsable));

const entriesOf = (index, list) => (Array.isArray(index?.[list]) ? index[list] : []);
const isUsable = (entry) => isSource(entry?.id);

/** @param {any} entry with a usable id; @param {string} list; @param {string} view; @returns {Source} */
export const sourceFrom = (entry, list, view) => ({
  ...entry,
  list,
  view,
  name: typeof entry.name === "string" && entry.name ? entry.name : entry.id,
  status: typeof entry.status === "string" ? entry.status : "",
  latest: `${entry.id}/latest.json`,
});

/** @param {any} index; @param {string} view; @returns {Source[]} of all its lists */
export const sourcesIn = (index, view) =>
  listsOf(index)
    .filter((each) => each.view === view)
    .flatMap(({ list }) => sourcesOf(index, list));

/** @param {any} index; @param {string} id; @returns {Source | undefined} of any list */
export const sourceOf = (index, id) => {
  if (!isSource(id)) return undefined;
  for (const { list, view } of listsOf(index)) {
    // A list may have a hundred thousand sources.
    const entry = entriesOf(index, list).find((each) => each?.id === id);
    if (entry) return sourceFrom(entry, list, view);
  }
  return undefined;
};
