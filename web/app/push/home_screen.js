/** How a page comes to the home screen of an iPhone, in three drawings: pushes need it there. */

import { html, svg } from "../../vendor/lit-html.js";
import { words } from "../words.js";

const t = words({
  ko: {
    share: "Safari의 공유 단추를 누릅니다.",
    add: "목록에서 ‘홈 화면에 추가’를 고릅니다.",
    open: "홈 화면의 uRing을 열고 알림을 켭니다. 고른 학과는 옮겨지지 않으니 거기서 다시 고르거나, 설정의 파일로 옮기세요.",
  },
  en: {
    share: "Press Safari's share button.",
    add: "Choose “Add to Home Screen” from the list.",
    open: "Open uRing from the home screen and turn notifications on. Your choice does not move along: choose again there, or take it over by the file of the settings.",
  },
});

const DRAWINGS = {
  share: svg`<path d="M16 20H12V42H36V20H32" /><path d="M24 30V7M17 13l7-7 7 7" />`,
  add: svg`<rect x="8" y="8" width="32" height="32" rx="7" /><path d="M24 16V32M16 24H32" />`,
  open: svg`<rect x="12" y="4" width="24" height="40" rx="5" /><rect x="18" y="12" width="12" height="12" rx="3" /><path d="M20 38H28" />`,
};

/** @returns {any} a template: an ordered list */
export const homeScreen = () => html`
  <ol class="steps">
    ${["share", "add", "open"].map(
      (step) =>
        html`<li>
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">${DRAWINGS[step]}</svg>
          <span>${t(step)}</span>
        </li>`,
    )}
  </ol>
`;
