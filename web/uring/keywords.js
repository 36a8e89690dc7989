/** Keywords and searches over titles, in Korean as people type it. */

import { inKorean, inLatin } from "./layout.js";
import { isObject } from "./lines.js";
import { clean, foldCase } from "./text.js";

const SYLLABLES = [0xac00, 0xd7a3];
const INITIALS = [0x1100, 0x1112];
const A_SYLLABLE_EACH = 588;
const FINALS = 28;

/**
 * Return the first keyword that a record has in its title or category.
 *
 * Case and width do not count. "a b" wants both words, anywhere in either. "-a" excludes: a record
 * that has it matches nothing. Where all keywords exclude, whatever is left matches the first.
 *
 * @param {object} record an item, a line, or the data of a message
 * @param {string[]} keywords
 * @returns {string | null}
 */
export function matches(record, keywords) {
  const text = textOf(record, ["title", "category"]);
  const rules = (Array.isArray(keywords) ? keywords : [])
    .map((keyword) => ({ keyword, folded: foldCase(keyword) }))
    .map(({ keyword, folded }) => ({
      keyword,
      excludes: folded.startsWith("-"),
      words: wordsOf(folded.replace(/^-/, "")),
    }))
    .filter(({ words }) => words.length > 0);
  const hits = rules.filter(({ words }) => words.every((word) => text.includes(word)));
  if (hits.some(({ excludes }) => excludes)) return null;
  const found = hits.length > 0 ? hits[0] : rules[0];
  const isLeft = hits.length > 0 || rules.every(({ excludes }) => excludes);
  return isLeft && found ? found.keyword : null;
}

/**
 * Return the items whose title or name has all words of a text.
 *
 * A consonant stands for every syllable that begins with it: ㅋㅍ finds 컴퓨터. Where nothing has all
 * words, a word may also be an abbreviation (컴공 of 컴퓨터공학과), end in a syllable that is not yet
 * whole (장하 of 장학), or be typed with the wrong keyboard (`qjqgkr` of 법학).
 *
 * @template {object} T
 * @param {T[]} items
 * @param {string} text all items where it is empty
 * @returns {T[]} in their order
 */
export function search(items, text) {
  const all = Array.isArray(items) ? items : [];
  const { has, mayMean } = finderOf(text);
  const found = all.filter((item) => has(titleOf(item)));
  return found.length > 0 ? found : all.filter((item) => mayMean(titleOf(item)));
}

/**
 * Return what a search asks of a title, which is folded by `foldCase`.
 *
 * @param {string} text
 * @returns {{has: (title: string) => boolean, mayMean: (title: string) => boolean}} `has` all words;
 *   `mayMean` them in a looser reading
 */
export function finderOf(text) {
  const words = wordsOf(foldCase(text));
  const typed = wordsOf(clean(text).normalize("NFKC"));
  const readings = words.map((word, at) =>
    [word, inKorean(typed[at] ?? word), inLatin(word)].filter(Boolean),
  );
  return {
    has: (title) => words.every((word) => has(title, word)),
    mayMean: (title) =>
      readings.every((own) => own.some((word) => has(title, word) || isShortFor(title, word))),
  };
}

/** Titles are folded once: a search is asked for at each letter. */
const folded = new WeakMap();
function titleOf(item) {
  if (!isObject(item)) return "\n";
  const { title, name } = item;
  const known = folded.get(item);
  if (known !== undefined && known.title === title && known.name === name) return known.text;
  const text = textOf(item, ["title", "name"]);
  folded.set(item, { title, name, text });
  return text;
}

function textOf(record, fields) {
  const values = fields.map((field) => (isObject(record) ? foldCase(record[field]) : ""));
  // No keyword has a line break: none reaches from one field into the next.
  return values.join("\n");
}

function wordsOf(folded) {
  return folded.split(" ").filter((word) => word !== "");
}

function has(title, word) {
  if (title.includes(word)) return true;
  const letters = Array.from(word);
  if (!letters.some((letter) => isIn(letter, INITIALS))) return false;
  return isWithin(Array.from(title), letters, isLetter);
}

/** Return whether a word begins like one of the title and has its syllables in order. */
function isShortFor(title, word) {
  const letters = Array.from(word);
  if (letters.length < 2 || !letters.every((letter) => isIn(letter, SYLLABLES))) return false;
  // Most titles lack a letter: only the last one may be another.
  if (!letters.slice(0, -1).every((letter) => title.includes(letter))) return false;
  const isLast = (own, letter, next) =>
    own === letter || (next === letters.length - 1 && isBegunBy(own, letter));
  return runsOf(title).some(
    (run) => isInOrder(run, letters, isLast) || isWithin(run, letters, isLast),
  );
}

function runsOf(title) {
  return (title.match(/[\uac00-\ud7a3]+/g) ?? []).map((run) => Array.from(run));
}

function isInOrder(run, letters, isSame) {
  if (!isSame(run[0], letters[0], 0)) return false;
  let next = 0;
  for (const own of run) if (next < letters.length && isSame(own, letters[next], next)) next += 1;
  return next === letters.length;
}

function isWithin(own, letters, isSame) {
  return own.some((_, at) =>
    letters.every((letter, next) => isSame(own[at + next], letter, next)),
  );
}

/** Return whether a syllable without a final consonant begins another one: 하 begins 학. */
function isBegunBy(own, letter) {
  if (own === undefined) return false;
  const [one, other] = [own, letter].map((each) => each.codePointAt(0) - SYLLABLES[0]);
  return other % FINALS === 0 && one - (one % FINALS) === other;
}

function isLetter(own, letter) {
  if (own === letter) return true;
  if (own === undefined || !isIn(letter, INITIALS) || !isIn(own, SYLLABLES)) return false;
  const number = Math.floor((own.codePointAt(0) - SYLLABLES[0]) / A_SYLLABLE_EACH);
  return INITIALS[0] + number === letter.codePointAt(0);
}

function isIn(letter, [first, last]) {
  const point = letter.codePointAt(0);
  return first <= point && point <= last;
}
