/** Says how old what is shown is, against the newest instant that the data tell. */

import { html, nothing } from "../../vendor/lit-html.js";
import { instantOf } from "../values.js";
import { words } from "../words.js";
import { both, span } from "./times.js";

const t = words({
  ko: {
    checked: "{at}에 마지막으로 확인했습니다. 시각은 한국 시간, 괄호 안은 UTC(일/시:분)입니다.",
    apart: "이 기기의 시계와 많이 다릅니다. 갱신이 멈췄거나, 모의 자료이거나, 시계가 틀렸습니다.",
    observed: "{at} 관측",
    age: "확인보다 {age} 전",
  },
  en: {
    checked: "Last checked {at}. Times are Korean, in brackets UTC (day/hour:minute).",
    apart: "This device's clock is far from that: updates have stopped, the data are simulated, or the clock is wrong.",
    observed: "observed {at}",
    age: "{age} before the check",
  },
});

/** @param {import("./feed.js").Weather} weather; @returns {any} when it was last checked */
export const lastCheck = ({ now, apart }) => {
  if (now === null) return nothing;
  return html`<p class="quiet">${t("checked", { at: both(new Date(now).toISOString()) })}</p>
    ${apart ? html`<p class="lack">${t("apart")}</p>` : nothing}`;
};

/**
 * Return when an observation was made, and how long before the last check that was.
 *
 * @param {any} instant ISO 8601
 * @param {number | null} now the last check, in ms
 * @returns {string[]} none where it is not told
 */
export const observed = (instant, now) => {
  const at = instantOf(instant);
  if (at === null) return [];
  const told = [t("observed", { at: both(instant) })];
  return now !== null && now >= at ? [...told, t("age", { age: span(at, now) })] : told;
};
