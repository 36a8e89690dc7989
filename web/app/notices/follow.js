/** Following a source: the button, the push mode, the keywords. */

import { html, nothing } from "../../vendor/lit-html.js";
import { words } from "../words.js";
import { marksOf } from "./marks.js";
import { LONGEST_KEYWORD, MODES, MOST_KEYWORDS, ruleOf, setRule } from "./rules.js";

const t = words({
  ko: {
    follow: "받아 보기",
    followed: "{name}의 공지를 받아 봅니다.",
    unfollowed: "{name}의 공지를 더는 받아 보지 않습니다.",
    mode: "알림",
    all: "모든 새 글",
    keywords: "키워드가 있는 글만",
    off: "끔",
    add: "추가",
    word: "새 키워드",
    remove: "{word} 지우기",
    hint: "제목이나 분류에 있으면 알립니다. ‘장학 국가’는 두 낱말이 모두, ‘-모집’은 없어야 합니다.",
    none: "아직 키워드가 없어 알림이 오지 않습니다.",
    many: "키워드는 {most}개까지입니다.",
  },
  en: {
    follow: "Follow",
    followed: "You follow {name}.",
    unfollowed: "You no longer follow {name}.",
    mode: "Notify of",
    all: "every notice",
    keywords: "keywords only",
    off: "nothing",
    add: "Add",
    word: "New keyword",
    remove: "Remove {word}",
    hint: "Looks at title and category. “grant state” needs both words, “-hiring” excludes.",
    none: "Without a keyword there are no notifications.",
    many: "At most {most} keywords are possible.",
  },
});

/** @param {any} context; @param {string} id; @returns {boolean} */
export const isFollowed = ({ settings }, id) => settings.get("favourites").includes(id);

/**
 * Follow a source, or no longer. Its keywords stay, in case it was a slip.
 *
 * @param {any} context
 * @param {{id: string, name: string}} source
 */
export const toggle = async (context, source) => {
  const { settings, say } = context;
  const { id, name } = source;
  const followed = isFollowed(context, id);
  const isFirst = settings.get("favourites").length === 0;
  await settings.change("favourites", (before) => {
    const others = before.filter((other) => other !== id);
    return followed ? others : [...others, id];
  });
  if (followed) await (await marksOf(context)).forget(id);
  else await setRule(context, source);
  // What a reader chose should outlive a cleaning of the browser; asking is silent where it can be.
  if (isFirst) navigator.storage?.persist?.().catch(() => {});
  say(t(followed ? "unfollowed" : "followed", { name }));
};

/**
 * @param {any} context
 * @param {{id: string, name: string}} source
 * @param {() => void} redraw
 */
export const followButton = (context, source, redraw) => {
  const followed = isFollowed(context, source.id);
  return html`<button
    class="follow"
    aria-pressed=${followed}
    @click=${async () => {
      await toggle(context, source);
      redraw();
    }}
  >
    ${followed ? html`<span aria-hidden="true">✓</span>` : nothing} ${t("follow")}
    <span class="spoken">${source.name}</span>
  </button>`;
};

/**
 * The mode and the keywords of a source that is followed.
 *
 * @param {any} context
 * @param {{id: string, name: string}} source
 * @param {() => void} redraw
 */
export const ruleEditor = (context, source, redraw) => {
  const rule = ruleOf(context, source.id);
  const change = async (alter) => {
    await setRule(context, source, alter);
    redraw();
  };
  return html`
    <div class="rule">
      <label class="row"
        ><span>${t("mode")}</span>
        <select @change=${({ target: { value: mode } }) => change(() => ({ mode }))}>
          ${MODES.map(
            (mode) =>
              html`<option value=${mode} .selected=${mode === rule.mode}>${t(mode)}</option>`,
          )}
        </select></label
      >
      ${rule.mode === "keywords" ? keywordEditor(rule.keywords, change) : nothing}
    </div>
  `;
};

const keywordEditor = (keywords, change) => {
  const changeWords = (alter) => change((rule) => ({ keywords: alter(rule.keywords) }));
  const add = async (event) => {
    event.preventDefault();
    const input = event.target.elements.word;
    const word = input.value.trim().slice(0, LONGEST_KEYWORD);
    input.value = "";
    if (word) await changeWords((words) => [...new Set([...words, word])].slice(0, MOST_KEYWORDS));
  };
  const full = keywords.length >= MOST_KEYWORDS;
  return html`
    <form class="row" @submit=${add}>
      <input
        type="text"
        name="word"
        class="grow"
        maxlength=${LONGEST_KEYWORD}
        aria-label=${t("word")}
        placeholder=${t("word")}
        autocomplete="off"
        ?disabled=${full}
      />
      <button ?disabled=${full}>${t("add")}</button>
    </form>
    <ul class="chips">
      ${keywords.map((word) => chip(word, () => changeWords((words) => without(words, word))))}
    </ul>
    <p class="quiet">${hintOf(keywords.length)}</p>
  `;
};

const hintOf = (count) => {
  if (count >= MOST_KEYWORDS) return t("many", { most: MOST_KEYWORDS });
  return t(count > 0 ? "hint" : "none");
};

const without = (words, word) => words.filter((other) => other !== word);

const chip = (word, remove) => html`
  <li>
    <span>${word}</span><button aria-label=${t("remove", { word })} @click=${remove}>×</button>
  </li>
`;
