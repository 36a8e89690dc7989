/** One board's past, read a year at a time, the newest first. */

import { parseLines } from "../../uring/lines.js";
import { archivePath, isSource, monthOf, monthsBack } from "../../uring/months.js";
import { indexOf, partOf } from "./rows.js";

/** Without an index nothing says where an archive begins: as in `uring/pages.js`. */
const EMPTY_MONTHS = 3;
const MOST_FILES_A_MONTH = 400;

/**
 * Return a board's past: `read(year)`, `shown()` of what was read, `isOver` where nothing older is
 * there, `files` that were read, `month()` to go on with.
 *
 * @param {any} data of the page
 * @param {string} id
 * @param {string} updated the board's `last_updated`
 */
export const boardOf = (data, id, updated) => {
  /** @type {Map<string, import("./rows.js").Row>} */
  const rows = new Map();
  const renamed = new Map();
  let month = monthOf(updated);
  const board = { id, isOver: month === null || !isSource(id), files: 0 };
  let since = "";
  let empty = 0;

  const take = (part) => {
    for (const row of part.rows) {
      const known = rows.get(row.id);
      if (known === undefined || isLater(row, known)) rows.set(row.id, row);
    }
    for (const [former, at] of part.renamed) {
      if (!(renamed.get(former) >= at)) renamed.set(former, at);
    }
  };

  /** Load one file; a failure that may pass is thrown, for the year to be read again. */
  const load = async (path, options) => {
    const loaded = await data.load(path, { isKept: false, ...options });
    if (loaded.state === "offline") throw new Error(`not loaded: ${path}`);
    board.files += 1;
    return loaded;
  };

  /** Read a month of the archive, and the files that it names; return whether it is there. */
  const readMonth = async (name) => {
    const address = archivePath(id, name);
    const folder = address.slice(0, address.lastIndexOf("/") + 1);
    const seen = new Set();
    let path = address;
    while (path && !seen.has(path) && seen.size < MOST_FILES_A_MONTH) {
      seen.add(path);
      const { state, body } = await load(path, { as: "text" });
      if (state === "missing" && path === address) return false;
      const { lines, earlier } = parseLines(body ?? "");
      take(partOf(lines));
      path = earlier && folder + earlier;
    }
    return true;
  };

  const readIndex = async (year) => indexOf((await load(`${id}/search/${year}.json`)).body, year);

  /** Return the month to read after this one, and end without one. */
  const following = async (month) => {
    const isNear = since || empty < EMPTY_MONTHS;
    let next = isNear ? monthsBack(month, 2)[1] : firstSeenBefore(month, rows);
    if (!next) {
      // This year's index may be the broken one.
      const december = monthsBack(`${month.slice(0, 4)}01`, 2)[1] ?? "";
      if (december && (await readIndex(december.slice(0, 4)))) next = december;
    }
    board.isOver = !next || next < since;
    return next ?? "";
  };

  /**
   * Read a year: its index, and of the archive the months that the index has not. What throws, or
   * was not wanted to the end, goes on where it ended.
   *
   * @param {string} year
   * @param {() => boolean} isWanted asked between two files
   */
  const read = async (year, isWanted) => {
    if (board.isOver || !month.startsWith(year)) return;
    const index = await readIndex(year);
    if (index) take(index);
    since = index?.since ?? since;
    const known = [...(index?.months ?? []), ...(index?.unindexed ?? [])].sort().at(-1) ?? "";
    while (!board.isOver && month.startsWith(year)) {
      const isInArchive = month > known || index.unindexed.has(month);
      if (isInArchive && !isWanted()) return;
      empty = !isInArchive || (await readMonth(month)) ? 0 : empty + 1;
      month = await following(month);
    }
  };

  const isFormer = ({ id, first_seen }) => first_seen < (renamed.get(id) ?? "");
  /** The rows that are shown: neither gone nor under a former id. */
  const shown = () => [...rows.values()].filter((row) => !row.isGone && !isFormer(row));
  return Object.assign(board, { read, shown, month: () => month });
};

/** As in `web/uring/archive.js`: revisions count within one life alone. */
const isLater = (row, known) =>
  row.first_seen !== known.first_seen && row.first_seen && known.first_seen
    ? row.first_seen > known.first_seen
    : row.revision >= known.revision;

/** The last month before this one in which a notice was first seen; undefined without one. */
const firstSeenBefore = (month, rows) =>
  [...rows.values()]
    .map(({ first_seen }) => monthOf(first_seen) ?? "")
    .filter((seen) => seen && seen < month)
    .sort()
    .at(-1);
