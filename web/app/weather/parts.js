/** The parts of an observation or a forecast as text, "" where a part is not told. */

import { listOf, numberOf, objectOf, objectsOf, textOf } from "../values.js";
import { words } from "../words.js";
import { code, phenomenon } from "./codes.js";

const t = words({
  ko: {
    directions: "북 북동 동 남동 남 남서 서 북서",
    wind: "{from}풍 {degrees}°",
    variableWind: "풍향 변동",
    calm: "바람 없음",
    speed: "{speed}\u00a0kt",
    gust: "돌풍 {gust}\u00a0kt",
    swing: "{from}°–{to}° 사이에서 변함",
    cavok: "10\u00a0km 이상, 구름·특이 일기 없음 (CAVOK)",
    far: "10\u00a0km 이상",
    least: "최소 {distance}",
    noCloud: "특이 구름 없음",
    vertical: "수직시정 {feet}\u00a0ft",
    ceiling: "{feet}\u00a0ft",
    noCeiling: "없음",
    cloud: "{amount} {feet}",
    above: "{quantity} 초과",
    below: "{quantity} 미만",
    ends: "특이 일기 끝남",
    dewpoint: "이슬점 {celsius}\u00a0°C",
    head: "정풍 {speed}\u00a0kt",
    tail: "배풍 {speed}\u00a0kt",
    fromRight: "오른쪽 측풍 {speed}\u00a0kt",
    fromLeft: "왼쪽 측풍 {speed}\u00a0kt",
    noCross: "측풍 없음",
    crossGust: "측풍 돌풍 {speed}\u00a0kt",
  },
  en: {
    directions: "north north-east east south-east south south-west west north-west",
    wind: "from the {from}, {degrees}°",
    variableWind: "variable direction",
    calm: "calm",
    speed: "{speed}\u00a0kt",
    gust: "gusts {gust}\u00a0kt",
    swing: "varying {from}°–{to}°",
    cavok: "10\u00a0km or more, no cloud or weather of note (CAVOK)",
    far: "10\u00a0km or more",
    least: "least {distance}",
    noCloud: "no significant cloud",
    vertical: "vertical visibility {feet}\u00a0ft",
    ceiling: "{feet}\u00a0ft",
    noCeiling: "none",
    cloud: "{amount} {feet}",
    above: "more than {quantity}",
    below: "less than {quantity}",
    ends: "significant weather ends",
    dewpoint: "dew point {celsius}\u00a0°C",
    head: "head {speed}\u00a0kt",
    tail: "tail {speed}\u00a0kt",
    fromRight: "cross {speed}\u00a0kt from the right",
    fromLeft: "cross {speed}\u00a0kt from the left",
    noCross: "no crosswind",
    crossGust: "gusts across {speed}\u00a0kt",
  },
});

/** @param {any} given; @returns {string} direction, speed, gusts */
export const windText = (given) => {
  const wind = objectOf(given);
  const [direction, speed, gust] = [wind.direction, wind.speed, wind.gust].map(numberOf);
  if (direction === null && speed === null && wind.variable !== true) return "";
  if (speed === 0 && gust === null) return t("calm");
  const parts = [];
  if (wind.variable === true) parts.push(t("variableWind"));
  else if (direction !== null) {
    const from = t("directions").split(" ")[Math.round((((direction % 360) + 360) % 360) / 45) % 8];
    parts.push(t("wind", { from, degrees: String(direction).padStart(3, "0") }));
  }
  if (speed !== null) parts.push(bounded(t("speed", { speed }), wind.speed_operator));
  if (gust !== null) parts.push(t("gust", { gust }));
  const [from, to] = [numberOf(wind.variable_from), numberOf(wind.variable_to)];
  if (from !== null && to !== null) parts.push(t("swing", { from, to }));
  return parts.join(", ");
};

/**
 * Return the wind along and across a runway.
 *
 * @param {any} given a runway of a wind
 * @returns {string} "" where neither is known
 */
export const runwayWindText = (given) => {
  const runway = objectOf(given);
  const [along, across, gust] = [runway.headwind, runway.crosswind, runway.gust_crosswind].map(numberOf);
  const speed = (value) => ({ speed: Math.abs(value) });
  const parts = [];
  if (along !== null) parts.push(t(along < 0 ? "tail" : "head", speed(along)));
  if (across === 0) parts.push(t("noCross"));
  else if (across !== null) parts.push(t(across > 0 ? "fromRight" : "fromLeft", speed(across)));
  if (gust !== null) parts.push(t("crossGust", speed(gust)));
  return parts.join(", ");
};

/** @param {any} given; @returns {string} metres below 5 km, kilometres from there */
export const visibilityText = (given) => {
  const visibility = objectOf(given);
  if (visibility.cavok === true) return t("cavok");
  const [value, minimum] = [numberOf(visibility.value), numberOf(visibility.minimum)];
  if (value === null) return "";
  const far = value >= 9999 && visibility.operator !== "BELOW";
  const least = minimum === null ? "" : t("least", { distance: distance(minimum) });
  const whole = far ? t("far") : bounded(distance(value), visibility.operator);
  return [whole, least].filter(Boolean).join(", ");
};

/** @param {any} given an observation or a group; @returns {string} its weather */
export const weatherText = (given) => {
  const part = objectOf(given);
  const told = presentWeather(part.weather);
  return [told, part.nsw === true ? t("ends") : ""].filter(Boolean).join(", ");
};

/** @param {any} groups of weather; @returns {string} */
export const presentWeather = (groups) =>
  objectsOf(groups)
    .map((group) => {
      const parts = [group.intensity, group.descriptor, ...listOf(group.phenomena)];
      const said = parts.map((part) => phenomenon(textOf(part, 20))).filter(Boolean);
      const raw = textOf(group.raw, 20);
      return said.length ? `${said.join(" ")}${raw && ` (${raw})`}` : raw;
    })
    .filter(Boolean)
    .join(", ");

/** @param {any} given an observation or a group; @returns {string} its layers, lowest first */
export const cloudText = (given) => {
  const part = objectOf(given);
  const layers = objectsOf(part.clouds).map(layerText).filter(Boolean);
  const vertical = numberOf(part.vertical_visibility);
  if (vertical !== null) layers.push(t("vertical", { feet: thousands(vertical) }));
  if (layers.length === 0 && (part.nsc === true || part.ncd === true)) return t("noCloud");
  return layers.join(", ");
};

/**
 * Return the ceiling: the lowest broken or overcast layer, or the vertical visibility.
 *
 * @param {any} given an observation
 * @returns {string} "" where the clouds are not told
 */
export const ceilingText = (given) => {
  const part = objectOf(given);
  const vertical = numberOf(part.vertical_visibility);
  const covering = objectsOf(part.clouds).filter(({ amount }) => ["BKN", "OVC"].includes(amount));
  const bases = covering.map(({ base }) => numberOf(base));
  if (bases.includes(null)) return "";
  if (vertical !== null) bases.push(vertical);
  if (bases.length) return ceilingOf(Math.min(...bases));
  const missing = listOf(part.missing);
  if (missing.includes("clouds") || missing.includes("vertical_visibility")) return "";
  const clear = part.nsc === true || part.ncd === true || objectOf(part.visibility).cavok === true;
  return clear || objectsOf(part.clouds).length ? t("noCeiling") : "";
};

/** @param {number | null} feet; @returns {string} "" for null */
export const ceilingOf = (feet) =>
  feet === null ? "" : t("ceiling", { feet: thousands(feet) });

/** @param {any} given; @returns {string} air, and the dew point beside it */
export const temperatureText = (given) => {
  const [air, dewpoint] = [objectOf(given).air, objectOf(given).dewpoint].map(numberOf);
  const parts = air === null ? [] : [`${minus(air)}\u00a0°C`];
  if (dewpoint !== null) parts.push(t("dewpoint", { celsius: minus(dewpoint) }));
  return parts.join(", ");
};

/** @param {any} given; @returns {string} */
export const pressureText = (given) => {
  const value = numberOf(objectOf(given).value);
  return value === null ? "" : `${value}\u00a0${textOf(objectOf(given).unit, 10) || "hPa"}`;
};

/** @param {number} value; @returns {string} with the sign that is read as one */
export const minus = (value) => String(value).replace("-", "−");

/** @param {number} metres; @returns {string} */
export const distance = (metres) =>
  metres < 5000 ? `${thousands(metres)}\u00a0m` : `${Math.round(metres / 100) / 10}\u00a0km`;

/** @param {string} quantity; @param {any} operator `ABOVE`, `BELOW`; @returns {string} */
export const bounded = (quantity, operator) => {
  if (operator !== "ABOVE" && operator !== "BELOW") return quantity;
  return t(operator === "ABOVE" ? "above" : "below", { quantity });
};

const layerText = (layer) => {
  const base = numberOf(layer.base);
  const amount = textOf(layer.amount, 10);
  const told = t("cloud", {
    amount: amount && code(amount),
    feet: base === null ? "" : `${thousands(base)}\u00a0ft`,
  }).trim();
  const kind = textOf(layer.type, 10);
  return [told, kind && code(kind)].filter(Boolean).join(" ");
};

const thousands = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
