/**
 * The service worker: keeps the page's files for when there is no network, and shows pushes.
 *
 * Public data passes through: the page itself keeps what it has read.
 */

import { log } from "./app/push/log.js";
import { receiver } from "./app/push/received.js";
import { remind } from "./app/push/reminders.js";
import { open } from "./app/store.js";
import { within } from "./app/within.js";

/** All that the page can need without a network; the first one names the release. */
const ASSETS = [
  "./app/main.js",
  "./app/availability.js",
  "./app/clock.js",
  "./app/data.js",
  "./app/families.js",
  "./app/focus.js",
  "./app/health.js",
  "./app/history.js",
  "./app/index.js",
  "./app/link.js",
  "./app/lists/files.js",
  "./app/notices/attend.js",
  "./app/notices/calendar.js",
  "./app/notices/chooser.js",
  "./app/notices/days.js",
  "./app/notices/due.js",
  "./app/notices/feeds.js",
  "./app/notices/follow.js",
  "./app/notices/followed.js",
  "./app/notices/groups.js",
  "./app/notices/later.js",
  "./app/notices/list.js",
  "./app/notices/marks.js",
  "./app/notices/notice.js",
  "./app/notices/paging.js",
  "./app/notices/poll.js",
  "./app/notices/rows.js",
  "./app/notices/rules.js",
  "./app/notices/scroll.js",
  "./app/notices/shortcuts.js",
  "./app/notices/troubles.js",
  "./app/notices/welcome.js",
  "./app/pace.js",
  "./app/published.js",
  "./app/push.js",
  "./app/push/ask.js",
  "./app/push/banners.js",
  "./app/push/device.js",
  "./app/push/home_screen.js",
  "./app/push/log.js",
  "./app/push/panel.js",
  "./app/push/received.js",
  "./app/push/reminders.js",
  "./app/push/requests.js",
  "./app/push/state.js",
  "./app/push/subscriptions.js",
  "./app/push/together.js",
  "./app/push/topics.js",
  "./app/push/worker.js",
  "./app/router.js",
  "./app/rules/addresses.js",
  "./app/rules/changes.js",
  "./app/rules/difference.js",
  "./app/rules/markdown.js",
  "./app/search/board.js",
  "./app/search/panel.js",
  "./app/search/past.js",
  "./app/search/rows.js",
  "./app/search/searching.js",
  "./app/settings.js",
  "./app/shards.js",
  "./app/share.js",
  "./app/source_row.js",
  "./app/store.js",
  "./app/transfer/checks.js",
  "./app/transfer/file.js",
  "./app/transfer/panel.js",
  "./app/values.js",
  "./app/views/airport.js",
  "./app/views/due.js",
  "./app/views/family.js",
  "./app/views/home.js",
  "./app/views/item.js",
  "./app/views/items.js",
  "./app/views/kept.js",
  "./app/views/lists.js",
  "./app/views/registry.js",
  "./app/views/regulation.js",
  "./app/views/rules.js",
  "./app/views/settings.js",
  "./app/views/source.js",
  "./app/views/sources.js",
  "./app/views/weather.js",
  "./app/weather/codes.js",
  "./app/weather/day.js",
  "./app/weather/day_table.js",
  "./app/weather/feed.js",
  "./app/weather/forecast.js",
  "./app/weather/freshness.js",
  "./app/weather/graph.js",
  "./app/weather/known.js",
  "./app/weather/marks.js",
  "./app/weather/observation.js",
  "./app/weather/outlook.js",
  "./app/weather/parts.js",
  "./app/weather/plot.js",
  "./app/weather/times.js",
  "./app/weather/warnings.js",
  "./app/within.js",
  "./app/words.js",
  "./icons/icon-192.png",
  "./icons/icon-512.png",
  "./icons/icon.svg",
  "./style.css",
  "./uring.js",
  "./uring/archive.js",
  "./uring/changed.js",
  "./uring/decide.js",
  "./uring/keywords.js",
  "./uring/layout.js",
  "./uring/lines.js",
  "./uring/messages.js",
  "./uring/months.js",
  "./uring/pages.js",
  "./uring/retracted.js",
  "./uring/text.js",
  "./vendor/lit-html.js",
];
const ENTRIES = ["./", "./manifest.webmanifest", "./config.json"];
/** In a release the addresses change with the files; a folder as it is may change below them. */
const IS_RELEASE = /^\.\/r\//.test(ASSETS[0]);
const CACHE = `shell ${registration.scope} ${ASSETS[0]}`;
const PATIENCE_MS = 5_000;
/** Firefox lets a tap open a window for a second: what is read before leaves most of it. */
const TAP_MS = 400;

const absolute = (address) => new URL(address, location.href).href;
const assets = new Set(ASSETS.map(absolute));
const entries = new Set(ENTRIES.map(absolute));

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(
    fill().catch((error) => {
      // A full disk costs the offline page; pushes need none.
      if (error.name !== "QuotaExceededError") throw error;
    }),
  );
});

/** Keep one whole release, or none: the browser tries again. */
const fill = async () => {
  const page = await fetch("./", { cache: "no-cache" });
  if (!(await isOfThisRelease(page))) throw new Error("the page is of another release");
  const cache = await caches.open(CACHE);
  await cache.addAll([...ASSETS, ...ENTRIES.slice(1)]);
  await cache.put("./", page);
};

const isOfThisRelease = async (page) => page.ok && (await page.clone().text()).includes(ASSETS[0]);

addEventListener("activate", (event) => event.waitUntil(takeOver()));

const takeOver = async () => {
  const former = (await caches.keys()).filter(
    (name) => name.startsWith(`shell ${registration.scope} `) && name !== CACHE,
  );
  await Promise.all(former.map((name) => caches.delete(name)));
  await clients.claim();
};

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const address = url.replace(/[?#].*$/, "").replace(/\/index\.html$/, "/");
  if (method !== "GET" || !(assets.has(address) || entries.has(address))) return;
  const isFixed = IS_RELEASE && assets.has(address);
  event.respondWith(isFixed ? keptFirst(event, address) : networkFirst(event, address));
});

const kept = async (address) => {
  try {
    return await (await caches.open(CACHE)).match(address);
  } catch {
    return undefined;
  }
};

const keptFirst = async ({ request }, address) => (await kept(address)) ?? fetch(request);

const networkFirst = async (event, address) => {
  let answer;
  try {
    answer = await fetch(event.request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) {
      event.waitUntil(keep(address, answer.clone()).catch(() => {}));
      return answer;
    }
  } catch {
    // No network, or none that answers in time.
  }
  return (await kept(address)) ?? answer ?? Response.error();
};

/** Keep what the network has; a page of another release would find none of its files here. */
const keep = async (address, answer) => {
  if (address === absolute("./") && !(await isOfThisRelease(answer))) return;
  await (await caches.open(CACHE)).put(address, answer);
};

const icon = absolute("./icons/icon-192.png");
const receive = receiver({ registration, clients, open, navigator, icon });
/** A push comes first; it wakes the worker for what ends, too. */
const taken = async (read) => {
  await receive(read);
  await remind(await open(), registration, icon);
};

addEventListener("push", (event) => event.waitUntil(taken(() => event.data.json())));

addEventListener("message", (event) => {
  // A local run has no push service: the page hands on what came to it.
  if (event.data?.type === "push") event.waitUntil(taken(() => event.data.message));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(follow(event));
});

/** Open the board where its button was pressed, or the reader chose so; else the notice's page. */
const follow = async ({ action, notification }) => {
  const { route = "#/", url } = notification.data ?? {};
  const isBoard = Boolean(url) && (action === "board" || (await isBoardFirst()));
  return isBoard ? clients.openWindow(url) : show(route);
};

/** A tap opens something soon: a disk that is slow costs the choice. */
const isBoardFirst = async () => {
  try {
    const chosen = open().then((store) => store.get("settings", "boardFirst"));
    return (await within(TAP_MS, chosen)) === true;
  } catch {
    return false;
  }
};

/** Show a route in the window that is open, or in a new one. */
const show = async (route) => {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find(({ url }) => new URL(url).pathname === new URL("./", location.href).pathname);
  if (!page) return clients.openWindow(new URL(`./${route}`, location.href).href);
  page.postMessage({ type: "open", route });
  return page.focus();
};

addEventListener("pushsubscriptionchange", (event) => {
  // The page compares its subscription at its next start, and registers anew.
  event.waitUntil(open().then((store) => log(store, "lost")));
});
