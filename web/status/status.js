/**
 * The operator's page: reads the index each minute while somebody looks, and shows first what needs
 * a look.
 */

import { html, nothing, render } from "../vendor/lit-html.js";
import { entriesIn, shardsOf } from "../app/shards.js";
import { open } from "../app/store.js";
import { objectOf } from "../app/values.js";
import { language, setLanguage, words } from "../app/words.js";
import { filterOf, hashOf } from "./address.js";
import { markOf, regionName, seenAt } from "./attend.js";
import { mine, tools } from "./controls.js";
import { AT_ONCE, countChanges, dayOf, eachOf } from "./counts.js";
import { gatewayOutage, silentSince, sourcesIn } from "./health.js";
import { chosen, first, keyOf, rows } from "./list.js";
import { load } from "./load.js";
import { counted } from "./parts.js";
import { Sight } from "./sight.js";
import { alarms, families, title, today, verdict } from "./overview.js";
import { runOf, stackName } from "./runbook.js";

const EVERY_MS = 60_000;
const INDEX = "index.json";
/** Sources that are shown at once; more are asked for. */
const PAGE = 30;
const MOST_MARKS = 500;

const t = words({
  ko: {
    other: "English",
    sources: "소스",
    shown: "{all}개 중 {shown}개",
    more: "{count}개 더 보기",
    none: "해당하는 소스가 없습니다.",
    read: "살펴볼 소스 {count}개",
    loading: "불러오는 중…",
  },
  en: {
    other: "한국어",
    sources: "Sources",
    shown: "{shown} of {all}",
    more: "Show {count} more",
    none: "No such source.",
    read: "{count} sources need a look",
    "read.one": "1 source needs a look",
    loading: "Loading…",
  },
});

/**
 * @typedef {object} Part an object of the index, as it was read last
 * @property {import("./load.js").Answer} answer
 * @property {import("./health.js").Source[]} sources
 * @property {number} unreadable
 * @property {number} [silent] since when its monitor is silent, in ms
 */
/**
 * @typedef {object} State
 * @property {import("./load.js").Answer | {state: "loading"}} answer the last one
 * @property {any} [index] the last that could be read
 * @property {Map<string, Part>} parts by path: `index.json`, then its shards
 * @property {string[]} unread paths of shards that were not asked for yet
 * @property {string[]} missing paths of shards that never came
 * @property {number} [silent] since when the monitor is silent, of the whole or of a shard, in ms
 * @property {import("./health.js").Source[]} sources
 * @property {import("./health.js").Source[]} changed today, the last first
 * @property {import("../app/index.js").List[]} families
 * @property {number} unreadable
 * @property {number} [readAt] by the server's clock, in ms
 * @property {number} apart the device's clock less the server's, in ms
 * @property {{family: string, kind: string, text: string, order: string}} filter
 * @property {{from: number, busy: boolean,
 *   counts: Map<string, import("./counts.js").DayCount>}} day
 */

const at = (id) => document.getElementById(id);
const say = (text) => void (at("said").textContent = text);

/** @type {State} */
const state = {
  answer: { state: "loading" },
  parts: new Map(),
  unread: [],
  missing: [],
  sources: [],
  changed: [],
  families: [],
  unreadable: 0,
  apart: 0,
  filter: filterOf(location.hash),
  day: { from: 0, busy: false, counts: new Map() },
};
/** Keys of the rows that are open. */
const details = new Set();
const own = { stack: "", region: "", docs: "" };
/** What this device marked as seen, by key. */
let seen = {};
let limit = PAGE;
/** Sources that need a look, as they were told last. */
let said = 0;
let store;
/** @type {import("./runbook.js").Run} */
let run = {};

/** @returns {number} the server's clock, as far as it told */
const now = () => Date.now() - state.apart;

const read = async () => {
  const answer = await load(INDEX);
  if (answer.at !== undefined) state.apart = Date.now() - answer.at;
  state.answer = answer;
  if (answer.state === "ok") {
    state.index = answer.body;
    state.readAt = now();
  }
  const paths = [...new Set(shardsOf(state.index).map(({ path }) => path))];
  for (const path of state.parts.keys()) if (!paths.includes(path)) state.parts.delete(path);
  state.missing = state.missing.filter((path) => paths.includes(path));
  state.unread = paths.filter((path) => !state.parts.has(path) && !state.missing.includes(path));
  judge(INDEX, withoutShards(state.index));
  gather();
  return paths;
};

/** Read the shards, some side by side; each is drawn when it comes. */
const readShards = async (paths) => {
  await eachOf(paths, async (path) => {
    const isNew = !state.parts.has(path);
    const before = state.parts.get(path)?.answer;
    const answer = await load(path, "json", before);
    const isOther = (other) => other !== path;
    state.unread = state.unread.filter(isOther);
    state.missing = state.missing.filter(isOther);
    // A list that came before stays, and its age tells.
    const last = answer.state === "ok" ? answer : before;
    if (!last) state.missing.push(path);
    if (last) judge(path, ownOf(path, last.body), last);
    if (isNew) gather();
  });
  if (paths.length) gather();
};

/** What `index.json` has itself: while a shard is divided, two lists may have a source. */
const withoutShards = (index) => {
  const own = {};
  for (const { list, has } of shardsOf(index)) {
    own[list] = (own[list] ?? index[list]).filter((entry) => !has(entry?.id));
  }
  return Object.keys(own).length ? { ...index, ...own } : index;
};

/** The index of a shard alone: its own sources, under the words of `index.json`. */
const ownOf = (path, body) => {
  const shards = shardsOf(state.index).filter((shard) => shard.path === path);
  const own = shards.map(({ list, has }) => [
    list,
    entriesIn(body, list).filter((entry) => has(entry?.id)),
  ]);
  const { families } = state.index;
  return { generated_at: body?.generated_at, families, ...Object.fromEntries(own) };
};

/**
 * Judge what came. Time alone changes what is known: the monitor falls silent, a part fails for an
 * hour.
 */
const judge = (path, index, answer) => {
  const { families, sources, unreadable } = sourcesIn(index, now());
  if (path === INDEX) state.families = families;
  const silent = silentSince(index, sources, now());
  state.parts.set(path, { answer, sources, unreadable, silent });
};

/** Put the parts together, and draw. */
const gather = () => {
  const parts = [...state.parts.values()];
  state.sources = parts.flatMap(({ sources }) => sources);
  for (const source of state.sources)
    source.isSeen = seenAt(seen, keyOf(source), source) !== undefined;
  state.unreadable = parts.reduce((sum, { unreadable }) => sum + unreadable, 0);
  const silent = parts.map((part) => part.silent).filter((since) => since !== undefined);
  state.silent = silent.length ? Math.min(...silent) : undefined;
  const from = dayOf(now());
  state.changed = state.sources
    .filter(({ changed }) => changed >= from)
    .sort((one, other) => other.changed - one.changed);
  if (from !== state.day.from) state.day = { from, busy: false, counts: new Map() };
  draw();
  const needs = needed();
  if (state.unread.length || needs === said) return;
  said = needs;
  say(counted(t, "read", { count: needs }));
};

const needed = () => state.sources.filter(({ needs }) => needs).length;

/** What no mark of this device stands beside. */
const unseen = () => state.sources.filter(({ needs, isSeen }) => needs && !isSeen).length;

const toggle = (source) => {
  const key = keyOf(source);
  if (!details.delete(key)) details.add(key);
  draw();
};

const count = async () => {
  const { day } = state;
  day.busy = true;
  draw();
  const left = state.changed.filter(
    (source) => source.family !== "weather" && !day.counts.has(keyOf(source)),
  );
  await eachOf(left.slice(0, AT_ONCE), async (source) => {
    day.counts.set(keyOf(source), await countChanges(source.id, day.from, now(), load));
  });
  day.busy = false;
  draw();
};

const filtered = (changes) => {
  Object.assign(state.filter, changes);
  history.replaceState(null, "", hashOf(state.filter) || location.pathname);
  limit = PAGE;
  draw();
};

/** Mark a source's present trouble as seen on this device, or take the mark back. */
const mark = async (source) => {
  const key = keyOf(source);
  const isMarked = seen[key]?.mark === markOf(source);
  const marked = isMarked ? [] : [[key, { mark: markOf(source), at: now() }]];
  // Another window may have marked more.
  seen = await store.update("settings", "status.seen", (former) => {
    const { [key]: _, ...others } = objectOf(former);
    // Sources that are gone leave with the oldest marks.
    return Object.fromEntries([...Object.entries(others).slice(-MOST_MARKS), ...marked]);
  });
  gather();
};

const sight = new Sight((source) => load(`${source.id}/health.json`), () => draw());

const keep = (key, value) => {
  own[key] = value.trim();
  store.put("settings", `status.${key}`, own[key]);
  draw();
};

const draw = () => {
  const focused = document.activeElement;
  document.title = `${unseen() ? `(${unseen()}) ` : ""}${title()} · uRing`;
  const stack = stackName(own.stack);
  const region = regionName(own.region);
  const around = { now: now(), stack, region, run, docs: own.docs, say, details, toggle, seen, mark };
  around.beats = sight.answers;
  render(
    html`<h1>${title()}</h1>
      ${alarms(state, around)}
      ${state.answer.state === "loading"
        ? html`<p class="quiet" aria-busy="true">${t("loading")}</p>`
        : nothing}
      ${state.index === undefined ? nothing : html`${verdict(state, around)} ${known(around)}`}
      ${mine(own, keep)}`,
    at("view"),
  );
  sight.watch(at("view"), state.sources, keyOf);
  // What moved has lost its focus.
  if (focused !== document.activeElement && focused?.isConnected)
    focused.focus({ preventScroll: true });
};

const known = (around) => {
  const all = chosen(state.sources, state.filter);
  const { family, text } = state.filter;
  const folded = family || text ? [] : (gatewayOutage(state.sources)?.members ?? []);
  const found = folded.length ? all.filter((source) => !folded.includes(source)) : all;
  const shown = first(found, limit, state.filter.order);
  const left = Math.min(found.length - shown.length, PAGE);
  return html`<h2>${t("sources")}</h2>
    ${families(state, (name) => filtered({ family: name }))} ${tools(state.filter, filtered)}
    <p class="quiet" id="shown">${t("shown", { shown: shown.length, all: found.length })}</p>
    ${
      shown.length
        ? html`<ul class="list sources">
            ${rows(shown, around)}
          </ul>`
        : html`<p class="empty">${t("none")}</p>`
    }
    ${
      left > 0
        ? html`<button type="button" id="more" @click=${() => void ((limit += PAGE), draw())}>
            ${t("more", { count: left })}
          </button>`
        : nothing
    }
    ${today(state, count)}`;
};

const switcher = () =>
  html`<button
    type="button"
    id="language"
    lang=${language() === "ko" ? "en" : "ko"}
    @click=${async () => {
      const chosenOne = language() === "ko" ? "en" : "ko";
      setLanguage(chosenOne);
      await store.put("settings", "language", chosenOne);
      bar();
      draw();
    }}
  >
    ${t("other")}
  </button>`;

const bar = () => render(switcher(), at("bar"));

/** What a run on this machine has told its page; an empty object where it cannot be read. */
const configured = async () => {
  try {
    return await (await fetch("../config.json", { cache: "no-cache" })).json();
  } catch {
    return {};
  }
};

const main = async () => {
  store = await open();
  const settings = await store.entries("settings").catch(() => new Map());
  setLanguage(settings.get("language"));
  document.documentElement.dataset.theme = settings.get("theme") ?? "";
  for (const key of Object.keys(own)) {
    const value = settings.get(`status.${key}`);
    if (typeof value === "string") own[key] = value;
  }
  const marked = settings.get("status.seen");
  if (typeof marked === "object" && marked !== null) seen = marked;
  at("skip").addEventListener("click", (event) => {
    event.preventDefault();
    at("view").focus();
  });
  bar();
  draw();
  run = runOf(await configured());
  let readAt = 0;
  let isReading = false;
  const again = async () => {
    const isDue = document.visibilityState === "visible" && Date.now() - readAt >= EVERY_MS;
    if (!isDue || isReading) return;
    isReading = true;
    readAt = Date.now();
    const paths = await read();
    document.body.dataset.ready = "status";
    await readShards(paths);
    isReading = false;
  };
  await again();
  document.addEventListener("visibilitychange", again);
  addEventListener("hashchange", () => {
    state.filter = filterOf(location.hash);
    limit = PAGE;
    draw();
  });
  setInterval(again, 1_000);
};

main();
