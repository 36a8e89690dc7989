/** The view that tells more of a message. */

import { link } from "../link.js";

const PRODUCTS = ["metar", "taf", "warning"];
const AIRPORT = /^[A-Z0-9]{4}$/;

/**
 * Return the client's own route for a message: it has the link to the board, and works offline.
 *
 * @param {Record<string, string>} data of a push, not to be trusted
 * @param {string} [list] of the index that its source is in
 * @returns {string} `#/…`
 */
export const routeOf = (data, list) => {
  const { dept, id, kind } = data;
  if (typeof dept !== "string" || !dept) return "#/";
  const isRecord = typeof id === "string" && id !== "" && kind !== "digest";
  if (list === "weather" || PRODUCTS.includes(dept)) return weather(id);
  if (list === "watches") return link("lists");
  if (list === "registries" || typeof data.fileNo === "string") {
    return isRecord ? link("rule", dept, id.replace(/^text\//, "")) : link("rules", dept);
  }
  return isRecord ? link("item", dept, id) : link("source", dept);
};

/** @param {any} id of a report, which begins with its airport; @returns {string} */
const weather = (id) => {
  const airport = typeof id === "string" ? id.slice(0, 4) : "";
  return AIRPORT.test(airport) ? link("weather", airport) : link("weather");
};
