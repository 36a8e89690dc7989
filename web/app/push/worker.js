/** The service worker as the page sees it. */

const WORKER = "./sw.js";

/** Trusted types forbid a plain string; the policy lets one address pass. */
const policy = globalThis.trustedTypes?.createPolicy("app", {
  createScriptURL: (address) => {
    if (address === WORKER) return address;
    throw new TypeError(`not a script of this site: ${address}`);
  },
});

/** @returns {Promise<ServiceWorkerRegistration>} with an active worker */
export const registerWorker = async () => {
  if (!navigator.serviceWorker) throw new Error("not supported, or not a secure page");
  const address = policy ? policy.createScriptURL(WORKER) : WORKER;
  await navigator.serviceWorker.register(address, { type: "module" });
  return navigator.serviceWorker.ready;
};

/**
 * Call a function with each message of one type that the worker sends.
 *
 * @param {"open" | "pushed"} type
 * @param {(message: any) => void} take
 * @returns {() => void} ends it
 */
export const onWorker = (type, take) => {
  const listen = ({ data }) => {
    if (data?.type === type) take(data);
  };
  navigator.serviceWorker?.addEventListener("message", listen);
  return () => navigator.serviceWorker?.removeEventListener("message", listen);
};
