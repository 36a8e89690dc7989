/** Departments by their university, as far as the index tells: by the domain of their addresses. */

import { listOf } from "../values.js";

const HOST = /^https?:\/\/(?:[^/@?#]*@)?([a-z0-9.-]+)/i;
/** `uni.ac.kr` of `cse.uni.ac.kr`, `uni.edu` of `law.uni.edu`. */
const UNIVERSITY = /(?:^|\.)([a-z0-9-]+\.(?:(?:ac|edu)\.[a-z]{2}|edu))$/;

/**
 * @typedef {object} Group
 * @property {string} site a domain; "" of departments without an address
 * @property {string} name the first word that all of its names have, else the domain
 * @property {any[]} entries in their order
 */

/** @param {any[]} entries of an index; @returns {Group[]} the largest first */
export const groupsOf = (entries) => {
  const groups = new Map();
  for (const entry of listOf(entries)) {
    const site = siteOf(entry.base_url);
    if (!groups.has(site)) groups.set(site, []);
    groups.get(site).push(entry);
  }
  return [...groups]
    .map(([site, own]) => ({ site, name: commonWord(own) || site, entries: own }))
    .sort((one, other) => other.entries.length - one.entries.length || (one.name < other.name ? -1 : 1));
};

const siteOf = (address) => {
  const host = HOST.exec(typeof address === "string" ? address : "")?.[1].toLowerCase() ?? "";
  return UNIVERSITY.exec(host)?.[1] ?? host.replace(/^www\./, "");
};

const commonWord = (entries) => {
  if (entries.length < 2) return "";
  const [word] = entries[0].name.split(" ");
  return entries.every(({ name }) => name.startsWith(`${word} `)) ? word : "";
};
