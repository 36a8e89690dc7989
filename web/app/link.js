/** Addresses of the client's own pages, which its views have in common. */

/** @param {string[]} parts of a path; @returns {string} its address in the page */
export const link = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;
