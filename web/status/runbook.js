/** What an operator does: a sentence, commands to copy, and the place in the docs. */

import { language, words } from "../app/words.js";
import { REASONS } from "./reasons.js";

const t = words({
  ko: {
    corrupt:
      "첫 명령이 무엇이 깨졌는지 보여 줍니다. 둘째는 읽을 수 있는 최신 판을 제안하고, --yes를 붙여야 되돌립니다.",
    unchecked: "확인이 흔적을 남기지 않습니다. 작업자의 로그와 경보, 배달 못 한 메시지를 보세요.",
    stale: "오래 조용합니다. 게시판이 다른 주소로 옮겼는지 보고, 옮겼으면 항목의 url을 고치세요.",
    parts: "다른 공항은 정상입니다. 계속되면 게이트웨이 운영자에게 이 공항에 대해 물어보세요.",
    soon: "저절로 나을 수 있습니다. 세 번 이어지면 살펴볼 것이 됩니다.",
    paused: "다시 확인할 때가 되면 저절로 확인합니다. 일찍 끝내려면 아래 명령을 쓰세요.",
    later: "이 페이지보다 새 릴리스의 상태입니다. 그 릴리스의 문서를 보세요.",
    pending: "아직 확인한 적이 없습니다. 세 시간(긴 주기는 세 번) 안에 첫 확인이 없으면 알립니다.",
    transient: "저절로 나을 수 있습니다. 계속되면 사이트를 직접 열어 보세요.",
    blocked: "사이트가 요청을 거절하거나, 더 뜸하게 요청하라고 합니다. 사이트 운영자에게 묻고, 항목의 request를 보세요.",
    structure:
      "답은 오지만 읽던 것이 아닙니다. 무엇이 읽히는지 보고 항목을 고치세요. 정말 바뀐 것이면 epoch를 올립니다.",
    transient_weather:
      "게이트웨이 운영자의 공지를 보세요. 공항은 마지막 전문을 _stale로 표시해 둡니다.",
    transient_watches:
      "도메인 대부분이 응답하지 않습니다. 작업자가 웹으로 나가는 길을 먼저 보세요.",
    blocked_weather: "비밀에 든 게이트웨이 인증키와 오늘의 한도를 보세요.",
    structure_weather:
      "작업자 로그의 failed 줄이 무엇이 잘못인지 말합니다. 저장한 응답은 uring weather parse로 읽어 봅니다.",
    no_index:
      "모니터가 첫 실행 뒤 10분 안에 만듭니다. 소스 목록을 올렸는지, 스케줄이 켜졌는지 보세요.",
    silent:
      "모니터가 멈추면 아무도 알림을 받지 못합니다. MonitorSilentAlarm과 모니터의 로그를 보세요.",
    outage: "원인이 사이트보다 우리 쪽일 수 있습니다. 작업자의 네트워크와 이름 찾기를 먼저 보세요.",
  },
  en: {
    corrupt:
      "The first command shows the fault; the second restores a readable version, with --yes.",
    unchecked:
      "Its checks leave no trace. Look at the worker's log, its alarms and its dead letters.",
    stale: "Silent for long: see whether the board moved; if so, correct the entry's url.",
    parts: "Other airports are well. If it lasts, ask the gateway's operator about this one.",
    soon: "It may pass by itself. After three in a row it needs a look.",
    paused: "It is checked again by itself after the pause. The command below ends it at once.",
    later: "This status is from a newer release than this page: see that release's docs.",
    pending: "Never checked yet. After three hours, or three long intervals, it needs a look.",
    transient: "It may pass by itself. If it lasts, open the site.",
    blocked:
      "The site refuses us, or wants us to come less often. Ask its operator; see the entry's request.",
    structure:
      "Its answer does not match its entry: correct the entry. If the site really changed, raise epoch.",
    transient_weather:
      "See its operator's announcements. Airports keep their last report, marked _stale.",
    transient_watches:
      "Most of its domains do not answer. Check the worker's network first.",
    blocked_weather: "See the gateway's key in its secret, and its day's quota.",
    structure_weather:
      "The line failed in the log says why. uring weather parse reads a saved answer.",
    no_index: "The monitor writes it at its first run. Are the sources uploaded, the schedules on?",
    silent: "Nobody gets an alert meanwhile. See MonitorSilentAlarm and the monitor's log.",
    outage: "The cause is probably not the sites: check the worker's network and name resolution.",
  },
});

/** What more is known of a family: its file of entries, its work queue, the page of its troubles. */
const FAMILIES = {
  departments: {
    file: "config/sitemap.json",
    queue: "NoticeQueue",
    page: "docs/notices.md#what-is-not-believed",
    hasPages: true,
  },
  registries: {
    file: "config/registries.json",
    queue: "RegulationQueue",
    page: "docs/regulations.md#what-a-run-does",
    hasPages: true,
  },
  weather: { queue: "WeatherQueue", page: "docs/weather.md#what-is-stored" },
  watches: {
    file: "config/watches.json",
    queue: "SeedWatchQueue",
    page: "docs/watches.md#what-is-compared",
  },
};
const GENERAL = "docs/operations.md#alarms";
const OWN_WORDS = new Set([
  "transient_watches",
  "transient_weather",
  "blocked_weather",
  "structure_weather",
]);

/**
 * @typedef {object} Advice
 * @property {string} todo a sentence
 * @property {string[]} commands to copy
 * @property {string} section of the docs, such as `docs/operations.md#alarms`
 */

/** @param {string} reason; @returns {string} in words; one of a later release as it is */
export const reasonWords = (reason) => {
  if (!Object.hasOwn(REASONS, reason)) return reason;
  return REASONS[reason][language() === "ko" ? 0 : 1];
};

/**
 * The places of a run on this machine, by list of the index; empty on a deployed stack.
 *
 * @typedef {Record<string, {stack: string, file?: string, hosts?: string}>} Run
 */

/** A word of a shell, which the run has quoted. */
const WORD = /^\P{C}{1,300}$/u;

/**
 * Return the places of a run, of a `config.json`.
 *
 * @param {any} config the parsed object
 * @returns {Run} without what no command can name
 */
export const runOf = (config) => {
  const word = (text) => (typeof text === "string" && WORD.test(text) ? text : "");
  return Object.fromEntries(
    Object.entries(config?.run ?? {})
      .filter(([, place]) => stackName(place?.stack) === place?.stack)
      .map(([list, { stack, file, hosts }]) => [
        list,
        { stack, file: word(file), hosts: word(hosts) },
      ]),
  );
};

/**
 * Return what to do about a source.
 *
 * @param {import("./health.js").Source} source
 * @param {string} named the stack's name, as `stackName` has it
 * @param {Run} run
 * @returns {Advice}
 */
export const advice = (source, named, run = {}) => {
  const place = Object.hasOwn(run, source.family) ? run[source.family] : undefined;
  const family = Object.hasOwn(FAMILIES, source.family) ? FAMILIES[source.family] : {};
  const stack = place?.stack ?? named;
  const show = `uring state show ${source.id} --stack ${stack}`;
  const repair = `uring state repair ${source.id} --stack ${stack}`;
  const whole = `uring doctor --stack ${stack}`;
  const file = place?.file || family.file;
  const read = family.hasPages ? tried(source.id, file) : show;
  if (source.reason === "state_lost") {
    return told("corrupt", [show, repair], "docs/operations.md#a-state-that-is-gone");
  }
  switch (source.kind) {
    case "corrupt":
      return told("corrupt", [show, repair], "docs/operations.md#when-something-is-wrong");
    case "unchecked": {
      const letters = family.queue ? [`uring queue show ${family.queue} --stack ${stack}`] : [];
      const section = "docs/operations.md#a-source-that-nobody-checks";
      return told("unchecked", [whole, ...letters, show], section);
    }
    case "stale":
      return told("stale", [read], "docs/notices.md#what-readers-get");
    case "parts":
      return told("parts", [show], "docs/weather.md#what-is-stored");
    case "paused":
      return told("paused", [], "docs/operations.md#a-source-that-is-paused");
    case "later":
    case "pending":
      return told(source.kind, [whole], "docs/operations.md#when-something-is-wrong");
    case "ok":
      return { todo: "", commands: [read], section: "docs/operations.md#when-something-is-wrong" };
  }
  const corrected = source.class === "structure" ? correction(file, stack, place?.hosts) : [];
  return told(keyOf(source), [read, ...corrected], family.page || source.page || GENERAL);
};

/**
 * Return what to do about the whole.
 *
 * @param {"no_index" | "silent" | "outage"} kind
 * @param {string} named the stack's name
 * @param {Run} run
 * @returns {Advice}
 */
export const adviceOnAll = (kind, named, run = {}) => {
  const place = run.departments ?? Object.values(run)[0];
  const stack = place?.stack ?? named;
  const whole = `uring doctor --stack ${stack}`;
  if (kind !== "no_index") return told(kind, [whole], "docs/operations.md#alarms");
  // A run has uploaded its own lists.
  const upload = place ? [] : [`uring config upload config/sitemap.json --stack ${stack}`];
  return told(kind, [...upload, whole], "docs/operations.md#deploy");
};

/** @param {unknown} name; @returns {string} a stack's name; `NAME` where it is none */
export const stackName = (name) =>
  typeof name === "string" && /^[A-Za-z][A-Za-z0-9-]{0,39}$/.test(name) ? name : "NAME";

const told = (key, commands, section) => ({ todo: t(key), commands, section });

const DEFAULT_FILE = "config/sitemap.json";
const tried = (id, file) => `uring try ${id}${file === DEFAULT_FILE ? "" : ` --config ${file}`}`;

const correction = (file, stack, hosts) => {
  if (!file) return [];
  const allowed = hosts ? ` --allow-host ${hosts}` : "";
  return [`uring config check ${file}${allowed}`, `uring config upload ${file} --stack ${stack}`];
};

const keyOf = ({ family, kind, class: trouble }) => {
  const own = `${trouble}_${family}`;
  if (OWN_WORDS.has(own)) return own;
  if (["blocked", "structure"].includes(trouble)) return trouble;
  return kind === "soon" ? "soon" : "transient";
};
