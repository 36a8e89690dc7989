/** An airport's warnings: kind, period, whether it has begun or ended, the text as it came. */

import { html, nothing } from "../../vendor/lit-html.js";
import { instantOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";
import { code } from "./codes.js";
import { both, period } from "./times.js";

const t = words({
  ko: {
    until: "{end}까지",
    endless: "끝나는 때를 알 수 없음",
    before: "예정",
    during: "발효 중",
    over: "끝남",
    unconfirmed: "확인 안 됨",
    issued: "발표 {at}",
    none: "발효 중인 경보가 없습니다.",
    unknown: "발효 중인 경보가 있는지 알 수 없습니다.",
    unnamed: "경보",
  },
  en: {
    until: "until {end}",
    endless: "end not stated",
    before: "to come",
    during: "in force",
    over: "over",
    unconfirmed: "not confirmed",
    issued: "issued {at}",
    none: "No warning is in force.",
    unknown: "Whether a warning is in force is not known.",
    unnamed: "Warning",
  },
});

const TONES = { before: "warn", during: "bad", over: "", unconfirmed: "warn" };
/** More than any airport has; the rest of a hostile list costs no time. */
const MOST = 50;

/** @param {any} given an airport of the warnings; @returns {any[]} its warnings, at most 50 */
export const warningsOf = (given) => objectsOf(objectOf(given).warnings).slice(0, MOST);

/**
 * @typedef {object} Moment
 * @property {number} now ms
 * @property {boolean} isCurrent whether the warnings are known now
 */

/** @param {any} warning; @param {Moment} moment; @returns {"before" | "during" | "over" | "unconfirmed"} */
export const phase = (warning, { now, isCurrent }) => {
  const [start, end] = [instantOf(warning.valid_start), instantOf(warning.valid_end)];
  if (end !== null && end <= now) return "over";
  if (!isCurrent) return "unconfirmed";
  return start !== null && start > now ? "before" : "during";
};

/** @param {any} warning; @returns {string} its kind in words; of an unknown one what came */
export const warningName = (warning) => {
  const key = textOf(warning.wrng_type_key, 40);
  const came = textOf(warning.wrng_type_name, 40);
  if (key && key !== "UNKNOWN" && code(key) !== key) return code(key);
  return came || textOf(warning.wrng_type, 40) || (key && code(key)) || t("unnamed");
};

/** @param {any} warning; @param {Moment} moment; @returns {any} one line with its end */
export const warningLine = (warning, moment) => {
  const state = phase(warning, moment);
  const end = both(warning.valid_end);
  return html`<li class="row">
    <span class="tag ${TONES[state]}">${warningName(warning)} · ${t(state)}</span>
    <span class="quiet">${end ? t("until", { end }) : t("endless")}</span>
  </li>`;
};

/** @param {any} given an airport of the warnings; @param {Moment} moment; @returns {any} */
export const warningList = (given, moment) => {
  const warnings = warningsOf(given);
  if (warnings.length === 0)
    return html`<p class="quiet">${t(moment.isCurrent ? "none" : "unknown")}</p>`;
  return html`<ul class="list">
    ${warnings.map((warning) => {
      const state = phase(warning, moment);
      const raw = textOf(warning.raw_message, 5000);
      const issued = both(warning.issued);
      return html`<li>
        <p class="row">
          <strong>${warningName(warning)}</strong>
          <span class="tag ${TONES[state]}">${t(state)}</span>
        </p>
        <p>${period(warning.valid_start, warning.valid_end) || t("endless")}</p>
        ${issued ? html`<p class="quiet">${t("issued", { at: issued })}</p>` : nothing}
        ${raw ? html`<pre class="raw">${raw}</pre>` : nothing}
      </li>`;
    })}
  </ul>`;
};
