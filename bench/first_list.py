"""The client's first list: bytes, requests and milliseconds, at the speed of a desk and a phone.

    PYTHONPATH=tests:tests/web:tests/web/client .venv/bin/python bench/first_list.py

The site is on loopback: what the network adds is not in it. A cold visit has an empty cache; of a
warm one the service worker has the files, as a release's come from the device. From the navigation
to the first row, by the page's own clock, in a browser without a desktop's parts: they would be
computed on the same cores.
"""

import gzip
import statistics
from typing import Final

from browsers import launch
from kept import keep_favourites
from notices_published import campus
from playwright.sync_api import Browser, Page, sync_playwright
from shapes import SHAPES
from site_of_client import WEB, Site
from test_budget import FIRST

_ROUNDS: Final = 5
_FIRST_ROW: Final = """new MutationObserver((_, observer) => {
  if (!document.querySelector(".notice")) return;
  performance.mark("row");
  observer.disconnect();
}).observe(document, {childList: true, subtree: true});"""


def main() -> None:
    """Measure, and print a table."""
    files = FIRST | {"index.html", "style.css"}
    bodies = [(WEB / name).read_bytes() for name in files]
    compressed = sum(len(gzip.compress(body, 6)) for body in bodies)
    raw = sum(map(len, bodies))
    print(f"code of the first list: {len(files)} requests, {raw:,} bytes, {compressed:,} gzip")
    with sync_playwright() as playwright:
        browser = launch(playwright, "chromium-headless-shell")
        print("| CPU | cold, ms | warm, ms |\n| --- | --- | --- |")
        for rate in (1, 4):
            rounds = [_visit(browser, rate) for _ in range(_ROUNDS)]
            cold, warm = (statistics.median(times) for times in zip(*rounds, strict=True))
            print(f"| {rate} times slower | {cold:.0f} | {warm:.0f} |")
        browser.close()


def _visit(browser: Browser, rate: int) -> tuple[float, float]:
    site = Site()
    campus(site)
    context = browser.new_context(locale="ko-KR", **SHAPES["phone"])
    page = context.new_page()
    page.goto(f"{site.url}config.json")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.goto(site.url)
    keep_favourites(page, ["cse", "law"])
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    warm = _timed(page, site)
    kept = context.storage_state(indexed_db=True)
    # A page that is slowed down takes its core from the others.
    context.close()
    other = browser.new_context(locale="ko-KR", storage_state=kept, **SHAPES["phone"])
    cold_page = other.new_page()
    other.new_cdp_session(cold_page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    cold = _timed(cold_page, site)
    other.close()
    site.close()
    return cold, warm


def _timed(page: Page, site: Site) -> float:
    page.add_init_script(_FIRST_ROW)
    page.goto("about:blank")
    page.goto(site.url)
    page.locator(".notice").first.wait_for()
    shown: float = page.evaluate("performance.getEntriesByName('row')[0].startTime")
    return shown


if __name__ == "__main__":
    main()
