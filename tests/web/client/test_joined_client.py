"""The client as it is uploaded: its modules joined, in place of those that development serves."""

from collections.abc import Callable
from typing import Final

import pytest
from kept import keep_favourites
from notices_published import campus
from playwright.sync_api import Browser, BrowserContext, Page, expect
from published import FOLLOWED, ROUTES, publish
from site_of_client import WEB, Site

from uring_local.web.joined import join_modules
from uring_local.web.release import read_release

Opened = Callable[[str], Page]
# What every board that is followed adds is its own.
MOST_REQUESTS: Final = 6
MODULES: Final = {
    "index.html": '<body><script type="module" src="./app/main.js"></script>',
    "app/a.js": "export async function* two() { yield 1; yield 2; }\nexport class A {}\n",
    "app/b.js": 'export { two as both, A } from "./a.js";\nconst c = 3;\nexport { c };\n',
    "app/broken.js": "throw new Error('broken');\nexport const a = 1;\n",
    "app/main.js": (
        'import {\n  both,\n  A as Named,\n  c,\n} from "./b.js";\n'
        "const found = [];\n"
        "globalThis.all = async () => {\n"
        "  for await (const each of both()) found.push(each);\n"
        '  const failed = await import("./broken.js").catch((error) => error.message);\n'
        "  return [...found, Named.name, c, failed];\n};\n"
    ),
}


def put_release(site: Site) -> None:
    """Serve a release as it is uploaded."""
    for file in read_release(WEB, are_joined=True).files:
        site.files[file.key.removeprefix("web/")] = file.body


def test_joined_modules_do_what_they_did(site: Site, context: BrowserContext) -> None:
    """Renamed, passed on, generated; a broken one fails where it is imported, not before."""
    encoded = {name: text.encode() for name, text in MODULES.items()}
    site.files |= join_modules(encoded)
    page = context.new_page()
    page.goto(site.url)
    assert page.evaluate("all()") == [1, 2, "A", 3, "broken"]


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_every_view_of_a_release_is_shown(site: Site, opened: Opened, route: str) -> None:
    """Without an error on the console, and in the language that the settings have."""
    put_release(site)
    publish(site)
    page = opened("#/")
    page.evaluate(
        """async () => {
          const kept = indexedDB.open("uring", 1);
          await new Promise((resolve) => (kept.onsuccess = resolve));
          const settings = kept.result.transaction("settings", "readwrite");
          settings.objectStore("settings").put("en", "language");
          await new Promise((resolve) => (settings.oncomplete = resolve));
          kept.result.close();
        }"""
    )
    page = opened(route)
    expect(page.locator("#view h1")).not_to_have_text("uRing")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#view .empty", has_text="could not be shown")).to_have_count(0)


def test_the_first_list_of_a_release_needs_few_requests_and_nothing_of_firebase(
    browser: Browser, site: Site
) -> None:
    """The page, its style, picture and script, the index, the boards."""
    put_release(site)
    campus(site)
    context = browser.new_context(locale="ko-KR", service_workers="block")
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_selector("body[data-ready]")
    page.wait_for_load_state("networkidle")
    keep_favourites(page, FOLLOWED[:2])
    site.log.clear()
    page.reload()
    page.locator(".notice").first.wait_for()
    paths = [path for _, path, _, _ in site.log]
    context.close()
    boards = [path for path in paths if path.endswith("/latest.json")]
    assert len(boards) == 2
    assert len(paths) - len(boards) <= MOST_REQUESTS
    assert not [path for path in paths if "firebase" in path or path.endswith("rest.js")]
