/**
 * What was read, what is kept, and from when on a notice counts as new.
 *
 * A followed source has one instant, `since`: what was found until then is known, what came after
 * is unread until it is opened. So nothing grows with the archive, and no mark asks the device's
 * clock.
 */

import { now } from "../clock.js";
import { trim } from "../store.js";

/** Marks of a source beyond this many are older than anything unread. */
const MOST_READ = 500;

/**
 * Return the marks of this device, read once a page.
 *
 * @param {any} context
 * @returns {Promise<ReturnType<typeof marksIn>>}
 */
export const marksOf = (context) => (context.marks ??= read(context));

const read = async ({ store, settings }) => {
  const [opened, kept] = await Promise.all(
    ["read", "kept"].map((name) => store.entries(name).catch(() => new Map())),
  );
  const maps = [...opened].map(([source, ids]) => [source, new Map(Object.entries(ids ?? {}))]);
  return marksIn(store, settings, new Map(maps), kept);
};

const marksIn = (store, settings, opened, kept) => {
  const of = (source) => opened.get(source) ?? opened.set(source, new Map()).get(source);
  let instants = { value: null, map: new Map() };
  /** Asked for each row of a list: made once of what the settings have. */
  const since = () => {
    const value = settings.get("since");
    if (instants.value !== value) instants = { value, map: new Map(Object.entries(value)) };
    return instants.map;
  };
  const changeSince = (alter) =>
    settings.change("since", (former) => Object.fromEntries(altered(former, alter)));
  /** Change what the device has of a source: another window may have read more of it. */
  const write = async (source, alter) => {
    const ids = await store.update("read", source, (former) => {
      const revisions = altered(former, alter);
      for (const id of revisions.keys()) {
        if (revisions.size <= MOST_READ) break;
        revisions.delete(id);
      }
      return Object.fromEntries(revisions);
    });
    opened.set(source, new Map(Object.entries(ids)));
  };
  const writeEach = (added, alter) =>
    Promise.all(
      [...added].map(([id, notices]) =>
        write(id, (ids) => notices.forEach((notice) => alter(ids, notice))),
      ),
    );
  const key = (source, id) => `${source}/${id}`;

  const self = {
    isUnread: (source, notice) => {
      const from = since().get(source);
      if (notice.is_retracted) return false;
      return from !== undefined && notice.first_seen > from && !of(source).has(notice.id);
    },
    /** Whether it was opened, and has changed afterwards. */
    isChangedSince: (source, notice) =>
      !notice.was_wrong && of(source).get(notice.id) < notice.revision,
    open: (source, notice) => write(source, (ids) => mark(ids, notice)),
    close: (source, notice) => write(source, (ids) => unmark(ids, notice)),
    /** Let what is there count as known, where a source has no instant yet. */
    begin: async (source, instant) => {
      if (!instant || since().has(source)) return;
      await changeSince((all) => all.has(source) || all.set(source, instant));
    },
    forget: async (source) => {
      if (since().has(source)) await changeSince((all) => all.delete(source));
    },
    /**
     * Mark everything as read.
     *
     * @param {Iterable<{id: string, updated: string, notices: any[]}>} sources
     * @returns {Promise<() => Promise<void>>} takes it back
     */
    openAll: async (sources) => {
      const before = since();
      const raised = new Map();
      const added = new Map();
      for (const { id, updated, notices } of sources) {
        if (updated > (before.get(id) ?? "")) raised.set(id, updated);
        const from = raised.get(id) ?? before.get(id);
        // What claims to come from the future is read one by one: it must not hide what comes.
        const ahead = notices.filter((one) => one.first_seen > from && !of(id).has(one.id));
        if (ahead.length > 0) added.set(id, ahead);
      }
      const raise = (all) => raised.forEach((until, id) => all.set(id, later(all.get(id), until)));
      await Promise.all([changeSince(raise), writeEach(added, mark)]);
      const lower = (all) => {
        for (const [id, until] of raised) {
          if (all.get(id) !== until) continue;
          if (before.has(id)) all.set(id, before.get(id));
          else all.delete(id);
        }
      };
      return async () => void (await Promise.all([changeSince(lower), writeEach(added, unmark)]));
    },
    /**
     * Mark these as read.
     *
     * @param {Entry[]} entries
     * @returns {Promise<() => Promise<void>>} takes it back
     */
    openEach: async (entries) => {
      const added = new Map();
      for (const { source, notice } of entries) {
        if (!self.isUnread(source.id, notice)) continue;
        added.set(source.id, [...(added.get(source.id) ?? []), notice]);
      }
      await writeEach(added, mark);
      return async () => void (await writeEach(added, unmark));
    },
    isKept: (source, id) => kept.has(key(source, id)),
    /** @returns {{source: {id: string, name: string}, notice: any, savedAt: number}[]} new first */
    kept: () =>
      [...kept.values()]
        .filter((value) => value?.source?.id && value?.notice?.id)
        .sort((one, other) => (other.savedAt ?? 0) - (one.savedAt ?? 0)),
    keep: async (source, notice, savedAt = now()) => {
      const value = { source: { id: source.id, name: source.name }, notice, savedAt };
      kept.set(key(source.id, notice.id), value);
      await store.put("kept", key(source.id, notice.id), value);
      await trim(store, "kept");
    },
    drop: async (source, id) => {
      kept.delete(key(source, id));
      await store.remove("kept", key(source, id));
    },
  };
  return self;
};

/**
 * Return what a reader does with a row: open it, keep it, change its mark.
 *
 * @typedef {import("./days.js").Entry} Entry
 *
 * @param {Awaited<ReturnType<typeof marksOf>>} marks
 * @param {() => void} redraw
 * @returns {Record<"onOpen" | "onKeep" | "onToggle", (entry: Entry) => Promise<void>>}
 */
export const actionsOf = (marks, redraw) => {
  const onOpen = async ({ source, notice }) => {
    await marks.open(source.id, notice);
    redraw();
  };
  const onKeep = async ({ source, notice }) => {
    if (marks.isKept(source.id, notice.id)) await marks.drop(source.id, notice.id);
    else await marks.keep(source, notice);
    redraw();
  };
  const onToggle = async (entry) => {
    const { source, notice } = entry;
    if (marks.isUnread(source.id, notice)) return onOpen(entry);
    await marks.close(source.id, notice);
    redraw();
  };
  return { onOpen, onKeep, onToggle };
};

/** Return the entries of an object, as `alter` leaves them. */
const altered = (object, alter) => {
  const entries = new Map(Object.entries(object ?? {}));
  alter(entries);
  return entries;
};

const mark = (ids, { id, revision }) => ids.set(id, revision);
const unmark = (ids, { id }) => ids.delete(id);

const later = (one, other) => (one > other ? one : other);
