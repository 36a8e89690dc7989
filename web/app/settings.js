/**
 * What the reader chose, kept on the device. Other windows choose too: a change is made to what the
 * device has, never to this window's copy, and every window hears of it.
 */

const DEFAULTS = {
  language: "",
  theme: "",
  favourites: [],
  rules: { sources: {}, quiet: null },
  shortcuts: true,
  /** Whether a tap on a banner opens the board, not the notice's page here. */
  boardFirst: false,
  push: null,
  /** Whether the reader has answered the question of pushes. */
  asked: false,
  /** Whether what ends of the kept notices is told on the day before. */
  reminders: false,
  /** Source → the instant until which its notices count as known. */
  since: {},
};
const CHANNEL = "uring settings";

/**
 * @typedef {object} Settings
 * @property {(key: string) => any} get this window's copy
 * @property {(key: string) => Promise<any>} load what the device has
 * @property {(key: string, value: any) => Promise<void>} set
 * @property {(key: string, change: (former: any) => any) => Promise<void>} change a value to what
 *   `change` makes of it: no other window writes between
 * @property {(tell: (key: string, isElsewhere: boolean) => void) => () => void} onChange
 *   `isElsewhere`: another window changed it; returns what ends it
 */

/**
 * @param {import("./store.js").Store} store
 * @returns {Promise<Settings>}
 */
export const settingsOf = async (store) => {
  const values = structuredClone(DEFAULTS);
  const told = new Set();
  const others = new BroadcastChannel(CHANNEL);
  const take = (key, value, isElsewhere) => {
    values[key] = value;
    for (const tell of told) tell(key, isElsewhere);
  };
  const load = async (key) => (await store.get("settings", key)) ?? structuredClone(DEFAULTS[key]);
  const change = async (key, alter) => {
    const value = await store.update("settings", key, (former) =>
      alter(former ?? structuredClone(DEFAULTS[key])),
    );
    take(key, value, false);
    others.postMessage(key);
  };
  others.onmessage = async ({ data: key }) => {
    // A window of a release after this one may tell of more.
    if (!Object.hasOwn(DEFAULTS, key)) return;
    const value = await load(key).catch(() => values[key]);
    take(key, value, true);
  };
  for (const [key, value] of await store.entries("settings").catch(() => new Map())) {
    // A release after this one may keep more.
    if (Object.hasOwn(DEFAULTS, key)) values[key] = value;
  }
  return {
    get: (key) => values[key],
    load,
    set: (key, value) => change(key, () => value),
    change,
    onChange: (tell) => {
      told.add(tell);
      return () => void told.delete(tell);
    },
  };
};
