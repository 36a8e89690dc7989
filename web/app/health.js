/** How the last check of a source ended: a word in a colour, and a sentence. */

import { html, nothing } from "../vendor/lit-html.js";
import { date, dateTime, words } from "./words.js";

const t = words({
  ko: {
    ok: "정상",
    failed: "응답 없음",
    failedSaid: "사이트가 응답하지 않습니다.",
    suspect: "의심",
    suspectSaid: "게시판 내용이 의심스러워 마지막으로 확인된 내용을 보여 드립니다.",
    corrupt: "손상",
    corruptSaid: "저장된 기록을 읽지 못했습니다.",
    pending: "확인 전",
    pendingSaid: "아직 확인하기 전입니다.",
    unchecked: "확인 못 함",
    uncheckedSaid: "한동안 확인하지 못했습니다.",
    other: "상태를 알 수 없습니다: {status}",
    stale: "{at}부터 새 글이 없습니다. 게시판을 옮겼을 수 있습니다.",
    last: "마지막 확인 {at}",
  },
  en: {
    ok: "OK",
    failed: "No answer",
    failedSaid: "The site does not answer.",
    suspect: "Suspect",
    suspectSaid: "The board looks wrong: this is its last good version.",
    corrupt: "Corrupt",
    corruptSaid: "The stored data could not be read.",
    pending: "Not checked yet",
    pendingSaid: "Not checked yet.",
    unchecked: "Unchecked",
    uncheckedSaid: "Not checked for a while.",
    other: "Unknown status: {status}",
    stale: "Nothing new since {at}; the board may have moved.",
    last: "Last checked {at}",
  },
});

/** Of each known status; one of a later release has none. */
const TONES = {
  ok: "good",
  failed: "bad",
  suspect: "warn",
  corrupt: "bad",
  pending: "warn",
  unchecked: "bad",
};
const LONGEST_STATUS = 40;

const isKnown = (status) => Object.hasOwn(TONES, status);

/** @param {import("./index.js").Source} source; @returns {any} a later word as it is */
export const healthTag = ({ status }) => {
  if (!status) return nothing;
  const said = isKnown(status) ? t(status) : status.slice(0, LONGEST_STATUS);
  return html`<span class="tag ${isKnown(status) ? TONES[status] : ""}" data-status=${status}
    >${said}</span
  >`;
};

/**
 * @param {any} source of the index
 * @returns {{level: "bad" | "warn", text: string} | null} null: well
 */
export const healthOf = (source) => {
  const status = source?.status;
  if (!status || status === "ok") {
    const stale = date(source?.stale_since);
    return stale ? { level: "warn", text: t("stale", { at: stale }) } : null;
  }
  const said = isKnown(status)
    ? t(`${status}Said`)
    : t("other", { status: status.slice(0, LONGEST_STATUS) });
  const last = dateTime(source.last_success);
  return {
    level: isKnown(status) ? TONES[status] : "warn",
    text: last ? `${said} ${t("last", { at: last })}` : said,
  };
};

/** @param {any} source of the index; @returns a line, or nothing of a source that is well */
export const healthLine = (source) => {
  const health = healthOf(source);
  return health ? html`<p class="health ${health.level}">${health.text}</p>` : nothing;
};
