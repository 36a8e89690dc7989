"""What the first list costs: its code in bytes and requests, and what a look again costs."""

import gzip
from pathlib import Path
from typing import Final

from kept import keep_favourites
from notices_published import campus
from playwright.sync_api import Browser
from site_of_client import WEB, Site
from test_client_preload import imported

# The promise: 60 KB of code, as the CDN sends it, until the first list is there.
BUDGET: Final = 60_000
# What the page loads after its first list: neither a new look nor push is anybody's first sight.
AFTERWARDS: Final = ("app/notices/attend.js", "app/push.js")
_CODE: Final = {"", ".js", ".css"}


def modules_of(*names: str) -> set[str]:
    """Return modules with all that they import at once, by their paths below `web/`."""
    modules: set[Path] = set()
    for name in names:
        modules |= imported(WEB / name, set())
    return {str(module.relative_to(WEB)) for module in modules}


FIRST: Final = modules_of("app/main.js", "app/views/home.js")


def files_of(paths: list[str]) -> set[str]:
    """Return requested code by path below `web/`: no data, no pictures."""
    return {path.lstrip("/") or "index.html" for path in paths if Path(path).suffix in _CODE}


def test_the_first_list_costs_less_than_sixty_kilobytes_of_code(
    browser: Browser, site: Site
) -> None:
    """Exactly the page, its style and the modules of its first view, each asked for once."""
    campus(site)
    context = browser.new_context(locale="ko-KR", service_workers="block")
    page = context.new_page()
    page.goto(site.url)
    # The first run loads other modules, some of them late.
    page.wait_for_selector("body[data-ready]")
    page.wait_for_load_state("networkidle")
    keep_favourites(page, ["cse", "law"])
    site.log.clear()
    page.reload()
    page.get_by_text("공지 1", exact=False).first.wait_for()
    log = [path for _, path, _, _ in site.log]
    context.close()
    code = [path for path in log if Path(path).suffix in _CODE and "/data/" not in path]
    later = modules_of(*AFTERWARDS) - FIRST
    first = [path for path in code if path.lstrip("/") not in later]
    assert files_of(first) == FIRST | {"index.html", "style.css"}
    assert len(first) == len({*first})
    sizes = [len(gzip.compress((WEB / name).read_bytes(), 6)) for name in files_of(first)]
    assert sum(sizes) < BUDGET


def test_what_is_loaded_for_pushes_is_small_without_them() -> None:
    """Everybody pays for the worker's registration, nobody for Firebase before a click."""
    later = modules_of("app/push.js") - FIRST
    assert not any("firebase" in name for name in later)
    # 200 bytes of them let a campus behind one address in: waits that grow, and not all alike.
    assert sum(len(gzip.compress((WEB / name).read_bytes(), 6)) for name in later) < 8_700
