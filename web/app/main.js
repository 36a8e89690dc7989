/** Starts the page: opens what the device keeps, then shows the route that the address names. */

import { html, render } from "../vendor/lit-html.js";
import { dataOf } from "./data.js";
import { VIEWS } from "./families.js";
import { focusIn } from "./focus.js";
import { hasSources, listsOf } from "./index.js";
import { link } from "./link.js";
import { publish } from "./published.js";
import { route } from "./router.js";
import { settingsOf } from "./settings.js";
import { open } from "./store.js";
import { within } from "./within.js";
import { language, setLanguage, words } from "./words.js";

const t = words({
  ko: {
    home: "새 소식",
    sources: "학과",
    rules: "규정",
    weather: "항공기상",
    settings: "설정",
    menu: "주 메뉴",
    nothing: "그런 페이지가 없습니다.",
    failed: "이 화면을 표시하지 못했습니다. 새로 고침해 주세요.",
    refused: "이 브라우저는 저장을 허용하지 않습니다. 읽음 표시와 설정은 창을 닫으면 사라집니다.",
  },
  en: {
    home: "News",
    sources: "Boards",
    rules: "Rules",
    weather: "Weather",
    settings: "Settings",
    menu: "Main menu",
    nothing: "There is no such page.",
    failed: "This page could not be shown. Reload it.",
    refused: "This browser stores nothing: read marks and settings are lost with this window.",
  },
});

/** A disk that is slower than this costs the first view what it knew. */
const STORAGE_MS = 1_000;

/** Of views that are not in the menu: the first part of their routes → the place they belong to. */
const WITHIN = {
  kept: "",
  due: "",
  item: "sources",
  source: "sources",
  rule: "rules",
  lists: "settings",
};

/** Where the focus goes in a view that the reader went to. */
const HEADING = "h1";

const at = (id) => document.getElementById(id);
const say = (text) => void (at("said").textContent = text);

const main = async () => {
  // The view's modules come while the disk is asked.
  route(location.hash)?.load().catch(() => {});
  const store = await open(() => refused());
  const data = dataOf(store);
  const [settings, known] = await Promise.all([
    settingsOf(store),
    within(STORAGE_MS, data.known("index.json")).catch(() => ({})),
  ]);
  const context = { store, settings, data, say };
  let end;
  let entitle = () => {};
  let shown = 0;

  const dress = () => {
    setLanguage(settings.get("language"));
    document.documentElement.dataset.theme = settings.get("theme");
  };

  const navigation = (index) => {
    const lists = listsOf(index).filter(({ list }) => hasSources(index, list));
    const views = new Set(["notices", ...lists.map(({ view }) => view)]);
    const viewed = Object.keys(VIEWS).filter((view) => views.has(view) && VIEWS[view].place);
    const others = lists.filter(({ view }) => !Object.hasOwn(VIEWS, view));
    const places = [
      ["", "home", t("home")],
      ...viewed.map((view) => [VIEWS[view].place, VIEWS[view].place, t(VIEWS[view].place)]),
      ...others.map(({ list, word }) => [link("family", list).slice(2), list, word(language())]),
      ["settings", "settings", t("settings")],
    ];
    const parts = location.hash.replace(/^#?\/?/, "").split("/");
    // A list without a view of its own is a place, too.
    const first = parts.splice(0, parts[0] === "family" ? 2 : 1).join("/");
    const here = Object.hasOwn(WITHIN, first) ? WITHIN[first] : first;
    const current = here === first && parts.length === 0 ? "page" : "true";
    at("nav").setAttribute("aria-label", t("menu"));
    render(
      places.map(
        ([path, name, word]) =>
          html`<a href="#/${path}" data-name=${name} aria-current=${here === path ? current : "false"}
            >${word}</a
          >`,
      ),
      at("nav"),
    );
  };

  /**
   * Show the route of the address.
   *
   * @param {string} focus selector of what takes the focus in the new view; "" for nothing
   */
  const show = async (focus = "") => {
    const turn = ++shown;
    end?.();
    end = undefined;
    entitle = () => {};
    navigation(context.index);
    const found = route(location.hash);
    // A root of its own: a view that is late writes where nobody looks.
    const root = document.createElement("div");
    root.className = "page";
    let endFocus;
    try {
      if (!found) throw new RangeError(location.hash);
      const view = await found.load();
      if (turn !== shown) return;
      entitle = () => {
        document.title = `${view.title(found.params, context)} · uRing`;
      };
      entitle();
      at("view").replaceChildren(root);
      if (focus === HEADING) scrollTo({ top: 0, behavior: "instant" });
      if (focus) endFocus = focusIn(root, focus);
      const ended = await view.show(root, found.params, context);
      if (turn !== shown) return void ended?.();
      end = ended;
      // What was loaded meanwhile may have told the name.
      entitle();
    } catch (error) {
      if (turn !== shown) return;
      at("view").replaceChildren(root);
      console.warn("not shown:", error);
      render(html`<h1>uRing</h1><p class="empty">${t(found ? "failed" : "nothing")}</p>`, root);
      if (focus) focusIn(root, focus)();
    } finally {
      endFocus?.();
    }
    document.body.dataset.ready = location.hash || "#/";
  };

  const refused = () => {
    at("notice").hidden = !store.refused;
    at("notice").textContent = store.refused ? t("refused") : "";
  };

  dress();
  refused();
  settings.onChange((key) => {
    if (key !== "language" && key !== "theme") return;
    dress();
    refused();
    // The view is drawn anew; who chose the language by a key is still at it.
    if (key !== "language") return;
    const { id } = document.activeElement;
    show(id && `#${CSS.escape(id)}`);
  });
  at("skip").addEventListener("click", (event) => {
    event.preventDefault();
    at("view").focus();
  });
  addEventListener("hashchange", () => void show(HEADING));
  // The menu has what the index has; the first view does not wait for it.
  publish(context, known.body, () => {
    navigation(context.index);
    entitle();
  });
  await show();
  // What comes after the first view: nothing on the page waits for it.
  import("./push.js")
    .then(({ start }) => start(context))
    .catch((error) => console.warn("no push:", error));
  if (settings.get("reminders")) {
    const [{ remind }, worker] = await Promise.all([
      import("./push/reminders.js"),
      navigator.serviceWorker?.ready,
    ]);
    const icon = new URL("icons/icon-192.png", document.baseURI).href;
    if (worker) await remind(store, worker, icon);
  }
};

main();
