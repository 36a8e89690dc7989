/** Marks of a report: the flight category, the wind's arrow, the star of a favourite. */

import { html, nothing } from "../../vendor/lit-html.js";
import { numberOf, objectOf, textOf } from "../values.js";
import { words } from "../words.js";
import { airport, code } from "./codes.js";

const t = words({
  ko: {
    noCategory: "비행 조건 모름",
    notCurrent: "{category} · 최신 아님",
    favourite: "{name} 즐겨찾기",
  },
  en: {
    noCategory: "conditions unknown",
    notCurrent: "{category} · not current",
    favourite: "{name} is a favourite",
  },
});

/** The colours of the flight categories. */
export const TONES = { VFR: "good", MVFR: "blue", IFR: "bad", LIFR: "magenta" };

/**
 * @param {any} category
 * @param {boolean} isCurrent false: the colour of a former report would say how it is now
 * @returns {any} a template: the word in its colour
 */
export const flightTag = (category, isCurrent = true) => {
  const known = isCurrent && Object.hasOwn(TONES, textOf(category));
  const told = textOf(category, 20);
  const word = told && !isCurrent ? t("notCurrent", { category: told }) : told;
  return html`<span class="tag flight ${known ? TONES[category] : ""}"
    >${word || t("noCategory")}</span
  >`;
};

/** @param {any} given a wind; @returns {any} an arrow in the direction to which it blows */
export const windArrow = (given) => {
  const direction = numberOf(objectOf(given).direction);
  if (direction === null || !numberOf(objectOf(given).speed)) return nothing;
  return html`<svg class="arrow" viewBox="0 0 24 24" aria-hidden="true">
    <path transform="rotate(${(direction + 180) % 360} 12 12)" d="M12 2l6 9h-4v11h-4V11H6z" />
  </svg>`;
};

/** @param {string} icao; @param {any} published its published name; @returns {string} */
export const airportName = (icao, published) => {
  const known = airport(icao);
  return known === icao ? textOf(published, 80) || icao : known;
};

/** @param {any} category; @returns {string} it in words */
export const flightWords = (category) => (textOf(category) ? code(textOf(category, 20)) : "");

/**
 * @param {string} icao
 * @param {string} name
 * @param {any} context
 * @param {() => void} done
 * @returns {any} a button that is pressed for a favourite
 */
export const star = (icao, name, context, done) => {
  const favourites = favouritesOf(context);
  const chosen = favourites.includes(icao);
  const toggle = async () => {
    await context.settings.change("favourites", (ids) =>
      ids.includes(icao) ? ids.filter((id) => id !== icao) : [...ids, icao],
    );
    done();
  };
  return html`<button
    class="star"
    aria-pressed=${chosen}
    aria-label=${t("favourite", { name })}
    @click=${toggle}
  >
    ${chosen ? "★" : "☆"}
  </button>`;
};

/** @param {any} context; @returns {string[]} */
export const favouritesOf = (context) => {
  const favourites = context.settings.get("favourites");
  return Array.isArray(favourites) ? favourites : [];
};
