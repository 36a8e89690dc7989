/** What ends soon, of the departments that are followed and of what is kept. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { dayOf, now } from "../clock.js";
import { entryOf } from "../notices/days.js";
import { daysLeft, soonestFirst } from "../notices/due.js";
import { feedsOf } from "../notices/feeds.js";
import { followedOf } from "../notices/followed.js";
import { actionsOf, marksOf } from "../notices/marks.js";
import { noticeOf } from "../notices/notice.js";
import { rows } from "../notices/rows.js";
import { shortcuts } from "../notices/shortcuts.js";
import { networkLine } from "../notices/troubles.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "마감",
    back: "새 소식",
    week: "이번 주 마감",
    next: "다음 주 마감",
    later: "그 뒤",
    loading: "불러오는 중…",
    noneWeek: "이번 주에 마감되는 공지가 없습니다.",
    none: "마감이 남은 공지를 찾지 못했습니다.",
    bounds: "제목에 적힌 마감만 보입니다. 학과마다 최근 공지 30개와 보관한 공지를 봅니다. ‘추정’은 틀릴 수 있으니 공지에서 확인하세요.",
    nobody: "아직 받아 보는 학과가 없습니다.",
    choose: "학과 고르기",
  },
  en: {
    title: "Deadlines",
    back: "News",
    week: "Ends this week",
    next: "Ends next week",
    later: "Later",
    loading: "Loading…",
    noneWeek: "Nothing ends this week.",
    none: "No notice with a deadline to come was found.",
    bounds: "Only deadlines in titles are shown, of each board's newest 30 notices and of what you keep. A guess may be wrong: look at the notice.",
    nobody: "You follow no board yet.",
    choose: "Choose boards",
  },
});

const WEEK = 7;

/** @returns {string} */
export const title = () => t("title");

/** List deadlines, the soonest first; those that are over are left out. */
export const show = async (root, _, context) => {
  const marks = await marksOf(context);
  const followed = followedOf(context, marks);
  const feeds = feedsOf(context);
  let found = [];
  const kept = () =>
    marks.kept().flatMap(({ source, notice }) => {
      const read = noticeOf(notice);
      return read ? [entryOf({ ...source, base: feeds.get(source.id)?.base }, read)] : [];
    });
  const open = () => {
    // What a board shows now counts before what was kept of it.
    const entries = [...kept(), ...followed.entries()].map((entry) => [keyOf(entry), entry]);
    return [...new Map(entries).values()]
      .filter(({ notice }) => notice.due && daysLeft(notice.due) >= 0)
      .sort(soonestFirst);
  };
  const actions = actionsOf(marks, () => draw());
  const draw = () => {
    found = open();
    render(page(found, followed, { marks, named: true, ...actions }), root);
  };
  if (followed.ids.length > 0) {
    // Rows stand still: until the boards have come, or take long, there are none.
    render(page([], followed, {}), root);
    await followed.begin(draw);
  }
  draw();
  context.listed(followed.ids).then(draw);
  return shortcuts(root, context, (position) => actions.onToggle(found[position]));
};

const keyOf = ({ source, notice }) => `${source.id}/${notice.id}`;

/** The days until Sunday, today included. */
const leftOfWeek = () => (WEEK - new Date(`${dayOf(now())}T00:00:00Z`).getUTCDay()) % WEEK;

const page = (found, followed, options) => {
  const sunday = leftOfWeek();
  const until = (first, last) =>
    found.filter(({ notice }) => daysLeft(notice.due) >= first && daysLeft(notice.due) <= last);
  const week = until(0, sunday);
  const isAny = followed.ids.length > 0 || found.length > 0;
  return html`
    <p class="facts"><a href="#/">← ${t("back")}</a></p>
    <h1>${t("title")}</h1>
    ${networkLine(followed.loaded())}
    ${isAny
      ? html`<h2>${t("week")}</h2>
          ${week.length > 0 ? rows(week, options) : none(found, followed)}
          ${section("next", until(sunday + 1, sunday + WEEK), options)}
          ${section("later", until(sunday + WEEK + 1, Infinity), options)}
          <p class="quiet">${t("bounds")}</p>`
      : html`<div class="empty">
          <p>${t("nobody")}</p>
          <a class="button main" href="#/sources">${t("choose")}</a>
        </div>`}
  `;
};

/** What has not come may end this week. */
const none = (found, followed) =>
  followed.loaded().length < followed.ids.length
    ? html`<p class="quiet center">${t("loading")}</p>`
    : html`<p class="empty">${t(found.length > 0 ? "noneWeek" : "none")}</p>`;

const section = (name, entries, options) =>
  entries.length > 0 ? html`<h2>${t(name)}</h2> ${rows(entries, options)}` : nothing;
