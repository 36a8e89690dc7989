/**
 * The public data below `./data/`: asked with validators, kept for when there is no network.
 */

import { now, observe, servedAt } from "./clock.js";
import { trim } from "./store.js";

/** The largest object that is kept on the device, in characters. */
const LARGEST_KEPT = 2_000_000;
const PATIENCE_MS = 20_000;
/** Empty segments, `.`, `..`, what begins a query: names in addresses must not leave the data. */
const OUTSIDE = /(^|\/)\.{0,2}(\/|$)|[\\?#%]/;

/**
 * @typedef {object} Loaded
 * @property {"ok" | "stored" | "missing" | "offline" | "broken"} state `stored`: the network did not
 *   answer, this is what was seen before; `missing`: there is no such object (403 or 404)
 * @property {any} [body] the parsed JSON, or the text
 * @property {number} [savedAt] when it was read from the network, in ms
 * @property {boolean} [changed] whether it differs from what was known
 * @property {number | null} [servedAt] the server's clock in ms, of what was asked past the browser's
 *   copy; null: its answer has no date
 */

/** Parse what is JSON by its name even where its text is asked for: a broken one throws. */
const read = (path, text, as) => {
  const value = as === "json" || path.endsWith(".json") ? JSON.parse(text) : text;
  return as === "json" ? value : text;
};

/**
 * Return functions that read the public data.
 *
 * @param {import("./store.js").Store} store
 * @param {typeof globalThis.fetch} fetch
 */
export const dataOf = (store, fetch = globalThis.fetch.bind(globalThis)) => {
  /**
   * Load one object; never rejects.
   *
   * @param {string} path below `./data/`
   * @param {{fresh?: boolean, as?: "json" | "text", isKept?: boolean, isClock?: boolean}} options
   *   fresh: ask past the browser's own copy; unchanged, that is a 304. isKept: whether the device
   *   keeps what comes. isClock: whether the page's clock is set by it
   * @returns {Promise<Loaded>}
   */
  const load = async (path, { fresh = false, as = "json", isKept = true, isClock = fresh } = {}) => {
    if (OUTSIDE.test(path)) return { state: "missing" };
    let response;
    try {
      response = await fetch(`./data/${path}`, {
        cache: fresh ? "no-cache" : "default",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.status === 403 || response.status === 404) return { state: "missing" };
      if (!response.ok) throw new Error(`status ${response.status}`);
      // The browser's own copy is as old as its `Date`.
      if (isClock) observe(response.headers);
      const at = fresh ? servedAt(response.headers) : null;
      const text = await response.text();
      const body = read(path, text, as);
      const changed = isKept ? await keep(path, text) : true;
      return { state: "ok", body, savedAt: now(), servedAt: at, changed };
    } catch (error) {
      const stored = await known(path, { as });
      if (stored.body !== undefined) return stored;
      return { state: error instanceof SyntaxError ? "broken" : "offline" };
    }
  };

  /**
   * Return the copy that the device has; never rejects.
   *
   * @param {string} path
   * @param {{as?: "json" | "text"}} options
   * @returns {Promise<Loaded>} `stored`, or `offline` without a body
   */
  const known = async (path, { as = "json" } = {}) => {
    try {
      const { text, savedAt } = await store.get("objects", path);
      const body = read(path, text, as);
      return { state: "stored", body, savedAt, changed: false };
    } catch {
      return { state: "offline" };
    }
  };

  const keep = async (path, text) => {
    if (text.length > LARGEST_KEPT) return true;
    let before;
    await store.update("objects", path, (former) => {
      before = former?.text;
      return { text, savedAt: now() };
    });
    // What is shown does not wait for what is forgotten.
    const isLonger = text.length > (before?.length ?? -1);
    if (isLonger) trim(store, "objects").catch((error) => console.warn(error));
    return before !== text;
  };

  return { load, known };
};
