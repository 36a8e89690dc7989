/** The words of a notification, in Korean and English. */

import { clean, cut } from "./text.js";

const LONGEST_TITLE = 80;
const LONGEST_BODY = 160;
const TIME = /^[0-9]{4}-([0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}):[0-9]{2}Z$/;
const COUNT = /^[0-9]{1,6}$/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

const KINDS = {
  new: { ko: "새 공지", en: "New notice" },
  edited: { ko: "고친 공지", en: "Edited notice" },
  pinned: { ko: "고정된 공지", en: "Pinned notice" },
  unpinned: { ko: "고정이 풀린 공지", en: "Unpinned notice" },
  returned: { ko: "다시 올라온 공지", en: "Notice is back" },
  speci: { ko: "특별 관측 보고", en: "Special report" },
  category_changed: { ko: "비행 조건 바뀜", en: "Flight category changed" },
  taf_amended: { ko: "예보 수정", en: "Forecast amended" },
  taf_cancelled: { ko: "예보 취소", en: "Forecast cancelled" },
  warning_raised: { ko: "경보 발표", en: "Warning issued" },
  warning_changed: { ko: "경보 변경", en: "Warning changed" },
  warning_lifted: { ko: "경보 해제", en: "Warning lifted" },
  robots_appeared: { ko: "robots.txt 생김", en: "robots.txt appeared" },
  robots_changed: { ko: "robots.txt 바뀜", en: "robots.txt changed" },
  robots_vanished: { ko: "robots.txt 사라짐", en: "robots.txt vanished" },
  robots_unlisted: { ko: "robots.txt 목록에서 빠짐", en: "robots.txt unlisted" },
  robots_listed: { ko: "robots.txt 목록에 다시 오름", en: "robots.txt listed again" },
  sitemap_appeared: { ko: "사이트맵 생김", en: "Sitemap appeared" },
  sitemap_changed: { ko: "사이트맵 바뀜", en: "Sitemap changed" },
  sitemap_vanished: { ko: "사이트맵 사라짐", en: "Sitemap vanished" },
  sitemap_unlisted: { ko: "사이트맵 목록에서 빠짐", en: "Sitemap unlisted" },
  sitemap_listed: { ko: "사이트맵 목록에 다시 오름", en: "Sitemap listed again" },
};
const OF_REGULATIONS = {
  new: { ko: "새 규정", en: "New regulation" },
  edited: { ko: "규정 개정", en: "Regulation revised" },
  renamed: { ko: "규정 이름 바뀜", en: "Regulation renamed" },
  deleted: { ko: "규정 삭제", en: "Regulation deleted" },
  returned: { ko: "다시 올라온 규정", en: "Regulation is back" },
  text_changed: { ko: "규정 본문 바뀜", en: "Regulation's text changed" },
};
const CHANGED = { ko: "바뀜", en: "Changed" };
const UNTITLED = { ko: "(제목 없음)", en: "(no title)" };
const REST = { ko: "다른 소식", en: "Other news" };
const UNREADABLE = { ko: "읽을 수 없는 소식", en: "A message that cannot be read" };

/** Return "en" where rules say so, otherwise "ko". */
export function languageOf(value) {
  return value === "en" ? "en" : "ko";
}

/**
 * Return the title of the one line that stands for the pushes that are no banner.
 *
 * @param {number} count how many; of none the number is left out
 * @param {string} [language] "ko" or "en"
 * @returns {string}
 */
export function restTitle(count, language) {
  const isCount = Number.isSafeInteger(count) && count > 0;
  if (languageOf(language) === "ko") return isCount ? `${REST.ko} ${count}건` : REST.ko;
  return isCount ? `${count} other${count === 1 ? "" : "s"}` : REST.en;
}

/** Return the body of what cannot be read. */
export function unreadable(language) {
  return UNREADABLE[language];
}

/** Return the title of a message. */
export function titleOf(data, name, language) {
  if (data.kind !== "digest") return shown(data.title, language);
  const count = countOf(data.changes);
  const source = clean(name) || clean(data.dept);
  const news = language === "ko" ? `새 소식 ${count}건` : `${count} change${count === 1 ? "" : "s"}`;
  return cut(source ? `${source}: ${news}` : news, LONGEST_TITLE);
}

/** Return the body of a message: its source, what happened, and what is known of it. */
export function bodyOf(data, name, language) {
  if (data.kind === "digest") {
    const others = countOf(data.changes) - 1;
    const rest = language === "ko" ? ` 외 ${others}건` : ` and ${others} more`;
    return cut(`${shown(data.title, language)}${others ? rest : ""}`, LONGEST_BODY);
  }
  const isRegulation = typeof data.fileNo === "string";
  const words = isRegulation ? OF_REGULATIONS : KINDS;
  const happened = typeof data.kind === "string" && Object.hasOwn(words, data.kind);
  const parts = [
    clean(name),
    (happened ? words[data.kind] : CHANGED)[language],
    articles(data.articles_changed, language),
    inForce(data.effective, data.effective_text, language),
    clean(data.renamed_from) && `← ${clean(data.renamed_from)}`,
    [clean(data.category_before), clean(data.category)].filter(Boolean).join(" → "),
    clean(data.date),
    [time(data.time), time(data.until)].filter(Boolean).join(" ~ "),
    clean(data.raw),
  ];
  return cut(parts.filter(Boolean).join(" · "), LONGEST_BODY);
}

function shown(title, language) {
  return cut(clean(title) || UNTITLED[language], LONGEST_TITLE);
}

function countOf(text) {
  return typeof text === "string" && COUNT.test(text) ? Math.max(1, Number(text)) : 1;
}

function articles(text, language) {
  if (typeof text !== "string" || !COUNT.test(text)) return "";
  const count = Number(text);
  if (language === "ko") return `${count}개 조`;
  return `${count} article${count === 1 ? "" : "s"}`;
}

/**
 * Return when a change of a regulation comes into force.
 *
 * @param {unknown} date `YYYY-MM-DD`
 * @param {unknown} text its own words, where there is no date, or other dates hold for some articles
 * @param {string} language "ko" or "en"
 * @returns {string} "" where nothing is known
 */
export function inForce(date, text, language) {
  const words = clean(text);
  const found = typeof date === "string" ? DATE.exec(date) : null;
  if (!found) return words;
  const isKorean = language === "ko";
  const [year, month, day] = found.slice(1).map(Number);
  const told = isKorean ? `시행 ${year}. ${month}. ${day}.` : `in force from ${date}`;
  if (!words) return told;
  return `${told} ${isKorean ? "(일부 조문은 다름)" : "(other dates for some articles)"}`;
}

/** Return a time as aviation writes it, in UTC: the same words wherever the device is. */
function time(text) {
  const found = typeof text === "string" ? TIME.exec(text) : null;
  return found ? `${found[1]} ${found[2]}Z` : "";
}
