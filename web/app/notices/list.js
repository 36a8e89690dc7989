/** The notices of all departments that are followed, newest first. */

import { search } from "../../uring/keywords.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { dayOf, now } from "../clock.js";
import { clockTime, words } from "../words.js";
import { followedOf } from "./followed.js";
import { actionsOf, marksOf } from "./marks.js";
import { sections } from "./rows.js";
import { shortcuts } from "./shortcuts.js";
import { networkLine, troubleList } from "./troubles.js";

const t = words({
  ko: {
    title: "새 소식",
    all: "전체",
    unread: "안 읽음",
    unreadCount: "안 읽음 {count}",
    kept: "보관함",
    due: "마감",
    filter: "보기",
    search: "제목에서 찾기",
    readAll: "모두 읽음",
    undo: "되돌리기",
    refresh: "새로 고침",
    asOf: "{at} 기준",
    fresh: "새 소식 {count}건 보기",
    more: "더 보기",
    found: "{count}건",
    noneUnread: "안 읽은 공지가 없습니다. 새 글이 오면 여기에 나타납니다.",
    noneNewest: "최근 공지에는 ‘{text}’에 맞는 것이 없습니다.",
    none: "아직 공지가 없습니다.",
    loading: "불러오는 중…",
    done: "모두 읽음으로 표시했습니다.",
    doneOlder: "그 이전의 공지를 읽음으로 표시했습니다.",
    undone: "되돌렸습니다.",
    refreshed: "새로 고쳤습니다.",
  },
  en: {
    title: "News",
    all: "All",
    unread: "Unread",
    unreadCount: "Unread {count}",
    kept: "Kept",
    due: "Due",
    filter: "Show",
    search: "Search titles",
    readAll: "Mark all read",
    undo: "Undo",
    refresh: "Refresh",
    asOf: "as of {at}",
    fresh: "Show {count} new",
    more: "Show more",
    found: "{count} found",
    noneUnread: "Nothing unread. New notices will appear here.",
    noneNewest: "None of the newest notices matches “{text}”.",
    none: "There are no notices yet.",
    loading: "Loading…",
    done: "Everything is marked as read.",
    doneOlder: "Everything from there on is marked as read.",
    undone: "Undone.",
    refreshed: "Refreshed.",
  },
});

const STEP = 60;

/**
 * Show the list. Rows stand still: a button offers what comes, what was read stays until the next
 * choice.
 *
 * @param {HTMLElement} root
 * @param {any} context
 * @returns {Promise<() => void>} ends it
 */
export const list = async (root, context) => {
  const marks = await marksOf(context);
  const followed = followedOf(context, marks);
  const state = { filter: "all", text: "", limit: STEP, fresh: 0, undo: null, search: null };
  Object.assign(state, { entries: [], feeds: [] });
  const isUnread = ({ source, notice }) => marks.isUnread(source.id, notice);
  const isChosen = (entry) => state.filter === "all" || isUnread(entry);
  const [near, far] = [sections(), sections()];
  const isLoading = () => followed.loaded().length < followed.ids.length;
  const isLooking = () => state.text !== "" && state.filter === "all" && state.search !== null;
  const found = () => {
    const newest = search(state.entries, state.text);
    const past = isLooking() ? state.search.find(state.text, followed.entries()) : null;
    return { newest, past, count: newest.length + (past?.count ?? 0) };
  };
  const shown = () => {
    const { newest, past } = found();
    return [...newest, ...(past?.entries(state.limit) ?? [])].slice(0, state.limit);
  };
  const sources = () => {
    const feeds = new Map(followed.loaded().map((feed) => [feed.id, feed]));
    return followed.ids.map((id) => {
      const { base, updated = "" } = feeds.get(id) ?? {};
      return { id, name: followed.nameOf(id), base, updated };
    });
  };

  const draw = () => {
    const unread = followed.entries().filter(isUnread).length;
    if (!isLoading()) navigator.setAppBadge?.(unread).catch(() => {});
    const lists = { near, far, isLoading: isLoading(), isLooking: isLooking() };
    render(page({ context, state, followed, marks, unread, found: found(), lists, act }), root);
  };
  /** Take over what has come. */
  const take = () => {
    const entries = followed.entries().filter(isChosen);
    Object.assign(state, { entries, feeds: followed.loaded(), fresh: 0 });
    draw();
  };
  /** Say what has come; nothing moves. */
  const offer = () => {
    const shown = new Set(state.entries.map(keyOf));
    const come = followed.entries().filter((entry) => isChosen(entry) && !shown.has(keyOf(entry)));
    if (state.entries.length === 0 || come.length === 0) return come.length > 0 ? take() : draw();
    state.fresh = come.length;
    context.say(t("fresh", { count: come.length }));
    return draw();
  };
  const again = async () => {
    await followed.refresh();
    offer();
  };
  const act = {
    ...actionsOf(marks, draw),
    more: (rows = STEP) => {
      const isMore = state.limit < found().count;
      state.limit += isMore ? rows : 0;
      if (isMore) draw();
      return isMore;
    },
    choose: (filter) => {
      Object.assign(state, { filter, limit: STEP });
      take();
    },
    type: async (event) => {
      Object.assign(state, { text: event.target.value.trim(), limit: STEP });
      draw();
      context.say(t(isLoading() ? "loading" : "found", { count: found().count }));
      if (state.text === "" || state.search !== null) return;
      try {
        const { searching } = await import("../search/searching.js");
        state.search ??= searching(context, sources, draw);
        draw();
      } catch (error) {
        console.warn("no further search:", error);
      }
    },
    older: async (at) => {
      state.undo = await marks.openEach(state.entries.slice(at));
      draw();
      context.say(t("doneOlder"));
    },
    readAll: async () => {
      // What was offered and not shown yet stays unread.
      state.undo = await marks.openAll(state.feeds);
      draw();
      context.say(t("done"));
    },
    undo: async () => {
      await state.undo();
      state.undo = null;
      draw();
      context.say(t("undone"));
    },
    refresh: async () => {
      await Promise.all([again(), context.reload({ fresh: true })]);
      draw();
      if (state.fresh === 0) context.say(t("refreshed"));
    },
    showFresh: () => {
      state.undo = null;
      take();
      root.querySelector(".notice .title")?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    },
  };

  await followed.begin(offer);
  take();
  for (const told of [context.ready, context.listed(followed.ids)]) told.then(draw);
  const pushed = async (source, detectedAt) => {
    if (!followed.ids.includes(source)) return;
    await followed.afterPush(source, detectedAt);
    offer();
  };
  const ends = [
    shortcuts(root, context, (position) => act.onToggle(shown()[position])),
    () => state.search?.end(),
  ];
  // The first list does not wait for it, and stays without it.
  try {
    const { attend, lastLine } = await import("./attend.js");
    state.last = lastLine();
    draw();
    ends.push(attend(root, { more: () => act.more(), again, pushed }));
  } catch (error) {
    console.warn("not attended to:", error);
  }
  return () => ends.forEach((end) => end());
};

const keyOf = ({ source, notice }) => `${source.id}/${notice.id}/${notice.revision}`;

const page = ({ context, state, followed, marks, unread, found, lists, act }) => html`
  <div class="row heading">
    <div class="grow">
      <h1>${t("title")}</h1>
      <span class="quiet">${asOf(followed.loaded())}</span>
    </div>
    <a class="button" href="#/due">${t("due")}</a>
    <a class="button" href="#/kept">${t("kept")}</a>
    <button class="icon" aria-label=${t("refresh")} title=${t("refresh")} @click=${act.refresh}>
      ↻
    </button>
  </div>
  ${networkLine(followed.loaded())} ${troubleList(context.index, followed)}
  <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${act.type} />
  ${tools(state, unread, act)}
  ${state.fresh > 0
    ? html`<button class="main fresh" @click=${act.showFresh}>
        ${t("fresh", { count: state.fresh })}
      </button>`
    : nothing}
  ${lists.isLooking && !lists.isLoading ? state.search.panel(mostOf(followed.loaded())) : nothing}
  ${found.count === 0
    ? html`<p class="empty">${emptyLine(state, lists)}</p>`
    : listed({ state, marks, found, lists, act })}
  ${found.count > state.limit
    ? html`<button class="wide" @click=${() => act.more(state.limit)}>${t("more")}</button>`
    : nothing}
  <div class="end"></div>
`;

const tools = ({ filter, undo }, unread, act) => html`
  <div class="row tools">
    <div class="row" role="group" aria-label=${t("filter")}>
      ${[
        ["all", t("all")],
        ["unread", unread > 0 ? t("unreadCount", { count: unread }) : t("unread")],
      ].map(
        ([name, text]) =>
          html`<button aria-pressed=${filter === name} @click=${() => act.choose(name)}>
            ${text}
          </button>`,
      )}
    </div>
    <span class="grow"></span>
    ${undo
      ? html`<button class="plain" @click=${act.undo}>${t("undo")}</button>`
      : html`<button class="plain" ?disabled=${unread === 0} @click=${act.readAll}>
          ${t("readAll")}
        </button>`}
  </div>
`;

const asOf = (feeds) => {
  const times = feeds.map(({ savedAt }) => savedAt).filter((at) => at !== undefined);
  const at = Math.min(...times);
  return dayOf(at) === dayOf(now()) ? t("asOf", { at: clockTime(at) }) : "";
};

const listed = ({ state, marks, found, lists, act }) => {
  const { newest, past } = found;
  const options = { marks, named: true, ...act };
  const isUnread = ({ source, notice }) => marks.isUnread(source.id, notice);
  // What is read from a place on is all that the list has there, not what a search left of it.
  const older = state.text ? {} : { onOlder: act.older, lastUnread: newest.findLastIndex(isUnread) };
  const before = past?.entries(Math.max(0, state.limit - newest.length)) ?? [];
  return html`
    ${lists.near(newest.slice(0, state.limit), { ...options, ...older })}
    ${before.length > 0 ? state.search.heading() : nothing} ${lists.far(before, options)}
    ${found.count > state.limit || state.text ? nothing : state.last}
  `;
};

const mostOf = (feeds) => Math.max(0, ...feeds.map(({ notices }) => notices.length));

const emptyLine = ({ text, filter, search: past }, { isLoading, isLooking }) => {
  if (isLoading) return t("loading");
  if (isLooking) return past.none();
  if (text) return t("noneNewest", { text });
  return t(filter === "unread" ? "noneUnread" : "none");
};
