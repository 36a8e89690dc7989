/** The device at the push service: Firebase's modules, or server-sent events of a local run. */

import { within } from "../within.js";

/** A browser without a push service never answers. */
const PATIENCE_MS = 30_000;
const REOPEN_MS = 5_000;
const SDK_DATABASE = "firebase-messaging-database";

/**
 * @typedef {object} Device
 * @property {(former: string | null, anew: boolean) => Promise<{id: string, endpoint: string | null}>}
 *   register `anew`: what the push service knew of this device is gone
 * @property {() => Promise<string | null>} endpoint of the browser's subscription; null: there is none
 * @property {() => Promise<void>} unregister
 * @property {(id: string, onForgotten: () => void) => () => void} listen returns what ends it;
 *   `onForgotten`: the server knows no topic of the device
 */

/**
 * @param {{firebase: object, vapidKey: string}} push of config.json
 * @param {ServiceWorkerRegistration} registration
 * @returns {Device}
 */
export const firebaseDevice = ({ firebase, vapidKey }, registration) => {
  let loading;
  // 140 KB that only who wants pushes pays for.
  const sdk = () => (loading ??= load(firebase));
  const endpoint = async () => (await registration.pushManager.getSubscription())?.endpoint ?? null;

  const register = async (_, anew) => {
    // The SDK takes its own note of the last week for true and would not ask Google again.
    if (anew) await forget();
    const { messaging, onRegistered, register: ask } = await sdk();
    const id = await new Promise((resolve, reject) => {
      onRegistered(messaging, resolve);
      ask(messaging, { serviceWorkerRegistration: registration, vapidKey }).catch(reject);
    });
    return { id, endpoint: await endpoint() };
  };

  const unregister = async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const { messaging, unregister: end } = await sdk();
    await end(messaging);
  };

  return {
    register: (former, anew) => within(PATIENCE_MS, register(former, anew)),
    endpoint,
    unregister: () => within(PATIENCE_MS, unregister()),
    listen: () => () => {},
  };
};

const load = async (firebase) => {
  const [{ initializeApp }, { getMessaging, ...messages }] = await Promise.all([
    import("../../vendor/firebase-app.js"),
    import("../../vendor/firebase-messaging.js"),
  ]);
  if (!(await messages.isSupported())) throw new Error("not supported by this browser");
  return { messaging: getMessaging(initializeApp(firebase)), ...messages };
};

const forget = () =>
  new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(SDK_DATABASE);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });

/**
 * @param {{events: string}} push of config.json
 * @param {ServiceWorkerRegistration} registration
 * @returns {Device}
 */
export const localDevice = ({ events }, registration) => {
  const deliver = async (text) => {
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ type: "push", message: parsed(text) });
  };

  /** Listen until the signal; one that was closed by the server is opened again. */
  const open = (id, onForgotten, signal) =>
    new Promise((resolve) => {
      let source;
      let timer;
      const connect = () => {
        source = new EventSource(`${events}?id=${encodeURIComponent(id)}`);
        source.onmessage = ({ data }) => deliver(data);
        source.addEventListener("forgotten", onForgotten);
        source.onerror = () => {
          if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, REOPEN_MS);
        };
      };
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        source.close();
        resolve();
      });
      connect();
    });

  const listen = (id, onForgotten) => {
    const { signal, abort } = controllerOf();
    const hold = () => open(id, onForgotten, signal);
    // One window listens for all of them; the next one takes over where it is closed.
    if (navigator.locks) navigator.locks.request("uring events", { signal }, hold).catch(() => {});
    else hold();
    return abort;
  };

  return {
    register: async (former) => ({ id: former ?? newId(), endpoint: registration.scope }),
    endpoint: async () => registration.scope,
    unregister: async () => {},
    listen,
  };
};

const controllerOf = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};

/** Return an id of the form of Firebase's: 22 characters, four bits of them fixed. */
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(17));
  bytes[0] = 0b01110000 | (bytes[0] & 0b00001111);
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").slice(0, 22);
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
