/**
 * The last checks of a source, as `health.json` has them: a bar of beats, how often it failed and
 * since when, how long the site takes. A failed check and a change have a beat each; a quiet check
 * has one only when its success is written, about once a day, so between two good beats all was
 * unchanged. Where beats are further apart than that, nobody looked: a pause, a stack that stood still.
 */

import { html, nothing } from "../vendor/lit-html.js";
import { dateTime, words } from "../app/words.js";
import { instant } from "./health.js";
import { ago, counted } from "./parts.js";
import { reasonWords } from "./runbook.js";

/** As many as the engine keeps; more are not believed. */
const MOST = 96;
/** Beats that are told one by one in the details. */
const TOLD = 12;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Three checks late, and three hours, as for a source that is `unchecked`. */
const LATE = 3;
const OUTCOMES = ["baseline", "changed", "unchanged", "failed", "suspect"];
const BAD = new Set(["failed", "suspect"]);

const t = words({
  ko: {
    bar: "기록된 확인 {count}번: 실패 {bad}번, 변경 있음 {changed}번.",
    once: "실패 한 번. 첫 기록 {from}",
    spell: "실패 {bad}번, 이어서. 첫 기록 {from}",
    spells: "실패 {bad}번, {spells}차례. 첫 기록 {from}",
    well: "기록된 확인 {count}번 모두 성공. 첫 기록 {from}",
    took: "응답 시간 마지막 {last}, 중앙값 {median}",
    head: "기록된 확인 (최근 {count}번)",
    quiet: "조용한 확인은 하루에 한 번쯤만 기록합니다. 성공 사이의 확인은 모두 변화가 없었습니다.",
    gap: "{length} 동안 확인 기록이 없음 ({from} ~ {until})",
    silence: "기록이 끊긴 때 한 번: {length}.",
    silences: "기록이 끊긴 때 {count}번, 가장 길게 {length}.",
    days: "{count}일",
    hours: "{count}시간",
    baseline: "첫 확인",
    changed: "변경 {count}건",
    unchanged: "변화 없음",
    failed: "실패",
    suspect: "믿지 않은 페이지",
    rows: "{count}행",
    ms: "{ms} ms",
    s: "{s}초",
  },
  en: {
    bar: "{count} recorded checks: {bad} failed, {changed} with changes.",
    "bar.one": "1 recorded check: {bad} failed, {changed} with changes.",
    once: "Failed once. First record {from}",
    spell: "Failed {bad} times in a row. First record {from}",
    spells: "Failed {bad} times, in {spells} spells. First record {from}",
    well: "All {count} recorded checks succeeded. First record {from}",
    "well.one": "The only recorded check succeeded: {from}",
    took: "Response time {last} last, {median} median",
    head: "Recorded checks (the last {count})",
    "head.one": "Recorded checks (the last one)",
    quiet: "A quiet check is recorded about once a day. Between two successes all was unchanged.",
    gap: "{length} without a recorded check ({from} to {until})",
    silence: "Once without a record, for {length}.",
    silences: "{count} times without a record, at most for {length}.",
    days: "{count} days",
    hours: "{count} hours",
    baseline: "first check",
    changed: "{count} changes",
    "changed.one": "1 change",
    unchanged: "unchanged",
    failed: "failed",
    suspect: "page refused",
    rows: "{count} rows",
    "rows.one": "1 row",
    ms: "{ms} ms",
    s: "{s} s",
  },
});

/**
 * @typedef {object} Beat
 * @property {number} at in ms
 * @property {string} outcome one of `OUTCOMES`
 * @property {number} [ms] how long the site took
 * @property {number} [rows]
 * @property {number} changes
 * @property {string} reason empty without one
 */

/**
 * Return the beats of a `health.json`, whatever it holds; in the order of the checks.
 *
 * @param {any} body
 * @returns {Beat[]}
 */
export const beatsOf = (body) => {
  const all = Array.isArray(body?.beats) ? body.beats.slice(-MOST) : [];
  return all
    .map((beat) => ({
      at: instant(beat?.at),
      outcome: beat?.outcome,
      ms: number(beat?.ms),
      rows: number(beat?.rows),
      changes: number(beat?.changes) ?? 0,
      reason: typeof beat?.reason === "string" ? beat.reason.slice(0, 60) : "",
    }))
    .filter(({ at, outcome }) => at !== undefined && OUTCOMES.includes(outcome));
};

/**
 * Return how often a source failed, in how many spells, and how long its site takes.
 *
 * @param {Beat[]} beats
 */
export const summary = (beats) => {
  const isBad = beats.map(({ outcome }) => BAD.has(outcome));
  const times = beats.map(({ ms }) => ms).filter((ms) => ms !== undefined && ms > 0);
  const sorted = [...times].sort((one, other) => one - other);
  return {
    count: beats.length,
    bad: isBad.filter(Boolean).length,
    changed: beats.filter(({ outcome }) => outcome === "changed").length,
    spells: isBad.filter((bad, at) => bad && !isBad[at - 1]).length,
    // A clock that went back is no reason for an odd beginning.
    from: beats.length ? Math.min(...beats.map(({ at }) => at)) : undefined,
    last: times.at(-1),
    median: sorted[sorted.length >> 1],
  };
};

/**
 * Return the times in which nobody looked, by the beat that ends each; undefined ends the present one.
 *
 * @param {Beat[]} beats
 * @param {number} now in ms
 * @param {number} longest minutes between two checks, at most
 * @returns {Map<Beat | undefined, {from: number, until: number, ms: number}>}
 */
export const gapsIn = (beats, now, longest) => {
  const most = DAY_MS + LATE * Math.max(HOUR_MS, (longest * HOUR_MS) / 60);
  const gaps = new Map();
  beats.forEach(({ at: from }, place) => {
    const beat = beats[place + 1];
    const until = beat?.at ?? now;
    if (until - from > most) gaps.set(beat, { from, until, ms: until - from });
  });
  return gaps;
};

/**
 * @param {Beat[]} beats
 * @param {number} now in ms
 * @param {number} longest minutes between two checks, at most
 * @returns {any} the bar, and what it says in words; nothing without beats
 */
export const bar = (beats, now, longest) => {
  if (!beats.length) return nothing;
  const known = summary(beats);
  const gaps = gapsIn(beats, now, longest);
  const gapBefore = (beat) =>
    gaps.has(beat) ? html`<i class="gap" title=${gapWords(gaps.get(beat))}></i>` : nothing;
  const values = { ...known, from: dateTime(known.from) };
  const silent = length(Math.max(...[...gaps.values()].map(({ ms }) => ms)));
  const failed = known.bad === 1 ? "once" : known.spells === 1 ? "spell" : "spells";
  return html`<div class="beats" role="img" aria-label=${counted(t, "bar", values)}>
      ${beats.map(
        (beat) =>
          html`${gapBefore(beat)}<i class="beat ${beat.outcome}" title=${sentence(beat)}></i>`,
      )}${gapBefore(undefined)}
    </div>
    <p class="facts quiet">
      <span>${known.bad ? t(failed, values) : counted(t, "well", values)}</span>
      ${
        gaps.size
          ? html`<span
              >${t(gaps.size === 1 ? "silence" : "silences", { count: gaps.size, length: silent })}</span
            >`
          : nothing
      }
      ${
        known.last === undefined
          ? nothing
          : html`<span>${t("took", { last: span(known.last), median: span(known.median) })}</span>`
      }
    </p>`;
};

/**
 * @param {Beat[]} beats
 * @param {number} now in ms
 * @param {number} longest minutes between two checks, at most
 * @returns {any} the last beats one by one, the newest first
 */
export const told = (beats, now, longest) => {
  if (!beats.length) return nothing;
  const last = beats.slice(-TOLD).reverse();
  const gaps = gapsIn(beats, now, longest);
  return html`<h4>${counted(t, "head", { count: last.length })}</h4>
    ${gaps.has(undefined) ? html`<p class="quiet">${gapWords(gaps.get(undefined))}</p>` : nothing}
    <ul class="told">
      ${last.map(
        (beat) =>
          html`<li class=${beat.outcome}>
            ${ago(beat.at, now)} · ${outcomeWords(beat)}
            ${beat.reason ? html`<code>${beat.reason}</code>` : nothing}
            ${gaps.has(beat) ? html`<br />${gapWords(gaps.get(beat))}` : nothing}
          </li>`,
      )}
    </ul>
    <p class="quiet">${t("quiet")}</p>`;
};

const gapWords = ({ from, until, ms }) =>
  t("gap", { length: length(ms), from: dateTime(from), until: dateTime(until) });

const length = (ms) =>
  ms < 2 * DAY_MS
    ? t("hours", { count: Math.floor(ms / HOUR_MS) })
    : t("days", { count: Math.floor(ms / DAY_MS) });

const sentence = (beat) => `${dateTime(beat.at)} · ${outcomeWords(beat)}`;

const outcomeWords = ({ outcome, reason, changes, rows, ms }) => {
  const parts = [outcome === "changed" ? counted(t, outcome, { count: changes }) : t(outcome)];
  if (reason) parts.push(reasonWords(reason));
  if (rows !== undefined) parts.push(counted(t, "rows", { count: rows }));
  if (ms) parts.push(span(ms));
  return parts.join(" · ");
};

const span = (ms) => (ms < 10_000 ? t("ms", { ms }) : t("s", { s: Math.round(ms / 1000) }));
const number = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : undefined);
