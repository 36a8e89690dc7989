/** Small parts of the page: times, tags, commands to copy, a place in the docs. */

import { html } from "../vendor/lit-html.js";
import { dateTime, language, words } from "../app/words.js";
import { safeLink } from "../uring.js";

const t = words({
  ko: {
    copy: "복사",
    copyThis: "명령 복사: {command}",
    copied: "복사했습니다: {command}",
    selected: "복사하지 못해 명령을 선택해 두었습니다.",
    never: "없음",
    now: "방금",
    corrupt: "손상",
    unchecked: "미확인",
    failed: "실패",
    suspect: "의심",
    parts: "일부 실패",
    stale: "오래 조용함",
    soon: "방금 실패",
    paused: "쉬는 중",
    pending: "대기",
    ok: "정상",
  },
  en: {
    copy: "Copy",
    copyThis: "Copy the command {command}",
    copied: "Copied: {command}",
    selected: "It could not be copied; the command is selected.",
    never: "never",
    now: "just now",
    corrupt: "Corrupt",
    unchecked: "Unchecked",
    failed: "Failing",
    suspect: "Suspect",
    parts: "Failing in part",
    stale: "Stale",
    soon: "Just failed",
    paused: "Paused",
    pending: "Waiting",
    ok: "Well",
  },
});

const COLOURS = {
  corrupt: "bad",
  unchecked: "bad",
  failed: "bad",
  suspect: "warn",
  parts: "warn",
  stale: "warn",
  ok: "good",
};
const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/**
 * @param {number | undefined} at in ms
 * @param {number} now in ms
 * @returns {any} how long ago, the instant beside it
 */
export const ago = (at, now) => {
  if (at === undefined) return t("never");
  const told = `${relative(at - now)} (${dateTime(at)})`;
  return html`<time datetime=${new Date(at).toISOString()}>${told}</time>`;
};

/** @param {number} span in ms, negative for the past; @returns {string} */
const relative = (span) => {
  const step = STEPS.find(([, length]) => Math.abs(span) >= length);
  if (!step) return t("now");
  const [unit, length] = step;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  return format.format(Math.trunc(span / length), unit);
};

/**
 * @param {import("./health.js").Source} source
 * @returns {any} its condition in a word and a colour
 */
export const tag = ({ kind, status }) =>
  html`<span class="tag ${COLOURS[kind] ?? ""}"
    >${kind === "later" ? status || "?" : t(kind)}</span
  >`;

/** @param {string} kind; @returns {string} */
export const kindWord = (kind) => t(kind);

/**
 * Return a sentence that counts; in English one is told by the key with `.one`, if it is there.
 *
 * @param {(key: string, values?: Record<string, any>) => string} t of `words`
 * @param {string} key
 * @param {{count: number}} values
 */
export const counted = (t, key, values) => {
  const one = `${key}.one`;
  const told = values.count === 1 && language() === "en" ? t(one, values) : one;
  return told === one ? t(key, values) : told;
};

/**
 * @param {string} text of a command
 * @param {(text: string) => void} say for screen readers
 */
export const command = (text, say) => {
  const copy = async (event) => {
    const code = event.currentTarget.previousElementSibling;
    try {
      await navigator.clipboard.writeText(text);
      say(t("copied", { command: text }));
    } catch {
      getSelection().selectAllChildren(code);
      say(t("selected"));
    }
  };
  return html`<div class="command">
    <code
      >${text.split(" ").map((word, at) => html`${at ? " " : ""}<span>${word}</span>`)}</code
    ><button type="button" aria-label=${t("copyThis", { command: text })} @click=${copy}>
      ${t("copy")}
    </button>
  </div>`;
};

/**
 * @param {string} section such as `docs/operations.md#alarms`
 * @param {string} base the address above `docs/`; empty: it is not known, and the place is named
 */
export const inDocs = (section, base) => {
  const target = docsAddress(section, base);
  return target
    ? html`<a href=${target} target="_blank" rel="noopener noreferrer">${section}</a>`
    : section;
};

const docsAddress = (section, base) => {
  if (!safeLink(base)) return "";
  const folder = base.endsWith("/") ? base : `${base}/`;
  return URL.canParse(section, folder) ? new URL(section, folder).href : "";
};
