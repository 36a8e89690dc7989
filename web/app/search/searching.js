/** A search in the newest notices, which goes further back when it is asked to. */

import { pastOf } from "./past.js";
import { noneLine, pastHeading, searched, toldOf } from "./panel.js";

/** While files come, the list is drawn so often at the most. */
const PAUSE_MS = 300;

/**
 * @param {any} context
 * @param {() => {id: string, name: string, base?: string | null, updated: string}[]} sources
 * @param {() => void} redraw
 */
export const searching = (context, sources, redraw) => {
  let past = null;
  let text = "";
  let timer;
  let isOver = false;
  let found = { count: 0, entries: () => [] };

  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      redraw();
    }, PAUSE_MS);
  };
  const tell = () => context.say(toldOf(past.progress(), found.count));
  const onBack = async () => {
    past ??= pastOf(context.data, sources(), later);
    const ended = past.begin();
    redraw();
    await ended;
    if (isOver) return;
    clearTimeout(timer);
    timer = undefined;
    redraw();
    tell();
  };
  const onStop = () => {
    past.stop();
    redraw();
    tell();
  };

  return {
    /**
     * Search what was read, beside the newest notices.
     *
     * @param {string} asked
     * @param {import("../notices/days.js").Entry[]} newest all that the list has without a search
     * @returns {{count: number, entries: (limit: number) => any[]}} found further back
     */
    find: (asked, newest) => {
      text = asked;
      const own = new Set(newest.map(({ source, notice }) => `${source.id}/${notice.id}`));
      found = past?.find(text, (source, id) => own.has(`${source}/${id}`)) ?? found;
      return found;
    },
    /** @param {number} newest notices of a board that the list has; @param {boolean} isBoard */
    panel: (newest, isBoard = false) => {
      const progress = past?.progress() ?? null;
      return searched({ progress, isBoard, newest, count: found.count, onBack, onStop });
    },
    none: () => noneLine(text, past?.progress() ?? null),
    heading: pastHeading,
    end: () => {
      isOver = true;
      clearTimeout(timer);
      past?.stop();
    },
  };
};
