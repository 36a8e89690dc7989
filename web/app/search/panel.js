/** What a search has looked at, and the way further back. */

import { html, nothing } from "../../vendor/lit-html.js";
import { words } from "../words.js";

const t = words({
  ko: {
    newest: "게시판마다 최근 공지 {newest}건까지만 찾았습니다.",
    newestHere: "최근 공지 {newest}건까지만 찾았습니다.",
    failedHere: "기록의 일부를 받지 못했습니다.",
    back: "지난 공지도 찾기",
    reading: "지난 공지를 찾는 중입니다.",
    reached: "{year}년까지 찾았습니다.",
    stop: "그만 찾기",
    on: "이어서 찾기",
    failed: "게시판 {failed}곳의 기록을 받지 못했습니다.",
    again: "다시 시도",
    ended: "모든 기록에서 찾았습니다.",
    found: "지난 공지에서 {count}건을 찾았습니다.",
    past: "지난 공지",
    noneNewest: "최근 공지에는 ‘{text}’에 맞는 것이 없습니다.",
    noneYet: "아직 ‘{text}’에 맞는 공지가 없습니다.",
    none: "‘{text}’에 맞는 공지가 없습니다.",
  },
  en: {
    newest: "Searched: the newest {newest} of each board.",
    newestHere: "Searched: the newest {newest}.",
    failedHere: "A part of the records could not be loaded.",
    back: "Look further back",
    reading: "Looking further back.",
    reached: "Searched back to {year}.",
    stop: "Stop",
    on: "Go on",
    failed: "The records of {failed} boards could not be loaded.",
    again: "Try again",
    ended: "All records are searched.",
    found: "{count} found further back.",
    past: "Further back",
    noneNewest: "None of the newest notices matches “{text}”.",
    noneYet: "No notice matches “{text}” so far.",
    none: "No notice matches “{text}”.",
  },
});

/** @param {string} text; @param {import("./past.js").Progress | null} progress; @returns {string} */
export const noneLine = (text, progress) => {
  if (progress === null || progress.state === "new") return t("noneNewest", { text });
  return t(progress.state === "ended" ? "none" : "noneYet", { text });
};

/** What a screen reader is told as the search goes on. */
export const toldOf = (progress, count) =>
  [
    progress.state === "ended" ? t("ended") : progress.reached && t("reached", { year: progress.reached }),
    t("found", { count }),
  ]
    .filter(Boolean)
    .join(" ");

/** @returns the heading above what was found further back */
export const pastHeading = () => html`<h2 class="past">${t("past")}</h2>`;

/**
 * @param {object} of
 * @param {import("./past.js").Progress | null} of.progress null before the first search
 * @param {boolean} of.isBoard whether it is the search of one board
 * @param {number} of.newest notices of a board that were searched
 * @param {number} of.count found further back
 * @param {() => void} of.onBack
 * @param {() => void} of.onStop
 */
export const searched = ({ progress, isBoard, newest, count, onBack, onStop }) => {
  const { state, reached, failed } = progress ?? { state: "new", reached: "", failed: 0 };
  if (state === "new") {
    return html`<div class="searched">
      <p class="quiet">${t(isBoard ? "newestHere" : "newest", { newest })}</p>
      <button @click=${onBack}>${t("back")}</button>
    </div>`;
  }
  const lines = [
    state === "reading" && t("reading"),
    state === "ended" ? t("ended") : reached && t("reached", { year: reached }),
    t("found", { count }),
  ];
  return html`<div class="searched" aria-busy=${String(state === "reading")}>
    <p class="quiet">${lines.filter(Boolean).join(" ")}</p>
    ${failed > 0 && state === "stopped"
      ? html`<p class="health warn">${t(isBoard ? "failedHere" : "failed", { failed })}</p>`
      : nothing}
    ${state === "reading" ? html`<button @click=${onStop}>${t("stop")}</button>` : nothing}
    ${state === "stopped"
      ? html`<button @click=${onBack}>${t(failed > 0 ? "again" : "on")}</button>`
      : nothing}
  </div>`;
};
