/** What a board has made of a notice since it was kept. */

/**
 * Return the notice after an edit; undefined where there was none, or where the id is now that of
 * another notice.
 *
 * @param {import("./notice.js").Notice[]} notices that the board has now
 * @param {any} kept
 */
export const laterOf = (notices, kept) =>
  notices.find(
    ({ id, first_seen, revision }) =>
      id === kept.id && first_seen === kept.first_seen && revision > kept.revision,
  );
