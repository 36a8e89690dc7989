/** Says how old what is shown is: when each product was checked, and what is not current. */

import { html, nothing } from "../../vendor/lit-html.js";
import { instantOf } from "../values.js";
import { words } from "../words.js";
import { PRODUCTS } from "./known.js";
import { both, span } from "./times.js";

const t = words({
  ko: {
    metar: "관측",
    taf: "예보",
    warning: "경보",
    checked: "{at}에 마지막으로 확인했습니다.",
    checkedEach: "마지막 확인: {each}.",
    zones: "시각은 한국 시간, 괄호 안은 UTC(일/시:분)입니다.",
    observed: "{at} 관측",
    age: "{age} 전",
    unread: "자료를 읽지 못해 알 수 없습니다.",
    absent: "이 공항의 자료가 없어 알 수 없습니다.",
    silent: "{since} 이후 확인하지 못했습니다 ({age}). 지금은 다를 수 있습니다.",
    silentSome: "언제 확인했는지 알 수 없습니다.",
    stale: "{since}부터 새 자료가 없습니다. 마지막 자료입니다.",
    staleSome: "새 자료를 받지 못하고 있습니다. 마지막 자료입니다.",
    unknown: "{since}부터 알 수 없습니다.",
    unknownSome: "지금은 알 수 없습니다.",
    why: "이유: {reason}",
    overdue: "{last} 이후 보고가 없습니다. {since}까지 나왔어야 합니다.",
    overdueSome: "나왔어야 할 보고가 없습니다.",
    over: "{since}에 끝났습니다.",
    overSome: "끝났습니다.",
  },
  en: {
    metar: "Observations",
    taf: "Forecasts",
    warning: "Warnings",
    checked: "Last checked {at}.",
    checkedEach: "Last checked: {each}.",
    zones: "Times are Korean, in brackets UTC (day/hour:minute).",
    observed: "observed {at}",
    age: "{age} ago",
    unread: "not known, the data could not be read.",
    absent: "not known, the data lack this airport.",
    silent: "not checked since {since} ({age}); all may be different now.",
    silentSome: "nobody knows when they were checked.",
    stale: "nothing new since {since}. This is the last report.",
    staleSome: "nothing new is coming. This is the last report.",
    unknown: "not known since {since}.",
    unknownSome: "not known now.",
    why: "Reason: {reason}",
    overdue: "none since {last}; due {since}.",
    overdueSome: "the next is overdue.",
    over: "over since {since}.",
    overSome: "over.",
  },
});

/** @param {import("./feed.js").Weather} weather; @returns {any} when each product was last checked */
export const lastCheck = ({ checked }) => {
  const times = PRODUCTS.map((product) => both(checked[product]));
  const isOne = new Set(times).size === 1;
  const each = PRODUCTS.map((product, at) => times[at] && `${t(product)} ${times[at]}`);
  const told = isOne
    ? times[0] && t("checked", { at: times[0] })
    : t("checkedEach", { each: each.filter(Boolean).join(", ") });
  return told ? html`<p class="quiet">${told} ${t("zones")}</p>` : nothing;
};

/** @param {import("./feed.js").Weather} weather; @returns {any} which products are not checked now */
export const silence = ({ checked, silent, now }) =>
  lines(
    silent.map((product) => [product, [{ kind: "silent", since: checked[product] }]]),
    now,
  );

/**
 * Return a line for each thing that is not current, of one product or of several.
 *
 * @param {import("./feed.js").Weather} weather
 * @param {string} icao
 * @param {string[]} products
 * @returns {any} a template; nothing where all is current
 */
export const marks = (weather, icao, products = PRODUCTS) =>
  lines(
    products.map((product) => [product, weather.troubles(product, icao)]),
    weather.now,
  );

/**
 * Return when an observation was made, and how long ago that was.
 *
 * @param {any} instant ISO 8601
 * @param {number} now ms
 * @returns {string[]} none where it is not told
 */
export const observed = (instant, now) => {
  const at = instantOf(instant);
  if (at === null) return [];
  const told = [t("observed", { at: both(at) })];
  return now >= at ? [...told, t("age", { age: span(at, now) })] : told;
};

/** One sentence is said once, with the names of all products that it is true of. */
const lines = (found, now) => {
  const said = new Map();
  for (const [product, troubles] of found) {
    const sentence = troubles.map((trouble) => sentenceOf(product, trouble, now)).join(" ");
    if (sentence) said.set(sentence, [...(said.get(sentence) ?? []), product]);
  }
  return [...said].map(
    ([sentence, products]) =>
      html`<p class="lack stale" data-of=${products.join(" ")}>
        ${products.map((product) => t(product)).join(", ")}: ${sentence}
      </p>`,
  );
};

const sentenceOf = (product, { kind, since, last = null, reason = "" }, now) => {
  const name = kind === "stale" && product === "warning" ? "unknown" : kind;
  if (kind === "unread" || kind === "absent") return t(name);
  const isWhole = since !== null && (kind !== "overdue" || last !== null);
  const values = { since: both(since), last: both(last), age: since && span(since, now) };
  const sentence = t(isWhole ? name : `${name}Some`, values);
  return reason ? `${sentence} ${t("why", { reason })}` : sentence;
};
