/** Checks of foreign values: what is fit is returned, what is not is noted by field and remedy. */

import { words } from "../words.js";

const t = words({
  ko: {
    choice: "{field}: {allowed} 가운데 하나여야 합니다.",
    flag: "{field}: true나 false여야 합니다.",
    list: "{field}: 목록([ ])이어야 하고 {most}개까지입니다.",
    object: "{field}: 객체({ })여야 하고 항목은 {most}개까지입니다.",
    form: "{field}: {example} 꼴이어야 합니다.",
    text: "{field}: {most}자까지의 글자여야 합니다.",
    count: "{field}: 1부터의 정수여야 합니다.",
  },
  en: {
    choice: "{field}: must be one of {allowed}.",
    flag: "{field}: must be true or false.",
    list: "{field}: must be a list of {most} at most.",
    object: "{field}: must be an object of {most} entries at most.",
    form: "{field}: must look like {example}.",
    text: "{field}: must be a text of {most} characters at most.",
    count: "{field}: must be a whole number from 1.",
  },
});

/** A file that is wrong throughout would fill the page. */
const MOST_PROBLEMS = 10;

/**
 * Return the checks of one file. A missing value is none of them: it is left out by `optional`.
 *
 * @returns {Checks} `problems` are sentences, ten at most
 */
export const checks = () => {
  const problems = [];
  const wrong = (key, field, values = {}) => {
    if (problems.length < MOST_PROBLEMS) problems.push(t(key, { field, ...values }));
    return undefined;
  };
  const self = {
    problems,
    wrong,
    choice: (value, field, allowed) => {
      if (allowed.includes(value)) return value;
      return wrong("choice", field, { allowed: allowed.map(quoted).join(", ") });
    },
    flag: (value, field) => (typeof value === "boolean" ? value : wrong("flag", field)),
    count: (value, field) =>
      Number.isSafeInteger(value) && value > 0 ? value : wrong("count", field),
    text: (value, field, most) =>
      typeof value === "string" && value.trim() !== "" && value.length <= most
        ? value
        : wrong("text", field, { most }),
    form: (value, field, pattern, example) =>
      typeof value === "string" && pattern.test(value) ? value : wrong("form", field, { example }),
    /** @returns {any[]} what `one` returns of each */
    list: (value, field, most, one) => {
      if (!Array.isArray(value) || value.length > most) return wrong("list", field, { most }) ?? [];
      return value.map((each, at) => one(each, `${field}[${at}]`));
    },
    /** @returns {object} its own entries, by `one`; `__proto__` is a name like others */
    object: (value, field, most, one) => {
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      const entries = isObject ? Object.entries(value) : [];
      if (!isObject || entries.length > most) return wrong("object", field, { most }) ?? {};
      return Object.fromEntries(
        entries.map(([name, each]) => [name, one(each, `${field}.${name}`.slice(0, 100), name)]),
      );
    },
  };
  return self;
};

const quoted = (value) => JSON.stringify(value);
