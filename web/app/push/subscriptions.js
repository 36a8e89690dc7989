/**
 * Keeps FCM's topics as the device wants them. Each step is written down before it is sent, so that
 * whoever dies in between sends it again at the next start.
 */

import { log } from "./log.js";
import { askForTopics, LONGEST_WAIT_MS, waitUntil } from "./requests.js";
import { changeState, readState, UNTOLD } from "./state.js";
import { differences, isRecent, wantedTopics } from "./topics.js";

const AT_ONCE = 50;

const without = (ids, topics) =>
  Object.fromEntries(Object.entries(ids).filter(([topic]) => !topics.includes(topic)));

/**
 * Return a function that sends what differs; it never rejects, and two windows take turns.
 *
 * @param {any} context of the page
 * @param {() => Promise<void>} registerAnew called where FCM does not know the device any more;
 *   not awaited, never rejects
 * @returns {() => Promise<void>}
 */
export const synchroniser = (context, registerAnew) => {
  const { settings, store } = context;
  let timer;
  let refusals = 0;

  /** Write a part; a state that another window has removed stays so. */
  const write = (part) =>
    changeState(context, (state) => state && { ...state, ...part(state) });
  /** Forget the device, unless pushes were turned on again. */
  const end = () => changeState(context, (state) => (state?.on ? state : null));

  const later = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(sync, ms);
  };

  /** Send 50 topics at the most; return whether to go on. */
  const send = async (subscribe, unsubscribe) => {
    const sent = [...subscribe, ...unsubscribe];
    const before = await write(({ pending }) => ({ pending: [...new Set([...pending, ...sent])] }));
    if (!before) return false;
    const answer = await askForTopics(before.id, subscribe, unsubscribe, refusals);
    refusals = answer.kind === "later" ? refusals + 1 : 0;
    if (answer.kind === "refused" && sent.length > 1) return oneByOne(subscribe, unsubscribe);
    if (answer.kind === "refused") await log(store, "refused", `${answer.status} ${sent[0]}`);
    if (answer.kind === "done" || answer.kind === "refused") {
      const told = answer.kind === "done" ? subscribe : [];
      const others = (topics) => topics.filter((topic) => !sent.includes(topic));
      await write(({ topics, pending, ids }) => ({
        topics: [...others(topics), ...told],
        pending: others(pending),
        // The server knows of none: what was held of a source that is unknown here ends.
        ids: answer.kind === "done" ? ids : without(ids, sent),
      }));
      return true;
    }
    if (answer.kind === "later") {
      await log(store, "later", String(answer.status || ""));
      await write(() => ({ notBefore: Date.now() + answer.ms }));
      later(answer.ms);
      return false;
    }
    await log(store, "unknown");
    // A registration that succeeds lifts the wait; until then every window keeps to it.
    await write(() => ({ ...UNTOLD, notBefore: Date.now() + LONGEST_WAIT_MS }));
    if (before.on) registerAnew();
    else await end();
    return false;
  };

  /** Find the topic that was refused: it must not cost the others. */
  const oneByOne = async (subscribe, unsubscribe) => {
    for (const topic of subscribe) if (!(await send([topic], []))) return false;
    for (const topic of unsubscribe) if (!(await send([], [topic]))) return false;
    return true;
  };

  const once = async () => {
    const state = await readState(context);
    if (!state) return;
    const wait = waitUntil(state.notBefore, Date.now());
    if (wait) return later(wait);
    // As the device has it: another window may have chosen since.
    const [favourites, rules] = await Promise.all(["favourites", "rules"].map(settings.load));
    if (state.on) await context.listed(favourites);
    const topics = wantedTopics(context.index, favourites, rules, state);
    const wanted = state.on ? topics : new Map();
    if (!state.id || !wanted) return state.on ? undefined : end();
    const ids = Object.fromEntries(wanted);
    if (JSON.stringify(ids) !== JSON.stringify(state.ids)) await write(() => ({ ids }));
    const { subscribe, unsubscribe } = differences(wanted, state, Date.now());
    for (let from = 0; from < Math.max(subscribe.length, unsubscribe.length); from += AT_ONCE / 2) {
      const part = (all) => all.slice(from, from + AT_ONCE / 2);
      if (!(await send(part(subscribe), part(unsubscribe)))) return;
    }
    if (!state.on) return end();
    if (!isRecent(state.at, Date.now())) await write(() => ({ at: Date.now() }));
  };

  /** Two windows of this browser share one device. */
  const sync = () => {
    const turn = () => once().catch((error) => console.warn("topics:", error));
    return navigator.locks ? navigator.locks.request("uring topics", turn) : turn();
  };
  return sync;
};
