/** What was typed with the wrong keyboard: 법학 as `qjqgkr`, toeic as 새댜ㅊ. */

// The keys of the Korean two-set layout, in Unicode's order of initials, vowels and finals.
const INITIALS = "r R s e E f a q Q t T d w W c z x v g".split(" ");
const VOWELS = "k o i O j p u P h hk ho hl y n nj np nl b m ml l".split(" ");
const FINALS = " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g".split(" ");
const PARTS = [
  [0x1100, INITIALS],
  [0x1161, VOWELS],
  [0x11a7, FINALS],
];
const FIRST = 0xac00;
const LAST = 0xd7a3;

const oneOf = (keys) =>
  [...keys].filter(Boolean).sort((one, other) => other.length - one.length).join("|");
// A final that a vowel follows is the initial of the next syllable.
const SYLLABLE = new RegExp(
  `(${oneOf(INITIALS)})(${oneOf(VOWELS)})((?:${oneOf(FINALS)})(?![koiOjpuPhynbml]))?`,
  "g",
);
const LATIN = /^[A-Za-z]+$/;
const IS_WRITTEN = /^[\u1100-\u1112\uac00-\ud7a3]*[\uac00-\ud7a3][\u1100-\u1112\uac00-\ud7a3]*$/;

/**
 * Return what these keys write on a Korean keyboard.
 *
 * @param {string} word as it was typed
 * @returns {string} "" where it is no such word: a lone vowel, or no syllable at all
 */
export function inKorean(word) {
  if (!LATIN.test(word)) return "";
  const keys = word === word.toUpperCase() ? word.toLowerCase() : word;
  const spelled = Array.from(keys, (key) => (isKey(key) ? key : key.toLowerCase())).join("");
  const text = spelled.replace(SYLLABLE, (_, initial, vowel, final = "") =>
    String.fromCharCode(
      FIRST +
        (INITIALS.indexOf(initial) * VOWELS.length + VOWELS.indexOf(vowel)) * FINALS.length +
        FINALS.indexOf(final),
    ),
  );
  const written = text.replace(/[A-Za-z]/g, (key) =>
    INITIALS.includes(key) ? String.fromCharCode(0x1100 + INITIALS.indexOf(key)) : key,
  );
  return IS_WRITTEN.test(written) ? written : "";
}

/**
 * Return the keys that write this on a Korean keyboard, in lower case.
 *
 * @param {string} word in NFKC
 * @returns {string} "" where it has another character than Hangul
 */
export function inLatin(word) {
  let keys = "";
  for (const letter of word) {
    const own = keysOf(letter.codePointAt(0));
    if (own === "") return "";
    keys += own;
  }
  return keys.toLowerCase();
}

function keysOf(point) {
  if (FIRST <= point && point <= LAST) {
    const number = point - FIRST;
    const final = number % FINALS.length;
    const rest = (number - final) / FINALS.length;
    const vowel = rest % VOWELS.length;
    return INITIALS[(rest - vowel) / VOWELS.length] + VOWELS[vowel] + FINALS[final];
  }
  const [first, keys] = PARTS.findLast(([from]) => from <= point) ?? [0, []];
  return keys[point - first] ?? "";
}

function isKey(key) {
  return INITIALS.includes(key) || VOWELS.includes(key);
}
