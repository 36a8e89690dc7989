/** One department: its newest notices, and older ones as one scrolls. */

import { safeLink } from "../../uring.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { healthLine } from "../health.js";
import { sourceOf } from "../index.js";
import { attend } from "../notices/attend.js";
import { feedsOf } from "../notices/feeds.js";
import { followButton, isFollowed, ruleEditor } from "../notices/follow.js";
import { actionsOf, marksOf } from "../notices/marks.js";
import { pagingOf } from "../notices/paging.js";
import { days } from "../notices/rows.js";
import { shortcuts } from "../notices/shortcuts.js";
import { networkLine } from "../notices/troubles.js";
import { paceLine } from "../pace.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "학과",
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
  },
  en: {
    title: "Department",
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
  },
});

/** @returns {string} */
export const title = ({ source }, context) =>
  sourceOf(context.index, source)?.name || feedsOf(context).get(source)?.name || t("title");

/** Show a department; older parts come as the reader nears the end. */
export const show = async (root, { source: id }, context) => {
  const marks = await marksOf(context);
  const feeds = feedsOf(context);
  const source = { id, name: id, base: null };
  const state = { parts: [], fresh: 0, isBusy: true };
  let paging = pagingOf(context, source);
  const entries = () => state.parts.flatMap((part) => part.entries);

  const draw = () => {
    const [feed, listed] = [feeds.get(id), sourceOf(context.index, id)];
    source.name = listed?.name || feed?.name || id;
    source.base = feed?.base ?? null;
    render(page({ context, source, listed, feed, state, marks, act, end: endOf() }), root);
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
  for (const told of [context.ready, context.listed([id])]) told.then(draw);
  const again = async () => {
    await refresh();
    offer();
  };
  const pushed = async (from, detectedAt) => {
    if (from !== id) return;
    await feeds.afterPush(id, detectedAt);
    offer();
  };
  const more = () => !state.isBusy && paging.state() === "going" && act.load();
  const ends = [
    shortcuts(root, context, (position) => act.onToggle(entries()[position])),
    attend(root, { more, again, pushed }),
  ];
  return () => ends.forEach((end) => end());
};

const keyOf = ({ id, revision }) => `${id}/${revision}`;

const page = ({ context, source, listed, feed, state, marks, act, end }) => html`
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
  ${state.parts.map(
    ({ entries, reads }) => html`${days(entries, { marks, ...act })} ${reads.map(troubleOf)}`,
  )}
  ${endLine(end, act)}
  <div class="end"></div>
`;

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
