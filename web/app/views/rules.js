/** The registries of regulations. */

import { html, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { sourcesIn } from "../index.js";
import { link } from "../link.js";
import { sourceRow } from "../source_row.js";
import { words } from "../words.js";

const t = words({
  ko: { title: "규정", empty: "규정집이 없습니다." },
  en: { title: "Rules", empty: "There is no registry." },
});

/** @returns {string} */
export const title = () => t("title");

/** List the registries. */
export const show = async (root, _, context) => {
  render(waiting(t("title")), root);
  const index = await context.ready;
  const registries = sourcesIn(context.index, "regulations");
  render(
    html`<h1>${t("title")}</h1>
      ${availability(index)}
      ${registries.length === 0
        ? html`<p class="empty">${t("empty")}</p>`
        : html`<ul class="list">
            ${registries.map((registry) => sourceRow(registry, link("rules", registry.id)))}
          </ul>`}`,
    root,
  );
};
