"""Nothing against WCAG 2.2 A and AA that axe-core can see, in any view, scheme and shape."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from axe import violations
from kept import keep, keep_favourites
from playwright.sync_api import Browser, Page
from published import FOLLOWED, ROUTES, publish
from shapes import SHAPES
from site_of_client import WEB, Site
from waiting import until

_RULES: Final = {
    "quiet": {"from": "23:00", "to": "07:00"},
    "sources": {
        "cse": {"mode": "keywords", "keywords": ["장학", "수강"]},
        "law": {"mode": "off", "keywords": []},
    },
}
_PLANTED: Final = """() => {
  const image = document.createElement("img");
  image.src = "./icons/icon.svg";
  const text = document.createElement("p");
  text.textContent = "pale";
  text.style.color = "#999";
  document.querySelector("main").append(image, text);
}"""


class Reader:
    """One page that goes from view to view, with sources that are followed."""

    def __init__(self, browser: Browser, site: Site, scheme: Any, shape: str) -> None:
        self._site = site
        self._context = browser.new_context(locale="ko-KR", color_scheme=scheme, **SHAPES[shape])
        self._under_way = 0
        self.page: Page = self._context.new_page()
        self.page.on("request", lambda _: self._count(1))
        self.page.on("requestfinished", lambda _: self._count(-1))
        self.page.on("requestfailed", lambda _: self._count(-1))
        self.open("home")
        keep_favourites(self.page, FOLLOWED)
        keep(self.page, "settings", "rules", _RULES)
        keep(self.page, "log", "1", {"at": 1, "problem": "lost", "detail": ""})
        self.page.goto("about:blank")

    def open(self, view: str) -> Page:
        """Show a view, and wait until it has all that it asked for."""
        self.page.goto(self._site.url + ROUTES[view])
        self.page.wait_for_selector(f"body[data-ready='{ROUTES[view]}']")
        self.page.wait_for_timeout(50)
        until(self.page, lambda: not self._under_way)
        return self.page

    def close(self) -> None:
        """Close the page, and forget what it kept."""
        self._context.close()

    def _count(self, more: int) -> None:
        self._under_way += more


Read = Callable[[str, str], Reader]


@pytest.fixture
def read(browser: Browser, site: Site) -> Iterator[Read]:
    """Read a stack with everything, in a scheme and a shape."""
    readers = []

    def read(scheme: str, shape: str) -> Reader:
        readers.append(Reader(browser, site, scheme, shape))
        return readers[-1]

    publish(site)
    yield read
    for reader in readers:
        reader.close()


def open_details(page: Page) -> None:
    """Open what is closed, also what comes by that."""
    closed = page.locator("main details:not([open]) > summary")

    def are_all_open() -> bool:
        if closed.count():
            closed.first.click()
        return closed.count() == 0

    until(page, are_all_open)


def test_every_route_has_an_example_here() -> None:
    """A new view is judged, too."""
    views = re.findall(r"views/(\w+)\.js", (WEB / "app" / "router.js").read_text())
    assert sorted(views) == sorted(ROUTES)


def test_what_is_wrong_is_found(read: Read) -> None:
    """A picture without words and pale text: the tool works under the page's strict policy."""
    page = read("light", "phone").open("home")
    assert violations(page) == []
    page.evaluate(_PLANTED)
    rules = {found.partition(" ")[0] for found in violations(page)}
    assert rules == {"image-alt", "color-contrast"}


@pytest.mark.parametrize(("scheme", "shape"), [("light", "phone"), ("dark", "desktop")])
def test_no_view_violates_anything(read: Read, scheme: str, shape: str) -> None:
    """Names, roles, contrast, sizes of targets: with data, and with what people opened."""
    reader = read(scheme, shape)
    found = {}
    for view in ROUTES:
        page = reader.open(view)
        assert page.locator("h1").all_inner_texts() not in ([], ["uRing"]), f"{view} failed"
        open_details(page)
        if wrong := violations(page):
            found[view] = wrong
    assert found == {}


def test_no_view_without_data_violates_anything(site: Site, read: Read) -> None:
    """What a view says where there is nothing can be read by everybody, too."""
    site.data.clear()
    reader = read("dark", "phone")
    assert {view: wrong for view in ROUTES if (wrong := violations(reader.open(view)))} == {}
