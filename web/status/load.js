/**
 * Reads the public data, always past the browser's own copy. Nothing is kept on the device:
 * a status of yesterday is none.
 */

const PATIENCE_MS = 20_000;
/** An archive's address has half a megabyte; an index of 12,000 sources 8 MB. */
const MOST_CHARACTERS = 16_000_000;

/**
 * @typedef {object} Answer
 * @property {"ok" | "missing" | "offline" | "broken"} state `missing`: 403 or 404, there is no such
 *   object; `broken`: it cannot be read
 * @property {any} [body] the parsed JSON, or the text
 * @property {number} [at] the server's clock, in ms; left out where it does not say
 * @property {string} [tag] the ETag of the body
 */

/**
 * Load one object; never rejects. Unchanged, it is a 304.
 *
 * @param {string} path below `data/`
 * @param {"json" | "text"} as
 * @param {Answer} [before] the last answer: an unchanged body is not parsed again
 * @returns {Promise<Answer>}
 */
export const load = async (path, as = "json", before = undefined) => {
  let text, at, tag;
  try {
    const response = await fetch(`../data/${path}`, {
      cache: "no-cache",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    at = Date.parse(response.headers.get("Date") ?? "") || undefined;
    if (response.status === 403 || response.status === 404) return { state: "missing", at };
    if (!response.ok) return { state: "offline", at };
    tag = response.headers.get("ETag") ?? undefined;
    text = await response.text();
    if (tag && before?.state === "ok" && before.tag === tag) return { ...before, at };
  } catch {
    return { state: "offline" };
  }
  if (text.length > MOST_CHARACTERS) return { state: "broken", at };
  if (as === "text") return { state: "ok", body: text, at, tag };
  try {
    return { state: "ok", body: JSON.parse(text), at, tag };
  } catch {
    return { state: "broken", at };
  }
};
