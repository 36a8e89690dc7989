"""Debian's two builds of Chromium; the absence of one is a failure, never a skip."""

import shutil

from playwright.sync_api import Browser, Playwright


def launch(playwright: Playwright, name: str) -> Browser:
    """Start a browser by its command: ``chromium`` or ``chromium-headless-shell``."""
    path = shutil.which(name)
    assert path, f"no {name}: `make browser` installs Debian's; elsewhere put it on PATH"
    # Without a GPU its part is played on the cores that the tests have.
    return playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
