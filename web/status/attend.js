/**
 * What an operator does with one source: looks at the refused page, takes it over, pauses the
 * source, notes that it was seen, goes to the log. Commands to copy; the page itself changes nothing
 * but what this device keeps.
 */

import { html, nothing } from "../vendor/lit-html.js";
import { dateTime, words } from "../app/words.js";
import { ago, command } from "./parts.js";

const t = words({
  ko: {
    refused: "작업자가 본 페이지 (일주일 보관)",
    decide: "이 페이지가 맞으면: 아는 글로 받아들이기",
    again: "지금 다시 확인하기",
    pause: "일주일 쉬게 하기 (경보도 쉼)",
    resume: "다시 확인하게 하기",
    paused: "{until}까지 쉽니다. 그때까지 묻지 않고 알리지도 않습니다.",
    ack: "봤음으로 표시",
    acked: "봤음",
    unack: "봤음 표시 지우기",
    ackOf: "{name}: 봤음으로 표시",
    ackedAt: "이 기기에서 봤음",
    ackWho: "이 기기에만 남습니다. 계정이 없어 누가 봤는지는 알 수 없습니다.",
    log: "작업자 로그",
    alarms: "CloudWatch 경보",
  },
  en: {
    refused: "The page as the worker saw it (kept for a week)",
    decide: "If the page is right: take its notices for the known ones",
    again: "Have it checked now",
    pause: "Pause it for a week, alerts included",
    resume: "Have it checked again",
    paused: "Paused until {until}: not asked, and nobody is alerted.",
    ack: "Mark as seen",
    acked: "Seen",
    unack: "Take the mark back",
    ackOf: "Mark {name} as seen",
    ackedAt: "Marked as seen on this device",
    ackWho: "On this device alone: there are no accounts, so nobody knows who.",
    log: "Worker's log",
    alarms: "CloudWatch alarms",
  },
});

/** Reasons on which the operator has the word: `uring decide`. */
const DECIDED = new Set(["ids_gone", "ids_reused"]);
/** Families whose pages are kept when they are refused. */
const HAS_PAGES = new Set(["departments", "registries"]);
const WORKERS = {
  departments: "notice-worker",
  registries: "regulation-worker",
  weather: "weather-worker",
  watches: "seed-watch-worker",
};
/** Families whose sources `uring check` knows. */
const HAS_CHECK = new Set(["departments", "registries", "weather"]);
const WEEK_MS = 7 * 86_400_000;

/**
 * Return the commands that fit a source, each with what it does.
 *
 * @param {import("./health.js").Source} source
 * @param {string} named the stack's name
 * @param {number} now in ms
 * @param {import("./runbook.js").Run} run
 * @returns {{what: string, text: string}[]}
 */
export const attended = (source, named, now, run = {}) => {
  const { id, kind, status, reason, family } = source;
  const stack = (Object.hasOwn(run, family) && run[family].stack) || named;
  const whose = `${id} --stack ${stack}`;
  const all = [];
  if (status === "suspect" && HAS_PAGES.has(family))
    all.push({ what: "refused", text: `uring refused ${whose}` });
  if (DECIDED.has(reason) && family === "departments")
    all.push({ what: "decide", text: `uring decide ${id} same --stack ${stack} --yes` });
  if (HAS_CHECK.has(family) && !["paused", "corrupt", "later"].includes(kind))
    all.push({ what: "again", text: `uring check ${whose}` });
  if (kind === "paused") all.push({ what: "resume", text: `uring resume ${whose}` });
  else if (!["corrupt", "pending", "later"].includes(kind) && !source.ahead) {
    // A day of a simulated clock is none to a command.
    const day = new Date(now + WEEK_MS).toISOString().slice(0, 10);
    all.push({ what: "pause", text: `uring pause ${id} --until ${day} --stack ${stack}` });
  }
  return all;
};

/**
 * @param {import("./health.js").Source} source
 * @param {import("./list.js").Around} around
 * @param {(what: string) => boolean} isShown
 */
export const commands = (source, around, isShown) =>
  attended(source, around.stack, around.now, around.run)
    .filter(({ what }) => isShown(what))
    .map(
      ({ what, text }) =>
        html`<p class="quiet what">${t(what)}</p>
          ${command(text, around.say)}`,
    );

/** @param {import("./health.js").Source} source; @returns {any} until when it is paused */
export const pauseLine = ({ kind, pausedUntil }) =>
  kind === "paused" ? html`<p>${t("paused", { until: dateTime(pausedUntil) })}</p>` : nothing;

/**
 * What a mark stands for: another reason, class or beginning is another trouble.
 *
 * @param {import("./health.js").Source} source
 */
export const markOf = ({ kind, class: trouble, reason, since, staleSince }) =>
  [kind, trouble, reason, since ?? "", staleSince].join("|");

/**
 * Return when this device marked the present trouble of a source as seen; undefined: it did not.
 *
 * @param {Record<string, {mark: string, at: number}>} seen by key
 * @param {string} key
 * @param {import("./health.js").Source} source
 */
export const seenAt = (seen, key, source) => {
  const own = Object.hasOwn(seen, key) ? seen[key] : undefined;
  return source.needs && own?.mark === markOf(source) ? own.at : undefined;
};

/**
 * @param {import("./health.js").Source} source
 * @param {number | undefined} at when it was marked
 * @param {import("./list.js").Around} around
 */
export const seenLine = (source, at, around) => {
  if (!source.needs) return nothing;
  const button = html`<button
    type="button"
    class="ack"
    aria-pressed=${at === undefined ? "false" : "true"}
    aria-label=${t("ackOf", { name: source.name })}
    @click=${() => around.mark(source)}
  >
    ${t(at === undefined ? "ack" : "unack")}
  </button>`;
  if (at === undefined) return html`<p>${button}</p>`;
  return html`<p class="quiet">${t("ackedAt")}: ${ago(at, around.now)} · ${t("ackWho")}</p>
    <p>${button}</p>`;
};

/** @param {number | undefined} at; @returns {any} a tag of a source that was marked */
export const seenTag = (at) =>
  at === undefined ? nothing : html`<span class="tag" data-seen>${t("acked")}</span>`;

/** @param {unknown} name; @returns {string} a region's name; empty where it is not one */
export const regionName = (name) =>
  typeof name === "string" && /^[a-z]{2}(-[a-z]+)+-\d$/.test(name) ? name : "";

/**
 * Return the places in the console of AWS; none without the operator's names of stack and region.
 *
 * @param {string} family a list of the index
 * @param {string} stack
 * @param {string} region
 * @returns {{name: string, href: string}[]}
 */
export const places = (family, stack, region) => {
  if (stack === "NAME" || !regionName(region)) return [];
  const console = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}`;
  const group = `/aws/lambda/${stack}-${Object.hasOwn(WORKERS, family) ? WORKERS[family] : "monitor"}`;
  // The console reads its own escapes, of an address that is escaped already.
  const escaped = encodeURIComponent(encodeURIComponent(group)).replaceAll("%", "$");
  return [
    { name: t("log"), href: `${console}#logsV2:log-groups/log-group/${escaped}` },
    { name: t("alarms"), href: `${console}#alarmsV2:?search=${stack}` },
  ];
};
