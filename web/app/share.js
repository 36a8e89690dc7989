/** Passing an address on: by the device's own sheet, or by a copy of it. */

import { html, nothing } from "../vendor/lit-html.js";
import { words } from "./words.js";

const t = words({
  ko: {
    share: "공유",
    copy: "링크 복사",
    copied: "링크를 복사했습니다.",
    failed: "복사하지 못했습니다. 주소창에서 복사해 주세요.",
  },
  en: {
    share: "Share",
    copy: "Copy link",
    copied: "The link is copied.",
    failed: "It could not be copied. Copy it from the address bar.",
  },
});

/**
 * Buttons for the address of this page.
 *
 * @param {any} context
 * @param {string} title of what is passed on
 */
export const shareButtons = ({ say }, title) => {
  const share = async () => {
    try {
      await navigator.share({ title, url: location.href });
    } catch (error) {
      // Who closes the sheet has decided.
      if (error.name !== "AbortError") await copy();
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say(t("copied"));
    } catch {
      say(t("failed"));
    }
  };
  return html`
    ${navigator.share ? html`<button @click=${share}>${t("share")}</button>` : nothing}
    <button @click=${copy}>${t("copy")}</button>
  `;
};
