/** Where the focus is after a view has changed. */

/**
 * Focus an element of a view as soon as it is drawn, and again where drawing replaced it.
 *
 * The reader goes first: a focus that is in the view already, or that has gone elsewhere since, is
 * left where it is.
 *
 * @param {HTMLElement} root of the view
 * @param {string} selector
 * @returns {() => void} ends it
 */
export const focusIn = (root, selector) => {
  let focused;
  const look = () => {
    const { activeElement, body } = document;
    const found = root.querySelector(selector);
    if (!found || found === focused || root.contains(activeElement)) return;
    if (focused && activeElement !== body) return;
    focused = found;
    // A heading takes the focus, and is no stop of the tabulator.
    if (found.tabIndex < 0) found.tabIndex = -1;
    found.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
};
