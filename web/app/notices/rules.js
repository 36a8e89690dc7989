/** What a followed source may announce: the part of the settings that the service worker obeys. */

export const MODES = ["all", "keywords", "off"];
export const LONGEST_KEYWORD = 60;
export const MOST_KEYWORDS = 50;

/**
 * @param {any} context
 * @param {string} id
 * @returns {{mode: "all" | "keywords" | "off", keywords: string[], name?: string}}
 */
export const ruleOf = ({ settings }, id) => ruleIn(settings.get("rules"), id);

const ruleIn = ({ sources }, id) => {
  const rule = Object.hasOwn(sources, id) ? sources[id] : undefined;
  return { mode: rule?.mode ?? "all", keywords: rule?.keywords ?? [], name: rule?.name };
};

/**
 * Change the rule of a source. Its name goes with it: a push names the department by its id alone.
 *
 * @param {any} context
 * @param {{id: string, name: string}} source
 * @param {(rule: any) => any} alter returns what changes of the rule that the device has, which may
 *   be newer than what is shown
 */
export const setRule = async (context, { id, name }, alter = () => ({})) => {
  await context.settings.change("rules", (rules) => {
    const rule = ruleIn(rules, id);
    const after = { ...rule, ...alter(rule), name };
    return { ...rules, sources: { ...rules.sources, [id]: after } };
  });
};

/** @param {any} context; @param {(quiet: {from: string, to: string} | null) => any} alter */
export const setQuiet = ({ settings }, alter) =>
  settings.change("rules", (rules) => ({ ...rules, quiet: alter(rules.quiet) }));
