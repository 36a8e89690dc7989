// A file of archive lines, parsed and folded in JavaScript, at once and by pages: one JSON document in, one out.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fold, pages, parseLines } from "../web/uring.js";

const { file, parts } = JSON.parse(readFileSync(0, "utf-8"));
const text = readFileSync(file, "utf-8");
const seconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const began = seconds();
const { lines, broken } = parseLines(text);
const read = seconds();
const folded = fold(lines);
const ended = seconds();
const peak = process.resourceUsage().maxRSS * 1024;
const digest = createHash("sha256");
for (const id of [...folded.keys()].sort()) {
  const item = folded.get(id).item;
  digest.update(JSON.stringify(item, Object.keys(item).sort()));
}
const load = async (path) =>
  path in parts ? { status: 200, text: readFileSync(parts[path], "utf-8") } : { status: 403 };
let paged = 0;
const turned = seconds();
for await (const page of pages("cse", load)) paged += page.items.length;
const told = {
  page: seconds() - turned,
  paged,
  parse: read - began,
  fold: ended - read,
  peak,
  items: folded.size,
  broken,
  digest: digest.digest("hex"),
};
process.stdout.write(JSON.stringify(told));
