/** What a message or an item says of pushes that were taken back, and of the same notice elsewhere. */

import { isName, isObject } from "./lines.js";

const MOST = 100;
const MOST_NAMES = 4;

/**
 * Return the events that a message takes back: remove their banners and their marks, and show none
 * of them that comes later.
 *
 * @param {unknown} message the JSON of a push, `{data, from}`, or its `data` alone
 * @returns {string[] | null} null for a message that takes nothing back
 */
export function retracted(message) {
  const data = dataOf(message);
  return data.kind === "retracted" ? words(data.retracts) : null;
}

/**
 * Return whether all pushes of a notice were taken back: it does not count as unread.
 *
 * @param {unknown} item of a `latest.json`, or a line of an archive
 * @returns {boolean}
 */
export function isRetracted(item) {
  return isObject(item) && item.retracted === "all";
}

/**
 * Return the names of a message's notice that a message of another board shares, if it tells of the
 * same notice.
 *
 * A name that begins with `p` is of the notice's page. A name that begins with `n` is of its title
 * and date at one university: two notices may share it, so let it join banners, and hide none.
 *
 * @param {unknown} message the JSON of a push, `{data, from}`, or its `data` alone
 * @returns {string[]} four at the most
 */
export function sameAs(message) {
  return words(dataOf(message).same_as).slice(0, MOST_NAMES);
}

function dataOf(message) {
  const whole = isObject(message) ? message : {};
  return isObject(whole.data) ? whole.data : whole;
}

function words(text) {
  return isName(text) ? [...new Set(text.split(" ").filter(Boolean))].slice(0, MOST) : [];
}
