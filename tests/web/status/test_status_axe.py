"""Nothing on the operator's page that axe-core finds, with beats, and with rows that are open."""

import pytest
from axe import violations
from index_of_status import ago, entry, failing, index, product
from playwright.sync_api import Browser, Page, expect
from shapes import SHAPES
from site_of_client import Site

_OUTCOMES = ("baseline", "changed", "unchanged", "failed", "suspect")
_OPEN = ("law", "slow", "away", "well")


def publish(site: Site) -> None:
    """Publish a source of each condition that has beats, and the weather's outage."""
    suspect = failing("law", "ids_gone", status="suspect", **{"class": "structure"})
    away = failing("away", "timeout", paused_until=ago(days=-3))
    moved = entry("moved", stale_since="2026-11-02", last_change=ago(minutes=1))
    site.put(
        "index.json",
        index(
            [suspect, failing("slow", "timeout"), away, moved, entry("well")],
            weather=[product("metar", 2, {"RKSI": {"reason": "timeout", "since": ago(hours=1)}})],
        ),
    )
    beats = [
        {"at": ago(hours=9 - at), "outcome": outcome, "ms": 300, "rows": 30, "reason": "ids_gone"}
        for at, outcome in enumerate(_OUTCOMES)
    ]
    for each in (*_OPEN, "moved", "metar"):
        site.put(f"{each}/health.json", {"id": each, "beats": beats})


def opened(page: Page, site: Site) -> Page:
    """Open the page and its rows, and mark one as seen."""
    page.goto(f"{site.url}status/")
    page.wait_for_selector("body[data-ready]")
    page.locator("#stack").fill("prod")
    page.locator("#region").fill("ap-northeast-2")
    page.locator("#region").press("Enter")
    for each in _OPEN:
        row = page.locator(f"[data-source='departments/{each}']")
        row.locator("button[aria-expanded]").click()
        expect(row.locator(".told li")).to_have_count(len(_OUTCOMES))
    page.locator("[data-source='departments/slow'] .ack").click()
    expect(page.locator("[data-seen]")).to_have_count(1)
    return page


@pytest.mark.parametrize(("scheme", "shape"), [("light", "phone"), ("dark", "desktop")])
@pytest.mark.parametrize("locale", ["ko-KR", "en-GB"])
def test_the_operators_page_violates_nothing(
    browser: Browser, site: Site, scheme: str, shape: str, locale: str
) -> None:
    """Names, roles, contrast, sizes of targets."""
    publish(site)
    schemed = {"color_scheme": scheme, **SHAPES[shape]}
    context = browser.new_context(locale=locale, **schemed)
    try:
        page = opened(context.new_page(), site)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        context.close()
