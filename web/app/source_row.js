/** A source as a row of a list: its name, how its last check ended, and when it changed. */

import { html } from "../vendor/lit-html.js";
import { healthTag } from "./health.js";
import { dateTime, words } from "./words.js";

const t = words({
  ko: { changed: "마지막 변경 {at}", checked: "마지막 확인 {at}" },
  en: { changed: "last change {at}", checked: "last check {at}" },
});

/** @param {import("./index.js").Source} source; @param {string} address; @returns {any} a template */
export const sourceRow = (source, address) =>
  html`<li>
    <p class="row">
      <a class="grow" href=${address}>${source.name}</a>
      ${healthTag(source)}
    </p>
    <span class="quiet">${times(source)}</span>
  </li>`;

const times = (source) =>
  [
    ["changed", dateTime(source.last_change)],
    ["checked", dateTime(source.last_success)],
  ]
    .filter(([, at]) => at)
    .map(([name, at]) => t(name, { at }))
    .join(" · ");
