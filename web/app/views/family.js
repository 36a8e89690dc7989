/** The sources of a list that has no view of its own: the index gives its word. */

import { html, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { sourcesOf, wordOf } from "../index.js";
import { link } from "../link.js";
import { sourceRow } from "../source_row.js";
import { language, words } from "../words.js";

const t = words({
  ko: { empty: "목록에 소스가 없습니다." },
  en: { empty: "There is no source in this list." },
});

/** @param {Record<string, string>} params; @param {any} context; @returns {string} */
export const title = ({ list }, context) => wordOf(context.index, list, language());

/** List the sources. */
export const show = async (root, params, context) => {
  render(waiting(title(params, context)), root);
  const index = await context.ready;
  const sources = sourcesOf(context.index, params.list);
  render(
    html`<h1>${title(params, context)}</h1>
      ${availability(index)}
      ${sources.length === 0
        ? html`<p class="empty">${t("empty")}</p>`
        : html`<ul class="list">
            ${sources.map((source) => sourceRow(source, link("family", params.list, source.id)))}
          </ul>`}`,
    root,
  );
};
