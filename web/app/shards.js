/**
 * The shards of an index: further objects, each with a list's sources from one id on. Pure.
 *
 * `index.json` names them in `families`, in ascending order, and has the first sources itself. What
 * a shard has is known once it was read: an id that is in none of those is unknown, never gone.
 */

import { listOf, objectOf, objectsOf } from "./values.js";

const PATH = /^[\w-][\w.~-]{0,200}\.json$/;
const MOST = 1_000;

/**
 * @typedef {object} Shard
 * @property {string} list its key in the index
 * @property {string} path below `data/`
 * @property {(id: any) => boolean} has whether a source of the list is in it
 */

/** @param {any} index the parsed `index.json`; @returns {Shard[]} none of an index that has all */
export const shardsOf = (index) =>
  Object.entries(objectOf(objectOf(index).families))
    .filter(([list]) => Array.isArray(index[list]))
    .flatMap(([list, said]) => {
      const shards = objectsOf(objectOf(said).shards).filter(isShard).slice(0, MOST);
      return shards.map(({ from, path }, at) => {
        const [begin, end] = [`${from}.`, shards[at + 1] && `${shards[at + 1].from}.`];
        const has = (id) => `${id}.` >= begin && (end === undefined || `${id}.` < end);
        return { list, path, has };
      });
    });

const isShard = ({ from, path }) =>
  typeof from === "string" && from !== "" && PATH.test(path) && path !== "index.json";

/**
 * Return the ids that no list has: neither as a source nor as a part of one.
 *
 * @param {any} index
 * @param {string[]} ids
 * @returns {string[]}
 */
export const unlisted = (index, ids) => {
  const left = new Set(ids);
  for (const entry of Object.values(objectOf(index)).flatMap(listOf)) {
    left.delete(entry?.id);
    for (const part of listOf(entry?.topics)) left.delete(part);
  }
  return [...left];
};

/**
 * Return the shards that may have these sources, in ascending order.
 *
 * @param {any} index the parsed `index.json`
 * @param {string[]} ids
 * @returns {string[]} their paths, each once
 */
export const pathsOf = (index, ids) => {
  const left = unlisted(index, ids);
  const paths = shardsOf(index).filter(({ has }) => left.some(has)).map(({ path }) => path);
  return [...new Set(paths)];
};

/**
 * Return the index with the sources of the shards that were read.
 *
 * @param {any} index the parsed `index.json`
 * @param {Map<string, any>} parts parsed shards by path
 * @returns {any} `index` itself where there are none
 */
export const merged = (index, parts) => {
  const read = shardsOf(index).filter(({ path }) => parts.has(path));
  const whole = { ...index };
  for (const list of new Set(read.map((shard) => shard.list))) {
    const shards = read.filter((shard) => shard.list === list);
    const others = index[list].filter((entry) => !shards.some(({ has }) => has(entry?.id)));
    // A shard of other bounds is being divided or joined: each source is in the one that has it now.
    const own = ({ path, has }) => entriesIn(parts.get(path), list).filter((entry) => has(entry?.id));
    whole[list] = others.concat(...shards.map(own));
  }
  return read.length ? whole : index;
};

/** @param {any} shard parsed; @param {string} list; @returns {any[]} */
export const entriesIn = (shard, list) => listOf(objectOf(shard)[list]);
