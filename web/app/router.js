/** Routes are in the fragment, `#/source/history`: a path that is no file stays a 403. */

/** The modules of views are loaded when they are first shown. */
const ROUTES = [
  [/^#?\/?$/, () => import("./views/home.js"), []],
  [/^#\/sources$/, () => import("./views/sources.js"), []],
  [/^#\/source\/([^/]+)$/, () => import("./views/source.js"), ["source"]],
  [/^#\/item\/([^/]+)\/(.+)$/, () => import("./views/item.js"), ["source", "id"]],
  [/^#\/due$/, () => import("./views/due.js"), []],
  [/^#\/kept$/, () => import("./views/kept.js"), []],
  [/^#\/rules$/, () => import("./views/rules.js"), []],
  [/^#\/rules\/([^/]+)$/, () => import("./views/registry.js"), ["registry"]],
  [/^#\/rule\/([^/]+)\/(.+)$/, () => import("./views/regulation.js"), ["registry", "id"]],
  [/^#\/weather$/, () => import("./views/weather.js"), []],
  [/^#\/weather\/([A-Z0-9]{4})$/, () => import("./views/airport.js"), ["airport"]],
  [/^#\/family\/([^/]+)$/, () => import("./views/family.js"), ["list"]],
  [/^#\/family\/([^/]+)\/([^/]+)$/, () => import("./views/items.js"), ["list", "source"]],
  [/^#\/lists$/, () => import("./views/lists.js"), []],
  [/^#\/settings$/, () => import("./views/settings.js"), []],
];

/**
 * Return the route of an address.
 *
 * @param {string} hash of the location
 * @returns {{load: () => Promise<any>, params: Record<string, string>} | null} null: no such page
 */
export const route = (hash) => {
  for (const [pattern, load, names] of ROUTES) {
    const found = pattern.exec(hash);
    if (found) return { load, params: named(names, found.slice(1)) };
  }
  return null;
};

const named = (names, values) =>
  Object.fromEntries(names.map((name, position) => [name, decoded(values[position])]));

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
