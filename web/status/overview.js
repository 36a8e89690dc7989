/** Above and below the list: the verdict, what concerns all, families, the changes of the day. */

import { html, nothing } from "../vendor/lit-html.js";
import { safeLink } from "../uring.js";
import { listsOf, wordOf } from "../app/index.js";
import { dateTime, language, words } from "../app/words.js";
import { AT_ONCE } from "./counts.js";
import { gatewayOutage, instant, outages } from "./health.js";
import { gatewayCard, keyOf, reason, remedy } from "./list.js";
import { ago, counted } from "./parts.js";
import { adviceOnAll } from "./runbook.js";

/** Beyond this the device's clock, or the answer, is not of now. */
const CLOCKS_APART_MS = 300_000;
/** Missing lists that are named. */
const MOST_PATHS = 10;
/** Changes that are told one by one. */
const MOST_CHANGES = 50;
/** Kinds of changes as they are told in every row. */
const ORDER = ["new", "edited", "text_changed", "renamed", "returned", "deleted"];

const t = words({
  ko: {
    title: "운영 상태",
    allWell: "모두 정상입니다. 소스 {count}개.",
    wellSoFar: "지금까지 읽은 소스 {count}개는 정상입니다.",
    lists: "목록 {count}개를 읽지 못했습니다. 그 목록의 소스는 아래에 없습니다: {paths}",
    listsRead: "목록 {all}개 중 {read}개를 읽었습니다.",
    needLook: "소스 {all}개 중 {count}개를 살펴봐야 합니다.",
    none: "목록에 소스가 없습니다.",
    soon: "방금 실패해 저절로 나을 수 있는 것 {count}개.",
    seen: "그중 이 기기에서 봤다고 표시한 것 {count}개.",
    paused: "쉬게 한 것 {count}개.",
    pending: "첫 확인을 기다리는 것 {count}개.",
    later: "이 페이지가 모르는 상태 {count}개.",
    unreadable: "읽을 수 없는 항목 {count}개는 빠져 있습니다.",
    written: "모니터가 쓴 때",
    checked: "이 페이지가 확인한 때 {at}, 1분마다 다시 확인",
    no_index: "아직 index.json이 없습니다.",
    silent: "모니터가 조용합니다. 아래는 그때의 상태입니다.",
    broken: "index.json을 읽을 수 없습니다. 다음 확인에서 다시 시도합니다.",
    offline: "응답이 없습니다. 아래는 마지막으로 본 상태이며, 1분마다 다시 시도합니다.",
    gone: "index.json이 사라졌습니다. 아래는 마지막으로 본 상태입니다.",
    clocks: "이 기기의 시계가 서버의 답과 {minutes}분 다릅니다. 시계가 틀렸거나 오래된 사본입니다.",
    simulated: "이 실행에서 다음 종류의 날은 모의 시계로 흐르고, 경과 시간도 그 시계로 셉니다: {lists}",
    outage: "{family} {all}개 중 {failing}개가 한 가지 이유로 실패합니다.",
    families: "종류별",
    every: "전체",
    count: "{all}개 중 {needs}개",
    today: "오늘 바뀐 것",
    changed: "소스 {count}개가 오늘 바뀌었습니다.",
    unchanged: "오늘 바뀐 소스가 없습니다.",
    countThem: "변경 보기 (소스 {count}개)",
    counting: "세는 중…",
    total: "센 소스 {sources}개의 오늘 변경 {count}건",
    first: "처음 읽은 소스 {count}개는 변경으로 세지 않습니다.",
    newest: "그중 최근 것",
    least: "이상",
    noArchive: "항공기상은 보관 파일이 없어 세지 않습니다.",
  },
  en: {
    title: "Operation",
    allWell: "All {count} sources are well.",
    "allWell.one": "The only source is well.",
    wellSoFar: "The {count} sources read so far are well.",
    "wellSoFar.one": "The source read so far is well.",
    lists: "{count} lists cannot be read. Their sources are missing below: {paths}",
    "lists.one": "A list cannot be read. Its sources are missing below: {paths}",
    listsRead: "{read} of {all} lists read.",
    needLook: "{count} of {all} sources need a look.",
    "needLook.one": "1 of {all} sources needs a look.",
    none: "The index lists no source.",
    soon: "{count} just failed and may pass by themselves.",
    "soon.one": "1 just failed and may pass by itself.",
    seen: "{count} of them are marked as seen on this device.",
    "seen.one": "1 of them is marked as seen on this device.",
    paused: "{count} are paused.",
    "paused.one": "1 is paused.",
    pending: "{count} wait for their first check.",
    "pending.one": "1 waits for its first check.",
    later: "{count} have a status that this page does not know.",
    "later.one": "1 has a status that this page does not know.",
    unreadable: "{count} entries cannot be read and are left out.",
    "unreadable.one": "1 entry cannot be read and is left out.",
    written: "Written by the monitor",
    checked: "Read by this page at {at}, again each minute",
    no_index: "There is no index.json yet.",
    silent: "The monitor is silent. The data below are from that time.",
    broken: "index.json cannot be read. The next try is in a minute.",
    offline: "No answer. The data below are the last received; the next try is in a minute.",
    gone: "index.json is gone. The data below are the last received.",
    clocks: "Device and server are {minutes} minutes apart: a wrong clock, or an old copy.",
    simulated: "The days of these are simulated in this run, and ages count to their clocks: {lists}",
    outage: "{failing} of {all} fail for one reason: {family}.",
    families: "By family",
    every: "All",
    count: "{needs} of {all}",
    today: "Changed today",
    changed: "{count} sources changed today.",
    "changed.one": "1 source changed today.",
    unchanged: "No source changed today.",
    countThem: "List the changes of {count} sources",
    "countThem.one": "List the changes of 1 source",
    counting: "Counting…",
    total: "{count} changes today in {sources} counted sources",
    "total.one": "1 change today in {sources} counted sources",
    first: "{count} sources were read for the first time: that is no change.",
    "first.one": "1 source was read for the first time: that is no change.",
    newest: "The newest of them",
    least: "or more",
    noArchive: "The weather has no archive and is not counted.",
  },
});

/** @returns {string} */
export const title = () => t("title");

/**
 * @param {import("./status.js").State} state
 * @param {import("./list.js").Around} around
 */
export const verdict = (state, around) => {
  const { sources, changed, unreadable, index, readAt, parts, unread, missing } = state;
  const left = unread.length + missing.length;
  const needs = sources.filter((source) => source.needs).length;
  const ofKind = (kind) => sources.filter((source) => source.kind === kind).length;
  const beside = [
    ["seen", sources.filter(({ isSeen }) => isSeen).length],
    ...["soon", "paused", "pending", "later"].map((kind) => [kind, ofKind(kind)]),
    ["unreadable", unreadable],
    ["changed", changed.length],
  ].filter(([, count]) => count > 0);
  const key = !sources.length ? "none" : needs ? "needLook" : left ? "wellSoFar" : "allWell";
  return html`<section
    class="card verdict ${needs ? "bad" : sources.length && !left ? "good" : ""}"
    id="verdict"
  >
    <p class="sentence">
      ${counted(t, key, { count: needs || sources.length, all: sources.length })}
    </p>
    ${
      left
        ? html`<p data-lists>${t("listsRead", { all: parts.size + left, read: parts.size })}</p>`
        : nothing
    }
    ${
      beside.length
        ? html`<p>${beside.map(([kind, count]) => html`<span>${counted(t, kind, { count })}</span> `)}</p>`
        : nothing
    }
    <p class="quiet facts">
      <span>${t("written")} ${ago(instantOf(index), around.now)}</span>
      <span>${t("checked", { at: dateTime(readAt) })}</span>
    </p>
  </section>`;
};

const instantOf = (index) => {
  const at = Date.parse(typeof index?.generated_at === "string" ? index.generated_at : "");
  return Number.isNaN(at) ? undefined : at;
};

/**
 * What concerns the whole, the first the worst.
 *
 * @param {import("./status.js").State} state
 * @param {import("./list.js").Around} around
 */
export const alarms = ({ answer, index, sources, apart, silent, missing }, around) => {
  const gateway = gatewayOutage(sources);
  const unanswered = { missing: index ? "gone" : "no_index", broken: "broken", offline: "offline" };
  const problem = unanswered[answer.state];
  const lists = clocks(index).map(([list, at]) => `${wordOf(index, list, language())} ${dateTime(at)}`);
  return html`
    ${
      lists.length
        ? html`<p class="quiet" id="simulated">${t("simulated", { lists: lists.join(" · ") })}</p>`
        : nothing
    }
    ${problem ? alarm(problem, t(problem), around) : nothing}
    ${silent === undefined ? nothing : alarm("silent", t("silent"), around)}
    ${
      missing.length
        ? alarm("lists", counted(t, "lists", { count: missing.length, paths: missing.slice(0, MOST_PATHS).join(" ") }), around)
        : nothing
    }
    ${
      Math.abs(apart) > CLOCKS_APART_MS && !clocks(index).length
        ? alarm("clocks", t("clocks", { minutes: Math.round(Math.abs(apart) / 60_000) }), around)
        : nothing
    }
    ${gateway ? gatewayCard(gateway, around) : nothing}
    ${outages(sources)
      .filter(({ family }) => !(gateway && family === "weather"))
      .map(({ name, reason: word, failing, all }) =>
        alarm("outage", t("outage", { family: name(language()), failing, all }), around, word),
      )}
  `;
};

/** The simulated lists of the index, each with the time on its clock in ms. */
const clocks = (index) =>
  listsOf(index)
    .map(({ list }) => [list, instant(index?.simulated?.[list])])
    .filter(([, at]) => at !== undefined);

const ADVISED = { no_index: "no_index", gone: "no_index", silent: "silent", outage: "outage" };

const alarm = (kind, sentence, around, word = "") => html`
  <section class="card alarm" data-alarm=${kind}>
    <p class="sentence">${sentence}</p>
    ${word ? html`<p>${reason(word)}</p>` : nothing}
    ${kind in ADVISED ? remedy(adviceOnAll(ADVISED[kind], around.stack, around.run), around) : nothing}
  </section>
`;

/**
 * The families with their counts; each is a filter.
 *
 * @param {import("./status.js").State} state
 * @param {(family: string) => void} choose
 */
export const families = ({ families: lists, sources, filter }, choose) => {
  const button = (family, name, own) => {
    const needs = own.filter((source) => source.needs).length;
    return html`<button
      type="button"
      aria-pressed=${filter.family === family ? "true" : "false"}
      data-family=${family}
      @click=${() => choose(family)}
    >
      ${name}
      <span class="tag ${needs ? "bad" : own.length ? "good" : ""}"
        >${needs ? t("count", { needs, all: own.length }) : own.length}</span
      >
    </button>`;
  };
  return html`<div class="row" role="group" aria-label=${t("families")}>
    ${button("", t("every"), sources)}
    ${lists.map(({ list, word }) =>
      button(
        list,
        word(language()),
        sources.filter((source) => source.family === list),
      ),
    )}
  </div>`;
};

/**
 * The sources that changed today, and on demand how often.
 *
 * @param {import("./status.js").State} state
 * @param {() => void} count the next ones
 */
export const today = ({ changed, day }, count) => {
  if (!changed.length)
    return html`<h2>${t("today")}</h2>
      <p>${t("unchanged")}</p>`;
  const countable = changed.filter(({ family }) => family !== "weather");
  const known = countable.filter((source) => day.counts.has(keyOf(source)));
  const left = Math.min(countable.length - known.length, AT_ONCE);
  return html`<h2>${t("today")}</h2>
    <p>${counted(t, "changed", { count: changed.length })}</p>
    ${known.length ? table(known, day.counts) : nothing}
    ${
      left
        ? html`<button type="button" id="count" ?disabled=${day.busy} @click=${count}>
            ${day.busy ? t("counting") : counted(t, "countThem", { count: left })}
          </button>`
        : nothing
    }
    ${countable.length < changed.length ? html`<p class="quiet">${t("noArchive")}</p>` : nothing}`;
};

const table = (known, counts) => {
  const totals = known.map((source) => counts.get(keyOf(source)));
  const sum = totals.reduce((all, { kinds }) => all + total(kinds), 0);
  const isLeast = totals.some((count) => count.isLeast);
  const isFirst = ({ kinds, baselines }) => baselines > 0 && !kinds.size;
  const firsts = totals.filter(isFirst).length;
  const told = known.filter((source) => !isFirst(counts.get(keyOf(source))));
  const newest = told
    .flatMap((source) => counts.get(keyOf(source)).changes.map((change) => ({ ...change, source })))
    .sort((one, other) => other.at - one.at)
    .slice(0, MOST_CHANGES);
  return html`<p>
      <b>${counted(t, "total", { count: sum, sources: known.length })} ${isLeast ? t("least") : ""}</b>
    </p>
    ${firsts ? html`<p class="quiet">${counted(t, "first", { count: firsts })}</p>` : nothing}
    <ul class="list counts">
      ${told.map((source) => {
        const { kinds, isLeast: more } = counts.get(keyOf(source));
        return html`<li class="row">
          <bdi class="grow">${source.name}</bdi>
          <span>${total(kinds)} ${more ? t("least") : ""}</span>
          <span class="quiet">${inOrder(kinds)}</span>
        </li>`;
      })}
    </ul>
    ${newest.length ? changesList(newest) : nothing}`;
};

const changesList = (newest) =>
  html`<h3>${t("newest")}</h3>
    <ul class="list changes">
      ${newest.map(({ at, kind, title, link, source }) => {
        const target = safeLink(link);
        const name = title || "?";
        return html`<li class="row">
          <span class="tag">${kind}</span>
          <bdi class="grow"
            >${
              target
                ? html`<a href=${target} target="_blank" rel="noopener noreferrer">${name}</a>`
                : name
            }</bdi
          >
          <span class="quiet"><bdi>${source.name}</bdi> · ${dateTime(at)}</span>
        </li>`;
      })}
    </ul>`;

/** The kinds in one order for every row: the known first, then others by name. */
const inOrder = (kinds) => {
  const place = (kind) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds]
    .sort(([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join(" · ");
};

const total = (kinds) => [...kinds.values()].reduce((sum, count) => sum + count, 0);
