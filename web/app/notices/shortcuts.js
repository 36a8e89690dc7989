/** Single keys in lists of notices; settings can switch them off. */

import { html, render } from "../../vendor/lit-html.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "단축키",
    j: "다음 공지",
    k: "이전 공지",
    o: "게시판에서 열기",
    m: "읽음 표시 바꾸기",
    s: "보관하기, 그만두기",
    "/": "찾기",
    "?": "이 도움말",
    close: "닫기",
    off: "설정에서 끌 수 있습니다.",
  },
  en: {
    title: "Keys",
    j: "next notice",
    k: "previous notice",
    o: "open on the board",
    m: "mark as read or unread",
    s: "keep or drop",
    "/": "search",
    "?": "this help",
    close: "Close",
    off: "Settings can switch them off.",
  },
});

const KEYS = ["j", "k", "o", "m", "s", "/", "?"];

/**
 * Listen until the view ends.
 *
 * @param {Element} root holds rows `.notice` with a `.title` link and a `.star` button
 * @param {any} context
 * @param {(position: number) => void} toggleRead of the row at that position
 * @returns {() => void} ends it
 */
export const shortcuts = (root, context, toggleRead) => {
  const ending = new AbortController();
  const rows = () => [...root.querySelectorAll(".notice")];
  const position = () => rows().findIndex((row) => row.contains(document.activeElement));
  const go = (step) => {
    const all = rows();
    const at = position();
    const next = at < 0 ? 0 : at + step;
    all[Math.min(Math.max(next, 0), all.length - 1)]?.querySelector(".title").focus();
  };
  const press = (selector) => rows()[position()]?.querySelector(selector).click();
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    o: () => press(".title"),
    m: () => position() >= 0 && toggleRead(position()),
    s: () => press(".star"),
    "/": () => root.querySelector("input[type=search]")?.focus(),
    "?": help,
  };
  const onKey = (event) => {
    if (!context.settings.get("shortcuts") || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  };
  document.addEventListener("keydown", onKey, { signal: ending.signal });
  return () => ending.abort();
};

const help = () => {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "keys");
  render(
    html`
      <h2 id="keys">${t("title")}</h2>
      <dl class="keys">
        ${KEYS.map(
          (key) =>
            html`<dt><kbd>${key}</kbd></dt>
              <dd>${t(key)}</dd>`,
        )}
      </dl>
      <p class="quiet">${t("off")}</p>
      <button @click=${() => dialog.close()}>${t("close")}</button>
    `,
    dialog,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};
