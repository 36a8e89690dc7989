/** The past of several boards, read together: a year of all, then the year before. */

import { finderOf } from "../../uring/keywords.js";
import { dayOf, now } from "../clock.js";
import { entryOf } from "../notices/days.js";
import { noticeOf } from "../notices/notice.js";
import { boardOf } from "./board.js";

/** So many files are asked for at once. */
const AT_ONCE = 6;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * @typedef {object} Past
 * @property {() => Promise<void>} begin reads until all is read, or `stop`; also goes on
 * @property {() => void} stop
 * @property {() => Progress} progress
 * @property {(text: string, isKnown: (source: string, id: string) => boolean) => Found} find
 */
/**
 * @typedef {object} Progress
 * @property {"new" | "reading" | "stopped" | "ended"} state
 * @property {string} reached the last year that was read of all boards, "" before
 * @property {number} files that were read
 * @property {number} failed boards whose files did not come
 */
/**
 * @typedef {object} Found
 * @property {number} count
 * @property {(limit: number) => import("../notices/days.js").Entry[]} entries the newest first
 */

/**
 * Return the past of boards.
 *
 * @param {any} data of the page
 * @param {{id: string, name: string, base?: string | null, updated: string}[]} sources
 *   `updated` is "" where the newest notices did not come
 * @param {() => void} onRead called after each file's board
 * @returns {Past}
 */
export const pastOf = (data, sources, onRead) => {
  // Whose newest notices did not come has an archive all the same.
  const today = new Date(now()).toISOString().replace(/\.\d+Z$/, "Z");
  const boards = sources.map((source) => ({
    source,
    past: boardOf(data, source.id, source.updated || today),
  }));
  const failed = new Set();
  const known = new Map();
  let state = "new";
  let reached = "";

  const isWanted = () => state === "reading";
  const readYear = async (year) => {
    const waiting = [...boards];
    const lane = async () => {
      while (waiting.length > 0 && isWanted()) {
        const { source, past } = waiting.shift();
        try {
          await past.read(year, isWanted);
          failed.delete(source.id);
        } catch (error) {
          console.warn("not searched:", error);
          failed.add(source.id);
        }
        known.delete(source.id);
        onRead();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  /** The year to read next: the latest one that any board still has. */
  const nextYear = () => {
    const open = boards.filter(({ source, past }) => !past.isOver && !failed.has(source.id));
    return open.map(({ past }) => past.month().slice(0, 4)).sort().at(-1);
  };
  /** A board's rows with their days; made once of what was read. */
  const rowsOf = ({ source, past }) => {
    if (!known.has(source.id)) {
      const rows = past.shown().map((row) => ({ source, row, day: dayOfRow(row) }));
      known.set(source.id, { rows, found: new Map() });
    }
    return known.get(source.id);
  };
  /** The rows of a board that a reading of a text finds; looked for once. */
  const foundIn = (board, text, name, is) => {
    const { rows, found } = rowsOf(board);
    const key = `${name} ${text}`;
    if (!found.has(key)) {
      // A letter more is another text: one is kept of each reading.
      for (const other of found.keys()) if (other.startsWith(name)) found.delete(other);
      found.set(key, rows.filter(({ row }) => is(row.folded)));
    }
    return found.get(key);
  };

  return {
    begin: async () => {
      if (state === "reading") return;
      state = "reading";
      failed.clear();
      for (let year = nextYear(); year && isWanted(); year = nextYear()) {
        await readYear(year);
        if (isWanted()) reached = year;
      }
      if (isWanted()) state = failed.size > 0 ? "stopped" : "ended";
      onRead();
    },
    stop: () => {
      if (state === "reading") state = "stopped";
    },
    progress: () => {
      const files = boards.reduce((sum, { past }) => sum + past.files, 0);
      return { state, reached, files, failed: failed.size };
    },
    find: (text, isKnown) => {
      const { has, mayMean } = finderOf(text);
      const all = (name, is) =>
        boards
          .flatMap((board) => foundIn(board, text, name, is))
          .filter(({ source, row }) => !isKnown(source.id, row.id));
      const exact = all("has", has);
      // A looser reading waits until nothing more comes.
      const isEnough = exact.length > 0 || state === "reading";
      const found = isEnough ? exact : all("mayMean", mayMean);
      found.sort(newestFirst);
      const entries = (limit) =>
        found.slice(0, limit).map(({ source, row }) => entryOf(source, noticeOf(row)));
      return { count: found.length, entries };
    },
  };
};

/** As `dayOfNotice` has it for a notice without a history. */
const dayOfRow = ({ date, first_seen }) => {
  const found = first_seen ? dayOf(Date.parse(first_seen)) : "";
  if (date === null || !DAY.test(date)) return found;
  return found && date > found ? found : date;
};

const newestFirst = (one, other) => {
  if (one.day !== other.day) return one.day < other.day ? 1 : -1;
  return one.row.first_seen < other.row.first_seen ? 1 : -1;
};
