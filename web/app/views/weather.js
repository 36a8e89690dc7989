/** The weather of all airports, a card each: what a pilot looks at first. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { availability, waiting } from "../availability.js";
import { link } from "../link.js";
import { objectOf, textOf } from "../values.js";
import { loadWeather, whileVisible } from "../weather/feed.js";
import { lastCheck, marks, observed, silence } from "../weather/freshness.js";
import { PRODUCTS } from "../weather/known.js";
import { airportName, favouritesOf, flightTag, star, windArrow } from "../weather/marks.js";
import {
  ceilingText,
  pressureText,
  temperatureText,
  visibilityText,
  weatherText,
  windText,
} from "../weather/parts.js";
import { phase, warningLine, warningsOf } from "../weather/warnings.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "항공기상",
    caution: "참고용입니다. 비행에는 공식 기상정보를 쓰세요.",
    again: "새로 고침",
    renewed: "새 기상 자료를 받았습니다.",
    warned: "경보 발효 중인 공항 {count}곳",
    calm: "발효 중인 경보 없음",
    metarUnknown: "관측이 최신이 아닌 공항 {count}곳",
    tafUnknown: "예보가 최신이 아닌 공항 {count}곳",
    warningUnknown: "경보를 알 수 없는 공항 {count}곳",
    wind: "바람",
    visibility: "시정",
    weather: "일기",
    ceiling: "운고",
    temperature: "기온",
    pressure: "QNH",
    unknown: "알 수 없음",
    noReport: "관측 보고가 없습니다.",
    rawOnly: "해석하지 못한 보고입니다.",
    empty: "공항 자료가 없습니다.",
    metar: "관측",
    taf: "예보",
    warning: "경보",
  },
  en: {
    title: "Weather",
    caution: "For information only. Fly by official weather.",
    again: "Refresh",
    renewed: "New weather has come.",
    warned: "Airports with a warning in force: {count}",
    calm: "No warning in force",
    metarUnknown: "Airports without a current observation: {count}",
    tafUnknown: "Airports without a current forecast: {count}",
    warningUnknown: "Airports whose warnings are not known: {count}",
    wind: "Wind",
    visibility: "Visibility",
    weather: "Weather",
    ceiling: "Ceiling",
    temperature: "Temperature",
    pressure: "QNH",
    unknown: "unknown",
    noReport: "There is no report.",
    rawOnly: "This report could not be decoded.",
    empty: "There is no airport.",
    metar: "Observations",
    taf: "Forecasts",
    warning: "Warnings",
  },
});

/** @returns {string} */
export const title = () => t("title");

/** Show a card an airport, favourites first, and ask again while it is looked at. */
export const show = async (root, _, context) => {
  render(waiting(t("title")), root);
  let weather = await loadWeather(context);
  const draw = () => render(page(weather, context, draw, refresh), root);
  const refresh = async () => {
    weather = await loadWeather(context);
    draw();
    if (Object.values(weather.loaded).some(({ changed }) => changed)) context.say(t("renewed"));
  };
  draw();
  return whileVisible(refresh);
};

const page = (weather, context, draw, refresh) => {
  const favourites = favouritesOf(context);
  const airports = [
    ...weather.airports.filter((icao) => favourites.includes(icao)),
    ...weather.airports.filter((icao) => !favourites.includes(icao)),
  ];
  return html`
    <div class="row">
      <h1 class="grow">${t("title")}</h1>
      <button @click=${refresh}>${t("again")}</button>
    </div>
    ${lastCheck(weather)} ${silence(weather)}
    ${PRODUCTS.map((name) => availability(weather.loaded[name], t(name)))}
    ${airports.length ? summary(weather) : html`<p class="empty">${t("empty")}</p>`}
    <ul class="grid airports">
      ${airports.map((icao) => card(icao, weather, context, draw))}
    </ul>
    <p class="quiet">${t("caution")}</p>
  `;
};

const CATEGORIES = ["LIFR", "IFR", "MVFR", "VFR"];

/** Counts what is known now, and the airports of which something is not. */
const summary = (weather) => {
  const { airports } = weather;
  const isCurrent = (product) => (icao) => weather.troubles(product, icao).length === 0;
  const reports = airports
    .filter(isCurrent("metar"))
    .map((icao) => objectOf(weather.part("metar", icao)));
  const moment = { now: weather.now, isCurrent: true };
  const known = airports.filter(isCurrent("warning"));
  const warned = known.filter((icao) =>
    warningsOf(weather.part("warning", icao)).some((one) => phase(one, moment) === "during"),
  );
  return html`<p class="row">
    ${CATEGORIES.map((category) => {
      const count = reports.filter((report) => report.flight_category === category).length;
      return count ? html`<span class="row tight">${flightTag(category)} ${count}</span>` : nothing;
    })}
    ${warned.length
      ? html`<span class="tag bad">${t("warned", { count: warned.length })}</span>`
      : nothing}
    ${warned.length === 0 && known.length === airports.length
      ? html`<span class="quiet">${t("calm")}</span>`
      : nothing}
    ${PRODUCTS.map((product) => {
      const count = airports.length - airports.filter(isCurrent(product)).length;
      return count
        ? html`<span class="tag warn" data-unknown=${product}
            >${t(`${product}Unknown`, { count })}</span
          >`
        : nothing;
    })}
  </p>`;
};

const card = (icao, weather, context, draw) => {
  const metar = objectOf(weather.part("metar", icao));
  const header = objectOf(metar.header);
  const warning = weather.part("warning", icao);
  const name = airportName(icao, header.airport_name ?? objectOf(warning).airport_name);
  const isCurrent = (product) => weather.troubles(product, icao).length === 0;
  const moment = { now: weather.now, isCurrent: isCurrent("warning") };
  return html`<li class="card airport" data-airport=${icao}>
    <div class="row">
      <h2 class="grow"><a href=${link("weather", icao)}>${name} <small>${icao}</small></a></h2>
      <span class="row tight">
        ${flightTag(metar.flight_category, isCurrent("metar"))} ${star(icao, name, context, draw)}
      </span>
    </div>
    ${marks(weather, icao)} ${observation(metar, header)}
    <p class="quiet">${observed(header.observation_time, weather.now).join(" · ")}</p>
    <ul class="warnings">
      ${warningsOf(warning).map((one) => warningLine(one, moment))}
    </ul>
  </li>`;
};

const observation = (metar, header) => {
  const raw = textOf(metar.raw, 2000);
  if (header.translation_failed === true)
    return html`<p>${t("rawOnly")}</p><pre class="raw">${raw}</pre>`;
  if (header.nil === true || metar.observation === undefined)
    return html`<p class="quiet">${t("noReport")}</p>`;
  const seen = objectOf(metar.observation);
  const weather = weatherText(seen);
  const told = [
    [t("wind"), windText(seen.wind), windArrow(seen.wind)],
    [t("visibility"), visibilityText(seen.visibility)],
    ...(weather ? [[t("weather"), weather]] : []),
    [t("ceiling"), ceilingText(seen)],
    [t("temperature"), temperatureText(seen.temperature)],
    [t("pressure"), pressureText(seen.qnh)],
  ];
  return html`<dl class="facts">
    ${told.map(
      ([term, text, mark = nothing]) =>
        html`<div><dt>${term}</dt><dd>${mark}${text || html`<em>${t("unknown")}</em>`}</dd></div>`,
    )}
  </dl>`;
};

