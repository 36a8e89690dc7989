/** The topics that a device wants, and what of them FCM has not been told yet. */

import { sourceOf } from "../index.js";
import { shardsOf, unlisted } from "../shards.js";

const TOPIC = /^[a-zA-Z0-9\-_.~%]{1,900}$/;
const WEEK_MS = 7 * 86_400_000;

/**
 * Return the topics of the followed sources and airports; those that are off have none.
 *
 * In an index with shards an id that is in no list may be in a shard that did not come, or that is
 * being divided: what FCM was told of it stays.
 *
 * @param {any} index the published index, with the shards that were read
 * @param {any} favourites ids of sources, and airports
 * @param {any} rules
 * @param {{topics?: string[], pending?: string[], ids?: Record<string, string>}} state what FCM was
 *   told, and of which source each topic is
 * @returns {Map<string, string> | null} ids by topic, "" where it is not known; null where the index
 *   is not known: nothing follows of that
 */
export const wantedTopics = (index, favourites, rules, { topics, pending, ids } = {}) => {
  const lists = Object.values(index ?? {}).filter(Array.isArray);
  if (!lists.length) return null;
  const several = new Set(lists.flat().flatMap((entry) => listOf(entry?.topics)));
  const followed = listOf(favourites).filter((id) => rules?.sources?.[id]?.mode !== "off");
  const own = followed.map((id) => [several.has(id) ? id : sourceOf(index, id)?.topic, id]);
  const wanted = own.filter(([topic]) => typeof topic === "string" && TOPIC.test(topic));
  const unknown = shardsOf(index).length ? unlisted(index, followed) : [];
  const told = [...listOf(topics), ...listOf(pending)].map((topic) => [topic, ""]);
  const held = [...new Map([...told, ...Object.entries(ids ?? {})])].filter(([, id]) =>
    id ? unknown.includes(id) : unknown.length,
  );
  return new Map([...held, ...wanted]);
};

/**
 * Return what to ask of the subscription API.
 *
 * A topic is `pending` from before it is sent until it is answered: whether FCM has it is not known,
 * so it is sent again, either way. After a week all is, since FCM may have forgotten the device.
 *
 * @param {Map<string, string>} wanted by `wantedTopics`
 * @param {{topics?: string[], pending?: string[], at?: number}} state what FCM was told, and when all
 * @param {number} now in ms
 * @returns {{subscribe: string[], unsubscribe: string[]}}
 */
export const differences = (wanted, { topics = [], pending = [], at = 0 }, now) => {
  const isCertain = isRecent(at, now) ? (topic) => !pending.includes(topic) : () => false;
  const certain = new Set(topics.filter(isCertain));
  const possible = new Set([...topics, ...pending]);
  return {
    subscribe: [...wanted.keys()].filter((topic) => !certain.has(topic)),
    unsubscribe: [...possible].filter((topic) => !wanted.has(topic)),
  };
};

/** @param {number} at; @param {number} now; @returns {boolean} less than a week ago, and not to come */
export const isRecent = (at, now) => now - at >= 0 && now - at < WEEK_MS;

const listOf = (value) => (Array.isArray(value) ? value : []);
