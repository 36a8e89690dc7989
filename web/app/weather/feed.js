/** The weather's three products, loaded together, and again while the page is looked at. */

import { listOf, objectOf } from "../values.js";
import { newest } from "./times.js";

const PRODUCTS = ["metar", "taf", "warning"];
/** METAR may come every five minutes; an answer that nothing changed is a 304. */
const EVERY_MS = 60_000;
/** A published period of a day more or less is a slow gateway, more is another clock. */
const APART_MS = 6 * 3_600_000;

/**
 * @typedef {object} Weather
 * @property {Record<string, import("../data.js").Loaded>} loaded by product
 * @property {string[]} airports in the published order
 * @property {number | null} now the newest instant that the data tell, in ms
 * @property {boolean} apart whether the device's clock is far from it
 * @property {(product: string, icao: string) => any} part an airport's part of a product
 * @property {(product: string, icao: string) => any} failed why and since when it does not answer
 */

/** @param {any} context; @param {boolean} fresh; @returns {Promise<Weather>} never rejects */
export const loadWeather = async (context, fresh = false) => {
  const [index, ...files] = await Promise.all([
    fresh ? context.data.load("index.json", { fresh }) : context.ready,
    ...PRODUCTS.map((product) => context.data.load(`${product}/latest.json`, { fresh })),
  ]);
  const loaded = Object.fromEntries(PRODUCTS.map((product, at) => [product, files[at]]));
  const bodies = files.map(({ body }) => objectOf(body));
  const now = newest(bodies, index.body);
  const named = bodies.flatMap(({ airports }) => Object.keys(objectOf(airports)));
  return {
    loaded,
    now,
    apart: now !== null && Math.abs(Date.now() - now) > APART_MS,
    airports: [...new Set(named)].filter((icao) => /^[A-Z0-9]{4}$/.test(icao)),
    part: (product, icao) => objectOf(objectOf(loaded[product].body).airports)[icao],
    failed: (product, icao) => {
      const entries = listOf(objectOf(index.body).weather);
      const source = entries.find((entry) => objectOf(entry).id === product);
      return objectOf(source?.failed)[icao];
    },
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
