/** One airport: its observation decoded, its forecast as a timeline, its warnings. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { objectOf, textOf } from "../values.js";
import { code } from "../weather/codes.js";
import { loadDay } from "../weather/day.js";
import { loadWeather, whileVisible } from "../weather/feed.js";
import { lastCheck, marks, observed } from "../weather/freshness.js";
import { timeline } from "../weather/forecast.js";
import { dayGraph } from "../weather/graph.js";
import { airportName, favouritesOf, star } from "../weather/marks.js";
import { decoded, rawText } from "../weather/observation.js";
import { warningList } from "../weather/warnings.js";
import { words } from "../words.js";

const t = words({
  ko: {
    back: "모든 공항",
    metar: "관측",
    taf: "예보",
    warning: "공항 경보",
    automated: "자동 관측",
    nil: "이 공항의 보고가 없습니다.",
    rawOnly: "해석하지 못한 보고입니다. 원문만 보여 드립니다.",
    unknown: "이 공항의 자료가 없습니다.",
    renewed: "새 기상 자료를 받았습니다.",
  },
  en: {
    back: "All airports",
    metar: "Observation",
    taf: "Forecast",
    warning: "Warnings",
    automated: "automatic",
    nil: "There is no report for this airport.",
    rawOnly: "This report could not be decoded: only its text is shown.",
    unknown: "There are no data for this airport.",
    renewed: "New weather has come.",
  },
});

/** @param {Record<string, string>} params; @returns {string} */
export const title = ({ airport }) => airportName(airport, "");

/** Show one airport, and ask again while it is looked at. */
export const show = async (root, { airport }, context) => {
  render(waiting(title({ airport })), root);
  // What the reader chose outlasts what comes each minute.
  const chosen = { report: null, hour: null };
  let [weather, day] = [await loadWeather(context), undefined];
  const draw = () => render(page(airport, weather, context, { chosen, day, draw }), root);
  draw();
  const readDay = async () => {
    day = (await loadDay(context, airport))(weather.now, forecastsKnown(weather, airport));
    draw();
  };
  await readDay();
  return whileVisible(async () => {
    weather = await loadWeather(context);
    draw();
    await readDay();
    if (Object.values(weather.loaded).some(({ changed }) => changed)) context.say(t("renewed"));
  });
};

/** Return until when every forecast is known: a newer one may have come since a call failed. */
const forecastsKnown = (weather, icao) => {
  const unasked = weather.troubles("taf", icao).filter(({ kind }) => /^(stale|silent)$/.test(kind));
  return Math.min(weather.now, ...unasked.map(({ since }) => since ?? 0));
};

const page = (icao, weather, context, { chosen, day, draw }) => {
  const parts = ["metar", "taf", "warning"].map((product) => objectOf(weather.part(product, icao)));
  const [metar, taf, warning] = parts;
  const header = objectOf(metar.header);
  const name = airportName(icao, header.airport_name ?? warning.airport_name);
  const told = weather.airports.includes(icao);
  if (!told && !favouritesOf(context).includes(icao)) return unknown(icao, weather);
  return html`
    <p><a href="#/weather">← ${t("back")}</a></p>
    <div class="row">
      <h1 class="grow">${name} <small>${icao}</small></h1>
      ${star(icao, name, context, draw)}
    </div>
    <p class="quiet">${textOf(header.airport_name, 80)}</p>
    ${lastCheck(weather)}
    ${told ? nothing : html`<p class="empty">${t("unknown")}</p>`}
    ${section("warning", weather, icao, (moment) => warningList(warning, moment))}
    ${section(
      "metar",
      weather,
      icao,
      ({ now, isCurrent }) => html`${when(header, now)} ${decoded(metar, isCurrent)}`,
    )}
    ${day ? dayGraph(day, chosen, draw) : nothing}
    ${section("taf", weather, icao, (moment) => timeline(taf, moment, chosen, draw))}
  `;
};

/** An airport that no product has: nothing of it can be followed or shown. */
const unknown = (icao, weather) => html`
  <p><a href="#/weather">← ${t("back")}</a></p>
  <h1>${icao}</h1>
  ${Object.values(weather.loaded).map(availability)}
  <p class="empty">${t("unknown")}</p>
`;

/** A product's section: what is not there is told, never left out. */
const section = (product, weather, icao, body) => {
  const part = objectOf(weather.part(product, icao));
  const header = objectOf(part.header);
  const inside = () => {
    // Its mark says why.
    if (weather.part(product, icao) === undefined) return nothing;
    if (header.nil === true) return html`<p class="quiet">${t("nil")}</p>`;
    if (header.translation_failed === true) return html`<p class="lack">${t("rawOnly")}</p>`;
    const isCurrent = weather.troubles(product, icao).length === 0;
    return body({ now: weather.now, isCurrent });
  };
  return html`<section data-product=${product}>
    <h2>${t(product)}</h2>
    ${availability(weather.loaded[product])} ${marks(weather, icao, [product])} ${inside()}
    ${rawText(part)}
  </section>`;
};

const when = (header, now) => {
  const [type, status] = [header.report_type, header.report_status].map((told) => textOf(told, 20));
  const told = [
    ...observed(header.observation_time, now),
    type && code(type),
    status && status !== "NORMAL" && code(status),
    header.automated === true && t("automated"),
  ];
  return html`<p class="quiet">${told.filter(Boolean).join(" · ")}</p>`;
};
