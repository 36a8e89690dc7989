/** What the reader chooses, and what the device keeps. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { entriesIn, sourceOf } from "../index.js";
import { boardsOf } from "../notices/followed.js";
import { followButton, isFollowed, ruleEditor } from "../notices/follow.js";
import { ruleOf, setQuiet } from "../notices/rules.js";
import { link } from "../link.js";
import { transfer } from "../transfer/panel.js";
import { words } from "../words.js";

const t = words({
  ko: {
    title: "설정",
    followed: "받아 보는 학과",
    nobody: "아직 받아 보는 학과가 없습니다.",
    choose: "학과 고르기",
    pushMissing: "알림 설정을 불러오지 못했습니다. 인터넷 연결을 확인하고 새로 고쳐 주세요.",
    reminders: "마감 알림",
    reminded: "보관한 공지의 마감을 하루 전과 당일에 알리기",
    awake: "다른 알림이 올 때나 이 페이지를 열 때만 알릴 수 있습니다. 꼭 울려야 하면 공지의 ‘달력에 추가’를 쓰세요.",
    needsPush: "먼저 알림을 켜 주세요.",
    quiet: "조용한 시간",
    quietOn: "정한 시간에는 소리 없이 모아 두기",
    from: "시작",
    to: "끝",
    quietWhat: "이 시간의 소식은 소리 없이 ‘다른 소식’ 한 줄에 모입니다. 브라우저는 알림을 하나도 표시하지 않는 것을 허용하지 않으니, 화면까지 조용하려면 기기의 방해 금지를 함께 쓰세요.",
    appearance: "화면",
    language: "언어 / Language",
    theme: "밝기",
    auto: "기기 설정에 맞춤",
    light: "밝게",
    dark: "어둡게",
    shortcuts: "단축키 쓰기 (j k o m s / ?)",
    boardFirst: "알림을 누르면 게시판을 바로 열기",
    lists: "목록 감시",
    status: "운영 상태",
  },
  en: {
    title: "Settings",
    followed: "Boards you follow",
    nobody: "You follow no board yet.",
    choose: "Choose boards",
    pushMissing: "The notification settings could not be loaded. Check your connection, then reload.",
    reminders: "Deadlines",
    reminded: "Remind me of kept notices the day before, and on the day",
    awake: "Reminders come only with another notification, or when you open this page. If it must ring, use “Add to calendar” on the notice.",
    needsPush: "Turn notifications on first.",
    quiet: "Quiet hours",
    quietOn: "Collect silently at certain hours",
    from: "From",
    to: "To",
    quietWhat: "What comes then is collected in one notification without a sound. Browsers do not let a site show none at all: for a dark screen, use the device's do-not-disturb, too.",
    appearance: "Appearance",
    language: "언어 / Language",
    theme: "Brightness",
    auto: "as the device",
    light: "light",
    dark: "dark",
    shortcuts: "Use single keys (j k o m s / ?)",
    boardFirst: "Open the board at once from a notification",
    lists: "Watched lists",
    status: "Operator's page",
  },
});

const NIGHT = { from: "23:00", to: "07:00" };

/** @returns {string} */
export const title = () => t("title");

/** Show the settings; each change holds at once. */
export const show = async (root, _, context) => {
  // Who is no longer followed stays in the list until the view is left: it may have been a slip.
  const ids = boardsOf(context);
  const draw = () => {
    ids.push(...boardsOf(context).filter((id) => !ids.includes(id)));
    render(
      html`
        <h1>${t("title")}</h1>
        <section id="push"></section>
        <h2>${t("reminders")}</h2>
        ${reminders(context, draw)}
        <h2>${t("quiet")}</h2>
        ${quiet(context, draw)}
        <h2>${t("followed")}</h2>
        ${ids.length > 0 ? followed(context, ids, draw) : nobody()}
        <h2>${t("appearance")}</h2>
        ${appearance(context, draw)}
        <section id="transfer"></section>
        <p class="facts">
          <a href="./status/">${t("status")}</a>
          ${entriesIn(context.index, "watches").length > 0
            ? html`<a href="#/lists">${t("lists")}</a>`
            : nothing}
        </p>
      `,
      root,
    );
  };
  draw();
  for (const told of [context.ready, context.listed(ids)]) told.then(draw);
  // A file that was read, another window: whoever changes a setting, the view has it.
  const ends = [context.settings.onChange(draw)];
  const end = await push(root.querySelector("#push"), context);
  if (end) ends.push(end);
  await transfer(root.querySelector("#transfer"), context);
  return () => ends.forEach((each) => each());
};

const push = async (root, context) => {
  try {
    const { pushSettings } = await import("../push.js");
    return await pushSettings(root, context);
  } catch (error) {
    console.warn("no settings of pushes:", error);
    render(html`<p class="health warn">${t("pushMissing")}</p>`, root);
    return undefined;
  }
};

const nobody = () => html`
  <div class="empty">
    <p>${t("nobody")}</p>
    <a class="button main" href="#/sources">${t("choose")}</a>
  </div>
`;

const followed = (context, ids, draw) => html`
  <ul class="list">
    ${ids.map((id) => {
      const name = sourceOf(context.index, id)?.name ?? ruleOf(context, id).name ?? id;
      const source = { id, name };
      return html`
        <li>
          <div class="row">
            <a class="title grow" href=${link("source", id)}>${source.name}</a>
            ${followButton(context, source, draw)}
          </div>
          ${isFollowed(context, id) ? ruleEditor(context, source, draw) : nothing}
        </li>
      `;
    })}
  </ul>
`;

const reminders = ({ settings }, draw) => {
  const set = async (isOn) => {
    await settings.set("reminders", isOn);
    draw();
  };
  const isOn = settings.get("reminders");
  const isDenied = isOn && globalThis.Notification?.permission !== "granted";
  return html`
    <div class="card">
      ${check(t("reminded"), isOn, set)}
      <p class="quiet">${t("awake")}</p>
      ${isDenied ? html`<p class="health warn">${t("needsPush")}</p>` : nothing}
    </div>
  `;
};

const quiet = (context, draw) => {
  const hours = context.settings.get("rules").quiet;
  const change = async (alter) => {
    await setQuiet(context, alter);
    draw();
  };
  const time = (end) => html`
    <label class="row"
      >${t(end)}
      <input
        type="time"
        .value=${hours[end]}
        @change=${({ target }) => {
          const { value } = target;
          // An emptied time is none: the one that holds is shown again.
          if (!value) target.value = hours[end];
          else change((held) => held && { ...held, [end]: value });
        }}
    /></label>
  `;
  return html`
    <div class="card">
      ${check(t("quietOn"), hours !== null, (isOn) => change((held) => (isOn ? (held ?? NIGHT) : null)))}
      ${hours ? html`<div class="row">${time("from")} ${time("to")}</div>` : nothing}
      <p class="quiet">${t("quietWhat")}</p>
    </div>
  `;
};

const appearance = (context, draw) => {
  const { settings } = context;
  const set = async (key, value) => {
    await settings.set(key, value);
    draw();
  };
  const languages = [["", t("auto")], ["ko", "한국어"], ["en", "English"]];
  const themes = [["", t("auto")], ["light", t("light")], ["dark", t("dark")]];
  return html`
    <div class="card">
      ${choice("language", settings.get("language"), languages, set)}
      ${choice("theme", settings.get("theme"), themes, set)}
      ${check(t("shortcuts"), settings.get("shortcuts"), (isOn) => set("shortcuts", isOn))}
      ${check(t("boardFirst"), settings.get("boardFirst"), (isOn) => set("boardFirst", isOn))}
    </div>
  `;
};

const choice = (key, chosen, options, set) => html`
  <label class="row pick"
    ><span class="grow">${t(key)}</span>
    <select id=${key} @change=${(event) => set(key, event.target.value)}>
      ${options.map(
        ([value, text]) =>
          html`<option value=${value} .selected=${value === chosen}>${text}</option>`,
      )}
    </select></label
  >
`;

const check = (text, isOn, set) => html`
  <label class="check"
    ><input type="checkbox" .checked=${isOn} @change=${(event) => set(event.target.checked)} />
    ${text}</label
  >
`;
