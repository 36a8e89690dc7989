/** What the reader chooses: filter and order of the list, names for commands and docs. */

import { html } from "../vendor/lit-html.js";
import { words } from "../app/words.js";
import { KINDS } from "./health.js";
import { kindWord } from "./parts.js";

const t = words({
  ko: {
    search: "이름, id, 이유로 찾기",
    status: "상태",
    needs: "살펴볼 것",
    every: "모든 상태",
    order: "정렬",
    worst: "급한 것부터",
    name: "이름",
    changed: "최근 변경",
    succeeded: "오래전 성공",
    mine: "명령과 문서에 쓸 이름",
    stack: "스택 이름",
    region: "스택의 리전 (AWS 콘솔 링크)",
    docs: "문서가 있는 주소 (docs/의 위)",
    kept: "이 기기에만 저장합니다. 스택 이름이 없으면 명령에 NAME이 들어갑니다.",
  },
  en: {
    search: "Find by name, id or reason",
    status: "Status",
    needs: "Needs a look",
    every: "Every status",
    order: "Order",
    worst: "Worst first",
    name: "Name",
    changed: "Changed last",
    succeeded: "Longest without success",
    mine: "Names for commands and docs",
    stack: "The stack's name",
    region: "Its region (links to the console of AWS)",
    docs: "Address of the docs (above docs/)",
    kept: "Kept on this device alone. Without a name commands say NAME.",
  },
});

/** What the filter offers: a later release's words are not known. */
export const STATES = KINDS.filter((kind) => kind !== "later");

/**
 * @param {{kind: string, order: string, text: string}} filter as it is
 * @param {(changes: object) => void} filtered called with what the reader chose
 */
export const tools = ({ kind, order, text }, filtered) => {
  const option = (value, word, current) =>
    html`<option value=${value} ?selected=${value === current}>${word}</option>`;
  return html`<form class="tools" role="search" @submit=${(event) => event.preventDefault()}>
    <input
      type="search"
      id="search"
      aria-label=${t("search")}
      placeholder=${t("search")}
      .value=${text}
      @input=${(event) => filtered({ text: event.target.value })}
    />
    <label
      >${t("status")}
      <select id="kind" @change=${(event) => filtered({ kind: event.target.value })}>
        ${option("", t("every"), kind)} ${option("needs", t("needs"), kind)}
        ${STATES.map((name) => option(name, kindWord(name), kind))}
      </select></label
    >
    <label
      >${t("order")}
      <select id="order" @change=${(event) => filtered({ order: event.target.value })}>
        ${["worst", "name", "changed", "succeeded"].map((name) => option(name, t(name), order))}
      </select></label
    >
  </form>`;
};

/**
 * @param {{stack: string, region: string, docs: string}} own as they are
 * @param {(key: string, value: string) => void} keep called with what the reader wrote
 */
export const mine = (own, keep) => {
  const field = (key) =>
    html`<label
      >${t(key)}
      <input
        type="text"
        id=${key}
        autocomplete="off"
        spellcheck="false"
        .value=${own[key]}
        @change=${(event) => keep(key, event.target.value)}
    /></label>`;
  return html`<section>
    <h2>${t("mine")}</h2>
    <div class="tools">${field("stack")} ${field("region")} ${field("docs")}</div>
    <p class="quiet">${t("kept")}</p>
  </section>`;
};
