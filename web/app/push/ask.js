/** Asks once, after the first choice of boards, whether pushes are wanted; says what they cost. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { sourceOf } from "../index.js";
import { boardsOf } from "../notices/followed.js";
import { ruleOf } from "../notices/rules.js";
import { pushOf } from "../push.js";
import { within } from "../within.js";
import { words } from "../words.js";
import { homeScreen } from "./home_screen.js";

const t = words({
  ko: {
    title: "새 공지가 올라오면 알려 드릴까요?",
    boards: "{names}의 새 글이 올라올 때만 보냅니다.",
    more: "{names} 등 {count}곳",
    calm: "학과마다 키워드만 받거나 끌 수 있고, 조용한 시간에는 소리 없이 모입니다.",
    cost: "가입은 없고, 푸시 서비스에는 이 기기의 번호만 등록됩니다. 설정에서 언제든 끌 수 있습니다.",
    home: "iPhone과 iPad는 홈 화면에 추가한 뒤에만 알림을 받을 수 있습니다.",
    yes: "알림 켜기",
    no: "나중에",
    working: "잠시만 기다려 주세요…",
    on: "알림을 켰습니다.",
    denied: "브라우저가 이 사이트의 알림을 막았습니다. 브라우저의 사이트 설정에서 허용할 수 있습니다.",
    failed: "켜지 못했습니다: {detail}",
    later: "설정에서 언제든 켤 수 있습니다.",
  },
  en: {
    title: "Shall new notices be announced?",
    boards: "Only what is new of {names}.",
    more: "{names} and others, {count} in all",
    calm: "Each board can be limited to keywords or switched off; in quiet hours they collect without a sound.",
    cost: "No account: the push service gets a number for this device alone. You can turn them off in the settings at any time.",
    home: "On iPhone and iPad, notifications need uRing on the home screen.",
    yes: "Turn notifications on",
    no: "Not now",
    working: "One moment…",
    on: "Notifications are on.",
    denied: "The browser has blocked notifications of this site. Its site settings can allow them.",
    failed: "They could not be turned on: {detail}",
    later: "You can turn them on in the settings at any time.",
  },
});

const NAMED = 2;

/**
 * Put the question above whatever is drawn into a root, unless it was answered or has no sense.
 *
 * Rows stand still: a question that is not ready in time waits for the next visit of the list.
 *
 * @param {HTMLElement} root
 * @param {any} context of the page
 * @param {number} patienceMs
 */
export const ask = async (root, context, patienceMs) => {
  const { settings, say } = context;
  const push = await within(patienceMs, pushOf(context)).catch(() => undefined);
  const state = push?.availability();
  if (state === "on") await settings.set("asked", true);
  if (state !== "off" && state !== "home") return;
  const card = document.createElement("section");
  card.className = "card ask";
  card.dataset.ask = state;
  let isWorking = false;
  let said = "";

  const answered = async (text) => {
    await settings.set("asked", true);
    // The focus was on a button that is gone with the card.
    (root.querySelector("h1:not(.ask *)") ?? root).focus?.({ preventScroll: true });
    card.remove();
    say(text);
  };
  const turnOn = async () => {
    isWorking = true;
    said = "";
    draw();
    try {
      await push.turnOn();
    } catch (error) {
      said = t("failed", { detail: error.message });
    }
    isWorking = false;
    const now = push.availability();
    if (now === "on") return answered(t("on"));
    if (now === "denied") said = t("denied");
    if (said) say(said);
    return draw();
  };
  const draw = () => render(question({ state, isWorking, said, turnOn, answered }, context), card);
  draw();
  root.prepend(card);
};

const question = ({ state, isWorking, said, turnOn, answered }, context) => html`
  <h2>${t("title")}</h2>
  <ul>
    <li>${t("boards", { names: namesOf(context) })}</li>
    <li>${t("calm")}</li>
    <li>${t("cost")}</li>
  </ul>
  ${state === "home" ? html`<p>${t("home")}</p>${homeScreen()}` : nothing}
  ${said ? html`<p class="health warn">${said}</p>` : nothing}
  <div class="row">
    ${state === "off"
      ? html`<button class="main" ?disabled=${isWorking} @click=${turnOn}>
          ${t(isWorking ? "working" : "yes")}
        </button>`
      : nothing}
    <button @click=${() => answered(t("later"))}>${t("no")}</button>
  </div>
`;

const namesOf = (context) => {
  const ids = boardsOf(context);
  const nameOf = (id) => sourceOf(context.index, id)?.name ?? ruleOf(context, id).name ?? id;
  const names = ids.slice(0, NAMED).map(nameOf).join(", ");
  return ids.length > NAMED ? t("more", { names, count: ids.length }) : names;
};
