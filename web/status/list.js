/** The list of sources: what needs a look with its reason and remedy, all else in a line. */

import { html, nothing, render } from "../vendor/lit-html.js";
import { paceText } from "../app/pace.js";
import { language, words } from "../app/words.js";
import { search } from "../uring.js";
import { KINDS } from "./health.js";
import { commands, pauseLine, places, seenAt, seenLine, seenTag } from "./attend.js";
import { bar, beatsOf, told as toldBeats } from "./beats.js";
import { ago, command, counted, inDocs, tag } from "./parts.js";
import { advice, reasonWords } from "./runbook.js";

/** Airports of a product that are named one by one. */
const MOST_PARTS = 30;

const t = words({
  ko: {
    why: "이유",
    todo: "할 일",
    runbook: "문서",
    since: "시작",
    inRow: "연속 {count}번 실패",
    lastSuccess: "마지막 성공",
    lastChange: "마지막 변경",
    staleSince: "{date}부터 평소보다 오래 조용함",
    airports: "공항 {parts}곳 중 {failing}곳의 최신 자료가 없음",
    allAirports: "공항 {parts}곳 모두 최신 자료가 없음",
    more: "외 {count}곳",
    details: "자세히",
    detailsOf: "{name} 자세히",
    site: "사이트 열기",
    files: "공개 파일",
    loading: "불러오는 중…",
    missing: "health.json이 없습니다. 모니터가 아직 쓰지 않았습니다.",
    unread: "health.json을 읽지 못했습니다.",
    published: "지금의 health.json",
    gateway: "기상 게이트웨이가 응답하지 않음",
    products: "{names} · 공항 {airports}곳 모두",
  },
  en: {
    why: "Why",
    todo: "To do",
    runbook: "Docs",
    since: "Since",
    inRow: "{count} checks failed in a row",
    "inRow.one": "1 check failed",
    lastSuccess: "Last success",
    lastChange: "Last change",
    staleSince: "silent for longer than usual since {date}",
    airports: "No current data for {failing} of {parts} airports",
    allAirports: "No current data for any of {parts} airports",
    more: "and {count} more",
    details: "Details",
    detailsOf: "Details of {name}",
    site: "Open the site",
    files: "Public files",
    loading: "Loading…",
    missing: "There is no health.json: the monitor has not written it yet.",
    unread: "health.json could not be read.",
    published: "the current health.json",
    gateway: "The weather gateway does not answer",
    products: "{names} · none of {airports} airports",
  },
});

/** Of one language at a time; a comparison by a new one each time takes seconds of thousands. */
const collators = new Map();
const collator = () => {
  const own = language();
  if (!collators.has(own)) collators.set(own, new Intl.Collator(own, { numeric: true }));
  return collators.get(own);
};

/** What this device marked as seen comes behind all else that needs a look. */
const rank = ({ kind, isSeen }) => (isSeen ? KINDS.indexOf("soon") - 0.5 : KINDS.indexOf(kind));

export const ORDERS = {
  worst: (one, other) => rank(one) - rank(other) || (one.since ?? 0) - (other.since ?? 0),
  name: (one, other) => collator().compare(one.name, other.name),
  changed: (one, other) => (other.changed ?? 0) - (one.changed ?? 0),
  succeeded: (one, other) => (one.succeeded ?? 0) - (other.succeeded ?? 0),
};

/**
 * Return the sources that a filter leaves.
 *
 * @param {import("./health.js").Source[]} sources
 * @param {{family: string, kind: string, text: string}} filter
 */
export const chosen = (sources, { family, kind, text }) => {
  const left = sources
    .filter((source) => !family || source.family === family)
    .filter((source) => !kind || (kind === "needs" ? source.needs : source.kind === kind));
  if (!text) return left;
  const titled = left.map((source) => ({
    source,
    title: `${source.name} ${source.id} ${source.reason}`,
  }));
  return search(titled, text).map(({ source }) => source);
};

/**
 * Return the first sources in an order, without a sort of all: of a hundred thousand it takes a
 * second.
 *
 * @param {import("./health.js").Source[]} sources
 * @param {number} most
 * @param {string} order a key of `ORDERS`
 */
export const first = (sources, most, order) => {
  const compare = (one, other) => ORDERS[order](one, other) || ORDERS.name(one, other);
  const kept = [];
  for (const source of sources) {
    if (kept.length === most && compare(source, kept[most - 1]) >= 0) continue;
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(source, kept[middle]) < 0) high = middle;
      else low = middle + 1;
    }
    kept.splice(low, 0, source);
    if (kept.length > most) kept.pop();
  }
  return kept;
};

/**
 * @typedef {object} Around what a row needs beside its source
 * @property {number} now in ms
 * @property {string} stack
 * @property {import("./runbook.js").Run} run
 * @property {string} docs
 * @property {(text: string) => void} say
 * @property {Set<string>} details keys of those that are open
 * @property {(source: import("./health.js").Source) => void} toggle
 * @property {Map<string, import("./load.js").Answer>} beats `health.json` by key, of rows in sight
 * @property {Record<string, {mark: string, at: number}>} seen by key: what this device marked
 * @property {(source: import("./health.js").Source) => void} mark as seen, or no longer
 * @property {string} region
 */

/** @param {{family: string, id: string}} source; @returns {string} unique among all families */
export const keyOf = ({ family, id }) => `${family}/${id}`;

/** Elements of the rows: a row that moves takes its focus along. */
const elements = new Map();

/**
 * Return the rows' elements, up to date.
 *
 * @param {import("./health.js").Source[]} sources
 * @param {Around} around
 * @returns {HTMLLIElement[]}
 */
export const rows = (sources, around) => {
  const shown = new Set(sources.map(keyOf));
  for (const key of elements.keys()) if (!shown.has(key)) elements.delete(key);
  return sources.map((source) => {
    const key = keyOf(source);
    if (!elements.has(key)) elements.set(key, document.createElement("li"));
    const element = elements.get(key);
    element.dataset.source = key;
    element.dataset.kind = source.kind;
    render(row(source, { ...around, now: around.now + source.ahead }), element);
    return element;
  });
};

const row = (source, around) => html`
  <div class="row">
    ${tag(source)} ${seenTag(seenAt(around.seen, keyOf(source), source))}
    <h3 class="grow">
      <bdi>${source.name}</bdi>
      <span class="quiet">${source.id} · ${source.word(language())}</span>
    </h3>
    <button
      type="button"
      aria-expanded=${around.details.has(keyOf(source)) ? "true" : "false"}
      aria-label=${t("detailsOf", { name: source.name })}
      @click=${() => around.toggle(source)}
    >
      ${t("details")}
    </button>
  </div>
  ${source.kind === "ok" ? nothing : trouble(source, around)}
  <p class="facts quiet">
    <span>${t("lastSuccess")} ${ago(source.succeeded, around.now)}</span>
    <span>${t("lastChange")} ${ago(source.changed, around.now)}</span>
    ${source.pace && source.kind !== "paused" ? html`<span>${paceText(source.pace)}</span>` : nothing}
  </p>
  ${bar(beatsOf(around.beats.get(keyOf(source))?.body), around.now, source.longest)}
  ${around.details.has(keyOf(source)) ? details(source, around) : nothing}
`;

const trouble = (source, around) => {
  const told = advice(source, around.stack, around.run);
  return html`
    ${source.reason ? html`<p><b>${t("why")}</b> ${reason(source.reason)}</p>` : nothing}
    ${
      source.kind === "stale"
        ? html`<p>${t("staleSince", { date: source.staleSince })}</p>`
        : nothing
    }
    <p class="facts">
      ${
        source.since === undefined || source.status === "ok"
          ? nothing
          : html`<span>${t("since")} ${ago(source.since, around.now)}</span>`
      }
      ${source.failures ? html`<span>${counted(t, "inRow", { count: source.failures })}</span>` : nothing}
    </p>
    ${airports(source, around.now)} ${pauseLine(source)} ${remedy(told, around)}
    ${commands(source, around, (what) => what !== "pause")}
  `;
};

/**
 * What to do: a sentence, its place in the docs, the commands.
 *
 * @param {import("./runbook.js").Advice} told
 * @param {Around} around
 */
export const remedy = (told, around) => html`
  <p>
    <b>${t("todo")}</b> ${told.todo}
    <span class="quiet">${t("runbook")}: ${inDocs(told.section, around.docs)}</span>
  </p>
  ${told.commands.map((text) => command(text, around.say))}
`;

/** @param {string} word; @returns {any} in words, and as it is published */
export const reason = (word) => {
  const told = reasonWords(word);
  return told === word ? html`<code>${word}</code>` : html`${told} <code>${word}</code>`;
};

/** Airports with one reason are one line: a gateway that is gone is one thing. */
const airports = ({ parts, failing, failed }, now) => {
  if (!failing) return nothing;
  const head = t(failing >= parts ? "allAirports" : "airports", { parts, failing });
  const alike = [...Map.groupBy(failed, (part) => part.reason)].slice(0, MOST_PARTS);
  return html`<p>${head}</p>
    <ul class="airports">
      ${alike.map(([word, some]) => {
        const times = some.map(({ since }) => since).filter((since) => since !== undefined);
        const names = some
          .slice(0, MOST_PARTS)
          .map(({ name }) => name)
          .join(" ");
        const left = some.length - MOST_PARTS;
        return html`<li>
          <bdi class="codes">${names}</bdi> ${left > 0 ? t("more", { count: left }) : nothing}
          ${reason(word || "?")} · ${t("since")}
          ${ago(times.length ? Math.min(...times) : undefined, now)}
        </li>`;
      })}
    </ul>`;
};

const details = (source, around) => {
  const { state, body } = around.beats.get(keyOf(source)) ?? { state: "loading" };
  const told = advice(source, around.stack, around.run);
  const files = ["health.json", "latest.json"];
  return html`<div class="details">
    <p class="row">
      ${
        source.site
          ? html`<a class="button" href=${source.site} target="_blank" rel="noopener noreferrer"
              >${t("site")}</a
            >`
          : nothing
      }
      ${files.map(
        (name) => html`<a class="button" href="../data/${source.id}/${name}">${name}</a>`,
      )}
      ${places(source.family, around.stack, around.region).map(
        ({ name, href }) =>
          html`<a class="button" href=${href} target="_blank" rel="noopener noreferrer">${name}</a>`,
      )}
    </p>
    ${source.kind === "ok" ? told.commands.map((text) => command(text, around.say)) : nothing}
    ${commands(source, around, (what) => what === "pause")}
    ${seenLine(source, seenAt(around.seen, keyOf(source), source), around)}
    ${toldBeats(beatsOf(body), around.now, source.longest)}
    ${
      state === "ok"
        ? html`<p class="quiet">${t("published")}</p>
            <pre class="raw" tabindex="0">${JSON.stringify(body, null, 2).slice(0, 20_000)}</pre>`
        : html`<p class="quiet">
            ${t(state === "loading" ? "loading" : state === "missing" ? "missing" : "unread")}
          </p>`
    }
  </div>`;
};

/**
 * The gateway's outage, as one thing.
 *
 * @param {ReturnType<import("./health.js").gatewayOutage>} outage
 * @param {Around} around
 */
export const gatewayCard = (outage, around) => {
  const names = outage.members.map(({ name }) => name).join(", ");
  return html`<section class="card alarm" data-alarm="gateway">
    <h2 class="sentence">${t("gateway")}</h2>
    <p><bdi>${t("products", { names, airports: outage.airports })}</bdi></p>
    ${outage.reasons.map((word) => html`<p><b>${t("why")}</b> ${reason(word)}</p>`)}
    <p class="facts"><span>${t("since")} ${ago(outage.since, around.now + outage.members[0].ahead)}</span></p>
    ${remedy(advice(outage.members[0], around.stack, around.run), around)}
  </section>`;
};
