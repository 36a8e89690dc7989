/** Rows of notices: the title leads to the board, the line below it to what is known of it here. */

import { safeLink } from "../../uring/text.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { link } from "../link.js";
import { language, words } from "../words.js";
import { byDay, dateName, dayName } from "./days.js";
import { dueText, isSoon, isTold } from "./due.js";
import { fate } from "./notice.js";

const t = words({
  ko: {
    untitled: "(제목 없음)",
    unread: "새 글",
    window: "새 창",
    pinned: "고정",
    edited: "수정됨",
    returned: "다시 올라옴",
    changed: "변경됨",
    withdrawn: "알림 취소됨",
    since: "읽은 뒤 바뀜",
    history: "이력",
    historyOf: "이력: {title}",
    keep: "보관: {title}",
    older: "여기부터 읽음",
    olderOf: "여기부터 읽음: {day} 및 그 이전",
  },
  en: {
    untitled: "(no title)",
    unread: "New",
    window: "opens a new window",
    pinned: "Pinned",
    edited: "Edited",
    returned: "Reposted",
    changed: "Changed",
    withdrawn: "Notification withdrawn",
    since: "Changed since you read it",
    history: "History",
    historyOf: "History: {title}",
    keep: "Keep: {title}",
    older: "Read from here",
    olderOf: "Read from here: {day} and before",
  },
});

/** Rows of one element: a busy day, or many notices without a date, are several. */
const MOST_ROWS = 60;
const HEADING_HEIGHT = 54;
const ROW_HEIGHT = 84;

/** The button that opens a link in a tab; the right one opens a menu. */
const MIDDLE = 1;

/**
 * @typedef {object} RowOptions
 * @property {Awaited<ReturnType<typeof import("./marks.js").marksOf>>} marks
 * @property {(entry: Entry) => void} onOpen the reader went to the board
 * @property {(entry: Entry) => void} onKeep the star was pressed
 * @property {boolean} [named] whether each row names its source
 * @property {boolean} [dated] whether each row has its date
 * @property {(at: number) => void} [onOlder] the reader is through with the entries from this one on
 * @property {number} [lastUnread] place of the last unread entry; -1 without one
 */
/** @typedef {import("./days.js").Entry} Entry */

/** @param {Entry} entry; @returns {string} never empty */
export const titleOf = ({ notice }) => notice.title || t("untitled");

/** @param {Entry} entry; @returns {string} of the page with its history */
export const pageOf = ({ source, notice }) => link("item", source.id, notice.id);

/**
 * Return a function from entries in order to sections, a day each or a part of it.
 *
 * A section is drawn again only if something in it is another.
 *
 * @returns {(entries: Entry[], options: RowOptions) => HTMLElement[]}
 */
export const sections = () => {
  let known = new Map();
  return (entries, options) => {
    const drawn = new Map();
    for (const part of partsOf(entries)) {
      const key = `${part.day} ${part.number}`;
      const section = known.get(key) ?? { element: newSection(), said: "" };
      const said = saidOf(part, options);
      if (section.said !== said) {
        render(sectionOf(part, options), section.element);
        section.element.style.containIntrinsicSize = `auto ${heightOf(part)}px`;
      }
      drawn.set(key, { ...section, said });
    }
    known = drawn;
    return [...drawn.values()].map(({ element }) => element);
  };
};

/** About what a part takes that was not laid out yet. */
const heightOf = ({ number, entries }) => (number === 0 ? HEADING_HEIGHT : 0) + entries.length * ROW_HEIGHT;

const newSection = () => {
  const element = document.createElement("section");
  element.className = "day";
  return element;
};

const partsOf = (entries) => {
  let at = 0;
  return byDay(entries).flatMap(({ day, entries: ofDay }) => {
    const parts = [];
    for (let from = 0; from < ofDay.length; from += MOST_ROWS) {
      const own = ofDay.slice(from, from + MOST_ROWS);
      parts.push({ day, number: parts.length, at, entries: own });
      at += own.length;
    }
    return parts;
  });
};

/** All that the drawing of a part depends on. */
const saidOf = ({ day, at, entries }, options) => {
  const { marks } = options;
  const own = entries.map(({ source, notice, history }) => [
    source.id,
    source.name,
    source.base,
    notice.id,
    notice.revision,
    notice.title,
    notice.was_wrong,
    isTold(notice.due) && [dueText(notice.due), isSoon(notice.due)],
    history.length,
    marks.isUnread(source.id, notice),
    marks.isKept(source.id, notice.id),
    marks.isChangedSince(source.id, notice),
  ]);
  return JSON.stringify([language(), dayName(day), at, isOlderOffered(at, options), own]);
};

/** All of it is read by the button above the list. */
const isOlderOffered = (at, { onOlder, lastUnread }) => Boolean(onOlder) && at > 0 && at <= lastUnread;

const sectionOf = ({ day, number, at, entries }, options) => html`
  ${number === 0
    ? html`<div class="row">
        <h2 class="grow">${dayName(day)}</h2>
        ${isOlderOffered(at, options)
          ? html`<button
              class="plain older"
              aria-label=${t("olderOf", { day: dayName(day) })}
              @click=${() => options.onOlder(at)}
            >
              ${t("older")}
            </button>`
          : nothing}
      </div>`
    : nothing}
  ${rows(entries, options)}
`;

/**
 * @param {Entry[]} entries in order
 * @param {RowOptions} options
 */
export const rows = (entries, options) =>
  html`<ul class="list notices">
    ${entries.map((entry) => row(entry, options))}
  </ul>`;

const row = (entry, options) => {
  const { source, notice } = entry;
  const unread = options.marks.isUnread(source.id, notice);
  const kept = options.marks.isKept(source.id, notice.id);
  return html`
    <li class=${unread ? "notice unread" : "notice"}>
      <div class="grow">
        <p class="headline">
          ${unread ? dot() : nothing}
          ${headline(entry, options)}
        </p>
        <p class="facts">
          ${options.named ? html`<a href=${link("source", source.id)}>${source.name}</a>` : nothing}
          ${options.dated && entry.day ? html`<span>${dateName(entry.day)}</span>` : nothing}
          ${notice.category ? html`<span>${notice.category}</span>` : nothing}
          <a href=${pageOf(entry)} aria-label=${t("historyOf", { title: titleOf(entry) })}
            >${t("history")}</a
          >
          ${tags(entry, options.marks)}
        </p>
      </div>
      <button
        class="star"
        aria-pressed=${kept}
        aria-label=${t("keep", { title: titleOf(entry) })}
        @click=${() => options.onKeep(entry)}
      >
        ${kept ? "★" : "☆"}
      </button>
    </li>
  `;
};

const dot = () => html`<span class="dot"></span><span class="spoken">${t("unread")}</span>`;

/** A link to the board; where there is none that is safe, to the notice's own page. */
const headline = (entry, options) => {
  const address = safeLink(entry.notice.link, entry.source.base);
  if (!address) return html`<a class="title" href=${pageOf(entry)}>${titleOf(entry)}</a>`;
  return html`<a
    class="title"
    href=${address}
    target="_blank"
    rel="noopener noreferrer"
    @click=${() => options.onOpen(entry)}
    @auxclick=${({ button }) => button === MIDDLE && options.onOpen(entry)}
    >${titleOf(entry)}<span class="spoken"> (${t("window")})</span></a
  >`;
};

/**
 * @param {Entry} entry
 * @param {RowOptions["marks"]} marks
 */
export const tags = ({ source, notice, history }, marks) => {
  const { edited, returned, changed } = fate(notice, history);
  const tag = (name, kind = "") => html`<span class="tag ${kind}">${t(name)}</span>`;
  return [
    isTold(notice.due)
      ? html`<span class="tag ${isSoon(notice.due) ? "warn" : ""}">${dueText(notice.due)}</span>`
      : nothing,
    notice.is_pinned ? tag("pinned") : nothing,
    returned ? tag("returned", "good") : nothing,
    edited ? tag("edited", "warn") : nothing,
    changed ? tag("changed") : nothing,
    notice.was_wrong ? tag("withdrawn") : nothing,
    marks.isChangedSince(source.id, notice) ? tag("since", "warn") : nothing,
  ];
};
