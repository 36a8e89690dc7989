/** Reads an airport's day: the reports of 24 hours, the TAFs that held, the pieces of a TAF. */

import { instantOf, listOf, numberOf, objectOf, objectsOf, textOf } from "../values.js";

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** Longer lists are cut before they are read, and what is left of them is cut again. */
const MOST_READ = 10_000;
const MOST_REPORTS = 200;
const MOST_TAFS = 40;
const MOST_PIECES = 100;
/** A device's clock is not asked; a station's may be some minutes ahead. */
const AHEAD = 10 * MINUTE;
/** Without a report for so long there is a gap, whatever the airport's rhythm is. */
const LONGEST_GAP = 90 * MINUTE;
const SHORTEST_GAP = 45 * MINUTE;

/**
 * @typedef {object} Report of the day; a value that is out of all bounds is null
 * @property {number} at ms
 * @property {string} type
 * @property {{direction: number | null, speed: number | null, gust: number | null,
 *   variable: boolean}} wind
 * @property {number | null} visibility m
 * @property {number | null} ceiling ft
 * @property {string[]} weather TAC
 * @property {number | null} temperature °C
 * @property {number | null} dewpoint °C
 * @property {number | null} qnh hPa
 * @property {string} category "" where it is not known
 *
 * @typedef {object} Sky
 * @property {string} category "" where it is not known
 * @property {number[]} groups 0 is the base, n the n-th change
 *
 * @typedef {object} Piece of a forecast, in which nothing changes
 * @property {number} start ms
 * @property {number} end ms
 * @property {Sky} prevailing
 * @property {Sky} worst
 *
 * @typedef {object} Day
 * @property {number} from ms
 * @property {number} until ms
 * @property {Report[]} reports
 * @property {number} gap ms
 * @property {Piece[]} held
 */

/**
 * Load the day's files of an airport; never rejects.
 *
 * @param {any} context
 * @param {string} icao
 * @returns {Promise<(now: number, known: number) => Day | undefined>} the day before now; none where
 *   fewer than two reports of it can be read. known: until when the forecasts are known, in ms
 */
export const loadDay = async ({ data }, icao) => {
  const [metar, taf] = await Promise.all(
    ["metar", "taf"].map((product) =>
      data.load(`${product}/${icao}/day.json`, { fresh: true, isClock: false }),
    ),
  );
  return (until, known) => {
    const from = until - DAY;
    const reports = reportsOf(metar.body, icao, until);
    if (reports.length < 2) return undefined;
    const held = heldOf(taf.body, icao, from, Math.min(known, until));
    return { from, until, reports, gap: gapOf(reports), held };
  };
};

/**
 * Return the reports of the last 24 hours, oldest first, one of each time and type.
 *
 * @param {any} body of `metar/{ICAO}/day.json`; anything else has no reports
 * @param {string} icao
 * @param {number} now ms
 * @returns {Report[]} at most 200, the newest
 */
export const reportsOf = (body, icao, now) => {
  const last = new Map();
  for (const report of rowsOf(body, "METAR_DAY", icao)) {
    const at = instantOf(report.time);
    if (at === null || at < now - DAY || at > now + AHEAD) continue;
    last.set(`${at} ${textOf(report.report_type, 20)}`, { ...measured(report), at });
  }
  return [...last.values()].sort((one, other) => one.at - other.at).slice(-MOST_REPORTS);
};

/** @param {Report[]} reports; @returns {number} ms between two reports from which one is missing */
export const gapOf = (reports) => {
  const times = reports.filter(({ type }) => type !== "SPECI").map(({ at }) => at);
  const steps = times.slice(1).map((at, before) => at - times[before]);
  const usual = steps.sort((one, other) => one - other)[Math.floor((steps.length - 1) / 2)];
  const gap = 1.5 * (usual ?? LONGEST_GAP);
  return Math.min(LONGEST_GAP, Math.max(SHORTEST_GAP, gap));
};

/**
 * Return the pieces of the TAFs as they held: at each time the newest that was issued before it.
 *
 * @param {any} body of `taf/{ICAO}/day.json`; anything else has no TAFs
 * @param {string} icao
 * @param {number} from ms
 * @param {number} until ms
 * @returns {Piece[]} without groups; where nothing is known to have held, there is none
 */
export const heldOf = (body, icao, from, until) => {
  const tafs = rowsOf(body, "TAF_DAY", icao)
    .map((taf) => ({ taf, issued: instantOf(taf.issued) }))
    .filter(({ issued }) => issued !== null && issued < until);
  // Of two of one time the later corrects the other; `sort` keeps their order.
  tafs.sort((one, other) => one.issued - other.issued);
  const newest = tafs.slice(-MOST_TAFS).reverse().map(validOf);
  const times = newest.flatMap(({ issued, start, end, pieces }) => [
    ...[issued, start, end],
    ...pieces.flatMap((piece) => [piece.start, piece.end]),
  ]);
  const within = times.filter((at) => at > from && at < until);
  if (until <= from) return [];
  const bounds = [...new Set([from, ...within, until])].sort((one, other) => one - other);
  const held = [];
  for (const [index, start] of bounds.slice(0, -1).entries()) {
    const taf = newest.find((one) => one.issued <= start && one.start <= start && start < one.end);
    const piece = taf?.pieces.find((one) => one.start <= start && start < one.end);
    if (!piece) continue;
    const [prevailing, worst] = [piece.prevailing.category, piece.worst.category];
    const before = held.at(-1);
    const isSame = before?.prevailing.category === prevailing && before.worst.category === worst;
    if (isSame && before.end === start) before.end = bounds[index + 1];
    else held.push({ start, end: bounds[index + 1], ...skies(prevailing, worst) });
  }
  return held;
};

/**
 * Return the pieces of a forecast's timeline, in the order of time.
 *
 * @param {any} given; a piece that has no times, or begins before the former has ended, is left out
 * @param {number} groups of the forecast, with its base; others are not named
 * @returns {Piece[]} at most 60
 */
export const piecesOf = (given, groups) => {
  const pieces = [];
  for (const each of objectsOf(listOf(given).slice(0, MOST_PIECES))) {
    const [start, end] = [instantOf(each.start), instantOf(each.end)];
    if (start === null || end === null || end <= start) continue;
    if (start < (pieces.at(-1)?.end ?? start)) continue;
    const [prevailing, worst] = [each.prevailing, each.worst].map((sky) => skyOf(sky, groups));
    pieces.push({ start, end, prevailing, worst });
  }
  return pieces;
};

const rowsOf = (body, type, icao) => {
  const told = objectOf(body);
  const isIt = told.type === type && told.icao === icao;
  return isIt ? objectsOf(listOf(told.reports).slice(-MOST_READ)) : [];
};

const measured = (report) => {
  const wind = objectOf(report.wind);
  return {
    type: textOf(report.report_type, 20),
    wind: {
      direction: within(wind.direction, 0, 360),
      speed: within(wind.speed, 0, 300),
      gust: within(wind.gust, 0, 300),
      variable: wind.variable === true,
    },
    visibility: within(report.visibility, 0, 100_000),
    ceiling: within(report.ceiling, 0, 60_000),
    weather: listOf(report.weather).slice(0, 9).map((group) => textOf(group, 20)).filter(Boolean),
    temperature: within(report.temperature, -90, 70),
    dewpoint: within(report.dewpoint, -120, 70),
    qnh: within(report.qnh, 800, 1150),
    category: textOf(report.flight_category, 20),
  };
};

/** Beyond what the atmosphere does, a value would flatten all others. */
const within = (given, low, high) => {
  const value = numberOf(given);
  return value !== null && value >= low && value <= high ? value : null;
};

/** A cancellation without times cancels from when it was issued; nothing is drawn of it. */
const validOf = ({ taf, issued }) => {
  const [start, end] = [taf.valid_start, taf.valid_end].map(instantOf);
  const isCancelled = taf.cancelled === true;
  return {
    issued,
    start: start ?? issued,
    end: end ?? (isCancelled ? Infinity : issued + DAY),
    pieces: isCancelled ? [] : piecesOf(taf.timeline, 0),
  };
};

const skies = (prevailing, worst) => ({
  prevailing: { category: prevailing, groups: [] },
  worst: { category: worst, groups: [] },
});

const skyOf = (given, most) => {
  const { flight_category, groups } = objectOf(given);
  const known = listOf(groups).slice(0, MOST_PIECES);
  return {
    category: textOf(flight_category, 20),
    groups: [...new Set(known)].filter((at) => Number.isInteger(at) && at >= 0 && at < most),
  };
};
