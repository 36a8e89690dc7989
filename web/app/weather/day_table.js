/** The reports of a day in words: one of them, and all of them as a table. */

import { html, nothing } from "../../vendor/lit-html.js";
import { words } from "../words.js";
import { code } from "./codes.js";
import { facts } from "./observation.js";
import { ceilingOf, pressureText, temperatureText, visibilityText, windText } from "./parts.js";
import { both } from "./times.js";

const t = words({
  ko: {
    table: "지난 24시간의 표",
    time: "시각",
    sky: "비행 조건",
    wind: "바람",
    visibility: "시정",
    ceiling: "운고",
    weather: "일기",
    temperature: "기온",
    pressure: "QNH",
    forecast: "그때의 예보",
    worst: "최악 {category}",
    unknown: "모름",
  },
  en: {
    table: "The last 24 hours as a table",
    time: "Time",
    sky: "Conditions",
    wind: "Wind",
    visibility: "Visibility",
    ceiling: "Ceiling",
    weather: "Weather",
    temperature: "Temperature",
    pressure: "QNH",
    forecast: "Forecast then",
    worst: "worst {category}",
    unknown: "unknown",
  },
});

/**
 * @param {import("./day.js").Report} report
 * @param {import("./day.js").Piece[]} held the forecasts that held
 * @returns {any} a template: its time, its category, its values in words; without a colour, for it
 *   may be over
 */
export const reportFacts = (report, held) => {
  const cells = cellsOf(report);
  return html`<p class="row">
      <strong>${both(report.at)}</strong>
      ${report.type ? html`<span class="quiet">${code(report.type)}</span>` : nothing}
      <span class="tag">${report.category || t("unknown")}</span>
    </p>
    ${facts([...cells, ["forecast", forecastAt(held, report.at)]].map(([key, text]) => [t(key), text]))}`;
};

/** @param {import("./day.js").Day} day; @returns {any} a template: the newest report first */
export const dayTable = ({ reports, held }) => {
  const columns = ["time", "sky", ...cellsOf(reports[0]).map(([key]) => key), "forecast"];
  return html`<details class="opens">
    <summary>${t("table")}</summary>
    <div class="wide-table" tabindex="0" role="region" aria-label=${t("table")}>
      <table>
        <thead>
          <tr>${columns.map((key) => html`<th scope="col">${t(key)}</th>`)}</tr>
        </thead>
        <tbody>
          ${[...reports].reverse().map(
            (report) => html`<tr>
              <th scope="row">${both(report.at)}</th>
              <td>${report.category || t("unknown")}</td>
              ${cellsOf(report).map(([, text]) => html`<td>${text}</td>`)}
              <td>${forecastAt(held, report.at)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
};

const cellsOf = (report) => [
  ["wind", windText(report.wind)],
  ["visibility", visibilityText({ value: report.visibility })],
  ["ceiling", ceilingOf(report.ceiling)],
  ["weather", report.weather.join(" ")],
  ["temperature", temperatureText({ air: report.temperature, dewpoint: report.dewpoint })],
  ["pressure", pressureText({ value: report.qnh })],
];

const forecastAt = (held, at) => {
  const piece = held.find(({ start, end }) => start <= at && at < end) ?? held.find((one) => one.end === at);
  if (!piece) return "";
  const [prevailing, worst] = [piece.prevailing, piece.worst].map(({ category }) => category);
  const told = prevailing || t("unknown");
  return prevailing === worst ? told : `${told}, ${t("worst", { category: worst || t("unknown") })}`;
};
