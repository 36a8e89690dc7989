/**
 * The families that have views of their own here. A list of any other family, of which only the
 * index knows, is shown by `views/family.js` and `views/items.js`: nothing names it.
 */

import { link } from "./link.js";

const PRODUCTS = ["metar", "taf", "warning"];
const AIRPORT = /^[A-Z0-9]{4}$/;

/** What an index of the release before does not say of its lists. */
export const EARLIER = {
  departments: { view: "notices", word: { ko: "학과", en: "Departments" } },
  registries: { view: "regulations", word: { ko: "규정", en: "Regulations" } },
  weather: { view: "weather", word: { ko: "항공기상", en: "Weather" } },
  watches: { view: "watches", word: { ko: "목록 감시", en: "Watches" } },
};

/**
 * By view of a list, in the order of the menu: its place there, and the page that tells more of a
 * message. `knows` finds the messages of a source that no index has; else they are of notices.
 */
export const VIEWS = {
  notices: {
    place: "sources",
    knows: () => false,
    page: (data) => (isRecord(data) ? link("item", data.dept, data.id) : link("source", data.dept)),
  },
  regulations: {
    place: "rules",
    knows: ({ fileNo }) => typeof fileNo === "string",
    page: (data) =>
      isRecord(data)
        ? link("rule", data.dept, data.id.replace(/^text\//, ""))
        : link("rules", data.dept),
  },
  weather: {
    place: "weather",
    knows: ({ dept }) => PRODUCTS.includes(dept),
    page: ({ id }) => {
      // A report's id begins with its airport.
      const airport = textOf(id).slice(0, 4);
      return AIRPORT.test(airport) ? link("weather", airport) : link("weather");
    },
  },
  // For operators: settings lead there.
  watches: { place: "", knows: () => false, page: () => link("lists") },
};

/**
 * Return the client's own route for a message: it has the link to the board, and works offline.
 *
 * @param {Record<string, string>} data of a push, not to be trusted
 * @param {import("./index.js").Source} [source] of the index
 * @returns {string} `#/…`
 */
export const routeOf = (data, source) => {
  const { dept } = data;
  if (typeof dept !== "string" || !dept) return "#/";
  if (source?.view === "items") return link("family", source.list, source.id);
  const known = Object.values(VIEWS).find(({ knows }) => knows(data)) ?? VIEWS.notices;
  return (source ? VIEWS[source.view] : known).page(data);
};

const isRecord = ({ id, kind }) => textOf(id) !== "" && kind !== "digest";

const textOf = (value) => (typeof value === "string" ? value : "");
