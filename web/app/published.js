/** The page's index: `index.json`, and of its shards those that somebody needs. */

import { listOf, objectOf } from "./values.js";
import { merged, pathsOf, shardsOf } from "./shards.js";

/** So many shards are asked for at once. */
const AT_ONCE = 4;
/** Shards of followed boards that the device keeps: copies of notices need the rest of its room. */
const MOST_KEPT = 4;

/**
 * @typedef {object} Lists how much of the index was read
 * @property {number} all `index.json` and its shards
 * @property {number} read
 * @property {number} failed shards that did not come when they were asked for last
 */

/**
 * Give a page its index, and what reads it:
 *
 * - `index` is merged of all that was read; what failed costs its own sources alone;
 * - `reload(options)` reads `index.json`, and when asked past the browser's copy the shards again;
 * - `ready` is the first reload, `listed(ids)` reads the shards of these sources after it;
 * - `rest(onRead, isWanted)` reads all others, and calls `onRead` after each;
 * - `lists()` returns the `Lists`.
 *
 * None of them rejects.
 *
 * @param {any} context of the page, with `data` and `settings`
 * @param {any} known the copy of `index.json` that the device has, or nothing
 * @param {() => void} onChange called when `index` is another
 */
export const publish = (context, known, onChange) => {
  const { data, settings } = context;
  let base = known;
  const parts = new Map();
  const failed = new Set();
  /** Requests under way, by path. */
  const asked = new Map();

  const change = () => {
    context.index = merged(base, parts);
    onChange();
  };

  const ask = async (path, options) => {
    const loaded = await data.load(path, options);
    const lists = shardsOf(base).filter((shard) => shard.path === path);
    if (lists.some(({ list }) => Array.isArray(objectOf(loaded.body)[list]))) {
      parts.set(path, loaded.body);
      failed.delete(path);
      change();
    } else if (!parts.has(path)) failed.add(path);
  };

  const read = (path, options) => {
    if (!asked.has(path)) {
      asked.set(path, ask(path, options).finally(() => asked.delete(path)));
    }
    return asked.get(path);
  };

  /** Read several, a few at a time. */
  const readAll = async (paths, options, { onRead = () => {}, isWanted = () => true } = {}) => {
    const waiting = [...paths];
    const lane = async () => {
      while (waiting.length > 0 && isWanted()) {
        const path = waiting.shift();
        await read(path, options(path));
        if (isWanted()) onRead();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };

  const isUnread = (path) => !parts.has(path);
  const all = () => [...new Set(shardsOf(base).map(({ path }) => path))];
  const followed = () => pathsOf(base, listOf(settings.get("favourites")));

  /** The browser keeps a refusal, too: what failed is asked for past its copy. */
  const optionsOf = (path, kept) => ({ fresh: failed.has(path), isKept: kept.includes(path) });

  /** Read the shards of sources, and let the device keep those of the followed ones. */
  const readOf = (ids, fresh = false) => {
    const kept = followed().slice(0, MOST_KEPT);
    const paths = pathsOf(base, ids).filter((path) => fresh || isUnread(path));
    return readAll(paths, (path) => ({ ...optionsOf(path, kept), ...(fresh ? { fresh } : {}) }));
  };

  context.index = known;
  context.reload = async (options = {}) => {
    const loaded = await data.load("index.json", options);
    base = loaded.body ?? base ?? {};
    const paths = all();
    for (const path of parts.keys()) if (!paths.includes(path)) parts.delete(path);
    change();
    if (options.fresh) await readOf(settings.get("favourites"), true);
    return loaded;
  };
  context.listed = async (ids) => {
    await context.ready;
    await readOf(ids);
  };
  context.rest = async (onRead, isWanted) => {
    await context.ready;
    const kept = followed().slice(0, MOST_KEPT);
    const options = (path) => optionsOf(path, kept);
    await readAll(all().filter(isUnread), options, { onRead, isWanted });
  };
  context.lists = () => {
    const paths = all();
    const count = (isSo) => paths.filter(isSo).length;
    const failures = count((path) => isUnread(path) && failed.has(path));
    return { all: paths.length + 1, read: count((path) => parts.has(path)) + 1, failed: failures };
  };
  context.ready = context.reload();
};
