/**
 * Departments by their university and its colleges, as far as the index tells: a university by the
 * domain of their addresses, a college by the word of their entries.
 */

import { clean } from "../../uring/text.js";
import { listOf, textOf } from "../values.js";

const HOST = /^https?:\/\/(?:[^/@?#]*@)?([a-z0-9.-]+)/i;
/** `uni.ac.kr` of `cse.uni.ac.kr`, `uni.edu` of `law.uni.edu`. */
const UNIVERSITY = /(?:^|\.)([a-z0-9-]+\.(?:(?:ac|edu)\.[a-z]{2}|edu))$/;

const LONGEST_COLLEGE = 200;

/**
 * @typedef {object} Group
 * @property {string} key of no other group; "" of departments without an address
 * @property {string} site a domain; "" of a college
 * @property {string} name the first word that all of its names have, else the domain; of a college
 *   its word, "" of the departments without one
 * @property {any[]} entries in their order
 * @property {Group[]} colleges by name, then the departments without one; none where no entry has one
 */

/**
 * @param {any[]} entries of an index
 * @returns {Group[]} the largest first; of one university alone its colleges
 */
export const groupsOf = (entries) => {
  const groups = [...gathered(listOf(entries), ({ base_url }) => siteOf(base_url))]
    .map(([site, own]) => ({
      key: site,
      site,
      name: commonWord(own) || site,
      entries: own,
      colleges: collegesOf(site, own),
    }))
    .sort((one, other) => other.entries.length - one.entries.length || inOrder(one.name, other.name));
  return groups.length === 1 && groups[0].colleges.length > 0 ? groups[0].colleges : groups;
};

const collegesOf = (site, entries) => {
  const colleges = gathered(entries, ({ college }) => clean(textOf(college, LONGEST_COLLEGE)));
  if (colleges.size === 1 && colleges.has("")) return [];
  return [...colleges]
    .map(([name, own]) => ({ key: `${site}/${name}`, site: "", name, entries: own, colleges: [] }))
    .sort((one, other) => !one.name - !other.name || inOrder(one.name, other.name));
};

/** @returns {Map<string, any[]>} entries by what `key` returns of each */
const gathered = (entries, key) => {
  const found = new Map();
  for (const entry of entries) {
    const name = key(entry);
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(entry);
  }
  return found;
};

const inOrder = (one, other) => (one < other ? -1 : 1);

const siteOf = (address) => {
  const host = HOST.exec(typeof address === "string" ? address : "")?.[1].toLowerCase() ?? "";
  return UNIVERSITY.exec(host)?.[1] ?? host.replace(/^www\./, "");
};

const commonWord = (entries) => {
  if (entries.length < 2) return "";
  const [word] = entries[0].name.split(" ");
  return entries.every(({ name }) => name.startsWith(`${word} `)) ? word : "";
};
