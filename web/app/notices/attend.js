/** What a list does by itself once it stands: more near its end, another look at the sources. */

import { poll } from "./poll.js";
import { nearEnd } from "./scroll.js";

/**
 * @param {HTMLElement} root of the list, with an element `.end`
 * @param {object} does
 * @param {Parameters<typeof nearEnd>[1]} does.more
 * @param {Parameters<typeof poll>[0]} does.again
 * @param {Parameters<typeof poll>[1]} does.pushed
 * @returns {() => void} ends it
 */
export const attend = (root, { more, again, pushed }) => {
  const ends = [nearEnd(root.querySelector(".end"), more), poll(again, pushed)];
  return () => ends.forEach((end) => end());
};
