/** The topics that a device wants, and what of them FCM has not been told yet. */

import { sourceOf } from "../index.js";

const TOPIC = /^[a-zA-Z0-9\-_.~%]{1,900}$/;
const WEEK_MS = 7 * 86_400_000;

/**
 * Return the topics of the followed sources and airports; those that are off have none.
 *
 * @param {any} index the published index
 * @param {any} favourites ids of sources, and airports
 * @param {any} rules
 * @returns {Set<string> | null} null where the index is not known: nothing follows of that
 */
export const wantedTopics = (index, favourites, rules) => {
  const lists = Object.values(index ?? {}).filter(Array.isArray);
  if (!lists.length) return null;
  const several = new Set(lists.flat().flatMap((entry) => listOf(entry?.topics)));
  const followed = listOf(favourites).filter((id) => rules?.sources?.[id]?.mode !== "off");
  const topics = followed.map((id) => (several.has(id) ? id : sourceOf(index, id)?.topic));
  return new Set(topics.filter((topic) => typeof topic === "string" && TOPIC.test(topic)));
};

/**
 * Return what to ask of the subscription API.
 *
 * A topic is `pending` from before it is sent until it is answered: whether FCM has it is not known,
 * so it is sent again, either way. After a week all is, since FCM may have forgotten the device.
 *
 * @param {Set<string>} wanted
 * @param {{topics?: string[], pending?: string[], at?: number}} state what FCM was told, and when all
 * @param {number} now in ms
 * @returns {{subscribe: string[], unsubscribe: string[]}}
 */
export const differences = (wanted, { topics = [], pending = [], at = 0 }, now) => {
  const isCertain = isRecent(at, now) ? (topic) => !pending.includes(topic) : () => false;
  const certain = new Set(topics.filter(isCertain));
  const possible = new Set([...topics, ...pending]);
  return {
    subscribe: [...wanted].filter((topic) => !certain.has(topic)),
    unsubscribe: [...possible].filter((topic) => !wanted.has(topic)),
  };
};

/** @param {number} at; @param {number} now; @returns {boolean} less than a week ago, and not to come */
export const isRecent = (at, now) => now - at >= 0 && now - at < WEEK_MS;

const listOf = (value) => (Array.isArray(value) ? value : []);
