/**
 * Draws over hours: a band of flight categories, the hours below it, a line through values.
 *
 * Places along the time are percentages: one drawing fits each window, and its texts keep their size.
 */

import { nothing, svg } from "../../vendor/lit-html.js";
import { HOUR } from "./day.js";
import { TONES } from "./marks.js";
import { hourOf } from "./times.js";

const SEOUL = 9 * HOUR;
export const ROW = 24;
/** Percent of the width that a word needs on a phone and on a desk, and a letter. */
const WORD = 13;
const WORD_ON_A_DESK = 5;
const LETTER = 1.6;

/** @param {number} from ms; @param {number} until ms; @returns {(at: number) => number} percent */
export const across = (from, until) => (at) =>
  Math.round((Math.min(1, Math.max(0, (at - from) / (until - from))) || 0) * 1e4) / 100;

/**
 * Return the hours at which a line is drawn: whole ones of Korea, five to eight of them.
 *
 * @param {number} from ms
 * @param {number} until ms
 * @returns {number[]} ms
 */
export const hoursOf = (from, until) => {
  const step = Math.max(3, Math.ceil((until - from) / HOUR / 6 / 3) * 3) * HOUR;
  const hours = [];
  const first = Math.ceil((from + SEOUL) / step) * step - SEOUL;
  for (let at = first; at <= until; at += step) hours.push(at);
  return hours;
};

/** Return lines at the hours, over a height. */
export const grid = (hours, x) =>
  hours.map((at) => svg`<line class="hour" x1="${x(at)}%" x2="${x(at)}%" y1="0" y2="100%" />`);

/** Return the hours' texts: Korean time above UTC. */
export const axis = (hours, x) =>
  hours.map((at) => {
    const [local, utc] = hourOf(at);
    return svg`<text class="middle" x="${x(at)}%" y="12">${local}</text>
      <text class="middle pale" x="${x(at)}%" y="26">${utc}</text>`;
  });

/**
 * Return a row of categories: each its colour, and its word, or its first letter where it is short.
 *
 * @param {string} name of the row
 * @param {{start: number, end: number, category: string}[]} spans
 * @param {(at: number) => number} x
 * @param {number} row its number from above
 * @returns {any} a template for an `svg`
 */
export const band = (name, spans, x, row) => svg`
  <text class="end" x="-8" y=${row * ROW + 16}>${name}</text>
  <rect class="ground" x="0" y=${row * ROW + 1} width="100%" height=${ROW - 4} />
  ${spans.map(({ start, end, category }) => {
    const [left, right] = [x(start), x(end)];
    const width = Math.round((right - left) * 100) / 100;
    const tone = Object.hasOwn(TONES, category) ? TONES[category] : "unknown";
    const text = (told, style = "") => svg`<text class="middle ${tone} ${style}"
      x="${(left + right) / 2}%" y=${row * ROW + 16}>${told}</text>`;
    return svg`<rect class="sky ${tone}" x="${left}%" y=${row * ROW + 1} width="${width}%"
        height=${ROW - 4} />
      ${texts(category || "?", width, text)}`;
  })}`;

const texts = (word, width, text) => {
  const letter = word.slice(0, 1);
  if (width >= WORD) return text(word);
  if (width >= WORD_ON_A_DESK) return [text(word, "on-desk"), text(letter, "on-phone")];
  return width >= LETTER ? text(letter, "letter") : nothing;
};

/**
 * Return lines between neighbouring values, and dots where a line ends; there is none over a gap.
 *
 * @param {{at: number, value: number | null, isJoined: boolean}[]} points isJoined: to the one before
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} name of the line's style
 * @returns {any[]} templates for an `svg`
 */
export const line = (points, x, y, name) => {
  const isLine = (index) => {
    const [before, point] = [points[index - 1], points[index]];
    return point?.isJoined === true && before?.value !== null && point.value !== null;
  };
  return points.flatMap(({ at, value }, index) => {
    if (value === null) return [];
    const before = points[index - 1];
    return [
      isLine(index)
        ? svg`<line class=${name} x1="${x(before.at)}%" y1=${y(before.value)} x2="${x(at)}%"
            y2=${y(value)} />`
        : nothing,
      isLine(index) && isLine(index + 1)
        ? nothing
        : svg`<circle class=${name} cx="${x(at)}%" cy=${y(value)} r="2.5" />`,
    ];
  });
};

/**
 * Return round values from below the least to above the greatest.
 *
 * @param {number[]} values at least one
 * @param {number[]} steps from small to large
 * @returns {number[]} two to six
 */
export const ticksOf = (values, steps) => {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const step = steps.find((one) => (greatest - least) / one <= 4) ?? steps.at(-1);
  const low = Math.floor(least / step) * step;
  const high = Math.max(Math.ceil(greatest / step) * step, low + step);
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
};
