/** A TAF by its hours: what prevails and the worst in each piece, and what holds at an hour. */

import { html, nothing } from "../../vendor/lit-html.js";
import { instantOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";
import { code } from "./codes.js";
import { HOUR, piecesOf } from "./day.js";
import { flightTag } from "./marks.js";
import { facts, partsOf } from "./observation.js";
import { ROW, across, axis, band, grid, hoursOf } from "./plot.js";
import { both, dayHour, period } from "./times.js";

const t = words({
  ko: {
    heading: "시간별 조건",
    base: "전체 기간",
    prevailing: "우세",
    prevailingRow: "우세",
    worstRow: "최악",
    worst: "최악",
    holds: "이때의 조건",
    now: "지금",
    noPiece: "이때의 조건을 알 수 없습니다.",
    later: "아래의 것이 위의 것을 바꿉니다.",
    same: "일시적인 변화가 없습니다.",
    pieces: "구간과 그 근거",
    period: "기간",
    unchanged: "달라지는 값을 알 수 없습니다.",
  },
  en: {
    heading: "Hour by hour",
    base: "whole period",
    prevailing: "Prevailing",
    prevailingRow: "Main",
    worstRow: "Worst",
    worst: "Worst",
    holds: "What holds at",
    now: "now",
    noPiece: "What holds then is not known.",
    later: "A later group changes what stands above it.",
    same: "No temporary change is forecast.",
    pieces: "The pieces, and the groups they come from",
    period: "Period",
    unchanged: "The change is not stated.",
  },
});

/** More hours than any TAF has. */
const MOST_HOURS = 48;

/**
 * @param {any} taf an airport of the TAFs
 * @param {number} now ms
 * @param {{hour: number | null}} chosen null: now
 * @param {() => void} draw called when another hour was chosen
 * @returns {any} a template; nothing for a TAF without a timeline
 */
export const outlook = (taf, now, chosen, draw) => {
  const groups = [objectOf(taf.base), ...objectsOf(taf.changes)];
  const pieces = piecesOf(taf.timeline, groups.length);
  if (pieces.length === 0) return nothing;
  const [from, until] = [pieces[0].start, pieces.at(-1).end];
  const hours = [];
  for (let at = from; at < until && hours.length < MOST_HOURS; at += HOUR) hours.push(at);
  const isNow = from <= now && now < until;
  const hour = hours.includes(chosen.hour) ? chosen.hour : isNow ? null : from;
  const at = hour ?? now;
  const piece = pieces.find(({ start, end }) => start <= at && at < end);
  const choose = (event) => {
    chosen.hour = Number(event.target.value) || null;
    draw();
  };
  return html`<h3>${t("heading")}</h3>
    ${strip(pieces, at)}
    <p class="row">
      <label for="hour">${t("holds")}</label>
      <select id="hour" @change=${choose}>
        ${isNow
          ? html`<option value="0" .selected=${hour === null}>${t("now")} · ${both(now)}</option>`
          : nothing}
        ${hours.map(
          (one) => html`<option value=${one} .selected=${hour === one}>${both(one)}</option>`,
        )}
      </select>
    </p>
    <div class="card holds" aria-live="polite">
      ${piece ? conditions(piece, groups) : html`<p class="quiet">${t("noPiece")}</p>`}
    </div>
    ${table(pieces, groups)}`;
};

/** The table below says the same. */
const strip = (pieces, chosen) => {
  const [from, until] = [pieces[0].start, pieces.at(-1).end];
  const x = across(from, until);
  const hours = hoursOf(from, until);
  const row = (which, at) => {
    const spans = pieces.map((piece) => ({ ...piece, category: piece[which].category }));
    return band(t(`${which}Row`), spans, x, at);
  };
  return html`<div class="plots" aria-hidden="true">
    <svg class="plot strip">
      ${grid(hours, x)} ${row("prevailing", 0)} ${row("worst", 1)}
      <line class="cursor" x1="${x(chosen)}%" x2="${x(chosen)}%" y1="0" y2=${2 * ROW} />
    </svg>
    <svg class="plot axis">${axis(hours, x)}</svg>
  </div>`;
};

const conditions = ({ prevailing, worst }, groups) => {
  const others = worst.groups.filter((at) => !prevailing.groups.includes(at));
  return html`<p class="row"><strong>${t("prevailing")}</strong> ${flightTag(prevailing.category)}</p>
    ${prevailing.groups.length > 1 ? html`<p class="quiet">${t("later")}</p>` : nothing}
    ${prevailing.groups.map((at) => condition(groups, at))}
    <p class="row"><strong>${t("worst")}</strong> ${flightTag(worst.category)}</p>
    ${others.length
      ? others.map((at) => condition(groups, at))
      : html`<p class="quiet">${t("same")}</p>`}`;
};

const condition = (groups, at) => {
  const told = partsOf(groups[at]);
  return html`<div class="condition">
    <p>${nameOf(groups, at)}</p>
    ${told.some(([, text]) => text) ? facts(told) : html`<p class="quiet">${t("unchanged")}</p>`}
  </div>`;
};

const table = (pieces, groups) => {
  const cell = ({ category, groups: from }) => html`<td>
    ${flightTag(category)}
    <p class="quiet">${from.map((at) => nameOf(groups, at)).join(" · ")}</p>
  </td>`;
  return html`<details class="opens">
    <summary>${t("pieces")}</summary>
    <table class="pieces">
      <thead>
        <tr>
          ${["period", "prevailing", "worst"].map((key) => html`<th scope="col">${t(key)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${pieces.map(
          ({ start, end, prevailing, worst }) => html`<tr>
            <th scope="row">${period(start, end)}</th>
            ${cell(prevailing)} ${cell(worst)}
          </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
};

/** Name a group as its TAF does: several may be of one kind. */
const nameOf = (groups, at) => {
  if (at === 0) return t("base");
  const { type, start, end } = groups[at];
  const kind = textOf(type, 20).replaceAll("_", " ") || code("UNKNOWN");
  const [from, until] = [instantOf(start), instantOf(end)];
  if (kind === "FM" && from !== null) return `FM${dayHour(from, { hasMinutes: true })}`;
  if (from === null || until === null) return kind;
  return `${kind} ${dayHour(from)}/${dayHour(until, { isEnd: true })}`;
};
