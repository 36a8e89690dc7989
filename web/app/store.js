/**
 * What the device keeps: settings, read marks, kept items, copies of public data, events seen.
 *
 * IndexedDB, shared by the page and the service worker. Where it is refused (private windows, a
 * full disk) the same functions keep everything in memory until the page is closed, and
 * `store.refused` says so.
 */

import { within } from "./within.js";

const NAME = "uring";
const VERSION = 1;
/** A disk that does not answer is one that is refused: the page waits for nothing. */
const PATIENCE_MS = 3_000;
const STORES = ["settings", "read", "kept", "objects", "seen", "log"];
/** The most entries of a store; the oldest leave, by `savedAt`. */
export const LIMITS = { objects: 300, seen: 2000, log: 50, kept: 1000 };
/** The most characters of a store's texts, together. */
export const LARGEST = { objects: 20_000_000 };
/**
 * How much longer an entry of a store stays than others of its time, in ms: an index and its shards
 * name all else, and are read once a visit.
 */
const LONGER = { objects: (key) => (/^index\.([^/]*\.)?json$/.test(key) ? 86_400_000 : 0) };

/**
 * @typedef {object} Store
 * @property {boolean} refused whether nothing outlives the page
 * @property {(store: string, key: string) => Promise<any>} get undefined where there is none
 * @property {(store: string, key: string, value: any) => Promise<void>} put
 * @property {(store: string, key: string, change: (former: any) => any) => Promise<any>} update
 *   replaces a value by what `change` makes of it, and returns that; no other window writes between.
 *   `change` may be called twice; undefined is not written
 * @property {(store: string, key: string) => Promise<void>} remove
 * @property {(store: string, take?: (value: any) => any) => Promise<Map<string, any>>} entries by
 *   key, of one instant; `take` picks what is needed of a value, so that the rest leaves the memory
 */

/**
 * @param {() => void} onRefused called each time that a value stays in memory alone
 * @returns {Promise<Store>} never rejects
 */
export const open = async (onRefused = () => {}) => {
  try {
    return onDisk(await within(PATIENCE_MS, database()), onRefused);
  } catch (error) {
    console.warn("nothing is kept on this device:", error);
    return inMemory();
  }
};

const database = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
      }
    };
    request.onsuccess = () => {
      // Another tab with a newer release waits for this one to let go.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked by another tab"));
  });

const onDisk = (opened, onRefused) => {
  const memory = inMemory();
  let db = opened;
  const once = (store, mode, ask) =>
    new Promise((resolve, reject) => {
      const transaction = db.transaction(store, mode);
      const request = ask(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
    });
  const run = async (...of) => {
    try {
      return await once(...of);
    } catch (error) {
      // Browsers close a connection while the device sleeps.
      if (error?.name !== "InvalidStateError") throw error;
      db = await database();
      return once(...of);
    }
  };
  const update = async (store, key, change) => {
    const held = await memory.get(store, key);
    let former = held;
    let after;
    try {
      await run(store, "readwrite", (all) =>
        onResult(all.get(key), ({ result }) => {
          former = held ?? result;
          after = change(former);
          if (after !== undefined) all.put(after, key);
        }),
      );
    } catch (error) {
      // A full disk costs what outlives the page, not what the page can do.
      console.warn("not kept on this device:", error);
      after = await memory.update(store, key, (newer) => change(newer ?? former));
      self.refused = true;
      onRefused();
      return after;
    }
    await memory.remove(store, key);
    return after;
  };
  const entries = async (store, take = whole) => {
    const found = new Map();
    await run(store, "readonly", (all) => {
      found.clear();
      return onResult(all.openCursor(), ({ result: cursor }) => {
        if (!cursor) return;
        found.set(String(cursor.key), take(cursor.value));
        cursor.continue();
      });
    });
    return new Map([...found, ...(await memory.entries(store, take))]);
  };
  const self = {
    refused: false,
    get: async (store, key) =>
      (await memory.get(store, key)) ?? run(store, "readonly", (all) => all.get(key)),
    put: async (store, key, value) => void (await update(store, key, () => value)),
    update,
    remove: async (store, key) => {
      await memory.remove(store, key);
      await run(store, "readwrite", (all) => all.delete(key));
    },
    entries,
  };
  return self;
};

/** Go on with each result of a request; an error ends its transaction, not the page. */
const onResult = (request, next) => {
  request.onsuccess = () => {
    try {
      next(request);
    } catch (error) {
      console.warn("storage:", error);
      request.transaction.abort();
    }
  };
  return request;
};

const whole = (value) => value;

const inMemory = () => {
  const stores = new Map(STORES.map((name) => [name, new Map()]));
  const update = async (store, key, change) => {
    const after = change(stores.get(store).get(key));
    if (after !== undefined) stores.get(store).set(key, after);
    return after;
  };
  return {
    refused: true,
    get: async (store, key) => stores.get(store).get(key),
    put: async (store, key, value) => void stores.get(store).set(key, value),
    update,
    remove: async (store, key) => void stores.get(store).delete(key),
    entries: async (store, take = whole) =>
      new Map([...stores.get(store)].map(([key, value]) => [key, take(value)])),
  };
};

/**
 * Remove the oldest entries beyond a store's limits: of their number, and of their texts.
 *
 * @param {Store} store
 * @param {keyof LIMITS} name
 * @param {(value: any) => number} at when an entry was kept, in ms
 */
export const trim = async (store, name, at = (value) => value?.savedAt ?? 0) => {
  const entries = await store.entries(name, (value) => ({
    at: at(value),
    size: value?.text?.length ?? 0,
  }));
  let size = [...entries.values()].reduce((sum, entry) => sum + entry.size, 0);
  let count = entries.size;
  const isOver = (share) =>
    count > Math.floor(LIMITS[name] * share) || size > (LARGEST[name] ?? Infinity) * share;
  if (!isOver(1)) return;
  const leavesAt = ([key, entry]) => entry.at + (LONGER[name]?.(key) ?? 0);
  const oldest = [...entries].sort((one, other) => leavesAt(one) - leavesAt(other));
  for (const [key, entry] of oldest) {
    // A tenth at once, so that not every write sorts.
    if (!isOver(0.9)) return;
    await store.remove(name, key);
    count -= 1;
    size -= entry.size;
  }
};
