/** Foreign text made fit to show and to compare, and foreign links made fit to follow. */

// What reorders or hides its neighbours: bidi controls, joiners of words, lone surrogates.
// U+200C and U+200D stay: scripts and emoji are written with them.
const HIDDEN = new RegExp(
  "[\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff" +
    "\\ufff9-\\ufffb\\ud800-\\udfff]",
  "gu",
);
// Controls, line ends and every kind of blank. Not \s: languages differ in what it is.
const BLANKS =
  /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
// What never begins a character as a reader sees it (UAX #29): marks, vowels and finals of
// decomposed Hangul, halves of flags, skin tones, tags.
const EXTENDS = new RegExp(
  "[\\p{M}\\u200c\\u200d\\u1160-\\u11ff\\ud7b0-\\ud7ff" +
    "\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]",
  "u",
);
const ZERO_WIDTH_JOINER = "\u200d";
const ELLIPSIS = "…";

const LONGEST_LINK = 4096;
// Neither a blank, a control, a backslash (browsers read it as a slash) nor what hides.
const TAIL =
  "[^\\u0000-\\u0020\\u007f-\\u00a0\\\\\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f" +
  "\\u205f-\\u206f\\u3000\\ufeff\\ud800-\\udfff]*";
const ORIGIN =
  "[hH][tT][tT][pP][sS]?://" +
  "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?";
const ABSOLUTE = new RegExp(`^${ORIGIN}(?:[/?#]${TAIL})?$`, "u");
const FROM_ROOT = new RegExp(`^/(?!/)${TAIL}$`, "u");
const ITS_ORIGIN = new RegExp(`^${ORIGIN}`, "u");

/**
 * Return a text in one line, without what reorders or hides it.
 *
 * @param {unknown} value anything; what is no string is ""
 * @returns {string} blanks and controls are single spaces, none at the ends
 */
export function clean(value) {
  if (typeof value !== "string") return "";
  return value.replace(HIDDEN, "").replace(BLANKS, " ").replace(/^ | $/g, "");
}

/**
 * Cut a text to so many code points, an ellipsis included, between two characters.
 *
 * @param {string} text
 * @param {number} most at least 1
 * @returns {string}
 */
export function cut(text, most) {
  const points = Array.from(text);
  if (points.length <= most) return text;
  let end = most - 1;
  while (end > 0 && (EXTENDS.test(points[end]) || points[end - 1] === ZERO_WIDTH_JOINER)) end -= 1;
  // A heap of marks is no character: cut anywhere.
  return points.slice(0, end || most - 1).join("").replace(/ $/, "") + ELLIPSIS;
}

/**
 * Return a text as it is compared: clean, NFKC, without case.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function foldCase(value) {
  // Up and down, for "ß" is "SS"; a final sigma is made by its place in the word.
  const folded = clean(value).normalize("NFKC").toUpperCase().toLowerCase();
  return clean(folded.replaceAll("\u03c2", "\u03c3"));
}

/**
 * Return an address that may be followed.
 *
 * Accepted are absolute http(s) addresses without a user name, and, with a base, paths from the
 * root. They are returned as they came, for the browser to spell.
 *
 * @param {unknown} text
 * @param {string} [base] an absolute http(s) address, whose origin a path is put behind
 * @returns {string | null} null for everything else, `javascript:` and `//host` among it
 */
export function safeLink(text, base) {
  if (typeof text !== "string" || text.length > LONGEST_LINK) return null;
  if (ABSOLUTE.test(text)) return text;
  if (typeof base !== "string" || !ABSOLUTE.test(base) || !FROM_ROOT.test(text)) return null;
  return ITS_ORIGIN.exec(base)[0] + text;
}
