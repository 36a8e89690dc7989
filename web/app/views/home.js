/** The first page: the notices of all departments that are followed, or the choice of them. */

import { boardsOf } from "../notices/followed.js";
import { list } from "../notices/list.js";
import { words } from "../words.js";

const t = words({ ko: { title: "새 소식" }, en: { title: "News" } });

/** The first list waits so long for the question above it. */
const PATIENCE_MS = 1_000;

/** @returns {string} */
export const title = () => t("title");

/** Show the list, or, where nothing is followed yet, the choice, then the list. */
export const show = async (root, _, context) => {
  if (boardsOf(context).length > 0) {
    // Pushes start after the first view: a later visit knows at once how they are.
    if (context.pushing) await question(root, context, 0);
    return list(root, context);
  }
  const { welcome } = await import("../notices/welcome.js");
  const ending = new AbortController();
  await welcome(root, context, async () => {
    await question(root, context, PATIENCE_MS);
    const end = await list(root, context);
    ending.signal.addEventListener("abort", end);
    if (ending.signal.aborted) end();
  });
  return () => ending.abort();
};

/** Ask above the list whether pushes are wanted; the list stands without. */
const question = async (root, context, patienceMs) => {
  if (context.settings.get("asked")) return;
  try {
    const { ask } = await import("../push/ask.js");
    await ask(root, context, patienceMs);
  } catch (error) {
    console.warn("not asked:", error);
  }
};
