/** What the device is at the push service, kept under the setting `push` and shared by all windows. */

/**
 * @typedef {object} State
 * @property {boolean} on what the reader wants
 * @property {string | null} id of the device at FCM
 * @property {string | null} endpoint of the browser's subscription
 * @property {number} registered when, in ms
 * @property {string[]} topics that FCM was told
 * @property {string[]} pending that were sent and not answered
 * @property {Record<string, string>} ids of the followed sources, by topic
 * @property {number} at when all topics were sent, in ms
 * @property {number} notBefore when to send again, in ms
 */

/** @type {State} */
export const NEW = {
  on: true,
  id: null,
  endpoint: null,
  registered: 0,
  topics: [],
  pending: [],
  ids: {},
  at: 0,
  notBefore: 0,
};

/** Topics that nobody was told. */
export const UNTOLD = { topics: [], pending: [], at: 0 };

/**
 * @param {any} context of the page
 * @returns {Promise<State | null>} null: pushes are off, and nothing is left to send
 */
export const readState = async ({ store }) => {
  const kept = await store.get("settings", "push");
  return kept ? { ...NEW, ...kept } : null;
};

/**
 * Change the state in one step: no window writes over what another one has written meanwhile.
 *
 * @param {any} context of the page
 * @param {(state: State | null) => State | null} next
 * @returns {Promise<State | null>} what is kept now
 */
export const changeState = (context, next) => {
  const change = async () => {
    const before = await readState(context);
    const after = next(before);
    if (after !== before) await context.settings.set("push", after);
    return after;
  };
  return navigator.locks ? navigator.locks.request("uring push state", change) : change();
};
