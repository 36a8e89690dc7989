/** The first page: the notices of all departments that are followed, or the choice of them. */

import { boardsOf } from "../notices/followed.js";
import { list } from "../notices/list.js";
import { words } from "../words.js";

const t = words({ ko: { title: "새 소식" }, en: { title: "News" } });

/** @returns {string} */
export const title = () => t("title");

/** Show the list, or, where nothing is followed yet, the choice, then the list. */
export const show = async (root, _, context) => {
  if (boardsOf(context).length > 0) return list(root, context);
  const { welcome } = await import("../notices/welcome.js");
  const ending = new AbortController();
  await welcome(root, context, async () => {
    const end = await list(root, context);
    ending.signal.addEventListener("abort", end);
    if (ending.signal.aborted) end();
  });
  return () => ending.abort();
};
