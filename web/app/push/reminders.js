/**
 * Reminders of kept notices that end tomorrow or today.
 *
 * Nothing wakes a device at a given time without a server: they come with the next push, or when the
 * page is opened.
 */

import { routeOf } from "../families.js";
import { daysLeft, dueOf, dueText } from "../notices/due.js";
import { laterOf } from "../notices/later.js";
import { noticesOf } from "../notices/notice.js";
import { setLanguage, words } from "../words.js";
import { within } from "../within.js";

const t = words({
  ko: { 0: "오늘 마감", 1: "내일 마감" },
  en: { 0: "Ends today", 1: "Ends tomorrow" },
});

/** For all; a push was shown before. */
const PATIENCE_MS = 10_000;
const BOARD_MS = 2_000;
const DAY_BEFORE = 1;
/** At once; the others come with the next push. */
const MOST = 5;

/**
 * Remind of what ends, once a notice and day; never rejects.
 *
 * The board is asked first: it may have extended the deadline since the notice was kept. If it does
 * not answer, the deadline is the kept one.
 *
 * @param {import("../store.js").Store | undefined} store
 * @param {ServiceWorkerRegistration} registration
 * @param {string} icon its address
 */
export const remind = async (store, registration, icon) => {
  try {
    await within(PATIENCE_MS, show(store, registration, icon));
  } catch (error) {
    console.warn("no reminder:", error);
  }
};

const show = async (store, registration, icon) => {
  if (!store || (await store.get("settings", "reminders")) !== true) return;
  setLanguage(await store.get("settings", "language"));
  let left = MOST;
  for (const [name, { source, notice: kept }] of await store.entries("kept")) {
    let notice = kept;
    let soon = soonOf(notice);
    if (!soon || (await store.get("seen", keyOf(source, notice, soon))) !== undefined) continue;
    const later = laterOf(await boardOf(registration.scope, source), notice);
    if (later) {
      const renewed = await store.update("kept", name, (one) => one && { ...one, notice: later });
      notice = later;
      // Without one it was dropped meanwhile, and stays so.
      soon = renewed ? soonOf(notice) : null;
    }
    if (!soon) continue;
    const { due, days } = soon;
    await registration.showNotification(t(String(days)), {
      body: `${notice.title}\n${dueText(due)}`,
      tag: `due/${source.id}/${notice.id}`,
      icon,
      badge: icon,
      data: { route: routeOf({ dept: source.id, id: notice.id }, undefined) },
    });
    await store.put("seen", keyOf(source, notice, soon), Date.now());
    left -= 1;
    if (left === 0) return;
  }
};

const keyOf = (source, notice, { due, days }) => `due/${source.id}/${notice.id}/${due.date}/${days}`;

/** The deadline of a notice, and the days until it; null if it is none to remind of today. */
const soonOf = (notice) => {
  const due = dueOf(notice?.due);
  const days = due ? daysLeft(due) : -1;
  return due?.confidence === "high" && days >= 0 && days <= DAY_BEFORE ? { due, days } : null;
};

/** The notices that a board has now; none where it does not answer. */
const boardOf = async (scope, { id }) => {
  const address = new URL(`data/${encodeURIComponent(id)}/latest.json`, scope);
  const options = { cache: "no-cache", signal: AbortSignal.timeout(BOARD_MS) };
  try {
    return noticesOf(await (await fetch(address, options)).json()).notices;
  } catch {
    return [];
  }
};
