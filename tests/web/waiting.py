"""Waiting for what a page or its site comes to, with an end."""

import time
from collections.abc import Callable
from typing import TypeVar

import pytest
from playwright.sync_api import Page

Found = TypeVar("Found")


def until(page: Page, find: Callable[[], Found], seconds: float = 60.0) -> Found:
    """Ask again and again, while the page goes on; return the first answer that is true.

    It fails the test after so many seconds.
    """
    ends = time.monotonic() + seconds
    while not (found := find()):
        if time.monotonic() > ends:
            pytest.fail(f"it did not come to be in {seconds:.0f} s")
        page.wait_for_timeout(20)
    return found
