/**
 * The Markdown of regulations' texts: headings, paragraphs, lists, tables.
 *
 * Nothing else is markup in it but the marks of pages, and nothing is escaped: `<b>` is a letter
 * and two signs. Long texts are shown in parts, of which none is left out.
 */

import { html } from "../../vendor/lit-html.js";
import { words } from "../words.js";

const t = words({
  ko: { table: "표", page: "{number}쪽" },
  en: { table: "Table", page: "page {number}" },
});

const HEADING = /^(#{1,6}) (.+)$/;
const PAGE = /^<!-- page ([0-9]{1,6}) -->$/;
const ITEM = /^- (.*)$/;
const RULE = /^\|(?: ?:?-+:? ?\|)+$/;
/** Characters of a piece: one endless line is not one endless paragraph. */
const PIECE = 5000;
const ROWS = 100;
const COLUMNS = 40;

/**
 * @typedef {{kind: "heading", level: number, text: string} | {kind: "paragraph", text: string}
 *   | {kind: "page", text: string} | {kind: "list", items: string[]}
 *   | {kind: "table", head: string[], rows: string[][]}} Block
 */

/**
 * Split a text into its head, one JSON value a line between `---`, and what follows.
 *
 * @param {string} text
 * @returns {{head: Record<string, any>, body: string}} a head that cannot be read is empty
 */
export const withoutHead = (text) => {
  const found = /^---\n([^]{0,20000}?)\n---\n/.exec(text);
  if (!found) return { head: {}, body: text };
  const head = Object.create(null);
  for (const line of found[1].split("\n")) {
    const at = line.indexOf(": ");
    try {
      if (at > 0) head[line.slice(0, at)] = JSON.parse(line.slice(at + 2));
    } catch {
      // A value of a later release: the text counts.
    }
  }
  return { head: { ...head }, body: text.slice(found[0].length) };
};

/**
 * Yield the blocks of a text, in order; its time grows with what is taken.
 *
 * @param {string} text
 * @returns {Generator<Block>}
 */
export function* blocks(text) {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n\n", at);
    const block = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 2;
    if (block.trim()) yield* ofBlock(block.replace(/^\n+|\n+$/g, ""));
  }
}

function* ofBlock(block) {
  const heading = block.length < PIECE ? HEADING.exec(block.trim()) : null;
  if (heading) {
    yield { kind: "heading", level: heading[1].length, text: heading[2] };
    return;
  }
  const page = PAGE.exec(block);
  if (page) {
    yield { kind: "page", text: page[1] };
    return;
  }
  const lines = block.split("\n");
  if (lines.length > 1 && lines[0].startsWith("|") && RULE.test(lines[1])) yield* tables(lines);
  else if (lines.every((line) => ITEM.test(line)))
    for (const part of parts(lines, ROWS))
      yield { kind: "list", items: part.flatMap((line) => pieces(ITEM.exec(line)[1])) };
  else for (const text of pieces(block)) yield { kind: "paragraph", text };
}

function* tables([first, , ...lines]) {
  const head = cells(first);
  for (const part of parts(lines.length ? lines : [""], ROWS))
    yield { kind: "table", head, rows: part.filter(Boolean).map(cells) };
}

const cells = (line) =>
  line
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/, COLUMNS)
    .map((cell) => cell.trim().replaceAll("\\|", "|").slice(0, PIECE));

const pieces = (text) => {
  const found = [];
  for (let at = 0; at < text.length; at += PIECE) found.push(text.slice(at, at + PIECE));
  return found.length ? found : [""];
};

const parts = (lines, size) =>
  Array.from({ length: Math.ceil(lines.length / size) }, (_, at) =>
    lines.slice(at * size, (at + 1) * size),
  );

/** @param {Block} block; @returns {any} a template; headings begin below the section's own */
export const blockShown = (block) => {
  if (block.kind === "heading")
    return block.level > 2 ? html`<h4>${block.text}</h4>` : html`<h3>${block.text}</h3>`;
  if (block.kind === "page")
    return html`<p class="quiet">— ${t("page", { number: block.text })} —</p>`;
  if (block.kind === "list")
    return html`<ul>
      ${block.items.map((item) => html`<li>${item}</li>`)}
    </ul>`;
  if (block.kind === "paragraph") return html`<p class="lines">${block.text}</p>`;
  return html`<div class="wide-table" tabindex="0" role="region" aria-label=${t("table")}>
    <table>
      <thead>
        <tr>${block.head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr>
      </thead>
      <tbody>
        ${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
      </tbody>
    </table>
  </div>`;
};
