/**
 * Notices of one university that come together are one banner, with a line for each: a university
 * that publishes on five boards at nine o'clock rings once.
 */

import { cut } from "../../uring/text.js";
import { listOf } from "../values.js";

/** What comes later than this after the first one is a banner of its own. */
const TOGETHER_MS = 5 * 60_000;
const MOST_PARTS = 20;
const MOST_LINES = 5;
const LONGEST_LINE = 70;
/** Below these a university has a name of its own: `cse.lantern.ac.kr` is of `lantern.ac.kr`. */
const SECOND_LEVEL = /^(ac|edu|go|or|re|co|com|org|net|gov)$/;
const SAID = {
  ko: { title: (place, count) => `${place} 소식 ${count}건`, more: (count) => `외 ${count}건` },
  en: { title: (place, count) => `${place}: ${count} notices`, more: (count) => `and ${count} more` },
};

/**
 * @typedef {object} Part a notice of a banner
 * @property {string} tag of the banner that it would have alone
 * @property {string} title
 * @property {string} body
 * @property {string} name of its board
 * @property {string} route
 * @property {string} [url]
 * @property {string[]} events
 * @property {string[]} depts
 * @property {string[]} same
 */

/**
 * Return the site of a university that a notice is of; "" for what is no notice of a board.
 *
 * @param {any} data of a message
 * @param {any} source of the index, or nothing
 */
export const siteOf = (data, source) => {
  if (data.kind === "digest" || typeof data.fileNo === "string") return "";
  if ((source?.view ?? "notices") !== "notices") return "";
  if (!URL.canParse(data.link ?? "")) return "";
  const { protocol, hostname } = new URL(data.link);
  if (!/^https?:$/.test(protocol) || /[\d\]]$/.test(hostname)) return "";
  const labels = hostname.split(".");
  const isLong = labels.at(-1).length === 2 && SECOND_LEVEL.test(labels.at(-2) ?? "");
  return labels.slice(isLong ? -3 : -2).join(".");
};

/** Return the parts of a banner; none of one that this release has not shown. */
export const partsOf = (banner) => listOf(banner?.data?.parts);

/**
 * Return the banner on the screen that a notice joins; undefined without.
 *
 * @param {Notification[]} banners
 * @param {{site: string, kind: string, tag: string}} notice
 * @param {number} now in ms
 */
export const bannerOfSite = (banners, { site, kind, tag }, now) =>
  banners.find((banner) => {
    const { data } = banner;
    if (!site || data?.site !== site || data.kind !== kind) return false;
    const age = now - data.at;
    return age >= 0 && age < TOGETHER_MS && partsOf(banner).some((part) => part.tag !== tag);
  });

/**
 * Return the tag of a notice's own banner: that of all its lines has the tag of the first notice,
 * whose next message must not take the other lines along.
 *
 * @param {Notification[]} banners
 * @param {string} tag of the notice
 */
export const freeTag = (banners, tag) => {
  const isOfOthers = (banner) => partsOf(banner).some((part) => part.tag !== tag);
  const taken = new Set(banners.filter(isOfOthers).map((banner) => banner.tag));
  let own = tag;
  while (taken.has(own)) own += "+";
  return own;
};

/** Return parts with one more; a second message of a notice replaces the first. */
export const withPart = (parts, part) =>
  [...parts.filter(({ tag }) => tag !== part.tag), part].slice(-MOST_PARTS);

/** Return parts without what was taken back. */
export const withoutGone = (parts, gone) =>
  parts
    .map((part) => ({ ...part, events: listOf(part.events).filter((event) => !gone.has(event)) }))
    .filter(({ events }) => events.length > 0);

/**
 * Return title and options of a banner of parts, silent: the first of them has rung.
 *
 * @param {Notification | {tag: string, data: any}} banner with `kind`, `site`, `at` and `language`
 * @param {Part[]} parts at least one
 */
export const drawn = ({ tag, data }, parts) => {
  const all = (name) => [...new Set(parts.flatMap((part) => listOf(part[name])))];
  const [first] = parts;
  const isOne = parts.length === 1;
  const { kind, site, at, language } = data;
  const kept = { kind, site, at, language, parts };
  for (const name of ["events", "depts", "same"]) kept[name] = all(name);
  const { route, url } = isOne ? first : { route: "#/" };
  return {
    title: isOne ? first.title : titleOf(parts, data),
    options: {
      body: isOne ? first.body : linesOf(parts, language),
      tag,
      silent: true,
      renotify: false,
      data: { ...kept, route, url },
    },
  };
};

const titleOf = (parts, { site, language }) =>
  SAID[language].title(placeOf(parts).join(" ") || site, parts.length);

/** The newest first. */
const linesOf = (parts, language) => {
  const beside = placeOf(parts).length;
  const lines = [...parts].reverse().map(({ title, name }) => {
    const board = name.split(" ").slice(beside).join(" ");
    return cut(board ? `${title} · ${board}` : title, LONGEST_LINE);
  });
  const rest = lines.length - MOST_LINES;
  if (rest <= 0) return lines.join("\n");
  return [...lines.slice(0, MOST_LINES), SAID[language].more(rest)].join("\n");
};

/** Return the words with which the names of all boards begin. */
const placeOf = (parts) => {
  const [first, ...others] = parts.map(({ name }) => name.split(" "));
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return differs < 0 ? first : first.slice(0, differs);
};
