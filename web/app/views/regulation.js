/** A regulation: its file, its history with what changed by article, its text. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { monthOf, safeLink } from "../../uring.js";
import { inForce } from "../../uring/messages.js";
import { availability, waiting } from "../availability.js";
import { link } from "../link.js";
import { differencePath, textPath } from "../rules/addresses.js";
import { kindTag, told } from "../rules/changes.js";
import { differenceShown } from "../rules/difference.js";
import { historyOf, isOfText, readBack } from "../history.js";
import { blocks, blockShown, withoutHead } from "../rules/markdown.js";
import { listOf, objectOf, objectsOf, textOf } from "../values.js";
import { dateTime, language, words } from "../words.js";

const t = words({
  ko: {
    back: "규정집으로",
    preview: "원문 보기",
    download: "내려받기",
    file: "파일 {number}",
    updated: "{at} 갱신",
    gone: "지금 목록에 없는 규정입니다. 기록에 남은 것을 보여 드립니다.",
    history: "변경 기록",
    none: "기록이 없습니다.",
    older: "더 오래된 기록",
    missing: "일부 기록을 가져오지 못했습니다.",
    difference: "바뀐 조문",
    text: "본문",
    noText: "읽어 둔 본문이 없습니다. 원문 보기를 이용해 주세요.",
    more: "본문 계속 보기",
    raw: "본문 파일",
    unreliable: "글자가 확실하지 않은 쪽: {pages}",
    notes: "알림: {notes}",
    read: "{at}에 읽은 본문",
  },
  en: {
    back: "To the registry",
    preview: "Original",
    download: "Download",
    file: "file {number}",
    updated: "updated {at}",
    gone: "This regulation is no longer listed. Its record is shown.",
    history: "History",
    none: "There is no record.",
    older: "Older record",
    missing: "A part of the record could not be fetched.",
    difference: "Changed articles",
    text: "Text",
    noText: "Its text has not been read. See the original.",
    more: "More of the text",
    raw: "The text's file",
    unreliable: "Pages with uncertain letters: {pages}",
    notes: "Notes: {notes}",
    read: "text read at {at}",
  },
});

const BUSY = html`<p class="quiet" aria-busy="true">…</p>`;
/** Blocks of a text that are shown at once. */
const PART = 150;

/** @param {Record<string, string>} params; @returns {string} */
export const title = ({ id }) => id;

/** Show a regulation: its file at once, text and history as they come. */
export const show = async (root, { registry, id }, context) => {
  render(waiting(id.slice(0, 300)), root);
  const latest = await context.data.load(`${registry}/latest.json`);
  const state = {
    differences: new Map(),
    reading: null,
    busy: false,
    text: null,
    head: {},
    blocks: [],
    rest: null,
  };
  const draw = () => render(page(registry, id, latest, state, actions), root);
  const listed = objectsOf(objectOf(latest.body).items).find((item) => item.id === id);

  const read = async (former) => {
    // The first sight of a regulation is the last line about it.
    const enough = (folded, month) => {
      const seen = monthOf((folded.get(id)?.item ?? listed)?.first_seen);
      return month !== null && seen !== null && month <= seen;
    };
    state.busy = true;
    draw();
    state.reading = await readBack(registry, context, enough, former);
    state.busy = false;
    draw();
  };
  const actions = {
    older: () => read(state.reading),
    more: () => {
      for (let taken = 0; taken < PART && state.rest; taken += 1) {
        const { value, done } = state.rest.next();
        if (done) state.rest = null;
        else state.blocks.push(value);
      }
      draw();
    },
    difference: async (path) => {
      if (state.differences.has(path)) state.differences.delete(path);
      else state.differences.set(path, await context.data.load(path));
      draw();
    },
  };
  const readText = async (item) => {
    const path = textPath(registry, objectOf(item).fileNo);
    state.text = path ? await context.data.load(path, { as: "text" }) : { state: "missing" };
    const { head, body } = withoutHead(textOf(state.text.body, Infinity));
    state.head = head;
    state.rest = blocks(body);
    actions.more();
  };

  const text = listed ? readText(listed) : null;
  read().then(() => text ?? readText(shownItem(state, id, listed)));
};

const shownItem = (state, id, listed) => listed ?? state.reading?.folded?.get(id)?.item;

const page = (registry, id, latest, state, actions) => {
  const listed = objectsOf(objectOf(latest.body).items).find((item) => item.id === id);
  const item = objectOf(shownItem(state, id, listed));
  const facts = [
    dateTime(textOf(item.lastUpdated)) && t("updated", { at: dateTime(item.lastUpdated) }),
    textOf(item.fileNo, 40) && t("file", { number: textOf(item.fileNo, 40) }),
  ];
  return html`
    <p><a href=${link("rules", registry)}>← ${t("back")}</a></p>
    <h1>${textOf(item.title, 300) || id.slice(0, 300)}</h1>
    <p class="quiet">${facts.filter(Boolean).join(" · ")}</p>
    ${availability(latest)}
    ${latest.state === "ok" && !listed ? html`<p class="lack">${t("gone")}</p>` : nothing}
    <p class="row">
      ${outside(item.previewUrl ?? item.link, t("preview"))}
      ${outside(item.downloadUrl, t("download"))}
    </p>
    <h2>${t("history")}</h2>
    ${history(registry, id, state, actions)}
    <h2>${t("text")}</h2>
    ${text(registry, item, state, actions)}
  `;
};

const outside = (address, name) => {
  const safe = safeLink(address);
  if (safe === null) return nothing;
  return html`<a class="button" href=${safe} rel="noopener noreferrer" target="_blank"
    >${name} ↗</a
  >`;
};

const history = (registry, id, state, actions) => {
  const { reading } = state;
  if (reading === null) return BUSY;
  const lines = historyOf(reading, id);
  return html`
    ${reading.missing.length ? html`<p class="lack">${t("missing")}</p>` : nothing}
    ${lines.length
      ? html`<ol class="list whole" id="history">
          ${lines.map((line) => historyRow(registry, line, state, actions))}
        </ol>`
      : html`<p class="quiet">${t("none")}</p>`}
    ${state.busy ? BUSY : isWhole(reading, lines) ? nothing : olderButton(actions)}
  `;
};

// The line of revision 1 of the regulation itself is its first.
const isWhole = ({ more, month }, lines) =>
  !more || month === null || lines.some((line) => line.revision === 1 && !isOfText(line));

const olderButton = ({ older }) => html`<p><button @click=${older}>${t("older")}</button></p>`;

const historyRow = (registry, line, state, actions) => {
  const path = differencePath(registry, line.difference);
  const loaded = path ? state.differences.get(path) : undefined;
  const toggle = () => actions.difference(path);
  return html`<li>
    <p class="row">
      ${kindTag(line)} ${told(line)}
      ${path
        ? html`<button aria-expanded=${loaded !== undefined} @click=${toggle}>
            ${t("difference")}
          </button>`
        : nothing}
    </p>
    ${loaded ? html`${availability(loaded)}${shownDifference(loaded, path)}` : nothing}
  </li>`;
};

const shownDifference = (loaded, path) =>
  loaded.body === undefined ? nothing : differenceShown(loaded.body, `./data/${path}`);

const text = (registry, item, state, actions) => {
  if (state.text === null) return BUSY;
  if (state.text.body === undefined)
    return state.text.state === "missing"
      ? html`<p class="quiet">${t("noText")}</p>`
      : availability(state.text);
  const pages = listOf(state.head.unreliablePages).slice(0, 50).filter(Number.isFinite);
  const notes = listOf(state.head.notes).slice(0, 20).map((note) => textOf(note, 300));
  const readAt = dateTime(textOf(state.head.readAt));
  const effective = inForce(state.head.effective, textOf(state.head.effectiveText, 300), language());
  const address = `./data/${textPath(registry, item.fileNo)}`;
  const unreliable = pages.join(", ");
  return html`
    ${availability(state.text)}
    <p class="quiet">
      ${[effective, readAt && t("read", { at: readAt })].filter(Boolean).join(" · ")}
      <a href=${address} target="_blank" rel="noopener">${t("raw")}</a>
    </p>
    ${unreliable ? html`<p class="lack">${t("unreliable", { pages: unreliable })}</p>` : nothing}
    ${notes.length ? html`<p class="lack">${t("notes", { notes: notes.join(" ") })}</p>` : nothing}
    <div id="text" class="prose">${state.blocks.map(blockShown)}</div>
    ${state.rest ? html`<p><button @click=${actions.more}>${t("more")}</button></p>` : nothing}
  `;
};
