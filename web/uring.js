/**
 * Read uRing's public data: archives, messages, keywords, paging. Pure: no DOM, no clock, no fetch
 * of its own, no storage. What comes in is foreign: every function takes any JSON and never throws.
 *
 * docs/clients.md has the objects, the rules and examples; the Python twin is
 * `uring_local.reader`, and one test holds both to the same results.
 */
export { fold, Folded, merge } from "./uring/archive.js";
export { changed } from "./uring/changed.js";
export { decide, restTitle } from "./uring/decide.js";
export { matches, search } from "./uring/keywords.js";
export { isRecord, parseLines } from "./uring/lines.js";
export { archivePath, monthOf, monthsBack } from "./uring/months.js";
export { pages } from "./uring/pages.js";
export { isRetracted, retracted, sameAs } from "./uring/retracted.js";
export { clean, cut, foldCase, safeLink } from "./uring/text.js";
