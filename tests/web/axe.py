"""axe-core: what a page has against WCAG 2.2 A and AA, as far as a program can see it."""

from importlib.resources import files
from typing import Any, Final

from playwright.sync_api import Page

# The package's one file; its own functions are not used.
SOURCE: Final = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_RUN: Final = """async () => {
  // Rows that are far from the window have no size, and get it when the browser has time.
  const laidOut = new CSSStyleSheet();
  laidOut.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(laidOut);
  // What the bar covers where a click has scrolled to is no small target.
  scrollTo({top: 0, behavior: "instant"});
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  const {violations} = await axe.run(document, {
    runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    resultTypes: ["violations"],
  });
  document.adoptedStyleSheets.pop();
  return violations;
}"""


def violations(page: Page) -> list[str]:
    """Return each violation of the page as it stands: rule, impact, and where, up to three."""
    # The browser's own evaluation is not bound by the page's Content-Security-Policy.
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(f"() => {{ {SOURCE}; return null; }}")
    found: list[dict[str, Any]] = page.evaluate(_RUN)
    return [
        f"{each['id']} ({each['impact']}): "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in each["nodes"][:3])
        for each in found
    ]
