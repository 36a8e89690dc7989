"""A network or a disk that hangs: a view says what it is, and that it waits."""

import pytest
from kept import keep_favourites
from playwright.sync_api import BrowserContext, Page, Route, expect
from published import FOLLOWED, ROUTES, publish
from site_of_client import Site

HEADINGS = {
    "home": "어느 학과의 소식을 볼까요?",
    "sources": "학과",
    "source": "cse",
    "item": "공지",
    "due": "마감",
    "kept": "보관함",
    "rules": "규정",
    "registry": "haneul_rules",
    "regulation": "학칙",
    "weather": "항공기상",
    "airport": "인천 RKSI",
    "lists": "목록",
    "family": "ferries",
    "items": "west_pier",
    "settings": "설정",
}


def hang(context: BrowserContext) -> None:
    """Never answer what is asked for below `data/`."""

    def hold(route: Route) -> None:
        assert route

    context.route("**/data/**", hold)


def test_no_view_is_blank_on_the_first_visit(
    context: BrowserContext, site: Site, page: Page
) -> None:
    """The heading stands before anything has come, and a line says that it comes."""
    hang(context)
    assert HEADINGS.keys() == ROUTES.keys()
    for view, heading in HEADINGS.items():
        page.goto("about:blank")
        page.goto(site.url + ROUTES[view])
        expect(page.locator("h1"), view).to_contain_text(heading.partition(" ")[0])
        if view not in ("due", "kept", "settings"):
            expect(page.locator("main"), view).to_contain_text("중…")
    page.goto(f"{site.url}status/")
    expect(page.locator("h1")).to_have_text("운영 상태")
    expect(page.locator("[aria-busy]")).to_have_text("불러오는 중…")
    assert page.locator("[data-alarm]").count() == 0


@pytest.mark.parametrize("path", ["", "status/"])
def test_a_disk_that_does_not_answer_is_one_that_is_refused(
    context: BrowserContext, site: Site, page: Page, path: str
) -> None:
    """The page waits some seconds for it, and goes on without."""
    publish(site)
    context.add_init_script("IDBFactory.prototype.open = () => ({});")
    page.goto(site.url + path)
    expect(page.locator("h1")).to_be_visible(timeout=15_000)
    if not path:
        expect(page.locator("#notice")).to_contain_text("저장을 허용하지 않습니다")


def test_the_list_shows_what_the_device_has_while_the_network_hangs(
    context: BrowserContext, site: Site, page: Page
) -> None:
    """Boards and airports are told apart by the index of the last visit."""
    publish(site)
    page.goto(site.url)
    page.wait_for_selector("body[data-ready]")
    keep_favourites(page, FOLLOWED)
    page.reload()
    page.wait_for_selector(".notice")
    hang(context)
    page.reload()
    expect(page.locator(".notice .title").first).to_be_visible()
    page.goto(site.url + "#/settings")
    expect(page.locator("main .list .title")).to_have_count(2)


def test_deadlines_that_have_not_come_are_not_said_to_be_none(
    context: BrowserContext, site: Site, page: Page
) -> None:
    """Who follows a board reads that it is being loaded, from the first moment."""
    page.goto(site.url)
    page.wait_for_selector("body[data-ready]")
    keep_favourites(page, FOLLOWED)
    hang(context)
    page.goto("about:blank")
    page.goto(f"{site.url}#/due")
    expect(page.locator("h1")).to_have_text("마감")
    page.wait_for_selector("body[data-ready='#/due']")
    expect(page.locator("#view")).to_contain_text("불러오는 중…")
    expect(page.locator(".empty")).to_have_count(0)


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page that no test waits for by its routes."""
    return context.new_page()
