/** Choosing departments: a search by name or initial consonants, and a button each. */

import { clean, search } from "../../uring.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { healthOf } from "../health.js";
import { entriesIn, listsOf, sourceFrom } from "../index.js";
import { link } from "../link.js";
import { objectOf, textOf } from "../values.js";
import { words } from "../words.js";
import { followButton } from "./follow.js";
import { groupsOf } from "./groups.js";

const t = words({
  ko: {
    search: "학과 이름이나 초성으로 찾기 (예: ㅋㅍ)",
    found: "{count}곳",
    none: "‘{text}’에 맞는 학과가 없습니다.",
    unsure: "‘{text}’에 맞는 학과가 아직 없습니다. 목록을 다 읽지 못했습니다.",
    read: "목록 {all}개 중 {read}개를 읽었습니다.",
    partial: "아직 읽지 않은 목록에서는 찾지 않습니다.",
    failed: "목록 {count}개를 받지 못했습니다. 그 목록의 학과는 여기에 없습니다.",
    whole: "학과 목록을 모두 읽었습니다.",
    left: "{count}곳 더 있습니다. 이름을 입력하면 좁혀집니다.",
    more: "더 보기",
    count: "{count}곳",
    elsewhere: "주소 없음",
    others: "그 밖의 학과",
    empty: "등록된 학과가 없습니다.",
    offline: "목록을 받지 못했습니다. 인터넷 연결을 확인해 주세요.",
    again: "다시 시도",
  },
  en: {
    search: "Find a board by its name",
    found: "{count} found",
    none: "No board matches “{text}”.",
    unsure: "No board matches “{text}” yet: not all lists are read.",
    read: "{read} of {all} lists read.",
    partial: "Lists that are not read yet are not searched.",
    failed: "{count} lists could not be loaded. Their boards are missing here.",
    whole: "All lists of boards are read.",
    left: "{count} more: type to narrow.",
    more: "Show more",
    count: "{count}",
    elsewhere: "without an address",
    others: "other boards",
    empty: "There are no boards.",
    offline: "The list could not be loaded. Check your connection.",
    again: "Try again",
  },
});

/** Rows are added in steps: a phone lays out a thousand of them in a second. */
const STEP = 100;
/** So many departments are one list; more are grouped by their university and college. */
const UNGROUPED = 60;

/**
 * @typedef {object} State
 * @property {string} text
 * @property {string[]} order ids that stood first when the view began, so that no row moves under
 *   the finger
 * @property {number} limit rows at the most
 * @property {Map<string, number>} open rows at the most of each group that stands open, by its key
 * @property {{index: any, text: string, entries: any[]} | null} found what the text left of an index
 * @property {boolean} isReading whether further lists are on their way
 * @property {() => boolean} isWanted whether the view still stands
 */

/**
 * Return a template of the departments, followed ones first, and what a search leaves of them.
 *
 * @param {any} context
 * @param {State} state
 * @param {() => void} redraw
 */
export const chooser = (context, state, redraw) => {
  const lists = context.lists();
  if (departmentsOf(context.index).length === 0 && !state.isReading) {
    return nothingThere(context, state, redraw);
  }
  const found = foundIn(context.index, state);
  const type = (event) => {
    Object.assign(state, { text: event.target.value, limit: STEP });
    redraw();
    const said = t("found", { count: foundIn(context.index, state).length });
    context.say(isWhole(context.lists()) ? said : `${said}. ${t("partial")}`);
  };
  const more = () => {
    state.limit += STEP;
    redraw();
  };
  const shown = found.slice(0, state.limit).map((entry) => sourceFrom(entry, "", "notices"));
  const rest = found.length - shown.length;
  const groups = state.text === "" ? groupsIn(context.index) : [];
  const isGrouped = groups.length > 1 && found.length > UNGROUPED;
  const head = html`
    <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${type} />
    ${progress(lists, state, () => readAll(context, state, redraw))}
  `;
  if (isGrouped) return html`${head} ${grouped(context, state, groups, redraw)}`;
  return html`
    ${head}
    ${found.length === 0
      ? noneFound(lists, state)
      : html`<ul class="list">
          ${shown.map((source) => row(context, source, redraw))}
        </ul>`}
    ${rest > 0
      ? html`<p class="quiet center" data-left=${rest}>${t("left", { count: rest })}</p>
          <button class="wide" @click=${more}>${t("more")}</button>`
      : nothing}
  `;
};

/** What stood first when the view began, then a group for each university. */
const grouped = (context, state, groups, redraw) => {
  const isFirst = ({ id }) => state.order.includes(id);
  const followed = departmentsOf(context.index).filter(isFirst);
  return html`
    ${followed.length > 0 ? rows(context, followed, redraw) : nothing}
    ${groups.map((group) => groupOf(context, state, group, redraw))}
  `;
};

const groupOf = (context, state, { key, site, name, entries, colleges }, redraw) => {
  const limit = state.open.get(key) ?? 0;
  const toggle = (event) => {
    const isOpen = event.target.open;
    if (isOpen === limit > 0) return;
    if (isOpen) state.open.set(key, STEP);
    else state.open.delete(key);
    redraw();
  };
  const more = () => {
    state.open.set(key, limit + STEP);
    redraw();
  };
  return html`<details class="group" ?open=${limit > 0} @toggle=${toggle}>
    <summary>
      <span class="grow"
        >${name || t(key ? "others" : "elsewhere")}
        ${name === site ? nothing : html`<span class="quiet">${site}</span>`}</span
      >
      <span class="quiet">${t("count", { count: entries.length })}</span>
    </summary>
    ${limit === 0
      ? nothing
      : colleges.length > 0
        ? colleges.map((college) => groupOf(context, state, college, redraw))
        : html`${rows(context, entries.slice(0, limit), redraw)}
          ${entries.length > limit
            ? html`<button class="wide" @click=${more}>${t("more")}</button>`
            : nothing}`}
  </details>`;
};

const rows = (context, entries, redraw) => html`<ul class="list">
  ${entries.map((entry) => row(context, sourceFrom(entry, "", "notices"), redraw))}
</ul>`;

const groups = new WeakMap();
const groupsIn = (published) => {
  const entries = departmentsOf(published);
  if (!groups.has(entries)) groups.set(entries, groupsOf(entries));
  return groups.get(entries);
};

const noneFound = (lists, { text }) =>
  text ? html`<p class="empty">${t(isWhole(lists) ? "none" : "unsure", { text })}</p>` : nothing;

const isWhole = ({ all, read }) => read === all;

/** Say how many lists were read, until all are. */
const progress = (lists, state, again) => {
  if (isWhole(lists)) return nothing;
  if (state.isReading || lists.failed === 0) {
    return html`<p class="quiet" data-lists aria-busy=${String(state.isReading)}>
      ${t("read", lists)} ${state.text ? t("partial") : nothing}
    </p>`;
  }
  return html`<p class="health warn" data-lists>
    ${t("failed", { count: lists.failed })} <button @click=${again}>${t("again")}</button>
  </p>`;
};

/** Return what a text leaves, followed ones first; a click searches nothing anew. */
const foundIn = (index, state) => {
  const { found } = state;
  const text = clean(state.text);
  if (found?.index === index && found.text === text) return found.entries;
  const all = departmentsOf(index);
  const left = text ? search(all, text) : all;
  const isFirst = ({ id }) => state.order.includes(id);
  const entries = [...left.filter(isFirst), ...left.filter((entry) => !isFirst(entry))];
  state.found = { index, text, entries };
  return entries;
};

const departments = new WeakMap();
const departmentsOf = (published) => {
  const index = objectOf(published);
  if (!departments.has(index)) departments.set(index, entriesIn(index, "notices").map(named));
  return departments.get(index);
};

/** A search looks at the name, which may be missing, and at the title, which is the college's here. */
const named = (entry) => {
  const { id, name, college } = entry;
  if (typeof name === "string" && name && !college) return entry;
  return { ...entry, name: textOf(name) || id, title: textOf(college) };
};

/**
 * Read the lists that were not read yet, and draw what came of each; never rejects.
 *
 * @param {any} context
 * @param {State} state
 * @param {() => void} redraw
 */
export const readAll = async (context, state, redraw) => {
  if (state.isReading || isWhole(context.lists())) return;
  state.isReading = true;
  redraw();
  await context.rest(redraw, state.isWanted);
  state.isReading = false;
  if (!state.isWanted()) return;
  redraw();
  if (isWhole(context.lists())) context.say(t("whole"));
};

const row = (context, source, redraw) => {
  const health = healthOf(source);
  return html`
    <li class="choice">
      <div class="grow">
        <a class="title" href=${link("source", source.id)}>${source.name}</a>
        ${health ? html`<p class="quiet">${health.text}</p>` : nothing}
      </div>
      ${followButton(context, source, redraw)}
    </li>
  `;
};

const nothingThere = (context, state, redraw) => {
  if (listsOf(context.index).some(({ view }) => view === "notices")) return html`<p class="empty">${t("empty")}</p>`;
  const again = async () => {
    await context.reload();
    redraw();
    await readAll(context, state, redraw);
  };
  return html`
    <div class="empty">
      <p>${t("offline")}</p>
      <button @click=${again}>${t("again")}</button>
    </div>
  `;
};

/**
 * @param {any} context
 * @param {() => boolean} isWanted whether the view still stands: else no further list is read
 * @returns {State}
 */
export const chooserState = ({ settings }, isWanted) => ({
  text: "",
  order: [...settings.get("favourites")],
  limit: STEP,
  open: new Map(),
  found: null,
  isReading: false,
  isWanted,
});
