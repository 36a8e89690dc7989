/** Choosing departments: a search by name or initial consonants, and a button each. */

import { search } from "../../uring.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { healthOf } from "../health.js";
import { listsOf, sourcesIn } from "../index.js";
import { link } from "../link.js";
import { words } from "../words.js";
import { followButton, isFollowed } from "./follow.js";

const t = words({
  ko: {
    search: "학과 이름이나 초성으로 찾기 (예: ㅋㅍ)",
    found: "{count}곳",
    none: "‘{text}’에 맞는 학과가 없습니다.",
    empty: "등록된 학과가 없습니다.",
    offline: "목록을 받지 못했습니다. 인터넷 연결을 확인해 주세요.",
    again: "다시 시도",
  },
  en: {
    search: "Find a department by its name",
    found: "{count} found",
    none: "No department matches “{text}”.",
    empty: "There are no departments.",
    offline: "The list could not be loaded. Check your connection.",
    again: "Try again",
  },
});

/**
 * Return a template of the departments, followed ones first, and what a search leaves of them.
 *
 * @param {any} context
 * @param {{text: string, order: string[]}} state `order`: ids that stood first when the view began,
 *   so that no row moves under the finger
 * @param {() => void} redraw
 */
export const chooser = (context, state, redraw) => {
  const sources = sourcesIn(context.index, "notices");
  if (sources.length === 0) return nothingThere(context, redraw);
  const found = search(sources, state.text).sort(
    (one, other) => state.order.includes(other.id) - state.order.includes(one.id),
  );
  const type = (event) => {
    state.text = event.target.value;
    redraw();
    context.say(t("found", { count: search(sources, state.text).length }));
  };
  return html`
    <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${type} />
    ${found.length === 0
      ? html`<p class="empty">${t("none", { text: state.text })}</p>`
      : html`<ul class="list">
          ${found.map((source) => row(context, source, redraw))}
        </ul>`}
  `;
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

const nothingThere = (context, redraw) => {
  if (listsOf(context.index).some(({ view }) => view === "notices")) return html`<p class="empty">${t("empty")}</p>`;
  const again = async () => {
    await context.reload();
    redraw();
  };
  return html`
    <div class="empty">
      <p>${t("offline")}</p>
      <button @click=${again}>${t("again")}</button>
    </div>
  `;
};

/** @param {any} context; @returns {{text: string, order: string[]}} */
export const chooserState = (context) => ({
  text: "",
  order: sourcesIn(context.index, "notices")
    .map(({ id }) => id)
    .filter((id) => isFollowed(context, id)),
});
