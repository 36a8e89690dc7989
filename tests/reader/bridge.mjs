// Calls of web/uring.js for tests: a JSON document a line, [name, arguments] in, the result out.
import { createInterface } from "node:readline";
import * as uring from "../../web/uring.js";

const SPECIAL = {
  fold: (...groups) =>
    toldOf(groups.reduce((former, lines) => uring.fold(lines, former), uring.fold([]))),
  merge: (lines, items) => toldOf(uring.merge(uring.fold(lines), items)),
  decide: (message, rules, seen, clock) => {
    const now = clock === null ? new Date(NaN) : new Date(2026, 0, 1, ...clock.split(":"));
    return uring.decide(message, rules, new Set(seen), now);
  },
  pages: async (source, files, options) => {
    const there = new Map(files);
    const asked = [];
    const load = async (path) => {
      asked.push(path);
      const text = there.get(path);
      if (text === "offline") throw new TypeError("no network");
      if (typeof text === "number") return { status: text, text: "" };
      return text === undefined ? { status: 403, text: "" } : { status: 200, text };
    };
    const read = [];
    for await (const page of uring.pages(source, load, options)) {
      read.push({ ...page, items: page.items.map(({ id }) => id), folded: page.folded.size });
    }
    return { pages: read, asked };
  },
};

function toldOf(folded) {
  const told = (entries) =>
    [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, { item, history, isGone }]) => [
      id,
      { item, history: history.map((line) => line.event_id), isGone },
    ]);
  return { records: told(folded), texts: told(folded.texts) };
}

// JSON has no infinity, and a result may have one: 1e400 is read as such.
const encoded = (_, value) =>
  typeof value === "number" && !Number.isFinite(value) ? { number: String(value) } : value;

for await (const line of createInterface({ input: process.stdin })) {
  const [name, given] = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await (SPECIAL[name] ?? uring[name])(...given)) ?? null };
  } catch (error) {
    answer = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer, encoded)}\n`);
}
