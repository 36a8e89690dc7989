/** Keywords and searches over titles, in Korean as people type it. */

import { isObject } from "./lines.js";
import { foldCase } from "./text.js";

const SYLLABLES = [0xac00, 0xd7a3];
const INITIALS = [0x1100, 0x1112];
const A_SYLLABLE_EACH = 588;

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
 * A consonant stands for every syllable that begins with it: ㅋㅍ finds 컴퓨터.
 *
 * @template {object} T
 * @param {T[]} items
 * @param {string} text all items where it is empty
 * @returns {T[]} in their order
 */
export function search(items, text) {
  const words = wordsOf(foldCase(text));
  return (Array.isArray(items) ? items : []).filter((item) => {
    const title = textOf(item, ["title", "name"]);
    return words.every((word) => has(title, word));
  });
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
  const own = Array.from(title);
  return own.some((_, at) => letters.every((letter, next) => isLetter(own[at + next], letter)));
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
