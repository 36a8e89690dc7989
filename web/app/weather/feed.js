/** The weather's three products, loaded together, and again while the page is looked at. */

import { now as clockNow } from "../clock.js";
import { listOf, objectOf } from "../values.js";
import { PRODUCTS, checkOf, isSilent, troublesOf } from "./known.js";

/** METAR may come every five minutes; an answer that nothing changed is a 304. */
const EVERY_MS = 60_000;

/**
 * @typedef {object} Weather
 * @property {Record<string, import("../data.js").Loaded>} loaded by product
 * @property {string[]} airports in the published order
 * @property {number} now ms, by the server's clock; never before the newest check
 * @property {Record<string, number | null>} checked the last check of each product, in ms
 * @property {string[]} silent products that were not checked of late
 * @property {(product: string, icao: string) => any} part an airport's part of a product
 * @property {(product: string, icao: string) => import("./known.js").Trouble[]} troubles why that
 *   part is not current; none where it is
 */

/**
 * Load all of it past the browser's copies: their `Date` would be no clock. The products' is
 * theirs alone, for in a local run their days are simulated.
 *
 * @param {any} context
 * @returns {Promise<Weather>} never rejects
 */
export const loadWeather = async (context) => {
  const [index, ...files] = await Promise.all([
    context.data.load("index.json", { fresh: true }),
    ...PRODUCTS.map((product) =>
      context.data.load(`${product}/latest.json`, { fresh: true, isClock: false }),
    ),
  ]);
  const byProduct = (values) =>
    Object.fromEntries(PRODUCTS.map((product, at) => [product, values[at]]));
  const loaded = byProduct(files);
  const entries = listOf(objectOf(index.body).weather).map(objectOf);
  const entry = byProduct(PRODUCTS.map((product) => entries.find(({ id }) => id === product)));
  const checked = byProduct(PRODUCTS.map((product) => checkOf(loaded[product], entry[product])));
  const served = files.map(({ servedAt }) => servedAt).filter(Number.isFinite);
  const now = Math.max(
    served.length ? Math.max(...served) : clockNow(),
    ...Object.values(checked).map((at) => at ?? 0),
  );
  const silent = PRODUCTS.filter((product) => isSilent(checked[product], entry[product], now));
  const bodies = byProduct(files.map(({ body }) => objectOf(objectOf(body).airports)));
  const part = (product, icao) => bodies[product][icao];
  return {
    loaded,
    now,
    checked,
    silent,
    airports: [...new Set(Object.values(bodies).flatMap(Object.keys))].filter((icao) =>
      /^[A-Z0-9]{4}$/.test(icao),
    ),
    part,
    troubles: (product, icao) =>
      troublesOf(product, {
        published: part(product, icao),
        failed: objectOf(objectOf(entry[product]).failed)[icao],
        isRead: loaded[product].body !== undefined,
        isSilent: silent.includes(product),
        checked: checked[product],
        now,
      }),
  };
};

/**
 * Ask again every minute while the page is visible.
 *
 * @param {() => Promise<void>} refresh
 * @returns {() => void} ends it
 */
export const whileVisible = (refresh) => {
  const timer = setInterval(() => void (document.hidden || refresh()), EVERY_MS);
  const seen = () => void (document.hidden || refresh());
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
};
