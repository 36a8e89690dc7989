/**
 * Reminders of kept notices that end tomorrow or today.
 *
 * Nothing wakes a device at a given time without a server: they come with the next push, or when the
 * page is opened.
 */

import { routeOf } from "../families.js";
import { daysLeft, dueOf, dueText } from "../notices/due.js";
import { setLanguage, words } from "../words.js";
import { within } from "../within.js";

const t = words({
  ko: { 0: "오늘 마감", 1: "내일 마감" },
  en: { 0: "Ends today", 1: "Ends tomorrow" },
});

const STORAGE_MS = 3_000;
const DAY_BEFORE = 1;
/** At once; the others come with the next push. */
const MOST = 5;

/**
 * Remind of what ends, once a notice and day; never rejects.
 *
 * @param {import("../store.js").Store | undefined} store
 * @param {ServiceWorkerRegistration} registration
 * @param {string} icon its address
 */
export const remind = async (store, registration, icon) => {
  try {
    await within(STORAGE_MS, show(store, registration, icon));
  } catch (error) {
    console.warn("no reminder:", error);
  }
};

const show = async (store, registration, icon) => {
  if (!store || (await store.get("settings", "reminders")) !== true) return;
  setLanguage(await store.get("settings", "language"));
  let left = MOST;
  for (const { source, notice } of (await store.entries("kept")).values()) {
    const due = dueOf(notice?.due);
    const days = due ? daysLeft(due) : -1;
    if (!due || due.confidence !== "high" || days < 0 || days > DAY_BEFORE) continue;
    const key = `due/${source.id}/${notice.id}/${due.date}/${days}`;
    if ((await store.get("seen", key)) !== undefined) continue;
    await registration.showNotification(t(String(days)), {
      body: `${notice.title}\n${dueText(due)}`,
      tag: `due/${source.id}/${notice.id}`,
      icon,
      badge: icon,
      data: { route: routeOf({ dept: source.id, id: notice.id }, undefined) },
    });
    await store.put("seen", key, Date.now());
    left -= 1;
    if (left === 0) return;
  }
};
