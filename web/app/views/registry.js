/** A registry: what changed last, and its active regulations with a search. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { search } from "../../uring.js";
import { availability, waiting } from "../availability.js";
import { healthTag } from "../health.js";
import { sourceOf } from "../index.js";
import { link } from "../link.js";
import { changeRow } from "../rules/changes.js";
import { changesOf, readBack, untilChange } from "../history.js";
import { paceLine } from "../pace.js";
import { objectOf, objectsOf, textOf } from "../values.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    back: "모든 규정집",
    recent: "최근 변경",
    none: "최근에 바뀐 규정이 없습니다.",
    active: "현행 규정 {count}개",
    search: "제목 검색 (초성 가능)",
    found: "{count}개 찾음",
    nothing: "찾는 규정이 없습니다.",
    updated: "{at} 갱신",
    file: "파일 {number}",
    broken: "읽을 수 없는 기록 {count}줄을 건너뛰었습니다.",
    missing: "일부 기록을 가져오지 못했습니다.",
    more: "더 보기",
  },
  en: {
    back: "All registries",
    recent: "Recent changes",
    none: "Nothing changed recently.",
    active: "Active regulations: {count}",
    search: "Search titles",
    found: "Found: {count}",
    nothing: "No regulation has that title.",
    updated: "updated {at}",
    file: "file {number}",
    broken: "Unreadable lines, left out: {count}.",
    missing: "A part of the record could not be fetched.",
    more: "More",
  },
});

const RECENT = 10;
const ROWS = 200;

/** @param {Record<string, string>} params; @param {any} context; @returns {string} */
export const title = ({ registry }, context) => sourceOf(context.index, registry)?.name ?? registry;

/** Show a registry; the list first, the changes when they have been read. */
export const show = async (root, { registry }, context) => {
  render(waiting(title({ registry }, context)), root);
  const [loaded] = await Promise.all([context.data.load(`${registry}/latest.json`), context.ready]);
  const state = { text: "", shown: ROWS, reading: null };
  const draw = () => render(page(registry, loaded, state, context, draw), root);
  draw();
  readBack(registry, context, untilChange).then((reading) => {
    state.reading = reading;
    draw();
  });
};

const page = (registry, loaded, state, context, draw) => {
  const source = sourceOf(context.index, registry);
  const items = objectsOf(objectOf(loaded.body).items).filter((item) => textOf(item.id, 1000));
  const found = search(items, state.text);
  const typed = (event) => {
    state.text = event.target.value;
    state.shown = ROWS;
    draw();
    context.say(t("found", { count: search(items, state.text).length }));
  };
  const more = () => {
    state.shown += ROWS;
    draw();
  };
  const name = source?.name ?? (textOf(objectOf(objectOf(loaded.body).meta).name, 200) || registry);
  return html`
    <p><a href="#/rules">← ${t("back")}</a></p>
    <div class="row"><h1 class="grow">${name}</h1>${source ? healthTag(source) : nothing}</div>
    ${source ? paceLine(source) : nothing} ${availability(loaded)}
    <h2>${t("recent")}</h2>
    ${recent(registry, state.reading)}
    <h2>${t("active", { count: items.length })}</h2>
    <input type="search" aria-label=${t("search")} placeholder=${t("search")} @input=${typed} />
    ${found.length
      ? html`<ul class="list" id="regulations">
          ${found.slice(0, state.shown).map((item) => row(registry, item))}
        </ul>`
      : html`<p class="empty">${t("nothing")}</p>`}
    ${found.length > state.shown ? moreButton(more) : nothing}
  `;
};

const moreButton = (more) => html`<p><button @click=${more}>${t("more")}</button></p>`;

const recent = (registry, reading) => {
  if (reading === null) return html`<p class="quiet" aria-busy="true">…</p>`;
  const { broken, missing } = reading;
  const changes = changesOf(reading).slice(0, RECENT);
  return html`
    ${missing.length ? html`<p class="lack">${t("missing")}</p>` : nothing}
    ${broken ? html`<p class="lack">${t("broken", { count: broken })}</p>` : nothing}
    ${changes.length
      ? html`<ul class="list" id="changes">${changes.map((line) => changeRow(registry, line))}</ul>`
      : html`<p class="quiet">${t("none")}</p>`}
  `;
};

const row = (registry, item) => {
  const [updated, fileNo] = [dateTime(textOf(item.lastUpdated)), textOf(item.fileNo, 40)];
  const parts = [
    updated ? t("updated", { at: updated }) : "",
    fileNo ? t("file", { number: fileNo }) : "",
  ];
  return html`<li>
    <a href=${link("rule", registry, item.id)}>${textOf(item.title || item.id, 300)}</a><br />
    <span class="quiet">${parts.filter(Boolean).join(" · ")}</span>
  </li>`;
};
