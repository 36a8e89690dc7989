/** A source from its newest notices back through its archive, as one scrolls. */

import { pages } from "../../uring.js";
import { entryOf, newestFirst } from "./days.js";
import { noticeOf } from "./notice.js";

/**
 * @typedef {object} Read one file
 * @property {string | null} month `YYYYMM`; null of the newest notices
 * @property {number} broken lines or items that could not be read
 * @property {string | null} missing path of what should be there and could not be loaded
 */
/**
 * @typedef {object} Part
 * @property {import("./days.js").Entry[]} entries that no part before had, newest first
 * @property {Read[]} reads what they were read from
 */

/**
 * Return a walk through a source. It has one state:
 * - `going`: the next part can be loaded,
 * - `paused`: the network failed; the next call tries again where it ended,
 * - `ended`: there is no more.
 *
 * @param {any} context
 * @param {{id: string, name: string, base?: string | null}} source
 * @returns {{state: () => "going" | "paused" | "ended", meta: () => any,
 *   oldest: () => string | null, historyOf: (id: string) => any[], begin: () => Promise<Part>,
 *   next: () => Promise<Part | null>}} `oldest`: the last month that was loaded; `next`: null where
 *   nothing came
 */
export const pagingOf = (context, source) => {
  const load = async (path) => {
    const { state, body } = await context.data.load(path, { as: "text" });
    return { status: state === "missing" ? 403 : body === undefined ? 503 : 200, text: body ?? "" };
  };
  let walk = pages(source.id, load);
  let state = "going";
  let meta = null;
  let last = null;
  let oldest = null;

  const historyOf = (id) => last?.folded.get(id)?.history ?? [];
  const next = async () => {
    if (state === "ended") return null;
    if (state === "paused") {
      walk = pages(source.id, load, last.month ? { month: last.month, folded: last.folded } : {});
      state = "going";
    }
    const { value: page, done } = await walk.next();
    if (done) {
      state = last?.more ? "paused" : "ended";
      return null;
    }
    last = page;
    meta = page.meta ?? meta;
    if (page.month && !page.missing) oldest = page.month;
    if (!page.more) state = "ended";
    const { month, broken, missing } = page;
    const notices = page.items.map(noticeOf).filter((notice) => notice !== null);
    return { entries: ordered(notices), reads: [{ month, broken, missing }] };
  };
  const ordered = (notices) =>
    notices.map((notice) => entryOf(source, notice, historyOf(notice.id))).sort(newestFirst);
  return {
    next,
    /** Load the newest notices, and the month that tells how they became so. */
    begin: async () => {
      const parts = [await next()];
      if (state === "going") parts.push(await next());
      const came = parts.filter((part) => part !== null);
      const notices = came.flatMap(({ entries }) => entries.map(({ notice }) => notice));
      return { entries: ordered(notices), reads: came.flatMap(({ reads }) => reads) };
    },
    historyOf,
    state: () => state,
    meta: () => meta,
    oldest: () => oldest,
  };
};
