/**
 * Judges every source of the index by the rules of the monitor (`uring.watch.status`): what needs a
 * look here is what the monitor mails. Pure. Times are in ms; undefined where there is none.
 */

import { listsOf, sourcesOf } from "../app/index.js";
import { paceOf } from "../app/pace.js";
import { safeLink } from "../uring.js";

/** Failed checks in a row of which people are told; `ALERT_AFTER` of the engine. */
const ALERT_AFTER = 3;
const DAY_MINUTES = 24 * 60;
const HOUR_MS = 3_600_000;
/** A part that fails for so long is told although its source is well. */
const PART_DOWN_AFTER_MS = HOUR_MS;
/**
 * While the monitor lives, a source that is well moves the index: a product of the weather within
 * three hours, any other within a day and three. Half an hour is for the monitor's own tick.
 */
const SILENT_AFTER_MS = { weather: 3.5 * HOUR_MS, other: 27.5 * HOUR_MS };
/** So many sources of a family that fail alike, and half of it, have one cause. */
const OUTAGE_SOURCES = 5;

/** What needs a look, the worst first; what may pass, what a later release says, the well. */
export const KINDS = [
  "corrupt",
  "unchecked",
  "failed",
  "suspect",
  "parts",
  "stale",
  "soon",
  "later",
  "paused",
  "pending",
  "ok",
];
const NEEDS = new Set(KINDS.slice(0, KINDS.indexOf("soon")));

/**
 * @typedef {object} Part an airport of a product that fails
 * @property {string} name
 * @property {string} reason
 * @property {number} [since]
 */

/**
 * @typedef {object} Source
 * @property {string} family its list in the index
 * @property {(language: "ko" | "en") => string} word of its list, for people
 * @property {string} page of the docs; "" of a family that the index does not name
 * @property {string} id
 * @property {string} name
 * @property {string} kind one of `KINDS`; `soon` fails for less than people are told of
 * @property {boolean} needs whether somebody has to look
 * @property {string} status as published
 * @property {string} class `transient`, `blocked`, `structure`, `corrupt`, `ok` or a later word
 * @property {string} reason one word; empty where there is none
 * @property {number} failures checks in a row without a success
 * @property {number} [since]
 * @property {number} [succeeded] the last success
 * @property {number} [changed] the last change
 * @property {number} [pausedUntil] an operator paused it until then
 * @property {string} staleSince `YYYY-MM-DD`; empty while it is not stale
 * @property {number} parts asked for
 * @property {number} failing of them
 * @property {Part[]} failed of them
 * @property {string} site http or https; else empty
 * @property {ReturnType<typeof paceOf>} pace how often it is checked now
 * @property {number} longest minutes between two checks, at most
 * @property {number} ahead how far its list's clock is ahead of the real one, in ms
 */

/**
 * Return all sources of an index, whatever it holds.
 *
 * @param {any} index the parsed object
 * @param {number} now in ms
 * @returns {{families: import("../app/index.js").List[], sources: Source[], unreadable: number}}
 *   unreadable: entries without a usable id
 */
export const sourcesIn = (index, now) => {
  const read = listsOf(index).map((each) => [each, index[each.list], sourcesOf(index, each.list)]);
  const families = read.filter(([, entries, known]) => known.length || !entries.length);
  return {
    families: families.map(([each]) => each),
    sources: families.flatMap(([{ list, family, word }, , known]) => {
      const ahead = aheadOf(index, list, now);
      return known.map((entry) => ({
        ...assess(entry, list, now + ahead),
        ahead,
        word,
        page: family && `docs/${family}.md`,
      }));
    }),
    unreadable: read.reduce((sum, [, entries, known]) => sum + entries.length - known.length, 0),
  };
};

/**
 * Return how far the clock of a list is ahead of ours, in ms; 0 of a list on the real clock.
 *
 * Days of `uring run` are simulated: ages count to the clock of their list.
 */
const aheadOf = (index, list, now) => {
  const at = instant(index?.simulated?.[list]);
  return at === undefined ? 0 : at - now;
};

/**
 * Judge one entry of the index, or a `health.json`.
 *
 * @param {any} entry with a usable id and name
 * @param {string} family its list in the index
 * @param {number} now in ms
 * @returns {Omit<Source, "word" | "page" | "ahead">}
 */
export const assess = (entry, family, now) => {
  const failed = partsOf(entry.failed);
  const source = {
    family,
    id: entry.id,
    name: text(entry.name, 200) || entry.id,
    status: text(entry.status, 40),
    class: text(entry.class, 40),
    reason: text(entry.reason, 60),
    failures: count(entry.consecutive_failures),
    since: instant(entry.since),
    succeeded: instant(entry.last_success),
    changed: instant(entry.last_change),
    pausedUntil: instant(entry.paused_until),
    staleSince: /^\d{4}-\d\d-\d\d$/.test(entry.stale_since) ? entry.stale_since : "",
    parts: count(entry.parts),
    failing: Math.max(count(entry.failing), failed.length),
    failed,
    site: safeLink(entry.base_url) ?? "",
    pace: paceOf(entry, now),
    longest: longestOf(entry.interval_minutes),
  };
  const kind = kindOf(source, now);
  return { ...source, kind, needs: NEEDS.has(kind) };
};

/** An index of a release before may not say it: the longest that an entry may have. */
const longestOf = (minutes) => (minutes > 0 && minutes <= DAY_MINUTES ? minutes : DAY_MINUTES);

const kindOf = (source, now) => {
  const { status, failures } = source;
  if (status === "corrupt" || status === "unchecked") return status;
  if (source.reason !== "state_lost" && source.pausedUntil > now) return "paused";
  const fails = status === "failed" || status === "suspect";
  if (fails && failures >= ALERT_AFTER) return status;
  if (source.staleSince && (fails || status === "ok")) return "stale";
  if (fails) return "soon";
  if (status === "pending") return "pending";
  if (status !== "ok") return "later";
  if (source.failed.some(({ since }) => now - since >= PART_DOWN_AFTER_MS)) return "parts";
  return source.failing > 0 ? "soon" : "ok";
};

/**
 * Return the gateway's outage, which is one thing: no airport of any product answers.
 *
 * @param {Source[]} sources
 * @returns {{members: Source[], reasons: string[], since?: number, airports: number} | null}
 */
export const gatewayOutage = (sources) => {
  const members = sources.filter(({ family }) => family === "weather");
  if (members.length < 2 || !members.every(isDead)) return null;
  const times = members.map(({ since }) => since).filter((since) => since !== undefined);
  return {
    members,
    reasons: [...new Set(members.map(({ reason }) => reason).filter(Boolean))],
    since: times.length ? Math.min(...times) : undefined,
    airports: Math.max(...members.map(({ parts }) => parts)),
  };
};

const isDead = ({ status, parts, failing }) =>
  (status === "failed" || status === "suspect") && (parts === 0 || failing >= parts);

/**
 * Return the families of which half or more fails for one reason: the cause is more likely ours.
 *
 * @param {Source[]} sources
 * @returns {{family: string, name: Source["word"], reason: string, failing: number, all: number}[]}
 */
export const outages = (sources) => {
  const families = Map.groupBy(sources, ({ family }) => family);
  return [...families].flatMap(([family, own]) => {
    const failing = own.filter(({ status, reason }) => status === "failed" && reason);
    const alike = [...Map.groupBy(failing, ({ reason }) => reason)];
    return alike
      .filter(([, some]) => some.length >= OUTAGE_SOURCES && some.length * 2 >= own.length)
      .map(([reason, some]) => {
        const [failing, all] = [some.length, own.length];
        return { family, name: own[0].word, reason, failing, all };
      });
  });
};

/**
 * Return since when the monitor is silent, or undefined while it keeps what its heartbeat promises.
 *
 * Nothing is promised where nothing is well: an index of failures alone stands still.
 *
 * @param {any} index the parsed object
 * @param {Source[]} sources
 * @param {number} now in ms
 */
export const silentSince = (index, sources, now) => {
  const written = instant(index?.generated_at);
  const well = sources.filter(({ status }) => status === "ok" || status === "pending");
  if (written === undefined || !well.length) return undefined;
  const promise = well.some(({ family }) => family === "weather") ? "weather" : "other";
  return now - written > SILENT_AFTER_MS[promise] ? written : undefined;
};

/** @param {unknown} value; @returns {number | undefined} of an ISO 8601 text with a time, in ms */
export const instant = (value) => {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
};

const partsOf = (failed) => {
  if (typeof failed !== "object" || failed === null || Array.isArray(failed)) return [];
  return Object.entries(failed).map(([name, trouble]) => ({
    name: name.slice(0, 40),
    reason: text(trouble?.reason, 60),
    since: instant(trouble?.since),
  }));
};

const text = (value, most) => (typeof value === "string" ? value.slice(0, most) : "");
const count = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);
