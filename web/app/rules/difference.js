/** What changed between two texts of a regulation, by article: lines gone and new. */

import { html, nothing } from "../../vendor/lit-html.js";
import { listOf, numberOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";

const t = words({
  ko: {
    added: "신설",
    removed: "없어짐",
    changed: "개정",
    deleted: "삭제",
    renumbered: "이동",
    gone: "이전:",
    now: "이후:",
    same: "… {count}개 항목은 같음",
    summary: "조문 {count}개가 바뀌었습니다. 이전 {before}개, 이후 {after}개.",
    none: "조문의 말은 그대로입니다.",
    rest: "조문 {count}개를 더 보려면 이 파일을 여세요.",
    cut: "… 이 조문의 나머지 {count}줄은 생략했습니다.",
    files: "파일 {previous} → {current}",
    page: "나란히 보기 (신·구조문대비표)",
  },
  en: {
    added: "added",
    removed: "removed",
    changed: "changed",
    deleted: "deleted",
    renumbered: "moved",
    gone: "Before:",
    now: "After:",
    same: "… {count} unchanged",
    summary: "Changed articles: {count}. Before {before}, after {after}.",
    none: "The words of the articles are the same.",
    rest: "Open this file for {count} more articles.",
    cut: "… {count} more lines of this article are left out.",
    files: "File {previous} → {current}",
    page: "Side by side",
  },
});

const ARTICLES = 200;
const LINES = 300;
const TONES = { added: "good", removed: "bad", deleted: "bad" };

/**
 * Return a difference as a template.
 *
 * @param {any} document a parsed `differences/*.json`
 * @param {string} address of the file, which ends in `.json`; the page beside it ends in `.html`
 */
export const differenceShown = (document, address) => {
  const told = objectOf(document);
  const articles = objectsOf(told.articles);
  const [before, after] = [told.before, told.after].map((count) => numberOf(count) ?? "?");
  const files = { previous: textOf(told.previousFileNo, 40), current: textOf(told.fileNo, 40) };
  return html`<div class="difference">
    <p class="quiet">
      ${articles.length ? t("summary", { count: articles.length, before, after }) : t("none")}
      ${files.previous && files.current ? t("files", files) : nothing}
      <a href=${address.replace(/json$/, "html")} target="_blank" rel="noopener">${t("page")} ↗</a>
    </p>
    ${articles.slice(0, ARTICLES).map(article)}
    ${articles.length > ARTICLES
      ? html`<p><a href=${address}>${t("rest", { count: articles.length - ARTICLES })}</a></p>`
      : nothing}
  </div>`;
};

const article = (given) => {
  const [key, previous, name, change] = ["key", "previous_key", "title", "change"].map((field) =>
    textOf(given[field], 200),
  );
  const tone = Object.hasOwn(TONES, change) ? TONES[change] : "";
  const diff = listOf(given.diff).filter((line) => typeof line === "string");
  return html`<section class="card article">
    <h3>
      ${previous ? `${previous} → ` : nothing}${key}${name ? `(${name})` : nothing}
      ${change ? html`<span class="tag ${tone}">${t(change)}</span>` : nothing}
    </h3>
    ${diff.slice(0, LINES).map(line)}
    ${diff.length > LINES
      ? html`<p class="quiet">${t("cut", { count: diff.length - LINES })}</p>`
      : nothing}
  </section>`;
};

const line = (given) => {
  const text = textOf(given.slice(1), 20_000);
  if (given.startsWith("-")) return html`<p>${sign("−", t("gone"))}<del>${text}</del></p>`;
  if (given.startsWith("+")) return html`<p>${sign("+", t("now"))}<ins>${text}</ins></p>`;
  if (given.startsWith("@")) return html`<p class="quiet">${t("same", { count: text })}</p>`;
  return html`<p>${given.startsWith(" ") ? text : textOf(given, 20_000)}</p>`;
};

/** The sign is for eyes, the word for ears: neither depends on the colour. */
const sign = (seen, heard) =>
  html`<b aria-hidden="true">${seen} </b><span class="heard">${heard} </span>`;
