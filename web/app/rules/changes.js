/** Events of a registry as lines: when, what became of which regulation. */

import { html } from "../../vendor/lit-html.js";
import { inForce } from "../../uring/messages.js";
import { link } from "../link.js";
import { numberOf, textOf } from "../values.js";
import { dateTime, language, words } from "../words.js";
import { isOfText } from "../history.js";

const t = words({
  ko: {
    baseline: "처음 확인",
    text_baseline: "본문 처음 읽음",
    new: "신규",
    edited: "개정",
    renamed: "이름 바뀜",
    deleted: "폐지",
    returned: "다시 올라옴",
    text_changed: "본문 바뀜",
    before: "이전 이름: {name}",
    articles: "조문 {count}개",
    replaced: "번호를 바꾸지 않고 파일을 바꿈",
    file: "파일 {number}",
    untitled: "(제목 없음)",
  },
  en: {
    baseline: "first seen",
    text_baseline: "text first read",
    new: "new",
    edited: "revised",
    renamed: "renamed",
    deleted: "gone",
    returned: "returned",
    text_changed: "text changed",
    before: "formerly {name}",
    articles: "{count} articles",
    replaced: "file replaced without another number",
    file: "file {number}",
    untitled: "(untitled)",
  },
});

const TONES = { new: "good", returned: "good", deleted: "bad" };

/** @param {any} line; @returns {any} its kind in a word; a later one as it is */
export const kindTag = (line) => {
  const kind = isOfText(line) && line.kind === "baseline" ? "text_baseline" : textOf(line.kind, 40);
  return html`<span class="tag ${Object.hasOwn(TONES, kind) ? TONES[kind] : ""}">${t(kind)}</span>`;
};

/** @param {any} line; @returns {any} what else it tells */
export const told = (line) => {
  const former = textOf(line.renamed_from, 300);
  const count = numberOf(line.articles_changed);
  const fileNo = textOf(line.fileNo, 40);
  const parts = [
    dateTime(textOf(line.detected_at)),
    former ? t("before", { name: former }) : "",
    count ? t("articles", { count }) : "",
    line.cause === "silently_replaced" ? t("replaced") : "",
    inForce(line.effective, textOf(line.effective_text, 300), language()),
    fileNo ? t("file", { number: fileNo }) : "",
  ];
  return html`<span class="quiet">${parts.filter(Boolean).join(" · ")}</span>`;
};

/** @param {string} registry; @param {any} line; @returns {any} a row with the regulation's link */
export const changeRow = (registry, line) => {
  const title = textOf(line.title, 300);
  // A text's own id names no regulation, its title does.
  const address = link("rule", registry, title);
  return html`<li>
    <p class="row">
      ${kindTag(line)}
      ${title ? html`<a class="grow" href=${address}>${title}</a>` : t("untitled")}
    </p>
    ${told(line)}
  </li>`;
};
