/**
 * Reads `health.json` of the rows in sight, some side by side: a list of thousands costs what is
 * looked at.
 */

import { eachOf } from "./counts.js";

/** A row that fails is asked again after this: its beats go on while its entry stands still. */
const AGAIN_MS = 300_000;

export class Sight {
  /** By key, the last answers. @type {Map<string, import("./load.js").Answer>} */
  answers = new Map();
  #asked = new Map();
  #sources = new Map();
  #watched = new WeakSet();
  #wanted = new Set();
  #load;
  #changed;
  #observer;

  /**
   * @param {(source: import("./health.js").Source) => Promise<import("./load.js").Answer>} load
   * @param {() => void} changed called when answers came
   */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
    this.#observer = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen) {
        if (isIntersecting) this.#wanted.add(target.dataset.source);
        else this.#wanted.delete(target.dataset.source);
      }
      this.#read();
    });
  }

  /**
   * Watch the rows of a list as it was drawn.
   *
   * @param {Element} view
   * @param {import("./health.js").Source[]} sources all of them
   * @param {(source: import("./health.js").Source) => string} keyOf
   */
  watch(view, sources, keyOf) {
    const rows = [...view.querySelectorAll("[data-source]")];
    const shown = new Set(rows.map(({ dataset }) => dataset.source));
    this.#sources = new Map();
    for (const source of sources) {
      const key = keyOf(source);
      if (shown.has(key)) this.#sources.set(key, source);
    }
    for (const row of rows) {
      if (this.#watched.has(row)) continue;
      this.#watched.add(row);
      this.#observer.observe(row);
    }
    this.#read();
  }

  async #read() {
    const due = [...this.#wanted].filter((key) => this.#isDue(key));
    if (!due.length) return;
    for (const key of due) this.#asked.set(key, this.#stamp(key));
    await eachOf(due, async (key) => {
      const source = this.#sources.get(key);
      // A row that has left the list meanwhile: it is asked for when it is back.
      if (!source) return void this.#asked.delete(key);
      const answer = await this.#load(source);
      // What came before stays: an answer that fails has no newer beats.
      if (answer.state === "ok" || this.answers.get(key)?.state !== "ok") this.answers.set(key, answer);
    });
    this.#changed();
  }

  #isDue(key) {
    return this.#sources.has(key) && this.#asked.get(key) !== this.#stamp(key);
  }

  /** What an answer is good for: the entry as it is, and of a failing source a while. */
  #stamp(key) {
    const { since, failures, succeeded, changed, kind } = this.#sources.get(key);
    const turn = kind === "ok" || kind === "paused" ? 0 : Math.floor(Date.now() / AGAIN_MS);
    return [since, failures, succeeded, changed, turn].join("|");
  }
}
