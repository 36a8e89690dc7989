"""In a window of 320 px, WCAG's narrowest, nothing has to be scrolled sideways."""

from collections.abc import Iterator

import pytest
from index_of_status import ago, entry, failing, index, product
from kept import keep, keep_favourites
from notices_published import campus
from playwright.sync_api import Browser, Page
from published import FOLLOWED, ROUTES, publish
from site_of_client import Site

_WIDTH = 320
_MOST_ABOVE = 300


@pytest.fixture
def narrow(browser: Browser) -> Iterator[Page]:
    """A small phone."""
    context = browser.new_context(
        locale="ko-KR", viewport={"width": _WIDTH, "height": 640}, is_mobile=True, has_touch=True
    )
    yield context.new_page()
    context.close()


def width(page: Page) -> int:
    """Open what can be opened, and return the width that the page takes."""
    closed = page.locator("main details:not([open]) > summary")
    for _ in range(closed.count()):
        closed.first.click()
    found: int = page.evaluate("document.scrollingElement.scrollWidth")
    return found


def test_no_view_is_wider_than_the_window(site: Site, narrow: Page) -> None:
    """With data, in either language; the menu has six places."""
    publish(site)
    narrow.goto(site.url)
    narrow.wait_for_selector("body[data-ready]")
    keep_favourites(narrow, FOLLOWED)
    wide = {}
    for language in ("ko", "en"):
        narrow.goto(f"{site.url}#/settings")
        narrow.wait_for_selector("#transfer h2")
        narrow.locator("#language").select_option(language)
        narrow.wait_for_selector(f"html[lang={language}]")
        for view, route in ROUTES.items():
            narrow.goto(site.url + route)
            narrow.wait_for_selector(f"body[data-ready='{route}']")
            if (found := width(narrow)) > _WIDTH:
                wide[language, view] = found
    assert wide == {}


def test_the_operators_page_is_not_wider_either(site: Site, narrow: Page) -> None:
    """With long names, a gateway that is gone, commands to copy and open details."""
    failed = {name: {"reason": "network", "since": ago(hours=2)} for name in ("RKPA", "RKPB")}
    ill = [failing("nurisol_international_office", "timeout"), failing("torn", "corrupt_state")]
    products = [product("metar", 15, failed), product("taf", 15, {})]
    site.put("index.json", index([*ill, entry("well", "가" * 80)], weather=products))
    site.put("torn/health.json", {"id": "torn", "detail": "x" * 400})
    narrow.goto(f"{site.url}status/")
    narrow.wait_for_selector("body[data-ready]")
    narrow.get_by_role("button", name="torn 학과 자세히").click()
    narrow.wait_for_selector(".details .raw")
    assert width(narrow) == _WIDTH


def test_what_stands_above_the_first_notice_takes_a_line_each(site: Site, narrow: Page) -> None:
    """In either language: the heading, the tools and each place of the menu."""
    campus(site)
    narrow.goto(site.url)
    narrow.wait_for_selector("body[data-ready]")
    keep_favourites(narrow, ["cse", "law"])
    for language in ("ko", "en"):
        keep(narrow, "settings", "language", language)
        narrow.goto("about:blank")
        narrow.goto(site.url)
        narrow.wait_for_selector(f"html[lang={language}] .notice")
        tall = narrow.evaluate("""[...document.querySelectorAll(".heading, .tools, #nav a")]
          .map((each) => [each.textContent.trim(), each.getBoundingClientRect().height])
          .filter(([, height]) => height > 64)""")
        assert tall == []
        first = narrow.locator(".notice").first.bounding_box()
        assert first is not None
        assert first["y"] < _MOST_ABOVE
