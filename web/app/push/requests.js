/** One request to the subscription API, and what its answer means. */

const ADDRESS = "./api/subscriptions";
const PATIENCE_MS = 20_000;
const LATER_MS = 60_000;
const LATEST_MS = 900_000;
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * @typedef {{kind: "done"} | {kind: "unknown"} | {kind: "later", ms: number, status: number}
 *   | {kind: "refused", status: number}} Answer
 *   `unknown`: FCM does not know this device; `later`: send the same again after so long;
 *   `refused`: it is wrong as it stands
 */

/**
 * Ask for topics; never rejects.
 *
 * @param {string} id of the device
 * @param {string[]} subscribe
 * @param {string[]} unsubscribe 50 together at the most
 * @param {number} [refusals] answers in a row that said to wait
 * @returns {Promise<Answer>}
 */
export const askForTopics = async (id, subscribe, unsubscribe, refusals = 0) => {
  try {
    const response = await fetch(ADDRESS, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, subscribe, unsubscribe }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return await meaning(response, refusals);
  } catch {
    return { kind: "later", ms: LATER_MS, status: 0 };
  }
};

const meaning = async (response, refusals) => {
  const { status } = response;
  if (response.ok) return { kind: "done" };
  if (status === 404) return { kind: "unknown" };
  if (![400, 413, 415, 422].includes(status)) {
    return { kind: "later", ms: waitOf(response.headers.get("retry-after"), refusals), status };
  }
  const problem = await response.json().catch(() => null);
  const isDevice = Object.keys(problem?.errors ?? {}).some((field) => /(^|\.)id$/.test(field));
  return isDevice ? { kind: "unknown" } : { kind: "refused", status };
};

/**
 * How long to wait after an answer that is none. Browsers that were refused together do not come
 * back together: behind one address they would be refused together again.
 *
 * @param {string | null} told Retry-After: seconds or a date
 * @param {number} refusals answers before it in a row that said to wait
 * @returns {number} ms: as told and up to a quarter more, an hour at the most; if it is not told, a
 *   minute that doubles up to fifteen, a quarter more or less
 */
export const waitOf = (told, refusals) => {
  const ms = /^\d+$/.test(told ?? "") ? Number(told) * 1_000 : Date.parse(told ?? "") - Date.now();
  if (Number.isFinite(ms)) {
    return Math.min(Math.max(ms, 1_000) * (1 + Math.random() / 4), LONGEST_WAIT_MS);
  }
  return Math.min(LATER_MS * 2 ** refusals, LATEST_MS) * (0.75 + Math.random() / 2);
};

/** @param {number} until in ms; @param {number} now; @returns {number} how long to wait still */
export const waitUntil = (until, now) => {
  // What lies further ahead than any answer said was written by another clock.
  const ms = (until ?? 0) - now;
  return ms > 0 && ms <= LONGEST_WAIT_MS ? ms : 0;
};
