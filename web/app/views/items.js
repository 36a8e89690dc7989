/** A source of a list that has no view of its own: titles, dates and links of its newest records. */

import { safeLink } from "../../uring.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { healthLine } from "../health.js";
import { sourceOf, wordOf } from "../index.js";
import { link } from "../link.js";
import { noticesOf } from "../notices/notice.js";
import { paceLine } from "../pace.js";
import { dateTime, language, words } from "../words.js";

const t = words({
  ko: { none: "아직 공개된 것이 없습니다.", broken: "읽을 수 없는 기록 {count}건이 빠졌습니다.", more: "더 보기" },
  en: { none: "Nothing is published yet.", broken: "{count} records could not be read and are left out.", more: "More" },
});

const ROWS = 50;

/** @param {Record<string, string>} params; @param {any} context; @returns {string} */
export const title = ({ source }, context) => sourceOf(context.index, source)?.name ?? source;

/** Show the records as `latest.json` has them, the newest first. */
export const show = async (root, params, context) => {
  render(waiting(title(params, context)), root);
  const load = context.data.load(`${params.source}/latest.json`);
  const [loaded] = await Promise.all([load, context.ready]);
  let shown = ROWS;
  const draw = () => render(page(params, context, loaded, shown, more), root);
  const more = () => {
    shown += ROWS;
    draw();
  };
  draw();
};

const page = (params, context, loaded, shown, more) => {
  const source = sourceOf(context.index, params.source);
  const { notices: items, broken } = noticesOf(loaded.body);
  const word = wordOf(context.index, params.list, language());
  return html`
    <p><a href=${link("family", params.list)}>← ${word}</a></p>
    <h1>${title(params, context)}</h1>
    ${source ? [healthLine(source), paceLine(source)] : nothing} ${availability(loaded)}
    ${broken ? html`<p class="lack">${t("broken", { count: broken })}</p>` : nothing}
    ${items.length
      ? html`<ul class="list items">
          ${items.slice(0, shown).map(row)}
        </ul>`
      : html`<p class="empty">${t("none")}</p>`}
    ${items.length > shown
      ? html`<p><button @click=${more}>${t("more")}</button></p>`
      : nothing}
  `;
};

const row = ({ id, title: said, date, link: address, first_seen }) => {
  const safe = safeLink(address);
  const name = said || id;
  return html`<li>
    ${safe
      ? html`<a href=${safe} target="_blank" rel="noopener noreferrer">${name} ↗</a>`
      : html`<span>${name}</span>`}
    <br /><span class="quiet">${date ?? dateTime(first_seen)}</span>
  </li>`;
};
