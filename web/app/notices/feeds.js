/** The newest notices of sources, loaded once a page and refreshed in place. */

import { fold } from "../../uring/archive.js";
import { parseLines } from "../../uring/lines.js";
import { archivePath, monthOf } from "../../uring/months.js";
import { instant, noticesOf } from "./notice.js";

/** So many objects are asked for at once: browsers queue more, and each has its patience. */
const AT_ONCE = 6;
/** How long a copy of the CDN may be older than the push that tells of it. */
const CDN_MS = 5_000;

/**
 * @typedef {object} Feed
 * @property {string} id
 * @property {string} name of the department, "" where it is not known yet
 * @property {string | null} base the address of its site, not yet known to be safe
 * @property {"ok" | "stored" | "missing" | "offline" | "broken"} state of the last load
 * @property {string} updated `meta.last_updated`, "" before the first
 * @property {number | undefined} savedAt when it was read from the network, in ms
 * @property {import("./notice.js").Notice[]} notices
 * @property {number} broken items that could not be read
 * @property {Map<string, any[]>} histories lines of the archive by id, of notices that were changed
 */

/**
 * Return the feeds of this page.
 *
 * @param {any} context
 * @returns {ReturnType<typeof feedsIn>}
 */
export const feedsOf = (context) => (context.feeds ??= feedsIn(context.data));

const feedsIn = (data) => {
  /** @type {Map<string, Feed>} */
  const feeds = new Map();

  /**
   * Load one feed; never rejects. What was loaded before stays where nothing comes.
   *
   * @param {string} id
   * @param {{fresh?: boolean}} options
   * @returns {Promise<Feed>}
   */
  const refresh = async (id, options = {}) => {
    const loaded = await data.load(`${id}/latest.json`, options);
    const feed = await read(id, loaded);
    feeds.set(id, feed);
    return feed;
  };

  const read = async (id, loaded) => {
    const former = feeds.get(id) ?? blank(id);
    if (loaded.body === undefined) return { ...former, state: loaded.state };
    const meta = loaded.body?.meta;
    const { notices, broken } = noticesOf(loaded.body);
    const updated = instant(meta?.last_updated);
    const known = former.updated === updated && former.histories.size > 0;
    return {
      id,
      name: typeof meta?.dept_name === "string" ? meta.dept_name : former.name,
      base: typeof meta?.base_url === "string" ? meta.base_url : null,
      state: loaded.state,
      updated,
      savedAt: loaded.savedAt,
      notices,
      broken,
      histories: known ? former.histories : await histories(id, updated, notices, loaded.state),
    };
  };

  /** Load the month's lines where a notice has changed: they say how, and when. */
  const histories = async (id, updated, notices, state) => {
    const path = archivePath(id, monthOf(updated));
    if (!path || !notices.some((notice) => notice.revision > 1)) return new Map();
    const ask = state === "stored" ? data.known : data.load;
    const loaded = await ask(path, { as: "text", fresh: true });
    const folded = fold(parseLines(loaded.body ?? "").lines);
    return new Map([...folded].map(([key, record]) => [key, record.history]));
  };

  return {
    get: (id) => feeds.get(id),
    refresh,
    /** Show what the device has of a source, until the network has answered. */
    recall: async (id) => {
      const loaded = await data.known(`${id}/latest.json`);
      if (loaded.body === undefined) return;
      const feed = await read(id, loaded);
      if (!feeds.has(id)) feeds.set(id, feed);
    },
    /** Load several, a few at a time. */
    refreshAll: async (ids, options) => {
      const waiting = [...ids];
      const work = async () => {
        while (waiting.length > 0) await refresh(waiting.shift(), options);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    /** Load what a push told of: once more where the CDN's copy was the older one. */
    afterPush: async (id, detectedAt) => {
      const feed = await refresh(id, { fresh: true });
      if (!(instant(detectedAt) > feed.updated)) return;
      await new Promise((resolve) => setTimeout(resolve, CDN_MS));
      await refresh(id, { fresh: true });
    },
  };
};

const blank = (id) => ({
  id,
  name: "",
  base: null,
  state: "offline",
  updated: "",
  savedAt: undefined,
  notices: [],
  broken: 0,
  histories: new Map(),
});
