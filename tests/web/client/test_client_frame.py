"""The client's frame: it starts, routes, and survives what it finds."""

from collections.abc import Callable

import pytest
from notices_published import campus
from playwright.sync_api import BrowserContext, Page, Route, expect
from published import ROUTES, publish
from site_of_client import Site

Opened = Callable[[str], Page]


def test_an_unknown_route_is_told_and_harms_nothing(opened: Opened) -> None:
    """A link of a later release leads to a sentence, and the menu still works."""
    page = opened("#/of/a/later/release")
    assert page.locator(".empty").inner_text() == "그런 페이지가 없습니다."
    assert page.locator("#nav a").first.inner_text() == "새 소식"


def test_refused_storage_is_told_and_the_page_goes_on(
    context: BrowserContext, opened: Opened
) -> None:
    """Where IndexedDB is refused, the first view is shown, with a line about it."""
    context.add_init_script(
        "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };"
    )
    page = opened("#/")
    assert page.locator("#notice").is_visible()
    assert page.locator("h1").inner_text() == "어느 학과의 소식을 볼까요?"


def test_the_menu_names_the_families_of_the_index(site: Site, opened: Opened) -> None:
    """A family that a stack has not is not in its menu; a list of a later release is ignored."""
    site.put("index.json", {"departments": [], "weather": [{"id": "metar"}], "later": [{"x": 1}]})
    page = opened("#/")
    page.wait_for_selector("#nav a[data-name=weather]")
    assert page.locator("#nav a").all_inner_texts() == ["새 소식", "학과", "항공기상", "설정"]


@pytest.mark.parametrize(
    ("view", "place", "current"),
    [
        ("home", "home", "page"),
        ("sources", "sources", "page"),
        ("kept", "home", "true"),
        ("source", "sources", "true"),
        ("item", "sources", "true"),
        ("registry", "rules", "true"),
        ("regulation", "rules", "true"),
        ("airport", "weather", "true"),
    ],
)
def test_the_menu_marks_the_place_that_a_view_belongs_to(
    site: Site, opened: Opened, view: str, place: str, current: str
) -> None:
    """A view below a place is not its page, and is drawn as it."""
    publish(site)
    page = opened(ROUTES[view])
    marked = page.locator("#nav a:not([aria-current=false])")
    expect(marked).to_have_attribute("data-name", place)
    expect(marked).to_have_attribute("aria-current", current)
    assert marked.evaluate("one => getComputedStyle(one).fontWeight") == "700"


def test_a_view_that_one_goes_to_has_the_focus_on_its_heading(site: Site, opened: Opened) -> None:
    """Once: the first view of a visit leaves it alone, and a reader who went on is not fetched."""
    campus(site)
    page = opened("#/")
    assert page.evaluate("document.activeElement === document.body")
    page.locator("#nav a[data-name=sources]").click()
    expect(page.locator("h1", has_text="학과")).to_be_focused()
    page.get_by_role("searchbox").focus()
    page.keyboard.type("ㅋㅍ")
    expect(page.locator(".choice")).to_have_count(1)
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_a_view_that_was_left_names_nothing_and_takes_no_focus(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """The board answers after the reader has gone on to the settings."""
    campus(site)
    page = opened("#/sources")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    with page.expect_request("**/cse/latest.json"):
        context.route("**/cse/latest.json", hold, times=1)
        page.evaluate("location.hash = '#/source/cse'")
    board = page.locator(".page").element_handle()
    page.evaluate("location.hash = '#/settings'")
    page.wait_for_selector("body[data-ready='#/settings']")
    page.get_by_label("밝기").focus()
    waiting[0].continue_()
    page.wait_for_function("board => board.querySelector('.notice')", arg=board)
    assert page.title() == "설정 · uRing"
    expect(page.get_by_label("밝기")).to_be_focused()


def test_a_department_is_named_by_its_own_file_where_the_index_has_it_not(
    site: Site, opened: Opened
) -> None:
    """The title follows what has come."""
    campus(site)
    site.put("index.json", {"departments": []})
    assert opened("#/source/cse").title() == "누리솔대 컴퓨터공학과 · uRing"


def test_choosing_a_language_keeps_the_focus(opened: Opened) -> None:
    """Who goes through the languages by the arrow keys stays in the list."""
    page = opened("#/settings")
    page.get_by_label("언어 / Language").focus()
    page.get_by_label("언어 / Language").select_option("en")
    expect(page.locator("h1")).to_have_text("Settings")
    expect(page.get_by_label("언어 / Language")).to_be_focused()
    expect(page).to_have_title("Settings · uRing")
