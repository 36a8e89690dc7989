/** One department: its newest notices, and older ones as one scrolls. */

import { clean, cut, safeLink, search } from "../../uring.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { healthLine } from "../health.js";
import { sourceOf } from "../index.js";
import { attend } from "../notices/attend.js";
import { feedsOf } from "../notices/feeds.js";
import { followButton, isFollowed, ruleEditor } from "../notices/follow.js";
import { actionsOf, marksOf } from "../notices/marks.js";
import { pagingOf } from "../notices/paging.js";
import { sections } from "../notices/rows.js";
import { ruleOf } from "../notices/rules.js";
import { shortcuts } from "../notices/shortcuts.js";
import { networkLine } from "../notices/troubles.js";
import { paceLine } from "../pace.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "학과",
    unknown: "‘{id}’라는 게시판이 없습니다. 주소가 바뀌었거나 잘못 적혔습니다.",
    all: "모든 학과 보기",
    site: "게시판 홈",
    atom: "Atom 피드",
    calendar: "마감 달력 (.ics)",
    older: "이전 공지 더 보기",
    again: "다시 시도",
    end: "여기까지입니다.",
    endSince: "여기까지입니다. {month}부터 지켜보고 있습니다.",
    none: "아직 게시된 공지가 없습니다.",
    missing: "{month} 기록의 일부를 받지 못했습니다.",
    missingLatest: "최근 공지를 받지 못했습니다.",
    broken: "읽을 수 없는 기록 {count}건이 빠졌습니다.",
    fresh: "새 공지 {count}건",
    loading: "불러오는 중…",
    search: "이 게시판에서 찾기",
    found: "{count}건",
    more: "더 보기",
    noneNewest: "최근 공지에는 ‘{text}’에 맞는 것이 없습니다.",
  },
  en: {
    title: "Board",
    unknown: "There is no board “{id}”. Its address has changed, or is misspelt.",
    all: "Show all boards",
    site: "Website",
    atom: "Atom feed",
    calendar: "Deadlines (.ics)",
    older: "Show older notices",
    again: "Try again",
    end: "That is all.",
    endSince: "That is all: watched since {month}.",
    none: "Nothing is published yet.",
    missing: "A part of {month} could not be loaded.",
    missingLatest: "The newest notices could not be loaded.",
    broken: "{count} records could not be read and are left out.",
    fresh: "{count} new",
    loading: "Loading…",
    search: "Search this board",
    found: "{count} found",
    more: "Show more",
    noneNewest: "None of the newest notices matches “{text}”.",
  },
});

/** Rows of a search are added in steps. */
const STEP = 60;
/** An address may say anything. */
const LONGEST_ID = 60;

/** @returns {string} */
export const title = ({ source }, context) =>
  sourceOf(context.index, source)?.name || feedsOf(context).get(source)?.name || t("title");

/** Show a department; older parts come as the reader nears the end. */
export const show = async (root, { source: id }, context) => {
  const marks = await marksOf(context);
  const feeds = feedsOf(context);
  const source = { id, name: id, base: null };
  const state = { parts: [], fresh: 0, isBusy: true, isListed: false, text: "", limit: STEP, search: null };
  const [near, far] = [sections(), sections()];
  let paging = pagingOf(context, source);
  const entries = () => state.parts.flatMap((part) => part.entries);
  /** What a search finds: of the notices that are loaded, and further back. */
  const found = () => {
    const newest = search(entries(), state.text);
    const past = state.search?.find(state.text, entries()) ?? null;
    return { newest, past, count: newest.length + (past?.count ?? 0) };
  };
  const shown = () => {
    if (state.text === "") return entries();
    const { newest, past } = found();
    return [...newest, ...(past?.entries(state.limit) ?? [])].slice(0, state.limit);
  };
  const sources = () => [{ ...source, updated: feeds.get(id)?.updated ?? "" }];

  const draw = () => {
    const [feed, listed] = [feeds.get(id), sourceOf(context.index, id)];
    source.name = listed?.name || feed?.name || ruleOf(context, id).name || id;
    source.base = feed?.base ?? null;
    const looked = state.text === "" ? null : { ...found(), near, far, all: entries().length };
    render(page({ context, source, listed, feed, state, marks, act, end: endOf(), looked }), root);
  };
  const refresh = async () => {
    const feed = await feeds.refresh(id, { fresh: true });
    if (isFollowed(context, id)) await marks.begin(id, feed.updated);
  };
  const begin = async () => {
    paging = pagingOf(context, source);
    Object.assign(state, { parts: [await paging.begin()], fresh: 0, isBusy: false });
    draw();
  };
  /** Say what has come, without moving what is being read. */
  const offer = () => {
    const shown = new Set(entries().map(({ notice }) => keyOf(notice)));
    state.fresh = feeds.get(id).notices.filter((notice) => !shown.has(keyOf(notice))).length;
    draw();
    if (state.fresh > 0 && root.isConnected) context.say(t("fresh", { count: state.fresh }));
  };
  const act = {
    ...actionsOf(marks, () => draw()),
    redraw: async () => {
      if (isFollowed(context, id)) await marks.begin(id, feeds.get(id)?.updated);
      draw();
    },
    load: async () => {
      state.isBusy = true;
      draw();
      const part = await paging.next();
      if (part) state.parts.push(part);
      state.isBusy = false;
      draw();
      return part !== null;
    },
    type: async (event) => {
      Object.assign(state, { text: event.target.value.trim(), limit: STEP });
      draw();
      if (state.text === "") return;
      context.say(t("found", { count: found().count }));
      if (state.search !== null) return;
      try {
        const { searching } = await import("../search/searching.js");
        state.search ??= searching(context, sources, draw);
        draw();
      } catch (error) {
        console.warn("no further search:", error);
      }
    },
    more: (rows = STEP) => {
      const isMore = state.limit < found().count;
      state.limit += isMore ? rows : 0;
      if (isMore) draw();
      return isMore;
    },
    showFresh: async () => {
      await begin();
      root.querySelector(".notice .title")?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    },
  };
  const endOf = () => ({
    isBusy: state.isBusy,
    walk: paging.state(),
    oldest: paging.oldest(),
    isEmpty: entries().length === 0,
  });

  draw();
  await refresh();
  await begin();
  context.ready.then(draw);
  context.listed([id]).then(() => {
    state.isListed = true;
    draw();
  });
  const again = async () => {
    await refresh();
    offer();
  };
  const pushed = async (from, detectedAt) => {
    if (from !== id) return;
    await feeds.afterPush(id, detectedAt);
    offer();
  };
  const more = () => {
    if (state.text !== "") return act.more();
    return !state.isBusy && paging.state() === "going" && act.load();
  };
  const ends = [
    () => state.search?.end(),
    shortcuts(root, context, (position) => act.onToggle(shown()[position])),
    attend(root, { more, again, pushed }),
  ];
  return () => ends.forEach((end) => end());
};

const keyOf = ({ id, revision }) => `${id}/${revision}`;

/** A followed board may be in a list that is not read: it stays, until its reader lets it go. */
const isKnown = (context, id, listed, feed) =>
  listed !== undefined || isFollowed(context, id) || ["ok", "stored"].includes(feed?.state);

const page = (of) => {
  const { context, source, listed, feed, state } = of;
  if (isKnown(context, source.id, listed, feed)) return known(of);
  const isMissing = feed?.state === "missing" && !state.isBusy && state.isListed;
  return html`
    <h1>${isMissing ? t("title") : source.name}</h1>
    ${feed ? networkLine([feed]) : nothing}
    ${isMissing
      ? html`<p class="empty">${t("unknown", { id: cut(clean(source.id), LONGEST_ID) })}</p>
          <p><a class="button" href="#/sources">${t("all")}</a></p>`
      : html`<p class="quiet center">${t("loading")}</p>`}
    <div class="end"></div>
  `;
};

const known = ({ context, source, listed, feed, state, marks, act, end, looked }) => html`
  <div class="row">
    <h1 class="grow">${source.name}</h1>
    ${followButton(context, { ...source }, act.redraw)}
  </div>
  <p class="facts">
    ${siteLink(safeLink(listed?.base_url) ?? safeLink(source.base))}
    <a href="./data/${encodeURIComponent(source.id)}/feed.atom">${t("atom")}</a>
    ${listed?.calendar
      ? html`<a href="./data/${encodeURIComponent(source.id)}/due.ics">${t("calendar")}</a>`
      : nothing}
  </p>
  ${isFollowed(context, source.id) ? ruleEditor(context, { ...source }, act.redraw) : nothing}
  ${listed ? [healthLine(listed), paceLine(listed)] : nothing} ${feed ? networkLine([feed]) : nothing}
  ${state.fresh > 0
    ? html`<button class="main fresh" @click=${act.showFresh}>
        ${t("fresh", { count: state.fresh })}
      </button>`
    : nothing}
  <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${act.type} />
  ${looked
    ? searchedList({ state, looked, marks, act })
    : html`${state.parts.map((part) => {
        // Its rows belong to it: a part is added, and never changed.
        part.draw ??= sections();
        return html`${part.draw(part.entries, { marks, ...act })} ${part.reads.map(troubleOf)}`;
      })}
      ${endLine(end, act)}`}
  <div class="end"></div>
`;

const searchedList = ({ state, looked, marks, act }) => {
  const { newest, past, count, near, far, all } = looked;
  const before = past?.entries(Math.max(0, state.limit - newest.length)) ?? [];
  const none = state.search ? state.search.none() : t("noneNewest", { text: state.text });
  return html`
    ${state.search ? state.search.panel(all, true) : nothing}
    ${count === 0 ? html`<p class="empty">${none}</p>` : nothing}
    ${near(newest.slice(0, state.limit), { marks, ...act })}
    ${before.length > 0 ? state.search.heading() : nothing} ${far(before, { marks, ...act })}
    ${count > state.limit
      ? html`<button class="wide" @click=${() => act.more(state.limit)}>${t("more")}</button>`
      : nothing}
  `;
};

const siteLink = (address) =>
  address
    ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${t("site")}</a>`
    : nothing;

const endLine = ({ isBusy, walk, oldest, isEmpty }, act) => {
  if (isBusy) return html`<p class="quiet center">${t("loading")}</p>`;
  if (walk === "ended" && isEmpty) return html`<p class="empty">${t("none")}</p>`;
  if (walk === "ended") {
    const said = oldest ? t("endSince", { month: monthName(oldest) }) : t("end");
    return html`<p class="quiet center">${said}</p>`;
  }
  return html`<button class="wide" @click=${act.load}>
    ${t(walk === "paused" ? "again" : "older")}
  </button>`;
};

const troubleOf = ({ month, missing, broken }) => {
  const said = [];
  if (missing) said.push(month ? t("missing", { month: monthName(month) }) : t("missingLatest"));
  if (broken > 0) said.push(t("broken", { count: broken }));
  return said.length > 0 ? html`<p class="health warn">${said.join(" ")}</p>` : nothing;
};

const monthName = (month) => `${month.slice(0, 4)}-${month.slice(4)}`;
