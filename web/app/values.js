/** Reads published values defensively: what is of another type is as if it were not there. */

/** @param {any} value; @returns {Record<string, any>} {} for anything but an object */
export const objectOf = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** @param {any} value; @returns {any[]} [] for anything but an array */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/** @param {any} value; @returns {Record<string, any>[]} the objects of an array */
export const objectsOf = (value) =>
  listOf(value).filter((entry) => typeof entry === "object" && entry !== null);

/** @param {any} value; @param {number} most characters; @returns {string} "" for no text */
export const textOf = (value, most = 2000) =>
  typeof value === "string" ? value.slice(0, most) : "";

/** Beyond it no published quantity is meant; it would be written with an exponent. */
const LARGEST = 1e12;

/** @param {any} value; @returns {number | null} a number within ±10¹², or such digits as text */
export const numberOf = (value) => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Math.abs(number) <= LARGEST ? number : null;
};

/** @param {any} value ISO 8601 with a zone; @returns {number | null} ms since 1970 */
export const instantOf = (value) => {
  if (typeof value !== "string" || !/(Z|[+-]\d\d:?\d\d)$/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
};
