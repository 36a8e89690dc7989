/** Says in words whether published data could be read. */

import { html } from "../vendor/lit-html.js";
import { dateTime, words } from "./words.js";

const t = words({
  ko: {
    loading: "불러오는 중…",
    missing: "아직 공개된 자료가 없습니다.",
    offline: "자료를 가져오지 못했습니다. 연결을 확인하고 다시 시도해 주세요.",
    broken: "자료를 읽을 수 없습니다. 잠시 뒤에 다시 시도해 주세요.",
    stored: "연결되지 않아 {at}에 저장된 자료를 보여 드립니다.",
  },
  en: {
    loading: "Loading…",
    missing: "Nothing has been published yet.",
    offline: "The data could not be fetched. Check the connection and try again.",
    broken: "The data could not be read. Try again later.",
    stored: "No connection: this was saved at {at}.",
  },
});

/** @param {string} title of a view; @returns {any} it, until what it shows has come */
export const waiting = (title) =>
  html`<h1>${title}</h1>
    <p class="quiet" aria-busy="true">${t("loading")}</p>`;

/**
 * Return a sentence about what was loaded.
 *
 * @param {import("./data.js").Loaded} loaded
 * @param {string} name of the data, said before the sentence
 * @returns {any} a template; nothing where the data came from the network
 */
export const availability = (loaded, name = "") => {
  if (loaded.state === "ok") return undefined;
  const sentence = t(loaded.state, { at: dateTime(loaded.savedAt) });
  return html`<p class="lack" data-state=${loaded.state}>${name && `${name}: `}${sentence}</p>`;
};
