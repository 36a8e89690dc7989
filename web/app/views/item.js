/** One notice: what is known of it, and what changed from revision to revision. */

import { changed, clean, cut, safeLink } from "../../uring.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { sourceOf } from "../index.js";
import { now } from "../clock.js";
import { calendarOf } from "../notices/calendar.js";
import { dateName, entryOf } from "../notices/days.js";
import { daysLeft, dueText } from "../notices/due.js";
import { feedsOf } from "../notices/feeds.js";
import { marksOf } from "../notices/marks.js";
import { instant, noticeOf } from "../notices/notice.js";
import { pagingOf } from "../notices/paging.js";
import { tags, titleOf } from "../notices/rows.js";
import { link } from "../link.js";
import { shareButtons } from "../share.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    title: "공지",
    open: "게시판에서 보기",
    window: "새 창",
    unsafe: "이 공지의 링크는 안전하지 않아 열지 않습니다.",
    keep: "보관",
    date: "게시일",
    due: "마감",
    calendar: "달력에 추가",
    alarm: "달력 앱이 하루 전 아침 9시에 알립니다. 날짜는 제목에서 읽었으니 공지에서 확인하세요.",
    category: "분류",
    found: "처음 발견",
    history: "이력",
    searching: "이력을 찾는 중…",
    partial: "더 오래된 이력은 찾지 못했습니다.",
    gone: "이 공지를 찾지 못했습니다.",
    baseline: "처음 확인할 때 이미 있었습니다",
    new: "새로 올라왔습니다",
    edited: "수정되었습니다",
    pinned: "고정되었습니다",
    unpinned: "고정이 풀렸습니다",
    returned: "내려갔다가 다시 올라왔습니다",
    renamed: "게시판의 번호가 바뀌었습니다",
    retracted: "알림이 취소되었습니다",
    other: "바뀌었습니다",
    field_title: "제목",
    field_date: "게시일",
    field_category: "분류",
    field_link: "링크",
    field_is_pinned: "고정",
    before: "이전",
    after: "이후",
    yes: "예",
    no: "아니요",
    nothing: "없음",
  },
  en: {
    title: "Notice",
    open: "Read on the board",
    window: "opens a new window",
    unsafe: "The link of this notice is not safe and is not opened.",
    keep: "Keep",
    date: "Dated",
    due: "Deadline",
    calendar: "Add to calendar",
    alarm: "Your calendar reminds you at nine the day before. The date was read from the title: look at the notice.",
    category: "Category",
    found: "First seen",
    history: "History",
    searching: "Looking for its history…",
    partial: "Nothing older was found.",
    gone: "This notice was not found.",
    baseline: "Present at the first check",
    new: "Published",
    edited: "Edited",
    pinned: "Pinned",
    unpinned: "No longer pinned",
    returned: "Back after its removal",
    renamed: "Renumbered by its board",
    retracted: "Its notification was withdrawn",
    other: "Changed",
    field_title: "Title",
    field_date: "Date",
    field_category: "Category",
    field_link: "Link",
    field_is_pinned: "Pinned",
    before: "before",
    after: "after",
    yes: "yes",
    no: "no",
    nothing: "none",
  },
});

const KINDS = new Set([
  "baseline",
  "new",
  "edited",
  "pinned",
  "unpinned",
  "returned",
  "renamed",
  "retracted",
]);
const FIELDS = new Set(["title", "date", "category", "link", "is_pinned"]);
/** Three years of parts; who reads further back asks the archive itself. */
const MOST_PARTS = 40;
const LONGEST_VALUE = 500;

/** @returns {string} */
export const title = () => t("title");

/** Show a notice, which reads it; its history comes as it is found. */
export const show = async (root, { source: id, id: noticeId }, context) => {
  const marks = await marksOf(context);
  const feed = feedsOf(context).get(id);
  const kept = marks.kept().find((one) => one.source.id === id && one.notice.id === noticeId);
  const source = { id, name: feed?.name || kept?.source.name || id, base: feed?.base };
  const notice = kept ? noticeOf(kept.notice) : null;
  const state = { notice, read: 0, lines: [], isOver: false };
  const paging = pagingOf(context, source);
  // A view that was left is out of the document, also before `show` has returned what ends it.
  const isLeft = () => !root.isConnected;

  const draw = () => {
    source.name = sourceOf(context.index, id)?.name ?? source.name;
    if (!isLeft()) render(page(), root);
  };
  const page = () => {
    const way = html`<p class="facts"><a href=${link("source", id)}>${source.name}</a></p>`;
    if (!state.notice) {
      return html`<h1>${t("title")}</h1>
        ${way}
        <p class="empty">${t(state.isOver ? "gone" : "searching")}</p>`;
    }
    const entry = entryOf(source, state.notice, state.lines);
    return html`
      ${way}
      <h1>${titleOf(entry)}</h1>
      <p class="row">${tags(entry, marks)}</p>
      <div class="row">
        ${boardLink(entry)}
        <button aria-pressed=${marks.isKept(id, noticeId)} @click=${keep}>
          <span aria-hidden="true">${marks.isKept(id, noticeId) ? "★" : "☆"}</span> ${t("keep")}
        </button>
        ${shareButtons(context, titleOf(entry))}
      </div>
      ${facts(state.notice)} ${reminder(entry)}
      <h2>${t("history")}</h2>
      ${historyOf(state)}
    `;
  };
  const reminder = (entry) =>
    entry.notice.due && daysLeft(entry.notice.due) >= 0
      ? html`<p class="row">
            <button @click=${() => download(entry, safeLink(entry.notice.link, source.base))}>
              ${t("calendar")}
            </button>
          </p>
          <p class="quiet">${t("alarm")}</p>`
      : nothing;
  const boardLink = ({ notice }) => {
    const address = safeLink(notice.link, source.base);
    if (!address) return html`<p class="health warn">${t("unsafe")}</p>`;
    return html`<a
      class="button main"
      href=${address}
      target="_blank"
      rel="noopener noreferrer"
      >${t("open")}<span class="spoken"> (${t("window")})</span></a
    >`;
  };
  const keep = async () => {
    if (marks.isKept(id, noticeId)) await marks.drop(id, noticeId);
    else await marks.keep(source, state.notice);
    draw();
  };
  const read = async () => {
    if (isLeft() || !state.notice || state.notice.revision <= state.read) return;
    state.read = state.notice.revision;
    await marks.open(id, state.notice);
  };
  const search = async () => {
    for (let part = 0; part < MOST_PARTS && paging.state() === "going" && !isLeft(); part += 1) {
      const came = await paging.next();
      source.base ??= paging.meta()?.base_url;
      const entry = came?.entries.find(({ notice }) => notice.id === noticeId);
      if (entry) state.notice = entry.notice;
      await read();
      state.lines = paging.historyOf(noticeId);
      if (isWhole(state.lines)) break;
      draw();
    }
    state.isOver = true;
    draw();
  };

  draw();
  await read();
  await context.ready;
  context.listed([id]).then(draw);
  const searched = search();
  if (!state.notice) await searched;
};

const isWhole = (lines) => lines[0]?.revision === 1;

/** Hand a calendar file to the device. */
const download = (entry, address) => {
  const file = new Blob([calendarOf(entry, address, now())], { type: "text/calendar" });
  const url = URL.createObjectURL(file);
  const anchor = Object.assign(document.createElement("a"), { href: url, download: "deadline.ics" });
  anchor.click();
  URL.revokeObjectURL(url);
};

const facts = ({ date, category, due, first_seen }) => html`
  <dl class="pairs">
    ${pair("date", date && dateName(date))} ${pair("due", due && dueText(due))}
    ${pair("category", category)}
    ${pair("found", dateTime(first_seen))}
  </dl>
`;

const pair = (name, value) =>
  value
    ? html`<dt>${t(name)}</dt>
        <dd>${value}</dd>`
    : nothing;

const historyOf = ({ lines, isOver }) => html`
  <ol class="list">
    ${lines.map((line, at) => revision(line, lines[at - 1])).reverse()}
  </ol>
  ${isWhole(lines) ? nothing : html`<p class="quiet">${t(isOver ? "partial" : "searching")}</p>`}
`;

const revision = (line, before) => html`
  <li>
    <p class="event">
      <strong>${t(KINDS.has(line.kind) ? line.kind : "other")}</strong>
      <span class="quiet">${dateTime(instant(line.detected_at))}</span>
    </p>
    ${before ? changed(before, line).filter(({ field }) => FIELDS.has(field)).map(change) : nothing}
  </li>
`;

const change = ({ field, before, after }) => html`
  <dl class="change">
    <dt>${t(`field_${field}`)}</dt>
    <dd><span class="spoken">${t("before")}: </span><del>${said(before)}</del></dd>
    <dd><span class="spoken">${t("after")}: </span><ins>${said(after)}</ins></dd>
  </dl>
`;

const said = (value) => {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return cut(clean(value), LONGEST_VALUE) || t("nothing");
};
