/** The first run: choose departments, then see their notices at once. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { waiting } from "../availability.js";
import { words } from "../words.js";
import { chooser, chooserState, readAll } from "./chooser.js";
import { boardsOf } from "./followed.js";

const t = words({
  ko: {
    title: "어느 학과의 소식을 볼까요?",
    intro: "고른 학과의 공지를 한곳에 모아 보여 줍니다. 가입은 없고, 선택은 이 기기에만 저장됩니다.",
    go: "{count}곳의 공지 보기",
  },
  en: {
    title: "Whose notices would you like to see?",
    intro: "They come together in one list. There is no account; your choice stays on this device.",
    go: "Show the notices of {count}",
  },
});

/**
 * @param {Element} root
 * @param {any} context
 * @param {() => Promise<void>} onDone draws the list into the same root
 */
export const welcome = async (root, context, onDone) => {
  render(waiting(t("title")), root);
  await context.ready;
  let isDone = false;
  const state = chooserState(context, () => !isDone && root.isConnected);
  const done = async () => {
    isDone = true;
    await onDone();
    scrollTo({ top: 0 });
  };
  const draw = () => {
    const count = boardsOf(context).length;
    render(
      html`
        <h1>${t("title")}</h1>
        <p class="quiet">${t("intro")}</p>
        ${chooser(context, state, draw)}
        ${count > 0
          ? html`<div class="dock">
              <button class="main" @click=${done}>${t("go", { count })}</button>
            </div>`
          : nothing}
      `,
      root,
    );
  };
  draw();
  readAll(context, state, draw);
};
