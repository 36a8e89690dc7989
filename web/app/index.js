/** What `data/index.json` lists, read defensively: a field of a later release, or a broken entry, costs nothing. */

import { isSource } from "../uring/months.js";

/**
 * @typedef {object} Source
 * @property {string} id
 * @property {string} name
 * @property {string} status `ok`, `failed`, `suspect`, `corrupt`, `pending`, `unchecked` or a later word
 * @property {string} latest path below `data/`
 * @property {string} list that it is in
 */

/**
 * @param {any} index the parsed object, or nothing
 * @param {"departments" | "registries" | "weather" | "watches"} list
 * @returns {Source[]} each with an id and a name, and all else as it was published
 */
export const sourcesOf = (index, list) => {
  const entries = Array.isArray(index?.[list]) ? index[list] : [];
  return entries.filter((entry) => isSource(entry?.id)).map((entry) => ({
    ...entry,
    list,
    name: typeof entry.name === "string" && entry.name ? entry.name : entry.id,
    status: typeof entry.status === "string" ? entry.status : "",
    latest: `${entry.id}/latest.json`,
  }));
};

/** @param {any} index; @param {string} id; @returns {Source | undefined} of any list */
export const sourceOf = (index, id) =>
  ["departments", "registries", "weather", "watches"]
    .flatMap((list) => sourcesOf(index, list))
    .find((source) => source.id === id);
