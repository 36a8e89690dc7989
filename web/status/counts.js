/** Counts the changes of a day from the archives, a few sources at a time. */

import { archivePath, monthOf, parseLines } from "../uring.js";
import { instant } from "./health.js";

/** Sources a click, each of two requests at most: a day may begin in the month before (UTC). */
export const AT_ONCE = 20;
const SIDE_BY_SIDE = 4;
/** Changes of a source that are kept to be told. */
const MOST_CHANGES = 50;

/** @param {number} now in ms; @returns {number} when the reader's day began, in ms */
export const dayOf = (now) => new Date(now).setHours(0, 0, 0, 0);

/**
 * @typedef {object} DayCount
 * @property {Map<string, number>} kinds changes by kind; what the first check read is none
 * @property {number} baselines records that the first check read
 * @property {{at: number, kind: string, title: string, link: any}[]} changes the newest ones
 * @property {boolean} isLeast whether older files of the month have more, or some could not be read
 */

/**
 * Count one source's changes since an instant.
 *
 * @param {string} source its id
 * @param {number} from in ms
 * @param {number} now in ms
 * @param {(path: string, as: "text") => Promise<import("./load.js").Answer>} load
 * @returns {Promise<DayCount>} never rejects
 */
export const countChanges = async (source, from, now, load) => {
  const kinds = new Map();
  const changes = [];
  let baselines = 0;
  const seen = new Set();
  let isLeast = false;
  for (const month of new Set([utcMonth(from), utcMonth(now)])) {
    const path = archivePath(source, month);
    const answer = path ? await load(path, "text") : { state: "broken" };
    if (answer.state === "missing") continue;
    const { lines, broken } = parseLines(answer.body);
    if (answer.state !== "ok" || broken) isLeast = true;
    for (const line of lines) {
      // Older lines are in a file of their own, of which the first line tells.
      if (instant(line.earlier?.until) >= from) isLeast = true;
      if (!(instant(line.detected_at) >= from) || seen.has(line.event_id)) continue;
      seen.add(line.event_id);
      const kind = typeof line.kind === "string" ? line.kind.slice(0, 40) : "";
      if (kind === "baseline") {
        baselines += 1;
        continue;
      }
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const title = typeof line.title === "string" ? line.title.slice(0, 200) : "";
      changes.push({ at: instant(line.detected_at), kind, title, link: line.link });
    }
  }
  changes.sort((one, other) => other.at - one.at);
  return { kinds, baselines, changes: changes.slice(0, MOST_CHANGES), isLeast };
};

/**
 * Run a task for each value, some side by side.
 *
 * @template T
 * @param {T[]} values
 * @param {(value: T) => Promise<void>} task
 */
export const eachOf = async (values, task) => {
  const left = values.values();
  const lane = async () => {
    for (const value of left) await task(value);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
};

const utcMonth = (at) => monthOf(new Date(at).toISOString().replace(/\.\d+Z$/, "Z"));
