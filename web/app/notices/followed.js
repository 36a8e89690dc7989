/** The sources that are followed, as one: loaded together, listed together. */

import { sourceOf } from "../index.js";
import { listOf } from "../values.js";
import { entryOf, newestFirst } from "./days.js";
import { feedsOf } from "./feeds.js";
import { ruleOf } from "./rules.js";

/** The first paint waits so long for the network before it shows what the device has. */
const PATIENCE_MS = 1_200;

/**
 * Return the boards among the favourites: an airport with a star is one of a source's `topics`, and
 * has no notices.
 *
 * @param {any} context
 * @returns {string[]} ids of sources; all favourites where no index is known yet
 */
export const boardsOf = ({ index, settings }) => {
  const entries = Object.values(index ?? {}).flatMap(listOf);
  const parts = new Set(entries.flatMap((entry) => listOf(entry?.topics)));
  return settings.get("favourites").filter((id) => !parts.has(id));
};

/**
 * @param {any} context
 * @param {Awaited<ReturnType<typeof import("./marks.js").marksOf>>} marks
 */
export const followedOf = (context, marks) => {
  const ids = boardsOf(context);
  const feeds = feedsOf(context);
  const nameOf = (id) =>
    feeds.get(id)?.name || sourceOf(context.index, id)?.name || ruleOf(context, id).name || id;
  const known = new Map();
  /** The entries of a feed, made once of what was loaded. */
  const entriesOf = (feed) => {
    const [{ id, base, notices, histories }, name] = [feed, nameOf(feed.id)];
    const former = known.get(id);
    if (former?.feed === feed && former.name === name) return former.entries;
    const source = { id, name, base };
    const entries = notices.map((notice) => entryOf(source, notice, histories.get(notice.id)));
    known.set(id, { feed, name, entries });
    return entries;
  };
  const loaded = () => ids.map(feeds.get).filter((feed) => feed !== undefined);
  /** Past the browser's own copy, at the start too: a push may have brought the reader here. */
  const refresh = async () => {
    await feeds.refreshAll(ids, { fresh: true });
    for (const { id, updated } of loaded()) await marks.begin(id, updated);
  };
  return {
    ids,
    nameOf,
    loaded,
    /** @returns {import("./days.js").Entry[]} newest first */
    entries: () => loaded().flatMap(entriesOf).sort(newestFirst),
    refresh,
    /** Load what a push told of. */
    afterPush: feeds.afterPush,
    /**
     * Load all, or, where the network takes long, what the device has of them.
     *
     * @param {() => void} onLate called when the network has answered after all
     */
    begin: async (onLate) => {
      const first = refresh();
      if (await Promise.race([first.then(() => true), after(PATIENCE_MS)])) return;
      await Promise.all(ids.map(feeds.recall));
      first.then(onLate);
    },
  };
};

const after = (ms) => new Promise((resolve) => setTimeout(() => resolve(false), ms));
