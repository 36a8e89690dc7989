/** Looks again while somebody looks: every five minutes, on return, when the network is back. */

const EVERY_MS = 300_000;
/** Switching between windows asks no more often than this. */
const AT_MOST_EVERY_MS = 60_000;

/**
 * Call a function whenever sources should be asked again.
 *
 * @param {() => Promise<void>} ask
 * @param {(source: string, detectedAt?: string) => void} pushed the service worker told of a change
 * @returns {() => void} ends it
 */
export const poll = (ask, pushed) => {
  const ending = new AbortController();
  let last = performance.now();
  const again = async (sooner = false) => {
    if (document.visibilityState !== "visible") return;
    if (!sooner && performance.now() - last < AT_MOST_EVERY_MS) return;
    last = performance.now();
    await ask();
  };
  const options = { signal: ending.signal };
  const timer = setInterval(() => again(), EVERY_MS);
  document.addEventListener("visibilitychange", () => again(), options);
  addEventListener("online", () => again(true), options);
  navigator.serviceWorker?.addEventListener(
    "message",
    ({ data }) => {
      if (data?.type !== "pushed" || typeof data.source !== "string") return;
      pushed(data.source, data.detected_at);
    },
    options,
  );
  return () => {
    clearInterval(timer);
    ending.abort();
  };
};
