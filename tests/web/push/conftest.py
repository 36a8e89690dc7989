"""The whole browser, which shows notifications."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from browsers import launch
from playwright.sync_api import Browser, Playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium with a desktop's parts."""
    browser = launch(playwright, "chromium")
    yield browser
    browser.close()


@pytest.fixture
def permits() -> Mapping[str, Any]:
    """What a page may: have a worker, and show notifications."""
    return {"permissions": ["notifications"]}
