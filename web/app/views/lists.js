/** Watched lists of domains: the health of each shard, what changed, and its files on demand. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { search } from "../../uring.js";
import { availability, waiting } from "../availability.js";
import { healthTag } from "../health.js";
import { sourcesIn } from "../index.js";
import { counted, eventRow, fileRow } from "../lists/files.js";
import { changesOf, readBack, untilChange } from "../history.js";
import { objectOf, objectsOf } from "../values.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    title: "목록",
    about: "robots.txt와 사이트맵을 지켜보는 도메인 목록입니다. 수집의 진행은 공개되지 않습니다.",
    empty: "지켜보는 목록이 없습니다.",
    health: "조각 {count}개 가운데 정상 {ok}개",
    shard: "조각 {number} / {shards}",
    checked: "마지막 확인 {at}",
    changed: "마지막 변경 {at}",
    open: "열기",
    recent: "최근 변경",
    none: "최근에 바뀐 것이 없습니다.",
    missing: "일부 기록을 가져오지 못했습니다.",
    files: "파일",
    search: "도메인 검색",
    more: "더 보기",
    nothing: "찾는 도메인이 없습니다.",
  },
  en: {
    title: "Lists",
    about:
      "Domains whose robots.txt and sitemaps are watched. A collection's progress is not public.",
    empty: "No list is watched.",
    health: "{ok} of {count} shards are well",
    shard: "Shard {number} of {shards}",
    checked: "last check {at}",
    changed: "last change {at}",
    open: "Open",
    recent: "Recent changes",
    none: "Nothing changed recently.",
    missing: "A part of the record could not be fetched.",
    files: "Files",
    search: "Search domains",
    more: "More",
    nothing: "No domain has that name.",
  },
});

const ROWS = 50;
const RECENT = 20;
const SHARD = /^(.+)\.([0-9]+)of([0-9]+)$/;

/** @returns {string} */
export const title = () => t("title");

/** Show the watches; a shard's files, which may have a megabyte, are loaded when asked for. */
export const show = async (root, _, context) => {
  render(waiting(t("title")), root);
  const index = await context.ready;
  const watches = watchesOf(context.index);
  const open = new Map();
  const draw = () => render(page(index, watches, open, toggle, draw), root);
  const toggle = async (id) => {
    if (open.has(id)) {
      open.delete(id);
      draw();
      return;
    }
    const shard = { latest: null, reading: null, text: "", shown: ROWS };
    open.set(id, shard);
    draw();
    shard.latest = await context.data.load(`${id}/latest.json`);
    draw();
    shard.reading = await readBack(id, context, untilChange);
    draw();
  };
  draw();
};

/** Shards grouped by their watch, each in the order of its number. */
const watchesOf = (index) => {
  const watches = new Map();
  for (const source of sourcesIn(index, "watches")) {
    const [, id, number, shards] = SHARD.exec(source.id) ?? [null, source.id, "1", "1"];
    if (!watches.has(id)) watches.set(id, { id, name: source.name, shards: [] });
    watches.get(id).shards.push({ source, number: Number(number), shards: Number(shards) });
  }
  for (const { shards } of watches.values()) shards.sort((one, other) => one.number - other.number);
  return [...watches.values()];
};

const page = (index, watches, open, toggle, draw) => html`
  <h1>${t("title")}</h1>
  <p class="quiet">${t("about")}</p>
  ${availability(index)}
  ${watches.length ? nothing : html`<p class="empty">${t("empty")}</p>`}
  ${watches.map(
    (watch) => html`<section data-watch=${watch.id}>
      <h2>${watch.name}</h2>
      <p class="quiet">
        ${t("health", {
          count: watch.shards.length,
          ok: watch.shards.filter(({ source }) => source.status === "ok").length,
        })}
      </p>
      <ul class="list whole">
        ${watch.shards.map((shard) => shardRow(shard, open.get(shard.source.id), toggle, draw))}
      </ul>
    </section>`,
  )}
`;

const shardRow = ({ source, number, shards }, opened, toggle, draw) => {
  const times = [
    ["checked", dateTime(source.last_success)],
    ["changed", dateTime(source.last_change)],
  ];
  const name = t("shard", { number, shards });
  return html`<li data-shard=${source.id}>
    <div class="row">
      <strong>${name}</strong> <span class="grow">${healthTag(source)}</span>
      <button
        aria-expanded=${opened !== undefined}
        aria-label=${`${name}: ${t("open")}`}
        @click=${() => toggle(source.id)}
      >
        ${t("open")}
      </button>
    </div>
    <p class="quiet">
      ${times.filter(([, at]) => at).map(([word, at]) => t(word, { at })).join(" · ")}
    </p>
    ${opened ? shown(source, opened, draw) : nothing}
  </li>`;
};

const shown = (source, shard, draw) => {
  if (shard.latest === null) return html`<p class="quiet" aria-busy="true">…</p>`;
  const items = objectsOf(objectOf(shard.latest.body).items);
  const found = search(items, shard.text);
  const typed = (event) => {
    shard.text = event.target.value;
    shard.shown = ROWS;
    draw();
  };
  const more = () => {
    shard.shown += ROWS;
    draw();
  };
  return html`
    ${availability(shard.latest)}
    <p>${counted(items)}</p>
    <h3>${t("recent")}</h3>
    ${recent(shard.reading)}
    <h3>${t("files")}</h3>
    <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${typed} />
    ${found.length
      ? html`<ul class="rows files">${found.slice(0, shard.shown).map(fileRow)}</ul>`
      : html`<p class="quiet">${t("nothing")}</p>`}
    ${found.length > shard.shown ? moreButton(more) : nothing}
  `;
};

const moreButton = (more) => html`<p><button @click=${more}>${t("more")}</button></p>`;

const recent = (reading) => {
  if (reading === null) return html`<p class="quiet" aria-busy="true">…</p>`;
  const changes = changesOf(reading).slice(0, RECENT);
  return html`
    ${reading.missing.length ? html`<p class="lack">${t("missing")}</p>` : nothing}
    ${changes.length
      ? html`<ul class="rows events">${changes.map(eventRow)}</ul>`
      : html`<p class="quiet">${t("none")}</p>`}
  `;
};
