/** What becomes of a push: a banner, or a part of the one silent line. */

import { matches } from "./keywords.js";
import { isName, isObject } from "./lines.js";
import { bodyOf, languageOf, restTitle, titleOf, unreadable } from "./messages.js";
import { retracted } from "./retracted.js";
import { cut, safeLink } from "./text.js";

export { restTitle };

const CLOCK = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;
const TOPIC = "/topics/";
// A page of our own: what a registry's text changed by.
const OWN_PAGE = /^\/data\/[A-Za-z0-9._~%/-]*$/;
const LONGEST_TAG = 200;

/**
 * Decide what a push shows: always something, for browsers punish a push that shows nothing.
 *
 * `reason` is, in the order of judgement: `unreadable`, there is neither event nor title;
 * `retracted`, it takes pushes back (see `retracted`); `seen`, the event was shown before; `off`;
 * `keyword`, none matches; `quiet`; of a banner `digest`, which no keyword can judge, `match` or
 * `all`. A source without a rule is shown.
 *
 * @param {unknown} message the JSON of a push, `{data, from}`, or its `data` alone
 * @param {object} rules by department and by topic (weather: the airport), `{mode, keywords,
 *   name}`, mode "all", "keywords" or "off", `name` for people: the department's mode and name, or
 *   else the topic's; beside them `quiet`, `{from, to}` as "23:00", and `language`, "ko" or "en"
 * @param {{has: (id: string) => boolean} | null} seen the events that were shown
 * @param {Date} now in the device's zone; an invalid one is never in quiet hours
 * @returns {{show: "banner" | "rest", reason: string, title: string, body: string, tag: string,
 *   url: string | null, dept: string | null, event: string | null, match: string | null}} plain
 *   text; `url` is http(s), or a path from this host's root, or null: show the source's own view
 */
export function decide(message, rules, seen, now) {
  const whole = isObject(message) ? message : {};
  const data = isObject(whole.data) ? whole.data : whole;
  const settings = isObject(rules) ? rules : {};
  const language = languageOf(settings.language);
  const dept = isName(data.dept) ? data.dept : null;
  const event = isName(data.event_id) ? data.event_id : null;
  if (event === null && !isName(data.title)) {
    const body = unreadable(language);
    return { ...rest("unreadable", body, language), url: null, dept, event, match: null };
  }
  const rule = ruleOf(settings, dept, whole.from);
  const [title, body] = [titleOf, bodyOf].map((words) => words(data, rule.name, language));
  const match = rule.mode === "keywords" ? matches(data, rule.keywords) : null;
  const told = { url: addressOf(data), dept, event, match };
  const reason = restReason(data, event, rule, match, settings.quiet, seen, now);
  if (reason !== null) return { ...rest(reason, title, language), ...told };
  const tag = cut(`${dept ?? ""}:${data.kind === "digest" ? "digest" : tagged(data)}`, LONGEST_TAG);
  return { show: "banner", reason: bannerReason(data, match), title, body, tag, ...told };
}

function rest(reason, body, language) {
  return { show: "rest", reason, title: restTitle(0, language), body, tag: "rest" };
}

/** Return why a push is no banner, or null. */
function restReason(data, event, rule, match, quiet, seen, now) {
  if (retracted(data) !== null) return "retracted";
  if (event !== null && seen?.has(event)) return "seen";
  if (rule.mode === "off") return "off";
  if (rule.mode === "keywords" && data.kind !== "digest" && match === null) return "keyword";
  return isQuiet(quiet, now) ? "quiet" : null;
}

function bannerReason(data, match) {
  if (data.kind === "digest") return "digest";
  return match === null ? "all" : "match";
}

function ruleOf(settings, dept, from) {
  const topic = typeof from === "string" && from.startsWith(TOPIC) ? from.slice(TOPIC.length) : "";
  const rules = [dept, topic]
    .filter((name) => name && Object.hasOwn(settings, name) && isObject(settings[name]))
    .map((name) => settings[name]);
  // A product has a name, and the rule is its airport's.
  const rule = rules.find(({ mode }) => isName(mode)) ?? {};
  return { ...rule, name: rules.map(({ name }) => name).find(isName) ?? "" };
}

function isQuiet(quiet, now) {
  const { from, to } = isObject(quiet) ? quiet : {};
  if (![from, to].every((each) => typeof each === "string" && CLOCK.test(each))) return false;
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) return false;
  const clock = [now.getHours(), now.getMinutes()]
    .map((each) => String(each).padStart(2, "0"))
    .join(":");
  // "23:00" to "07:00" goes over midnight; from one time to the same is none.
  return from <= to ? from <= clock && clock < to : clock >= from || clock < to;
}

function tagged(data) {
  return isName(data.id) ? data.id : data.event_id;
}

function addressOf(data) {
  const own = [data.difference, data.text].find(
    (each) => typeof each === "string" && OWN_PAGE.test(each) && !each.includes(".."),
  );
  return own ?? safeLink(data.link);
}
