"""A browser, and pages that must not write an error to their console."""

import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from browsers import launch
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from shapes import SHAPES
from site_of_client import Site

# Other work may share the cores: what comes late is not what never comes.
expect.set_options(timeout=30_000)

_HERE = Path(__file__).parent
# Of a test with as many cases or more the gate runs one of so many; EVERY_CASE=1 all.
_MANY, _SHARE = 4, 3

_inner_texts, _inner_text = Locator.all_inner_texts, Locator.inner_text
_PAINTED_WITHIN = 5.0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out most cases of a test with many, where the gate asks for a sample.

    What is drawn depends on the test's name alone; what is not is told as deselected.
    """
    if not os.environ.get("SAMPLED") or os.environ.get("EVERY_CASE"):
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if _HERE in item.path.parents:
            cases[item.nodeid.partition("[")[0]].append(item)
    left = set[pytest.Item]()
    for name, each in cases.items():
        if len(each) >= _MANY:
            left |= {*each} - {*random.Random(name).sample(each, -(-len(each) // _SHARE))}
    config.hook.pytest_deselected(items=[*left])
    items[:] = [item for item in items if item not in left]


def _painted_texts(locator: Locator) -> list[str]:
    """Return the texts of elements once each has one: a row has none before it is painted."""
    return _painted(locator, _inner_texts)


def _painted_text(locator: Locator) -> str:
    """Return the text of an element once it has one."""
    return _painted(locator, lambda only: [_inner_text(only)])[0]


def _painted(locator: Locator, read: Callable[[Locator], list[str]]) -> list[str]:
    end = time.monotonic() + _PAINTED_WITHIN
    while True:
        # A number and its unit stay on one line.
        texts = [text.replace("\N{NO-BREAK SPACE}", " ") for text in read(locator)]
        if all(text.strip() for text in texts) or time.monotonic() > end:
            return texts
        locator.page.wait_for_timeout(50)


@pytest.fixture(scope="session", autouse=True)
def _texts_of_what_is_painted() -> Iterator[None]:
    """Have every test wait for the rows whose texts it reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Locator, "all_inner_texts", _painted_texts)
        patch.setattr(Locator, "inner_text", _painted_text)
        yield


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, which leaves its thread with an event loop: no other test's process runs it."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without a desktop's parts: half the CPU, and no notifications."""
    browser = launch(playwright, "chromium-headless-shell")
    yield browser
    browser.close()


@pytest.fixture
def site() -> Iterator[Site]:
    """A site without data."""
    site = Site()
    yield site
    site.close()


@pytest.fixture
def permits() -> Mapping[str, Any]:
    """What a page may: no worker, which would fetch the whole client once a test."""
    return {"service_workers": "block"}


@pytest.fixture
def context(browser: Browser, permits: Mapping[str, Any]) -> Iterator[BrowserContext]:
    """A reader in Seoul with a phone, who reads Korean."""
    context = browser.new_context(
        locale="ko-KR", timezone_id="Asia/Seoul", **permits, **SHAPES["phone"]
    )
    yield context
    context.close()


@pytest.fixture
def opened(context: BrowserContext, site: Site) -> Iterator[Callable[[str], Page]]:
    """Open a route and wait until it is shown; in the end no page may have failed.

    An expected answer of the network is no error: Chromium writes each 403 and each lost connection
    to the console, without a word of ours.
    """
    wrong: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda message: (
                wrong.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )

    def open_route(route: str = "#/") -> Page:
        page = context.new_page()
        watch(page)
        page.goto(site.url + route)
        page.wait_for_selector(f"body[data-ready='{route}']")
        return page

    yield open_route
    assert wrong == []


@pytest.fixture
def status(context: BrowserContext, site: Site) -> Iterator[Callable[[], Page]]:
    """Open the operator's page on a clock that a test moves; in the end it may not have failed."""
    wrong: list[str] = []

    def open_status() -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.clock.install()
        page.goto(f"{site.url}status/")
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_status
    assert wrong == []
