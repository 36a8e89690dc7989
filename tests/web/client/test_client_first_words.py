"""The page says something before its script is there, and until its data are."""

from typing import Final

from kept import keep_favourites
from notices_published import campus
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from site_of_client import Site
from waiting import until

_BEFORE: Final = """getComputedStyle(document.querySelector("#view .page"), "::before").content"""
_LOADING: Final = "#view .loading p"


def hold(page: Page, pattern: str) -> list[Route]:
    """Hold requests back, and return them as they come."""
    held: list[Route] = []

    def take(route: Route) -> None:
        held.append(route)

    page.route(pattern, take)
    return held


def test_the_served_page_has_words_before_its_script(context: BrowserContext, site: Site) -> None:
    """In both languages, for nobody knows the reader's yet; what to do is said when it is late."""
    page = context.new_page()
    held = hold(page, "**/app/main.js")
    page.goto(site.url, wait_until="commit")
    expect(page.locator(_LOADING).first).to_have_text("불러오는 중… Loading…")
    expect(page.locator(_LOADING).last).to_be_hidden()
    until(page, lambda: held)
    held[0].continue_()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(_LOADING)).to_have_count(0)


def test_the_view_takes_the_words_over_in_the_readers_language(
    browser: Browser, site: Site
) -> None:
    """Between the served words and the rows there is no empty page."""
    campus(site)
    context = browser.new_context(locale="en-US", service_workers="block")
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_selector("body[data-ready]")
    keep_favourites(page, ["cse"])
    held = hold(page, "**/data/cse/latest.json")
    page.reload(wait_until="commit")
    page.wait_for_selector("#view .page:empty", state="attached")
    assert page.evaluate(_BEFORE) == '"Loading…"'
    until(page, lambda: held)
    held[0].continue_()
    page.locator(".notice").first.wait_for()
    assert page.evaluate(_BEFORE) == "none"
    context.close()


def test_without_javascript_the_page_does_not_say_that_it_loads(
    browser: Browser, site: Site
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url)
    expect(page.locator("#view noscript")).to_be_visible()
    expect(page.locator(_LOADING).first).to_be_hidden()
    context.close()
