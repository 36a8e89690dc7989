/**
 * What a push becomes in the service worker: a banner, or one more in the silent line of the others.
 *
 * Browsers take the right to push from a site whose push shows nothing, so each shows something,
 * whatever fails before: the rules, the storage, the message itself.
 */

import { decide, restTitle, retracted } from "../../uring.js";
import { routeOf } from "../families.js";
import { sourceOf } from "../index.js";
import { pathsOf } from "../shards.js";
import { trim } from "../store.js";
import { within } from "../within.js";
import {
  bannerOfSame,
  joined,
  meaningOf,
  remember,
  seenAt,
  takeBack,
  wasShown,
  withoutEvents,
} from "./banners.js";
import { log } from "./log.js";
import { bannerOfSite, drawn, freeTag, partsOf, siteOf, withPart } from "./together.js";

/** Storage may hang on a device that wakes up; a push has some seconds in all. */
const STORAGE_MS = 3_000;
const LONGEST_EVENT = 200;
/** Events that one message takes back. */
const MOST_GONE = 100;
const BOARD = { ko: "게시판에서 보기", en: "Open the board" };

/**
 * Return the function that takes pushes, one after the other: the same event twice, at once, is
 * judged twice in turn.
 *
 * @param {object} worker
 * @param {ServiceWorkerRegistration} worker.registration
 * @param {Clients} worker.clients
 * @param {() => Promise<import("../store.js").Store>} worker.open the device's storage
 * @param {Navigator} worker.navigator
 * @param {string} worker.icon address of the picture of each notification
 * @returns {(read: () => any) => Promise<void>} `read` returns the JSON of a push, or throws; what
 *   is returned never rejects
 */
export const receiver = ({ registration, clients, open, navigator, icon }) => {
  let turn = Promise.resolve();
  // What this worker has shown: enough where storage is refused, until the browser ends it.
  const shown = new Set();

  const receive = async (read) => {
    const message = attempt(read);
    const data = message?.data ?? message ?? {};
    const event = typeof data.event_id === "string" ? data.event_id.slice(0, LONGEST_EVENT) : "";
    const store = await within(STORAGE_MS, open()).catch(() => undefined);
    const known = await within(STORAGE_MS, knownOf(store, data, event)).catch(failed);
    const decision = decided(message, data, known, known.seen || shown.has(event));
    const gone = attempt(() => retracted(message))?.slice(0, MOST_GONE) ?? [];
    // A push that comes after its retraction shows no banner either.
    for (const each of gone) await within(STORAGE_MS, mark(store, each)).catch(() => {});
    if (gone.length) await within(STORAGE_MS, takeBack(registration, store, gone)).catch(() => {});
    const meaning = meaningOf(data, event);
    const failure = await show(decision, data, meaning, gone, store).catch((error) => error);
    // Seen only after it was shown: who dies in between shows it again, never not at all.
    if (!failure) await within(STORAGE_MS, mark(store, event)).catch(() => {});
    const problem = failure ? ["unshown", failure.message] : known.problem;
    if (problem && store) await within(STORAGE_MS, log(store, ...problem)).catch(() => {});
    // The number is the list's, of what is unread: this is a dot, until a page has counted.
    await within(STORAGE_MS, navigator.setAppBadge?.()).catch(() => {});
    await tell(data).catch(() => {});
  };

  const mark = async (store, event) => {
    if (!event) return;
    shown.add(event);
    await store?.put("seen", event, Date.now());
    if (store) await trim(store, "seen", seenAt);
  };

  const show = async (decision, data, meaning, gone, store) => {
    if (decision.show !== "banner") return showRest(decision, meaning, gone);
    const onScreen = await registration.getNotifications().catch(() => []);
    const other = bannerOfSame(onScreen, meaning);
    if (other) {
      const { title, options } = joined(other, meaning, nameOf(decision, data));
      await notify(title, options);
    } else {
      const isKnown = await within(STORAGE_MS, wasShown(store, meaning, Date.now())).catch(() => false);
      if (isKnown) return showRest({ ...decision, body: decision.title }, meaning, gone);
      await showNew(onScreen, decision, data, meaning);
    }
    await within(STORAGE_MS, remember(store, meaning, Date.now())).catch(() => {});
  };

  /** Show a banner of its own, or a line more in the one of its university. */
  const showNew = async (onScreen, decision, data, meaning) => {
    const own = bannerOf(decision, data, meaning);
    const heading = decision.title || "uRing";
    const site = siteOf(data, decision.source);
    const { tag, body } = own;
    own.tag = freeTag(onScreen, tag);
    if (!site) return notify(heading, own);
    const { route, url, ...names } = own.data;
    const part = { tag, title: heading, body, name: nameOf(decision, data), route, url, ...names };
    const together = bannerOfSite(onScreen, { site, kind: meaning.kind, tag }, Date.now());
    if (together) {
      const { title, options } = drawn(together, withPart(partsOf(together), part));
      return notify(title, options);
    }
    const group = { site, at: Date.now(), language: decision.language, parts: [part] };
    return notify(heading, { ...own, data: { ...own.data, ...group } });
  };

  const nameOf = ({ source }, { dept }) => String(source?.name ?? dept ?? "");

  const bannerOf = ({ body, tag, url: address, source, language }, data, meaning) => {
    const url = webAddress(address);
    return {
      body,
      tag: tag || "uring",
      renotify: true,
      data: { route: routeOf(data, source), url, ...meaning },
      actions: url ? [{ action: "board", title: BOARD[language] }] : [],
    };
  };

  const showRest = async ({ body, reason, language }, { events }, gone) => {
    const [line] = await others();
    const { removed, left } = withoutEvents(line, gone);
    const isCounted = reason !== "seen" && reason !== "retracted";
    const count = Math.max(countOf(line) - removed, 0) + (isCounted ? 1 : 0);
    const kept = [...left, ...(isCounted ? events : [])].slice(-MOST_GONE);
    const data = { count, route: "#/", events: kept };
    await notify(restTitle(count, language), { body, tag: "rest", silent: true, data });
  };

  const notify = async (heading, given) => {
    const options = { ...given, data: { ...given.data, shown: Date.now() } };
    try {
      await registration.showNotification(heading, { ...options, icon, badge: icon });
    } catch {
      // An option that this browser refuses costs its comfort, not the line.
      const { body, tag, data } = options;
      await registration.showNotification(heading, { body, tag, data });
    }
    await closeFormer(options).catch(() => {});
  };

  /** Safari on iOS shows a second one beside the first, whatever the tag. */
  const closeFormer = async ({ tag, data }) => {
    for (const each of await registration.getNotifications({ tag })) {
      if ((each.data?.shown ?? data.shown) < data.shown) each.close();
    }
  };

  const others = () => registration.getNotifications({ tag: "rest" }).catch(() => []);

  const tell = async (data) => {
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const { dept: source = "", detected_at } = data;
    for (const page of windows) page.postMessage({ type: "pushed", source, detected_at });
  };

  return (read) => (turn = turn.then(() => receive(read)).catch(() => {}));
};

/** Return what the device knows that bears on a message. */
const knownOf = async (store, data, event) => {
  const [rules, language, seen, index] = await Promise.all([
    store.get("settings", "rules"),
    store.get("settings", "language"),
    event ? store.get("seen", event) : undefined,
    store.get("objects", "index.json"),
  ]);
  const listed = attempt(() => JSON.parse(index.text));
  const source = sourceOf(listed, data.dept) ?? (await inShard(store, listed, data.dept));
  return { rules, language, seen: seen !== undefined, source };
};

/** Return a source of a shard that the device keeps. */
const inShard = async (store, listed, id) => {
  for (const path of pathsOf(listed, [id])) {
    const kept = await store.get("objects", path);
    const source = sourceOf(attempt(() => JSON.parse(kept.text)), id);
    if (source) return source;
  }
  return undefined;
};

const failed = (error) => ({ seen: false, problem: ["unread", error.message] });

/** Return the decision on a message; one that cannot be decided is shown as what it says. */
const decided = (message, data, known, isSeen) => {
  const language = known.language || (navigator.language?.startsWith("ko") ? "ko" : "en");
  const { source } = known;
  try {
    const rules = rulesFor(known, language);
    return { ...decide(message, rules, { has: () => isSeen }, new Date()), language, source };
  } catch (error) {
    known.problem = ["unread", error.message];
    return { show: "banner", title: String(data.title || "uRing"), body: "", tag: "", language, source };
  }
};

/** Return the rules by source, as `decide` takes them; the source's name is said with the message. */
const rulesFor = ({ rules, source }, language) => {
  const sources = { ...rules?.sources };
  if (source) sources[source.id] = { ...sources[source.id], name: source.name };
  return { ...sources, quiet: rules?.quiet ?? null, language };
};

const countOf = (notification) => {
  const count = notification?.data?.count;
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};

const webAddress = (url) => (/^https?:\/\//.test(url ?? "") ? url : undefined);

const attempt = (run) => {
  try {
    return run() ?? undefined;
  } catch {
    return undefined;
  }
};
