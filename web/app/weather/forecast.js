/** A TAF as a timeline: what prevails, and the groups that change it, each with its hours. */

import { html, nothing, svg } from "../../vendor/lit-html.js";
import { instantOf, numberOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";
import { code } from "./codes.js";
import { isOver } from "./known.js";
import { flightTag } from "./marks.js";
import { facts, partsOf } from "./observation.js";
import { outlook } from "./outlook.js";
import { minus } from "./parts.js";
import { both, period } from "./times.js";

const t = words({
  ko: {
    base: "전체 기간",
    issued: "{at} 발표",
    valid: "유효 {period}",
    cancelled: "취소된 예보입니다.",
    temperature: "{kind} {celsius}\u00a0°C, {at}",
    current: "지금",
    unchanged: "달라지는 값을 알 수 없습니다.",
    from: "{at}부터",
    endsBefore: "{at}까지 바뀜",
  },
  en: {
    base: "whole period",
    issued: "issued {at}",
    valid: "valid {period}",
    cancelled: "This forecast is cancelled.",
    temperature: "{kind} {celsius}\u00a0°C, {at}",
    current: "now",
    unchanged: "The change is not stated.",
    from: "from {at}",
    endsBefore: "changed by {at}",
  },
});

/** More groups than any TAF has. */
const MOST = 40;
const WIDTH = 240;
const HOUR = 3_600_000;

/**
 * @param {any} taf an airport of the TAFs
 * @param {import("./warnings.js").Moment} moment
 * @param {{hour: number | null}} chosen the hour that is asked for
 * @param {() => void} draw
 * @returns {any} a template; of a forecast that is over its times alone
 */
export const timeline = (taf, moment, chosen, draw) => {
  const header = objectOf(taf.header);
  const frame = [instantOf(header.valid_start), instantOf(header.valid_end)];
  const valid = period(header.valid_start, header.valid_end);
  const issued = both(header.issued);
  const base = { ...objectOf(taf.base), start: header.valid_start, end: header.valid_end };
  const groups = [base, ...objectsOf(taf.changes).slice(0, MOST)];
  return html`
    <p class="quiet">
      ${issued && t("issued", { at: issued })} ${valid && `· ${t("valid", { period: valid })}`}
      ${header.report_status && header.report_status !== "NORMAL"
        ? html`<span class="tag warn">${code(textOf(header.report_status, 20))}</span>`
        : nothing}
    </p>
    ${header.cancelled === true ? html`<p class="lack">${t("cancelled")}</p>` : nothing}
    ${isOver(taf, moment.now)
      ? nothing
      : html`${extremes(header.temperatures)}
        ${moment.isCurrent && header.cancelled !== true
          ? outlook(taf, moment.now, chosen, draw)
          : nothing}
        ${taf.base || groups.length > 1
          ? html`<ol class="list whole timeline">
              ${groups.map((group, at) => groupRow(group, at === 0, frame, moment))}
            </ol>`
          : nothing}`}
  `;
};

const groupRow = (group, isBase, frame, { now, isCurrent }) => {
  const [start, end] = [instantOf(group.start), instantOf(group.end)];
  const holds = isCurrent && start !== null && end !== null && start <= now && now < end;
  const kind = isBase ? "BASE" : textOf(group.type, 20);
  const told = partsOf(group);
  return html`<li data-kind=${kind}>
    <p class="row">
      <strong>${isBase ? t("base") : code(kind)}</strong> ${flightTag(group.flight_category, isCurrent)}
      ${holds ? html`<span class="tag">${t("current")}</span>` : nothing}
    </p>
    <p class="quiet">${hours(group, kind)}</p>
    ${bar(start, end, frame, now, kind)}
    ${told.some(([, text]) => text) ? facts(told) : html`<p class="quiet">${t("unchanged")}</p>`}
  </li>`;
};

const hours = (group, kind) => {
  if (kind === "FM") return t("from", { at: both(group.start) });
  const whole = period(group.start, group.end);
  if (kind !== "BECMG" || !group.end) return whole;
  return `${whole} · ${t("endsBefore", { at: both(group.end) })}`;
};

const extremes = (given) => {
  const told = objectsOf(given)
    .slice(0, 4)
    .filter(({ value }) => numberOf(value) !== null)
    .map(({ type, value, time }) =>
      t("temperature", {
        kind: code(textOf(type, 10)),
        celsius: minus(numberOf(value)),
        at: both(time),
      }),
    );
  return told.length ? html`<p class="quiet">${told.join(" · ")}</p>` : nothing;
};

/** Draw the group's hours within the forecast's; the text above says the same. */
const bar = (start, end, [from, until], now, kind) => {
  if ([start, end, from, until].includes(null) || until <= from || end < start) return nothing;
  const x = (at) => (Math.min(1, Math.max(0, (at - from) / (until - from))) * WIDTH).toFixed(1);
  const step = Math.max(6, Math.ceil((until - from) / HOUR / 12 / 6) * 6) * HOUR;
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at < until; at += step) ticks.push(at);
  const seen = now >= from && now <= until;
  return html`<svg
    class="bar-of-hours"
    viewBox="0 0 ${WIDTH} 14"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="frame" x="0" y="4" width=${WIDTH} height="6" />
    <rect class="hours ${/^(TEMPO|PROB)/.test(kind) ? "maybe" : ""}" x=${x(start)} y="2"
      width=${Math.max(1, x(end) - x(start))} height="10" />
    ${ticks.map((at) => svg`<rect class="tick" x=${x(at)} y="0" width="0.6" height="14" />`)}
    ${seen ? svg`<rect class="now" x=${x(now)} y="0" width="1.6" height="14" />` : nothing}
  </svg>`;
};
