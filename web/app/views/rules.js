/** The registries of regulations. */

import { html, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { healthTag } from "../health.js";
import { sourcesOf } from "../index.js";
import { link } from "../link.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    title: "규정",
    changed: "마지막 변경 {at}",
    checked: "마지막 확인 {at}",
    empty: "규정집이 없습니다.",
  },
  en: {
    title: "Rules",
    changed: "last change {at}",
    checked: "last check {at}",
    empty: "There is no registry.",
  },
});

/** @returns {string} */
export const title = () => t("title");

/** List the registries. */
export const show = async (root, _, context) => {
  render(waiting(t("title")), root);
  const index = await context.ready;
  const registries = sourcesOf(context.index, "registries");
  render(
    html`<h1>${t("title")}</h1>
      ${availability(index)}
      ${registries.length === 0
        ? html`<p class="empty">${t("empty")}</p>`
        : html`<ul class="list">
            ${registries.map(
              (registry) => html`<li>
                <p class="row">
                  <a class="grow" href=${link("rules", registry.id)}>${registry.name}</a>
                  ${healthTag(registry)}
                </p>
                <span class="quiet">${times(registry)}</span>
              </li>`,
            )}
          </ul>`}`,
    root,
  );
};

const times = (registry) =>
  [
    ["changed", dateTime(registry.last_change)],
    ["checked", dateTime(registry.last_success)],
  ]
    .filter(([, at]) => at)
    .map(([name, at]) => t(name, { at }))
    .join(" · ");
