/** What is missing from a list, and why: sources that fail, copies that are old, broken items. */

import { html, nothing } from "../../vendor/lit-html.js";
import { healthOf } from "../health.js";
import { sourceOf } from "../index.js";
import { link } from "../link.js";
import { dateTime, words } from "../words.js";

const t = words({
  ko: {
    stored: "인터넷에 연결되지 않아 {at}에 받은 내용을 보여 줍니다.",
    offline: "공지를 받지 못했습니다. 인터넷 연결을 확인해 주세요.",
    missing: "아직 게시된 기록이 없습니다.",
    broken: "기록을 읽을 수 없습니다.",
    items: "읽을 수 없는 공지 {count}건이 빠졌습니다.",
    count: "{count}곳의 소식이 빠졌거나 늦을 수 있습니다.",
  },
  en: {
    stored: "You are offline: this was loaded {at}.",
    offline: "Nothing could be loaded. Check your connection.",
    missing: "Nothing is published yet.",
    broken: "The published data cannot be read.",
    items: "{count} notices could not be read and are left out.",
    count: "{count} sources may be late or incomplete.",
  },
});

/**
 * Return a line about the network, where it did not answer.
 *
 * @param {import("./feeds.js").Feed[]} feeds
 */
export const networkLine = (feeds) => {
  const stored = feeds.filter(({ state }) => state === "stored");
  const at = Math.max(...stored.map(({ savedAt }) => savedAt ?? 0));
  if (stored.length > 0) return line(t("stored", { at: dateTime(at) }));
  return feeds.some(({ state }) => state === "offline") ? line(t("offline")) : nothing;
};

const line = (text) => html`<p class="health warn">${text}</p>`;

/**
 * @param {any} index
 * @param {import("./feeds.js").Feed} feed
 * @returns {string[]} sentences; none of a source that is well
 */
export const troublesOf = (index, feed) => {
  const health = healthOf(sourceOf(index, feed.id));
  const said = health ? [health.text] : [];
  if (feed.state === "missing" || feed.state === "broken") said.push(t(feed.state));
  if (feed.broken > 0) said.push(t("items", { count: feed.broken }));
  return said;
};

/**
 * Return the troubles of what is followed: one as it is, several folded into a line.
 *
 * @param {any} index
 * @param {ReturnType<typeof import("./followed.js").followedOf>} followed
 */
export const troubleList = (index, followed) => {
  const troubled = followed
    .loaded()
    .map((feed) => ({ id: feed.id, said: troublesOf(index, feed).join(" ") }))
    .filter(({ said }) => said !== "")
    .map(({ id, said }) => html`<a href=${link("source", id)}>${followed.nameOf(id)}</a> ${said}`);
  if (troubled.length === 0) return nothing;
  if (troubled.length === 1) return html`<p class="health bad">${troubled}</p>`;
  return html`
    <details class="health bad">
      <summary>${t("count", { count: troubled.length })}</summary>
      <ul>
        ${troubled.map((trouble) => html`<li>${trouble}</li>`)}
      </ul>
    </details>
  `;
};
