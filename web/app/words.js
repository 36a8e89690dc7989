/** Korean and English: each module brings the words that it says. */

let current = "ko";

/** @returns {"ko" | "en"} */
export const language = () => current;

/** @param {string | undefined} chosen anything but `ko` and `en`: the browser's language */
export const setLanguage = (chosen) => {
  const known = chosen === "ko" || chosen === "en";
  current = known ? chosen : navigator.language?.startsWith("ko") ? "ko" : "en";
  if (globalThis.document) document.documentElement.lang = current;
};

/**
 * Return a function from a key to its sentence in the current language.
 *
 * @param {{ko: Record<string, string>, en: Record<string, string>}} sentences with `{name}` where a
 *   value stands
 * @returns {(key: string, values?: Record<string, any>) => string}
 */
export const words =
  (sentences) =>
  (key, values = {}) => {
    // Keys come from data, too: `constructor` is no sentence.
    const sentence = Object.hasOwn(sentences[current], key) ? sentences[current][key] : key;
    return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  };

/** @param {string | number | undefined} instant ISO 8601 or ms; @returns {string} "" for none */
export const dateTime = (instant) => formatted(instant, { dateStyle: "medium", timeStyle: "short" });

/** @param {string | undefined} day ISO 8601; @returns {string} "" for none */
export const date = (day) => formatted(day, { dateStyle: "medium", timeZone: "UTC" });

/** @param {string | number | undefined} instant ISO 8601 or ms; @returns {string} "" for none */
export const clockTime = (instant) => formatted(instant, { timeStyle: "short" });

const formatted = (instant, style) => {
  const at = new Date(instant ?? NaN);
  return Number.isNaN(at.getTime()) ? "" : timeFormat(style).format(at);
};

const formats = new Map();

/**
 * Return how times are written: made once, it is slow.
 *
 * @param {Intl.DateTimeFormatOptions} style
 */
export const timeFormat = (style) => {
  const key = `${current} ${JSON.stringify(style)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(current, style));
  return formats.get(key);
};
