/** Settings, marks and kept notices as a file: written, and read with suspicion. */

import { isSource } from "../../uring/months.js";
import { noticeOf } from "../notices/notice.js";
import { LONGEST_KEYWORD, MODES, MOST_KEYWORDS } from "../notices/rules.js";
import { words } from "../words.js";
import { checks } from "./checks.js";

const t = words({
  ko: {
    large: "파일이 너무 큽니다. 2 MB까지 읽습니다.",
    json: "JSON 파일이 아닙니다. 이 앱에서 내보낸 파일을 골라 주세요.",
    format: "format: 이 앱에서 내보낸 파일이 아닙니다. 내보낸 파일을 골라 주세요.",
    version: "version: 더 새로운 앱의 파일입니다. 페이지를 새로 고친 뒤 다시 해 보세요.",
  },
  en: {
    large: "The file is too large: 2 MB are read at most.",
    json: "This is not JSON. Choose a file that this page exported.",
    format: "format: this page did not export that file. Choose an exported file.",
    version: "version: the file is from a newer release. Reload this page and try again.",
  },
});

const FORMAT = "uring-client";
const VERSION = 1;
const LARGEST_FILE = 2_000_000;
const MOST_SOURCES = 500;
const MOST_KEPT = 1000;
const MOST_READ = 1000;
const LONGEST_NAME = 200;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const A_NOTICE = '{"id": "1", "revision": 1}';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** Not pushes, nor whether they were asked for: they belong to the device, and are switched on there. */
const KEYS = [
  "language",
  "theme",
  "shortcuts",
  "boardFirst",
  "reminders",
  "favourites",
  "rules",
  "since",
];

/**
 * @param {any} context
 * @returns {Promise<string>} the text of the file
 */
export const exported = async ({ store, settings }) => {
  const chosen = Object.fromEntries(KEYS.map((key) => [key, settings.get(key)]));
  const read = Object.fromEntries(await store.entries("read"));
  const kept = [...(await store.entries("kept")).values()];
  const file = { format: FORMAT, version: VERSION, settings: chosen, read, kept };
  return `${JSON.stringify(file, null, 1)}\n`;
};

/**
 * Read a file; nothing is written.
 *
 * @param {string} text
 * @returns {{problems: string[], value: any}} each problem names a field and the remedy. `value`
 *   has `settings`, `read` and `kept`, only what is known of them; null where there is a problem
 */
export const parsed = (text) => {
  if (text.length > LARGEST_FILE) return refused("large");
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return refused("json");
  }
  if (file?.format !== FORMAT) return refused("format");
  if (!(file.version <= VERSION)) return refused("version");
  const check = checks();
  const value = {
    settings: settingsFrom(file.settings ?? {}, check),
    read: bySource(file.read ?? {}, "read", check, (ids, field) =>
      check.object(ids, field, MOST_READ, check.count),
    ),
    kept: check.list(file.kept ?? [], "kept", MOST_KEPT, (one, field) =>
      keptFrom(one, field, check),
    ),
  };
  return { problems: check.problems, value: check.problems.length > 0 ? null : value };
};

/**
 * Take over what `parsed` returned: settings are replaced, marks and kept notices are added, unless
 * the device has later ones.
 *
 * @param {any} context
 * @param {any} value
 */
export const takeOver = async (context, value) => {
  const { store, settings } = context;
  for (const [source, ids] of Object.entries(value.read)) {
    await store.update("read", source, (former) => latest(former ?? {}, ids));
  }
  for (const one of value.kept) {
    const key = `${one.source.id}/${one.notice.id}`;
    await store.update("kept", key, (former) => (isAsLate(former?.notice, one.notice) ? former : one));
  }
  // What this page holds of marks is older now.
  context.marks = undefined;
  for (const [key, chosen] of Object.entries(value.settings)) {
    if (!isSame(settings.get(key), chosen)) await settings.set(key, chosen);
  }
};

/** Revisions that were read, by id: the higher one of each. */
const latest = (former, ids) => {
  const entries = Object.entries(ids);
  // Ids come from data: `constructor` is one, and no revision of an object without it.
  const before = new Map(Object.entries(former));
  const higher = entries.map(([id, revision]) => [id, Math.max(revision, before.get(id) ?? 0)]);
  return { ...former, ...Object.fromEntries(higher) };
};

const isAsLate = (one, other) =>
  one?.first_seen === other.first_seen && one?.revision >= other.revision;

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const refused = (key) => ({ problems: [t(key)], value: null });

const settingsFrom = (raw, check) => {
  const readers = {
    language: (value, field) => check.choice(value, field, ["", "ko", "en"]),
    theme: (value, field) => check.choice(value, field, ["", "light", "dark"]),
    shortcuts: check.flag,
    boardFirst: check.flag,
    reminders: check.flag,
    favourites: (value, field) =>
      check.list(value, field, MOST_SOURCES, (id, at) => sourceId(id, at, check)),
    rules: (value, field) => rulesFrom(value, field, check),
    since: (value, field) =>
      bySource(value, field, check, (at, name) =>
        check.form(at, name, INSTANT, "2026-03-02T00:00:00Z"),
      ),
  };
  const known = KEYS.filter((key) => Object.hasOwn(raw, key));
  return Object.fromEntries(known.map((key) => [key, readers[key](raw[key], `settings.${key}`)]));
};

const rulesFrom = (raw, field, check) => ({
  sources: bySource(raw?.sources ?? {}, `${field}.sources`, check, (rule, name) => ({
    mode: check.choice(rule?.mode, `${name}.mode`, MODES),
    keywords: check.list(rule?.keywords, `${name}.keywords`, MOST_KEYWORDS, (word, at) =>
      check.text(word, at, LONGEST_KEYWORD),
    ),
    name: check.text(rule?.name ?? name, `${name}.name`, LONGEST_NAME),
  })),
  quiet: raw?.quiet ? quietFrom(raw.quiet, `${field}.quiet`, check) : null,
});

const quietFrom = ({ from, to }, field, check) => ({
  from: check.form(from, `${field}.from`, CLOCK, "23:00"),
  to: check.form(to, `${field}.to`, CLOCK, "07:00"),
});

const keptFrom = (raw, field, check) => ({
  source: {
    id: sourceId(raw?.source?.id, `${field}.source.id`, check),
    name: check.text(raw?.source?.name, `${field}.source.name`, LONGEST_NAME),
  },
  notice:
    noticeOf(raw?.notice) ?? check.wrong("form", `${field}.notice`, { example: A_NOTICE }),
  savedAt: check.count(raw?.savedAt, `${field}.savedAt`),
});

const sourceId = (value, field, check) =>
  isSource(value) ? value : check.wrong("form", field, { example: "konkuk_cse" });

const bySource = (raw, field, check, one) =>
  check.object(raw, field, MOST_SOURCES, (value, name, id) => {
    sourceId(id, name, check);
    return one(value, name);
  });
