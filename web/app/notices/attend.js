/** What a list does once it stands: more near its end, single keys, another look at the sources. */

import { poll } from "./poll.js";
import { nearEnd } from "./scroll.js";
import { shortcuts } from "./shortcuts.js";

/**
 * @param {HTMLElement} root of the list, with an element `.end`
 * @param {any} context
 * @param {object} does
 * @param {Parameters<typeof nearEnd>[1]} does.more
 * @param {Parameters<typeof shortcuts>[2]} does.toggle
 * @param {Parameters<typeof poll>[0]} does.again
 * @param {Parameters<typeof poll>[1]} does.pushed
 * @returns {() => void} ends it
 */
export const attend = (root, context, { more, toggle, again, pushed }) => {
  const ends = [
    nearEnd(root.querySelector(".end"), more),
    shortcuts(root, context, toggle),
    poll(again, pushed),
  ];
  return () => ends.forEach((end) => end());
};
