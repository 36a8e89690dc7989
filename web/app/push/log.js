/** Problems with pushes, kept for the settings to show. */

import { trim } from "../store.js";

/**
 * Keep a problem; never rejects.
 *
 * @param {import("../store.js").Store} store
 * @param {"lost" | "later" | "refused" | "unknown" | "unshown" | "unread" | "failed"} problem
 * @param {string} detail
 */
export const log = async (store, problem, detail = "") => {
  try {
    const at = Date.now();
    const key = `${at} ${Math.random().toString(36).slice(2, 8)}`;
    await store.put("log", key, { at, problem, detail: detail.slice(0, 200) });
    await trim(store, "log", (entry) => entry.at);
  } catch (error) {
    console.warn("not logged:", problem, detail, error);
  }
};
