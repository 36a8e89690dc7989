/** Addresses of a registry's files, made of published values that are checked first. */

import { textOf } from "../values.js";

const FILE_NO = /^[0-9]{1,40}$/;
const SOURCE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
const DIFFERENCE =
  /^\/data\/([A-Za-z0-9._-]+)\/differences\/([0-9]+-[0-9]+\.[0-9a-f]+\.[0-9]+)\.(?:html|json)$/;

/** @param {string} registry; @param {any} fileNo; @returns {string | null} path below `data/` */
export const textPath = (registry, fileNo) =>
  SOURCE.test(registry) && FILE_NO.test(textOf(fileNo)) ? `${registry}/texts/${fileNo}.md` : null;

/**
 * Return the path of a difference that can be read by a program.
 *
 * @param {string} registry it must be of this one
 * @param {any} address as published, from the host's root
 * @returns {string | null} below `data/`
 */
export const differencePath = (registry, address) => {
  const found = DIFFERENCE.exec(textOf(address));
  return found && found[1] === registry ? `${registry}/differences/${found[2]}.json` : null;
};
