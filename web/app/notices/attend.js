/** What a list does by itself once it stands: more near its end, another look at the sources. */

import { html } from "../../vendor/lit-html.js";
import { words } from "../words.js";
import { poll } from "./poll.js";
import { nearEnd } from "./scroll.js";

const t = words({
  ko: {
    last: "게시판마다 가장 최근 공지는 여기까지입니다. 그 이전의 공지는 위에서 제목으로 찾거나 각 게시판의 화면에서 볼 수 있습니다.",
  },
  en: {
    last: "Here the newest notices of each board end. Search above for older ones, or open a board's own page.",
  },
});

/** @returns what stands below the last row of several boards */
export const lastLine = () => html`<p class="quiet">${t("last")}</p>`;

/**
 * @param {HTMLElement} root of the list, with an element `.end`
 * @param {object} does
 * @param {Parameters<typeof nearEnd>[1]} does.more
 * @param {Parameters<typeof poll>[0]} does.again
 * @param {Parameters<typeof poll>[1]} does.pushed
 * @returns {() => void} ends it
 */
export const attend = (root, { more, again, pushed }) => {
  const ends = [nearEnd(root.querySelector(".end"), more), poll(again, pushed)];
  return () => ends.forEach((end) => end());
};
