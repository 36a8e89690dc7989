/** What a reader does with a row: open it, keep it, change its mark. */

/** @typedef {import("./days.js").Entry} Entry */

/**
 * @param {Awaited<ReturnType<typeof import("./marks.js").marksOf>>} marks
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
