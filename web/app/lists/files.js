/** The watched files of a list's shard: what became of each, counted and in words. */

import { html } from "../../vendor/lit-html.js";
import { safeLink } from "../../uring.js";
import { numberOf, objectsOf, textOf } from "../values.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    ok: "있음",
    html: "대신 웹 페이지",
    unavailable_4xx: "없음",
    none: "없음",
    redirect_limit: "끝없는 이동",
    robots: "robots.txt",
    sitemap: "사이트맵",
    robots_appeared: "robots.txt 생김",
    robots_changed: "robots.txt 바뀜",
    robots_vanished: "robots.txt 사라짐",
    robots_unlisted: "목록에서 빠짐 (robots.txt)",
    robots_listed: "목록에 다시 오름 (robots.txt)",
    sitemap_appeared: "사이트맵 생김",
    sitemap_changed: "사이트맵 바뀜",
    sitemap_vanished: "사이트맵 사라짐",
    sitemap_unlisted: "목록에서 빠짐 (사이트맵)",
    sitemap_listed: "목록에 다시 오름 (사이트맵)",
    bytes: "{count}바이트",
    sitemaps: "Sitemap 줄 {count}개",
    urls: "URL {count}개",
    truncated: "일부만 읽음",
    domains: "도메인 {count}개",
    has: "{file} {count}개",
  },
  en: {
    ok: "exists",
    html: "a page instead",
    unavailable_4xx: "missing",
    redirect_limit: "too many redirects",
    robots: "robots.txt",
    sitemap: "sitemap",
    robots_appeared: "robots.txt appeared",
    robots_changed: "robots.txt changed",
    robots_vanished: "robots.txt vanished",
    robots_unlisted: "unlisted (robots.txt)",
    robots_listed: "listed again (robots.txt)",
    sitemap_appeared: "sitemap appeared",
    sitemap_changed: "sitemap changed",
    sitemap_vanished: "sitemap vanished",
    sitemap_unlisted: "unlisted (sitemap)",
    sitemap_listed: "listed again (sitemap)",
    bytes: "{count} bytes",
    sitemaps: "{count} Sitemap lines",
    urls: "{count} URLs",
    truncated: "read in part",
    domains: "{count} domains",
    has: "{count} with {file}",
  },
});

/** @param {any} items of a shard's `latest.json`; @returns {string} how many domains have what */
export const counted = (items) => {
  const files = objectsOf(items);
  const domains = new Set(files.map(({ domain }) => textOf(domain, 300)).filter(Boolean));
  const there = (file) => files.filter((one) => one.file === file && one.outcome === "ok").length;
  return [
    t("domains", { count: domains.size }),
    ...["robots", "sitemap"].map((file) => t("has", { file: t(file), count: there(file) })),
  ].join(" · ");
};

/** @param {any} item; @returns {any} a row with the file's address where it may be followed */
export const fileRow = (item) => {
  const file = textOf(item.file, 40);
  const outcome = textOf(item.outcome, 40);
  const safe = safeLink(item.link);
  const [bytes, sitemaps, urls] = [item.bytes, item.sitemaps, item.urls].map(numberOf);
  const parts = [
    textOf(item.format, 40),
    urls === null ? "" : t("urls", { count: urls }),
    bytes === null ? "" : t("bytes", { count: bytes }),
    sitemaps ? t("sitemaps", { count: sitemaps }) : "",
    item.truncated === "true" ? t("truncated") : "",
  ];
  const name = `${textOf(item.domain, 300)} ${file && t(file)}`.trim() || textOf(item.title, 300);
  return html`<li>
    <p class="row">
      ${safe
        ? html`<a class="grow" href=${safe} rel="noopener noreferrer" target="_blank">${name} ↗</a>`
        : html`<span class="grow">${name}</span>`}
      <span class="tag ${outcome === "ok" ? "good" : ""}">${t(outcome)}</span>
    </p>
    <span class="quiet">${parts.filter(Boolean).join(" · ")}</span>
  </li>`;
};

/** @param {any} line of the archive; @returns {any} a row: what happened, to whom, when */
export const eventRow = (line) =>
  html`<li>
    <p class="row">
      <span class="tag">${t(textOf(line.kind, 40))}</span>
      <span class="grow">${textOf(line.domain, 300) || textOf(line.title, 300)}</span>
    </p>
    <span class="quiet">${dateTime(textOf(line.detected_at))}</span>
  </li>`;
