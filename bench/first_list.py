"""The client's first list: bytes, requests and milliseconds, at the speed of a desk and a phone.

    PYTHONPATH=tests:tests/web .venv/bin/python bench/first_list.py

The site is on loopback: what the network adds is not in it. A cold visit has an empty cache; of a
warm one the service worker has the files, as a release's come from the device.
"""

import gzip
import shutil
import statistics
import time
from typing import Final

from notices_published import campus
from playwright.sync_api import Browser, Page, sync_playwright
from shapes import SHAPES
from site_of_client import WEB, Site
from test_budget import FIRST

_ROUNDS: Final = 5
_FOLLOW: Final = """async () => {
  const {open} = await import(new URL("./app/store.js", document.baseURI).href);
  await (await open()).put("settings", "favourites", ["cse", "law"]);
}"""


def main() -> None:
    """Measure, and print a table."""
    files = FIRST | {"index.html", "style.css"}
    bodies = [(WEB / name).read_bytes() for name in files]
    compressed = sum(len(gzip.compress(body, 6)) for body in bodies)
    raw = sum(map(len, bodies))
    print(f"code of the first list: {len(files)} requests, {raw:,} bytes, {compressed:,} gzip")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium())
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
    page.evaluate(_FOLLOW)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    warm = _timed(page, site)
    other = browser.new_context(
        locale="ko-KR", storage_state=context.storage_state(indexed_db=True), **SHAPES["phone"]
    )
    cold_page = other.new_page()
    other.new_cdp_session(cold_page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    cold = _timed(cold_page, site)
    context.close()
    other.close()
    site.close()
    return cold, warm


def _timed(page: Page, site: Site) -> float:
    began = time.perf_counter()
    page.goto("about:blank")
    page.goto(site.url)
    page.locator(".notice").first.wait_for()
    return (time.perf_counter() - began) * 1000


def _chromium() -> str:
    path = shutil.which("chromium")
    if path is None:
        raise SystemExit("no chromium: `make browser` installs it")
    return path


if __name__ == "__main__":
    main()
