/**
 * The banners on the screen: those of a retracted push are removed, and one notice on two boards is
 * one banner.
 */

import { cut } from "../../uring/text.js";
import { sameAs } from "../../uring.js";
import { listOf } from "../values.js";
import { drawn, partsOf, withoutGone } from "./together.js";

const LONGEST_BODY = 160;
/** A copy of a notice that comes later than this is news again. */
const SAME_MS = 7 * 86_400_000;
/** The events of one notification: more are never asked for. */
const MOST_EVENTS = 100;
const SAME = "same ";

/**
 * Return what a notification stands for: its events, its boards, and the names of its notice.
 *
 * @param {any} data of a message
 * @param {string} event
 */
export const meaningOf = (data, event) => ({
  events: event ? [event] : [],
  depts: typeof data.dept === "string" ? [data.dept] : [],
  kind: String(data.kind ?? ""),
  same: data.kind === "digest" ? [] : sameAs(data),
});

/**
 * Return the banner on the screen that shows the same notice for other boards; undefined without.
 *
 * @param {Notification[]} banners
 * @param {ReturnType<typeof meaningOf>} meaning
 */
export const bannerOfSame = (banners, meaning) =>
  banners.find(
    (banner) =>
      banner.data?.kind === meaning.kind &&
      (partsOf(banner).some((part) => isShared(part, meaning)) ||
        (partsOf(banner).length === 0 && isShared(banner.data, meaning))),
  );

const isShared = (data, { depts, same }) =>
  listOf(data.same).some((name) => same.includes(name)) &&
  !listOf(data.depts).some((dept) => depts.includes(dept));

/** Return title and options that put a board into a banner of others, without a sound. */
export const joined = (banner, meaning, name) => {
  const { title, tag, data } = banner;
  const parts = partsOf(banner);
  if (parts.some((part) => isShared(part, meaning))) {
    const all = parts.map((part) => (isShared(part, meaning) ? shared(part, meaning, name) : part));
    return drawn(banner, all);
  }
  const { body, ...names } = shared({ ...data, body: banner.body }, meaning, name);
  return { title, options: { body, tag, silent: true, renotify: false, data: names } };
};

/** Return a banner's data, or a part of one, with one more board. */
const shared = (one, meaning, name) => ({
  ...one,
  body: cut(`${one.body} · ${name}`, LONGEST_BODY),
  events: [...listOf(one.events), ...meaning.events].slice(-MOST_EVENTS),
  depts: [...listOf(one.depts), ...meaning.depts],
  same: [...new Set([...listOf(one.same), ...meaning.same])],
});

/** Return the keys under which a page is remembered: its name is sure enough to hide a banner. */
const keysOf = ({ same, kind }) =>
  same.filter((name) => name.startsWith("p")).map((name) => `${SAME}${kind} ${name}`);

/** Return whether a banner of another board showed the same page of late. */
export const wasShown = async (store, meaning, now) => {
  for (const key of keysOf(meaning)) {
    const former = await store?.get("seen", key);
    const age = now - (former?.at ?? 0);
    if (age >= 0 && age < SAME_MS && !listOf(former.depts).includes(meaning.depts[0])) return true;
  }
  return false;
};

/** Remember that a banner showed a page for its board. */
export const remember = async (store, meaning, now) => {
  for (const key of keysOf(meaning)) {
    await store?.update("seen", key, (former) => {
      const depts = listOf(former?.depts);
      // A second message of one board begins again: the other boards may follow it.
      const before = depts.includes(meaning.depts[0]) ? [] : depts;
      const events = [...listOf(former?.events), ...meaning.events].slice(-MOST_EVENTS);
      return { at: now, depts: [...before, ...meaning.depts], events };
    });
  }
};

/**
 * Close the banners of events, and let others share them no longer.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {import("../store.js").Store | undefined} store
 * @param {string[]} events
 */
export const takeBack = async (registration, store, events) => {
  const gone = new Set(events);
  for (const banner of await registration.getNotifications()) {
    const { title, body, tag, icon, badge, data } = banner;
    const all = listOf(data?.events);
    const left = all.filter((event) => !gone.has(event));
    if (left.length === all.length || tag === "rest") continue;
    const parts = withoutGone(partsOf(banner), gone);
    if (left.length === 0) banner.close();
    else if (parts.length > 0) {
      const now = drawn(banner, parts);
      await registration.showNotification(now.title, { icon, badge, ...now.options });
    } else {
      const options = { body, tag, icon, badge, silent: true, data: { ...data, events: left } };
      await registration.showNotification(title, options);
    }
  }
  const pages = (await store?.entries("seen")) ?? [];
  for (const [key, value] of pages) {
    if (listOf(value?.events).some((event) => gone.has(event))) await store.remove("seen", key);
  }
};

/** Return how many of the silent line's events are taken back, and those that stay. */
export const withoutEvents = (line, events) => {
  const all = listOf(line?.data?.events);
  const left = all.filter((event) => !events.includes(event));
  return { removed: all.length - left.length, left };
};

/** Return when an entry of the store `seen` was written. */
export const seenAt = (value) => (typeof value === "number" ? value : (value?.at ?? 0));
