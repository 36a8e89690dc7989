/** All departments of the index, to follow and to look at. */

import { html, render } from "../../vendor/lit-html.js";
import { waiting } from "../availability.js";
import { chooser, chooserState, readAll } from "../notices/chooser.js";
import { words } from "../words.js";

const t = words({
  ko: { title: "학과", intro: "받아 볼 학과를 고르세요. 이 기기에만 저장됩니다." },
  en: { title: "Boards", intro: "Choose what to follow. It is kept on this device only." },
});

/** @returns {string} */
export const title = () => t("title");

/** List the departments. */
export const show = async (root, _, context) => {
  render(waiting(t("title")), root);
  await context.ready;
  const state = chooserState(context, () => root.isConnected);
  const draw = () =>
    render(
      html`<h1>${t("title")}</h1>
        <p class="quiet">${t("intro")}</p>
        ${chooser(context, state, draw)}`,
      root,
    );
  draw();
  readAll(context, state, draw);
};
