/** More as the reader comes near the end; the button beside it is the way without scrolling. */

const AHEAD = "600px";

/**
 * Call a function while an element is near the window, again after each call that brought
 * something.
 *
 * @param {Element} element stays in the page until this is ended
 * @param {() => Promise<boolean> | boolean} more false: nothing came; it is called again when the
 *   element comes near anew
 * @returns {() => void} ends it
 */
export const nearEnd = (element, more) => {
  const observer = new IntersectionObserver(
    async ([seen]) => {
      if (!seen.isIntersecting) return;
      if (!(await more())) return;
      // What was added may not fill the window: observing anew asks again.
      observer.unobserve(element);
      observer.observe(element);
    },
    { rootMargin: AHEAD },
  );
  observer.observe(element);
  return () => observer.disconnect();
};
