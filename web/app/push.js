/** Push in the page: the service worker, the device, its topics, and their part of the settings. */

import { log } from "./push/log.js";
import { changeState, NEW, readState, UNTOLD } from "./push/state.js";
import { synchroniser } from "./push/subscriptions.js";
import { onWorker, registerWorker } from "./push/worker.js";
import { within } from "./within.js";

const DAY_MS = 86_400_000;
const WORKER_MS = 20_000;
const SETTLE_MS = 400;

/**
 * @typedef {"none" | "insecure" | "home" | "unsupported" | "denied" | "off" | "on"} Availability
 *   `none`: this site has no push; `home`: iOS, which needs the home screen
 */

/**
 * Register the service worker, and go on with pushes where they were on. Nothing waits for it.
 *
 * @param {any} context of the page
 * @returns {Promise<void>} never rejects
 */
export const start = async (context) => void (await pushOf(context));

/**
 * Show the settings of pushes.
 *
 * @param {HTMLElement} root
 * @param {any} context of the page
 * @returns {Promise<() => void>} ends it
 */
export const pushSettings = async (root, context) => {
  const { showPanel } = await import("./push/panel.js");
  return showPanel(root, context, pushOf(context));
};

/** One a page, whoever asks first. */
export const pushOf = (context) => (context.pushing ??= begin(context));

const begin = async (context) => {
  const { settings, store } = context;
  onWorker("open", ({ route }) => {
    location.hash = route;
  });
  const [registration, config] = await Promise.all([
    within(WORKER_MS, registerWorker()).catch((error) => {
      console.warn("no service worker:", error);
      return null;
    }),
    configOf(),
  ]);
  const device = registration && (await deviceOf(config, registration));
  let hush = () => {};
  let isAnew = false;

  const listen = (id) => {
    hush();
    hush = device.listen(id, () => subscribeAnew(id));
  };

  /** Register the device; `isClick`: the reader turns pushes on, which were off. */
  const register = async (anew, isClick = false) => {
    const before = await readState(context);
    const { id, endpoint } = await device.register(before?.id ?? null, anew);
    const state = await changeState(context, (former) => {
      // Turned off while the push service took its time.
      if (!isClick && !former?.on) return former;
      // What another id was told says nothing of this one.
      const known = former && id === former.id && !anew ? former : NEW;
      return { ...known, on: true, id, endpoint, registered: Date.now(), notBefore: 0 };
    });
    if (state?.on) listen(id);
    else await device.unregister();
  };

  const registerAnew = async () => {
    if (isAnew) return;
    isAnew = true;
    await register(true).catch((error) => log(store, "failed", error.message));
    await sync();
  };

  /** Tell the topics of a device again that the server of a local run has forgotten. */
  const subscribeAnew = async (id) => {
    await changeState(context, (state) =>
      state?.id === id && state.topics.length ? { ...state, ...UNTOLD } : state,
    );
    await sync();
  };

  const syncTopics = synchroniser(context, registerAnew);
  let timer;

  /** What was to be sent after a change of the settings is sent with it. */
  const sync = () => {
    clearTimeout(timer);
    return syncTopics();
  };

  /** Go on with what was on when the page was closed. */
  const resume = async () => {
    const state = await readState(context);
    if (!state?.on) return;
    if (Notification.permission !== "granted") return log(store, "lost", "permission");
    const endpoint = await device.endpoint();
    const isLost = state.id !== null && (endpoint === null || endpoint !== state.endpoint);
    if (isLost) await log(store, "lost");
    const age = Date.now() - state.registered;
    if (isLost || state.id === null || !(age >= 0 && age < DAY_MS)) await register(isLost);
    else listen(state.id);
  };

  const self = {
    availability: () => availability(config, registration, settings),
    isIos: isIos(),
    /** Call it from a click: the browser asks for the permission. Rejects where it cannot be. */
    turnOn: async () => {
      if ((await Notification.requestPermission()) !== "granted") return;
      await register(false, true);
      sync();
    },
    turnOff: async () => {
      hush();
      await changeState(context, (state) => state && { ...state, on: false, notBefore: 0 });
      await sync();
      await device.unregister().catch((error) => log(store, "failed", error.message));
    },
  };

  if (!device) return self;
  settings.onChange((key, isElsewhere) => {
    // The window that changed it sends it.
    if (isElsewhere || (key !== "favourites" && key !== "rules")) return;
    clearTimeout(timer);
    timer = setTimeout(sync, SETTLE_MS);
  });
  addEventListener("online", sync);
  if (!settings.get("push")) return self;
  context.ready
    .then(() => inTurn(resume))
    .catch((error) => log(store, "failed", error.message))
    .then(sync);
  return self;
};

/** Windows that start together find one loss once. */
const inTurn = (run) => (navigator.locks ? navigator.locks.request("uring device", run) : run());

const configOf = async () => {
  try {
    return await (await fetch("./config.json", { cache: "no-cache" })).json();
  } catch {
    return {};
  }
};

const deviceOf = async (config, registration) => {
  const push = config?.push;
  const isFirebase = typeof push?.firebase === "object" && push.firebase !== null;
  if (!isFirebase && typeof push?.events !== "string") return null;
  const { firebaseDevice, localDevice } = await import("./push/device.js");
  return isFirebase ? firebaseDevice(push, registration) : localDevice(push, registration);
};

/** @returns {Availability} */
const availability = (config, registration, settings) => {
  if (!config?.push) return "none";
  if (!globalThis.isSecureContext) return "insecure";
  const isPossible = registration && "Notification" in globalThis;
  if (!isPossible || (config.push.firebase && !("PushManager" in globalThis))) {
    return isIos() && !isInstalled() ? "home" : "unsupported";
  }
  if (Notification.permission === "denied") return "denied";
  return settings.get("push")?.on && Notification.permission === "granted" ? "on" : "off";
};

/** @returns {boolean} iPhone or iPad, which calls itself a Mac */
const isIos = () =>
  /iP(hone|ad|od)/.test(navigator.userAgent) ||
  (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

const isInstalled = () =>
  navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
