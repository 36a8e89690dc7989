/** The settings of pushes: whether they can be, whether they are, and what went wrong. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { dateTime, words } from "../words.js";
import { homeScreen } from "./home_screen.js";

const t = words({
  ko: {
    heading: "알림",
    none: "이 서버는 알림을 보내지 않습니다. 이 페이지가 열려 있는 동안 5분마다 새 소식을 확인합니다.",
    insecure: "알림은 HTTPS로 연 페이지에서만 켤 수 있습니다.",
    home: "iPhone과 iPad는 홈 화면에 추가한 뒤에만 알림을 받을 수 있습니다.",
    unsupported: "이 브라우저는 알림을 지원하지 않습니다.",
    denied: "이 사이트의 알림이 막혀 있습니다. 브라우저의 사이트 설정에서 허용해 주세요.",
    off: "새 소식이 올라오면 이 기기로 알려 드립니다. 켜면 브라우저가 허용할지 묻습니다.",
    on: "알림이 켜져 있습니다.",
    turnOn: "알림 켜기",
    turnOff: "알림 끄기",
    working: "잠시만 기다려 주세요…",
    topics: "받는 소식: {count}곳",
    nothing: "고른 학과가 없어 아직 받을 소식이 없습니다.",
    sending: "변경한 내용을 서버에 전하고 있습니다.",
    rest: "키워드에 맞지 않거나 조용한 시간에 온 소식은 소리 없이 ‘다른 소식’ 한 줄로 모입니다.",
    ios: "iPhone과 iPad에서는 이 한 줄도 올 때마다 새로 표시됩니다. 브라우저의 규칙이라 없앨 수 없습니다.",
    failed: "켜지 못했습니다: {detail}",
    problems: "알림 문제 {count}건",
    forget: "지우기",
    said: "알림을 켰습니다.",
    saidOff: "알림을 껐습니다.",
    p_lost: "브라우저가 알림 등록을 없앴습니다. 다시 등록합니다.",
    p_lost_permission: "브라우저가 알림 허용을 거두었습니다.",
    p_later: "서버가 지금은 받지 못했습니다. 다시 보냅니다. {detail}",
    p_refused: "서버가 받지 않았습니다: {detail}",
    p_unknown: "서버가 이 기기를 모릅니다. 다시 등록합니다.",
    p_unshown: "알림을 표시하지 못했습니다: {detail}",
    p_unread: "알림 설정을 읽지 못해 그대로 표시했습니다: {detail}",
    p_failed: "등록하지 못했습니다: {detail}",
  },
  en: {
    heading: "Notifications",
    none: "This server sends no notifications. This page looks for new notices every five minutes while it is open.",
    insecure: "Notifications need a page that was opened by HTTPS.",
    home: "On iPhone and iPad, notifications need uRing on the home screen.",
    unsupported: "This browser has no notifications.",
    denied: "Notifications of this site are blocked. Allow them in the browser's site settings.",
    off: "This device is notified of new notices. The browser asks for your permission.",
    on: "Notifications are on.",
    turnOn: "Turn notifications on",
    turnOff: "Turn notifications off",
    working: "One moment…",
    topics: "Sources: {count}",
    nothing: "You follow no board, so nothing is sent yet.",
    sending: "Your changes are being sent to the server.",
    rest: "Notices that match no keyword, or come in quiet hours, are collected in one silent notification.",
    ios: "On iPhone and iPad it is shown again each time, as the browser requires.",
    failed: "They could not be turned on: {detail}",
    problems: "Problems with notifications: {count}",
    forget: "Clear",
    said: "Notifications are on.",
    saidOff: "Notifications are off.",
    p_lost: "The browser had dropped the subscription. It is registered again.",
    p_lost_permission: "The browser has withdrawn the permission.",
    p_later: "The server could not accept the change. It is sent again. {detail}",
    p_refused: "The server refused: {detail}",
    p_unknown: "The server does not know this device. It is registered again.",
    p_unshown: "A notification could not be shown: {detail}",
    p_unread: "The settings could not be read, so it was shown without them: {detail}",
    p_failed: "Not registered: {detail}",
  },
});

const SHOWN = 5;

/**
 * @param {HTMLElement} root
 * @param {any} context of the page
 * @param {Promise<{availability: () => import("../push.js").Availability, isIos: boolean,
 *   turnOn: () => Promise<void>, turnOff: () => Promise<void>}>} starting nothing waits for it
 * @returns {() => void} ends it
 */
export const showPanel = (root, context, starting) => {
  const { settings, store, say } = context;
  let push;
  let isWorking = false;
  let failure = "";
  let problems = [];

  const change = (act, said) => async () => {
    isWorking = true;
    failure = "";
    draw();
    try {
      await act();
      if (push.availability() === (act === push.turnOn ? "on" : "off")) say(t(said));
    } catch (error) {
      failure = t("failed", { detail: error.message });
      say(failure);
    }
    isWorking = false;
    await refresh();
  };

  const forget = async () => {
    for (const { key } of problems) await store.remove("log", key);
    await refresh();
  };

  const refresh = async () => {
    const entries = await store.entries("log").catch(() => new Map());
    problems = [...entries]
      .map(([key, entry]) => ({ key, ...entry }))
      .sort((one, other) => other.at - one.at);
    draw();
  };

  const draw = () => {
    const state = push?.availability() ?? "working";
    render(
      html`<h2>${t("heading")}</h2>
        <div class="card" data-push=${state}>
        <p>${t(state)}</p>
        ${state === "home" ? homeScreen() : nothing}
        ${state === "on" ? onPart() : nothing}
        ${state === "off" || state === "on" ? button(state) : nothing}
        ${failure ? html`<p class="tag bad">${failure}</p>` : nothing}
        ${problems.length ? problemPart() : nothing}
      </div>`,
      root,
    );
  };

  const onPart = () => {
    const { topics = [], pending = [] } = settings.get("push") ?? {};
    return html`<p>
        ${topics.length ? t("topics", { count: topics.length }) : pending.length ? "" : t("nothing")}
        ${pending.length ? t("sending") : nothing}
      </p>
      <p class="quiet">${t("rest")}</p>
      ${push.isIos ? html`<p class="quiet">${t("ios")}</p>` : nothing}`;
  };

  const button = (state) =>
    state === "on"
      ? html`<button ?disabled=${isWorking} @click=${change(push.turnOff, "saidOff")}>
          ${t(isWorking ? "working" : "turnOff")}
        </button>`
      : html`<button class="main" ?disabled=${isWorking} @click=${change(push.turnOn, "said")}>
          ${t(isWorking ? "working" : "turnOn")}
        </button>`;

  const problemPart = () => html`<details>
    <summary>${t("problems", { count: problems.length })}</summary>
    <ul>
      ${problems.slice(0, SHOWN).map(
        ({ at, problem, detail }) => html`<li>${dateTime(at)} ${sentence(problem, detail)}</li>`,
      )}
    </ul>
    <button @click=${forget}>${t("forget")}</button>
  </details>`;

  draw();
  starting.then((started) => {
    push = started;
    return refresh();
  });
  return settings.onChange((key) => {
    if (["push", "favourites", "rules"].includes(key)) refresh();
  });
};

const sentence = (problem, detail) => {
  const key = problem === "lost" && detail ? `p_lost_${detail}` : `p_${problem}`;
  return t(key, { detail });
};
