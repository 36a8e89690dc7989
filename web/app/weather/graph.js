/** The graph of an airport's day: what came, the TAF that held below it, and one report in words. */

import { html, nothing, svg } from "../../vendor/lit-html.js";
import { words } from "../words.js";
import { dayTable, reportFacts } from "./day_table.js";
import { HOUR } from "./day.js";
import { minus } from "./parts.js";
import { ROW, across, axis, band, grid, hoursOf, line, ticksOf } from "./plot.js";
import { both } from "./times.js";

const t = words({
  ko: {
    heading: "지난 24시간",
    lead: "한국 시간 아래는 UTC입니다. 보고가 없는 때는 비어 있습니다.",
    sky: "비행 조건",
    skyTold: "비행 조건. 위는 관측, 아래는 그때 유효하던 예보의 우세한 조건과 가장 나쁜 조건입니다.",
    seen: "관측",
    taf: "예보",
    worst: "최악",
    wind: "바람 (kt)",
    windKeys: "선은 풍속, 위의 막대는 돌풍, 화살표는 부는 쪽",
    visibility: "시정",
    visibilityKeys: "로그 눈금, 10 km까지",
    temperature: "기온과 이슬점 (°C)",
    temperatureKeys: "점선은 이슬점",
    pressure: "기압 (hPa)",
    range: "{name}: {least} – {greatest}, 마지막 {last}.",
    none: "{name}: 알 수 없음.",
    gusts: "돌풍 최대 {gust}\u00a0kt.",
    pick: "보고 고르기",
  },
  en: {
    heading: "The last 24 hours",
    lead: "Korean time above UTC. Hours without a report are empty.",
    sky: "Flight conditions",
    skyTold:
      "Flight conditions: as observed, and below it the prevailing and the worst of the forecast in force then.",
    seen: "Seen",
    taf: "TAF",
    worst: "Worst",
    wind: "Wind (kt)",
    windKeys: "line: speed, bars above it: gusts, arrows: where it blows to",
    visibility: "Visibility",
    visibilityKeys: "logarithmic, up to 10 km",
    temperature: "Temperature and dew point (°C)",
    temperatureKeys: "dashed: dew point",
    pressure: "Pressure (hPa)",
    range: "{name}: {least} to {greatest}, last {last}.",
    none: "{name}: not known.",
    gusts: "Gusts up to {gust}\u00a0kt.",
    pick: "Choose a report",
  },
});

/** Heights in px; the room above and below the values. */
const HEIGHT = 104;
const ROOM = 10;
/** Of the wind, above its values: its arrows. */
const ARROWS = 30;
const FAR = 10_000;
const NEAR = 100;
const METRES = [100, 300, 1000, 3000, 10_000];
/** Arrows are an hour apart; a phone has room for every second one. */
const BETWEEN_ARROWS = HOUR - 60_000;

/**
 * Return the graph, its texts and its table.
 *
 * @param {import("./day.js").Day} day
 * @param {{report: number | null}} chosen the time of the chosen report; null: the last one
 * @param {() => void} draw called when another one was chosen
 * @returns {any} a template
 */
export const dayGraph = (day, chosen, draw) => {
  const { from, until, reports } = day;
  const x = across(from, until);
  const hours = hoursOf(from, until);
  const found = reports.findIndex(({ at }) => at === chosen.report);
  const index = found < 0 ? reports.length - 1 : found;
  const report = reports[index];
  const choose = (next) => {
    if (reports[next].at === chosen.report) return;
    chosen.report = reports[next].at;
    draw();
  };
  /** The report nearest to where the plot was touched. */
  const point = (event) => {
    if (event.pointerType !== "mouse" && event.type === "pointermove") return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = from + ((event.clientX - left) / width) * (until - from);
    choose(nearest(reports, at));
  };
  const panel = ({ name, keys, told, style = "", body }) => html`<figure class="panel">
    <figcaption><strong>${name}</strong> <span class="quiet">${keys}</span></figcaption>
    <svg class="plot ${style}" role="img" aria-label=${told} @pointerdown=${point} @pointermove=${point}>
      ${grid(hours, x)} ${body}
      <line class="cursor" x1="${x(report.at)}%" x2="${x(report.at)}%" y1="0" y2="100%" />
    </svg>
  </figure>`;
  return html`<section data-part="day">
    <h2>${t("heading")}</h2>
    <p class="quiet">${t("lead")}</p>
    <div class="plots">
      ${[skies, wind, visibility, temperature, pressure].map((of) => panel(of(day, x)))}
      <svg class="plot axis" aria-hidden="true">${axis(hours, x)}</svg>
    </div>
    <label class="picker">
      <span class="quiet">${t("pick")}</span>
      <input type="range" min="0" max=${reports.length - 1} step="1" .value=${String(index)}
        aria-valuetext=${both(report.at)} @input=${(event) => choose(Number(event.target.value))} />
    </label>
    <div class="card picked">${reportFacts(report, day.held)}</div>
    ${dayTable(day)}
  </section>`;
};

const nearest = (reports, at) =>
  reports.reduce(
    (best, report, index) =>
      Math.abs(report.at - at) < Math.abs(reports[best].at - at) ? index : best,
    0,
  );

/** A report holds until the next one, and where that is missing no longer than its gap. */
const skies = ({ from, until, reports, gap, held }, x) => {
  const seen = reports.map(({ at, category }, index) => ({
    start: Math.max(from, at),
    end: Math.min(reports[index + 1]?.at ?? until, at + gap, until),
    category,
  }));
  const forecast = (which) => held.map((piece) => ({ ...piece, category: piece[which].category }));
  return {
    name: t("sky"),
    keys: "",
    told: t("skyTold"),
    style: "skies",
    body: svg`${band(t("seen"), joined(seen), x, 0)}
      ${band(t("taf"), joined(forecast("prevailing")), x, 1)}
      ${band(t("worst"), joined(forecast("worst")), x, 2)}`,
  };
};

/** Neighbours of one category are one span, which has room for its word. */
const joined = (spans) => {
  const whole = [];
  for (const span of spans) {
    const before = whole.at(-1);
    if (before?.category === span.category && before.end === span.start) before.end = span.end;
    else if (span.end > span.start) whole.push({ ...span });
  }
  return whole;
};

const wind = ({ reports, gap }, x) => {
  const speeds = reports.map((report) => report.wind.speed);
  const gusts = reports.map((report) => report.wind.gust).filter((gust) => gust !== null);
  const values = [0, ...speeds.filter((speed) => speed !== null), ...gusts];
  const ticks = ticksOf(values, [5, 10, 20, 50, 100]);
  const y = scale(ticks[0], ticks.at(-1), ARROWS);
  let last = -Infinity;
  const arrows = reports.filter(({ at, wind: { direction, speed } }) => {
    const isDrawn = direction !== null && speed && at - last >= BETWEEN_ARROWS;
    if (isDrawn) last = at;
    return isDrawn;
  });
  const gustsTold = gusts.length ? ` ${t("gusts", { gust: Math.max(...gusts) })}` : "";
  return {
    name: t("wind"),
    keys: t("windKeys"),
    told: range(t("wind"), speeds) + gustsTold,
    style: "wind",
    body: svg`${rules(ticks, y)}
      ${arrows.map(({ at, wind: { direction } }, index) => svg`<svg
        class="blows ${index % 2 ? "on-desk" : ""}" x="${x(at)}%" y="12">
        <path transform="rotate(${(direction + 180) % 360})" d="M0-8l4 6h-2.5v9h-3v-9H-4z" />
      </svg>`)}
      ${reports.map(({ at, wind: { speed, gust } }) =>
        gust === null
          ? nothing
          : svg`<line class="gust" x1="${x(at)}%" x2="${x(at)}%" y1=${y(speed ?? 0)} y2=${y(gust)} />
            <circle class="gust" cx="${x(at)}%" cy=${y(gust)} r="2.5" />`,
      )}
      ${line(points(reports, speeds, gap), x, y, "first")}`,
  };
};

const visibility = ({ reports, gap }, x) => {
  const metres = reports.map((report) => report.visibility);
  const clipped = metres.map((one) => one && Math.min(FAR, Math.max(NEAR, one)));
  const height = scale(Math.log10(NEAR), Math.log10(FAR));
  const y = (value) => height(Math.log10(Math.max(NEAR, value)));
  return {
    name: t("visibility"),
    keys: t("visibilityKeys"),
    told: range(t("visibility"), metres, length),
    body: svg`${rules(METRES, y, length)} ${line(points(reports, clipped, gap), x, y, "first")}`,
  };
};

const length = (metres) =>
  metres < 1000 ? `${metres}\u00a0m` : `${Math.min(FAR, Math.round(metres / 100) * 100) / 1000}\u00a0km`;

const temperature = ({ reports, gap }, x) => {
  const airs = reports.map((report) => report.temperature);
  const dewpoints = reports.map((report) => report.dewpoint);
  const values = [...airs, ...dewpoints].filter((value) => value !== null);
  const ticks = ticksOf(values.length ? values : [0], [2, 5, 10, 20, 50]);
  const y = scale(ticks[0], ticks.at(-1));
  return {
    name: t("temperature"),
    keys: t("temperatureKeys"),
    told: range(t("temperature"), airs, minus),
    body: svg`${rules(ticks, y, minus)}
      ${line(points(reports, dewpoints, gap), x, y, "second")}
      ${line(points(reports, airs, gap), x, y, "first")}`,
  };
};

const pressure = ({ reports, gap }, x) => {
  const values = reports.map((report) => report.qnh);
  const known = values.filter((value) => value !== null);
  const ticks = ticksOf(known.length ? known : [1013], [2, 5, 10, 20, 50, 100]);
  const y = scale(ticks[0], ticks.at(-1));
  return {
    name: t("pressure"),
    keys: "",
    told: range(t("pressure"), values),
    body: svg`${rules(ticks, y)} ${line(points(reports, values, gap), x, y, "first")}`,
  };
};

const points = (reports, values, gap) =>
  reports.map(({ at }, index) => ({
    at,
    value: values[index],
    isJoined: index > 0 && at - reports[index - 1].at <= gap,
  }));

/** Return a function from a value to its height in px. */
const scale = (low, high, above = ROOM) => (value) =>
  Math.round((HEIGHT - ROOM - ((value - low) / (high - low)) * (HEIGHT - ROOM - above)) * 10) / 10;

const rules = (ticks, y, say = String) =>
  ticks.map((tick) => svg`<line class="rule-of-value" x1="0" x2="100%" y1=${y(tick)} y2=${y(tick)} />
    <text class="end" x="-8" y=${y(tick) + 4}>${say(tick)}</text>`);

const range = (name, values, say = String) => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return t("none", { name });
  const [least, greatest] = [Math.min(...known), Math.max(...known)].map((value) => say(value));
  return t("range", { name, least, greatest, last: say(known.at(-1)) });
};
