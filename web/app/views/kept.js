/** The notices that were kept on this device. */

import { search } from "../../uring.js";
import { html, render } from "../../vendor/lit-html.js";
import { entryOf } from "../notices/days.js";
import { feedsOf } from "../notices/feeds.js";
import { laterOf } from "../notices/later.js";
import { actionsOf, marksOf } from "../notices/marks.js";
import { noticeOf } from "../notices/notice.js";
import { rows } from "../notices/rows.js";
import { shortcuts } from "../notices/shortcuts.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "보관함",
    back: "새 소식",
    search: "제목에서 찾기",
    none: "보관한 공지가 없습니다. 공지 옆의 ☆를 누르면 여기에 모입니다.",
    noneFound: "‘{text}’에 맞는 공지가 없습니다.",
  },
  en: {
    title: "Kept",
    back: "News",
    search: "Search titles",
    none: "Nothing is kept. Press ☆ beside a notice to find it here.",
    noneFound: "No notice matches “{text}”.",
  },
});

/** @returns {string} */
export const title = () => t("title");

/**
 * List what was kept, the last first; what is dropped stays until the view is left.
 *
 * The boards are asked for later revisions: a deadline is extended by an edit.
 */
export const show = async (root, _, context) => {
  const marks = await marksOf(context);
  const feeds = feedsOf(context);
  let text = "";
  let found = [];
  const entryOfKept = ({ source, notice }) => {
    const read = noticeOf(notice);
    return read ? [entryOf({ ...source, base: feeds.get(source.id)?.base }, read)] : [];
  };
  const entries = marks.kept().flatMap(entryOfKept);
  const renew = async () => {
    await feeds.refreshAll(new Set(entries.map(({ source }) => source.id)), { fresh: true });
    for (const kept of marks.kept()) {
      const { source, notice } = kept;
      const later = noticeOf(notice) && laterOf(feeds.get(source.id)?.notices ?? [], notice);
      if (!later) continue;
      const renew = (one) => one && { ...one, notice: later };
      // Another window may have dropped it.
      if (!(await context.store.update("kept", `${source.id}/${notice.id}`, renew))) continue;
      kept.notice = later;
      const isIt = (entry) => entry.source.id === source.id && entry.notice.id === later.id;
      entries.splice(entries.findIndex(isIt), 1, ...entryOfKept({ source, notice: later }));
    }
    draw();
  };
  const actions = actionsOf(marks, () => draw());
  const draw = () => {
    found = search(entries, text);
    const nothingThere = text ? t("noneFound", { text }) : t("none");
    render(
      html`
        <p class="facts"><a href="#/">← ${t("back")}</a></p>
        <h1>${t("title")}</h1>
        <input
          type="search"
          aria-label=${t("search")}
          placeholder=${t("search")}
          ?hidden=${entries.length === 0}
          @input=${(event) => {
            text = event.target.value;
            draw();
          }}
        />
        ${found.length === 0
          ? html`<p class="empty">${nothingThere}</p>`
          : rows(found, { marks, named: true, dated: true, ...actions })}
      `,
      root,
    );
  };
  draw();
  renew().catch((error) => console.warn("kept as it was:", error));
  return shortcuts(root, context, (position) => actions.onToggle(found[position]));
};
