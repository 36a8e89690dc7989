/** The part of the settings about what is kept: as a file, how much, how safe, and away with it. */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { words } from "../words.js";
import { exported, parsed, takeOver } from "./file.js";

const t = words({
  ko: {
    title: "이 기기에 저장된 것",
    what: "설정, 읽음 표시, 보관한 공지, 본 공지의 사본이 이 브라우저에만 있습니다.",
    size: "약 {size}를 쓰고 있습니다.",
    persistent: "브라우저가 함부로 지우지 않습니다.",
    temporary: "브라우저가 공간이 모자라면 지울 수 있습니다. 내보내 두면 되살릴 수 있습니다.",
    refused: "이 브라우저는 저장을 허용하지 않습니다. 창을 닫으면 모두 사라집니다.",
    export: "파일로 내보내기",
    import: "파일에서 가져오기",
    imported: "가져왔습니다: 학과 {followed}곳, 보관한 공지 {kept}건.",
    wrong: "가져오지 않았습니다. 바뀐 것은 없습니다.",
    clear: "모두 지우기",
    sure: "설정과 표시, 보관한 공지가 모두 지워집니다. 되돌릴 수 없습니다.",
    yes: "모두 지웁니다",
    no: "그만두기",
  },
  en: {
    title: "Kept on this device",
    what: "Settings, read marks, kept notices and copies of viewed data are in this browser only.",
    size: "About {size} are used.",
    persistent: "The browser does not remove it by itself.",
    temporary: "The browser may remove it when space is short. An exported file brings it back.",
    refused: "This browser stores nothing: everything is lost with this window.",
    export: "Export to a file",
    import: "Import from a file",
    imported: "Imported: {followed} boards, {kept} kept notices.",
    wrong: "Nothing was imported, nothing has changed.",
    clear: "Clear everything",
    sure: "Settings, marks and kept notices are removed. This cannot be undone.",
    yes: "Clear everything",
    no: "Cancel",
  },
});

const STORES = ["settings", "read", "kept", "objects", "seen", "log"];
const FILE_NAME = "uring.json";

/**
 * @param {HTMLElement} root
 * @param {any} context
 */
export const transfer = async (root, context) => {
  const { store } = context;
  const state = { said: "", problems: [], isSure: false };
  const [{ usage } = {}, persistent] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => ({})),
    navigator.storage?.persisted?.().catch(() => false),
  ]);

  const save = async () => {
    const file = new Blob([await exported(context)], { type: "application/json" });
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: FILE_NAME }).click();
    URL.revokeObjectURL(href);
  };
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const { problems, value } = parsed(await file.text());
    event.target.value = "";
    Object.assign(state, { problems, said: value ? "" : t("wrong") });
    if (value) {
      await takeOver(context, value);
      const followed = context.settings.get("favourites").length;
      state.said = t("imported", { followed, kept: value.kept.length });
      context.say(state.said);
    }
    draw();
  };
  const ask = (isSure) => {
    state.isSure = isSure;
    draw();
    root.querySelector(isSure ? "#no" : "#clear").focus();
  };
  const clear = async () => {
    // Else the server would go on sending to a device that forgot what for.
    if (context.settings.get("push")?.on) await (await context.pushing)?.turnOff();
    for (const name of STORES) {
      for (const key of (await store.entries(name)).keys()) await store.remove(name, key);
    }
    location.hash = "#/";
    location.reload();
  };

  const draw = () =>
    render(
      html`
        <h2>${t("title")}</h2>
        <div class="card">
          <p>${t("what")}</p>
          <p class="quiet">
            ${store.refused ? t("refused") : t(persistent ? "persistent" : "temporary")}
            ${usage ? t("size", { size: sizeOf(usage) }) : nothing}
          </p>
          <div class="row">
            <button @click=${save}>${t("export")}</button>
            <label class="button file"
              >${t("import")}
              <input type="file" accept="application/json,.json" class="spoken" @change=${read} />
            </label>
          </div>
          <div role="status">
            ${state.said ? html`<p>${state.said}</p>` : nothing}
            <ul ?hidden=${state.problems.length === 0}>
              ${state.problems.map((problem) => html`<li>${problem}</li>`)}
            </ul>
          </div>
          ${state.isSure ? question(ask, clear) : clearButton(ask)}
        </div>
      `,
      root,
    );
  draw();
};

const question = (ask, clear) => html`
  <p class="health bad">${t("sure")}</p>
  <div class="row">
    <button id="no" @click=${() => ask(false)}>${t("no")}</button>
    <button class="danger" @click=${clear}>${t("yes")}</button>
  </div>
`;

const clearButton = (ask) => html`
  <button id="clear" class="danger" @click=${() => ask(true)}>${t("clear")}</button>
`;

const sizeOf = (bytes) => {
  const [divisor, unit] = bytes < 1_000_000 ? [1_000, "kB"] : [1_000_000, "MB"];
  return `${Math.max(1, Math.round(bytes / divisor))} ${unit}`;
};
