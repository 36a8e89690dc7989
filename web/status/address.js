/** The filter in the address, behind `#`: a link to a colleague shows the same list. */

import { STATES } from "./controls.js";
import { ORDERS } from "./list.js";

const MOST = 100;
const KEYS = { family: "family", kind: "kind", text: "q", order: "order" };

/**
 * Return the filter that an address names; what it does not name, or wrongly, is as at first.
 *
 * @param {string} hash such as `#kind=needs&q=law`
 * @returns {{family: string, kind: string, text: string, order: string}}
 */
export const filterOf = (hash) => {
  const asked = new URLSearchParams(hash.slice(1));
  const value = (key) => (asked.get(KEYS[key]) ?? "").slice(0, MOST);
  const kind = value("kind");
  const order = value("order");
  return {
    family: value("family"),
    kind: kind === "needs" || STATES.includes(kind) ? kind : "",
    text: value("text"),
    order: Object.hasOwn(ORDERS, order) ? order : "worst",
  };
};

/**
 * Return the address of a filter, without what it leaves as at first; empty for all of it.
 *
 * @param {{family: string, kind: string, text: string, order: string}} filter
 */
export const hashOf = (filter) => {
  const named = Object.entries(KEYS)
    .map(([key, name]) => [name, filter[key]])
    .filter(([name, value]) => value && !(name === "order" && value === "worst"));
  const text = new URLSearchParams(named).toString();
  return text && `#${text}`;
};
