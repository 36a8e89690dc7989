/** A METAR decoded: every part that it tells, what it lacks, its trend, its text as it came. */

import { html, nothing } from "../../vendor/lit-html.js";
import { listOf, numberOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";
import { code, gap } from "./codes.js";
import { flightTag, flightWords, windArrow } from "./marks.js";
import {
  bounded,
  ceilingText,
  cloudText,
  distance,
  minus,
  presentWeather,
  pressureText,
  runwayWindText,
  temperatureText,
  visibilityText,
  weatherText,
  windText,
} from "./parts.js";
import { period } from "./times.js";

const t = words({
  ko: {
    wind: "바람",
    visibility: "시정",
    rvr: "활주로 가시거리",
    weather: "일기",
    recent: "지난 일기",
    clouds: "구름",
    ceiling: "운고",
    temperature: "기온",
    pressure: "QNH",
    shear: "급변풍",
    shearAll: "모든 활주로",
    surface: "활주로 상태",
    sea: "해면",
    seaAir: "수온 {celsius}\u00a0°C",
    seaWave: "파고 {metres}\u00a0m",
    runways: "모든 활주로",
    runway: "활주로 {name}",
    closed: "눈으로 폐쇄",
    cleared: "제설됨",
    covered: "{extent}% 이하 덮임",
    depth: "{depth} mm",
    missing: "보고에 없는 것: {parts}",
    trend: "앞으로 2시간",
    raw: "원문",
    derived: "원문 (필드에서 만든 것)",
  },
  en: {
    wind: "Wind",
    visibility: "Visibility",
    rvr: "Runway visual range",
    weather: "Weather",
    recent: "Recent weather",
    clouds: "Clouds",
    ceiling: "Ceiling",
    temperature: "Temperature",
    pressure: "QNH",
    shear: "Wind shear",
    shearAll: "all runways",
    surface: "Runway state",
    sea: "Sea",
    seaAir: "water {celsius}\u00a0°C",
    seaWave: "waves {metres}\u00a0m",
    runways: "all runways",
    runway: "Runway {name}",
    closed: "closed by snow",
    cleared: "cleared",
    covered: "up to {extent}% covered",
    depth: "{depth} mm",
    missing: "Not in the report: {parts}",
    trend: "The next two hours",
    raw: "As reported",
    derived: "As reported (composed of the fields)",
  },
});

/** No report names more runways or gaps; a hostile list costs no time. */
const MOST = 30;

/** @param {any} metar a published airport of the METARs; @param {boolean} isCurrent; @returns {any} */
export const decoded = (metar, isCurrent) => {
  const seen = objectOf(metar.observation);
  const missing = listOf(seen.missing)
    .slice(0, MOST)
    .map((part) => gap(textOf(part, 40)))
    .filter(Boolean)
    .join(", ");
  return html`
    <p class="row">
      ${flightTag(metar.flight_category, isCurrent)}
      ${isCurrent ? html`<span>${flightWords(metar.flight_category)}</span>` : nothing}
    </p>
    ${facts(observed(seen), "wide")}
    ${missing ? html`<p class="lack">${t("missing", { parts: missing })}</p>` : nothing}
    ${trend(metar.trend)}
  `;
};

/** @param {any} report; @returns {any} its text in monospace, and whether it was composed here */
export const rawText = (report) => {
  const raw = textOf(report.raw, 10_000);
  if (!raw) return nothing;
  return html`<h3>${t(report.raw_derived === true ? "derived" : "raw")}</h3>
    <pre class="raw card">${raw}</pre>`;
};

/**
 * Return terms with their texts; empty ones are left out.
 *
 * @param {[string, string, any?][]} told term, text, mark before the text
 * @param {string} style of the list
 * @returns {any} a template
 */
export const facts = (told, style = "") =>
  html`<dl class="facts ${style}">
    ${told
      .filter(([, text]) => text)
      .map(
        ([term, text, mark = nothing]) =>
          html`<div><dt>${term}</dt><dd>${mark}${text}</dd></div>`,
      )}
  </dl>`;

/** @param {any} part an observation, a trend or a group; @returns {[string, string, any?][]} */
export const partsOf = (part) => [
  [t("wind"), windText(part.wind), windArrow(part.wind)],
  [t("visibility"), visibilityText(part.visibility)],
  [t("weather"), weatherText(part)],
  [t("clouds"), cloudText(part)],
];

const observed = (seen) => {
  const [wind, visibility, weather, clouds] = partsOf(seen);
  return [
    wind,
    ...runwayWinds(objectOf(seen.wind).runways),
    visibility,
    [t("rvr"), each(seen.rvr, runwayRange)],
    weather,
    [t("recent"), presentWeather(listOf(seen.recent_weather).slice(0, MOST))],
    clouds,
    [t("ceiling"), ceilingText(seen)],
    [t("temperature"), temperatureText(seen.temperature)],
    [t("pressure"), pressureText(seen.qnh)],
    [t("shear"), shear(objectOf(seen.wind_shear))],
    [t("surface"), each(seen.runway_state, runwayState)],
    [t("sea"), sea(objectOf(seen.sea))],
  ];
};

/** Return a term of each runway, with the wind along and across it. */
const runwayWinds = (list) =>
  objectsOf(list)
    .slice(0, MOST)
    .map((one) => [t("runway", { name: textOf(one.runway, 10) }), runwayWindText(one)]);

const each = (list, say) => objectsOf(list).slice(0, MOST).map(say).filter(Boolean).join("; ");

const runwayRange = (range) => {
  const mean = numberOf(range.mean);
  if (mean === null) return "";
  const tendency = textOf(range.tendency, 20);
  const told = [textOf(range.runway, 10), bounded(distance(mean), range.operator)].join(" ");
  return tendency ? `${told} (${code(tendency)})` : told;
};

const shear = (told) => {
  if (told.all_runways === true) return t("shearAll");
  return listOf(told.runways).slice(0, MOST).map((runway) => textOf(runway, 10)).join(", ");
};

const runwayState = (state) => {
  const [extent, depth, friction] = [state.extent, state.depth, state.friction].map(numberOf);
  return [
    textOf(state.runway, 10) || t("runways"),
    state.snow_closed === true ? t("closed") : "",
    state.cleared === true ? t("cleared") : "",
    textOf(state.deposit, 40),
    extent === null ? "" : t("covered", { extent }),
    depth === null ? "" : t("depth", { depth }),
    friction === null ? "" : `µ ${friction}`,
    textOf(state.braking, 40),
  ]
    .filter(Boolean)
    .join(" ");
};

const sea = (told) => {
  const [celsius, metres] = [told.temperature, told.wave_height].map(numberOf);
  return [
    celsius === null ? "" : t("seaAir", { celsius: minus(celsius) }),
    metres === null ? "" : t("seaWave", { metres }),
  ]
    .filter(Boolean)
    .join(", ");
};

const trend = (given) => {
  const groups = objectsOf(given).slice(0, MOST);
  if (groups.length === 0) return nothing;
  return html`<h3>${t("trend")}</h3>
    <ul class="list">
      ${groups.map(
        (group) => html`<li>
          <strong>${code(textOf(group.type, 20))}</strong>
          <span class="quiet">${period(group.start, group.end)}</span>
          ${facts(partsOf(group))}
        </li>`,
      )}
    </ul>`;
};
