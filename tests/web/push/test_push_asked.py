"""Pushes are asked for once, above the list, after the first choice of boards."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from notices_published import NAMES, campus, follow
from playwright.sync_api import BrowserContext, Page, expect
from push_site import PushSite
from pushing import Pushing
from waiting import until

CARD: Final = ".ask"
IPHONE: Final = (
    "Object.defineProperty(navigator, 'userAgent', {value: 'iPhone'});"
    "delete window.Notification; delete window.PushManager;"
)
Opened = Callable[[str], Page]


@pytest.fixture
def site() -> Iterator[PushSite]:
    """A campus with pushes."""
    site = PushSite()
    site.keep_few_files()
    campus(site)
    yield site
    site.close()


@pytest.fixture
def chosen(context: BrowserContext, site: PushSite) -> Page:
    """The page of a reader who has just chosen two boards."""
    return follow(Pushing(context, site).page, "cse", "law")


def test_the_question_says_of_whom_and_a_click_turns_pushes_on(
    chosen: Page, site: PushSite
) -> None:
    """It stands above the rows, and is gone when it is answered."""
    card = chosen.locator(CARD)
    expect(card).to_contain_text(NAMES["cse"])
    expect(card).to_contain_text("언제든 끌 수 있습니다")
    expect(chosen.locator(f"{CARD} ~ .heading")).to_have_count(1)
    card.get_by_role("button", name="알림 켜기").click()
    expect(card).to_have_count(0)
    expect(chosen.locator("#said")).to_have_text("알림을 켰습니다.")
    until(chosen, lambda: [*site.topics.values()] == [{"cse", "law"}])


def test_not_now_is_remembered_and_nothing_is_subscribed(chosen: Page, site: PushSite) -> None:
    """Neither a visit of the list nor a new start asks again."""
    chosen.get_by_role("button", name="나중에").click()
    expect(chosen.locator(CARD)).to_have_count(0)
    expect(chosen.locator("#said")).to_contain_text("설정에서")
    chosen.reload()
    chosen.wait_for_selector(".notice")
    chosen.locator("#nav a[data-name=sources]").click()
    chosen.wait_for_selector(".choice")
    chosen.locator("#nav a[data-name=home]").click()
    chosen.wait_for_selector(".notice")
    assert chosen.locator(CARD).count() == 0
    assert site.requests_of_api() == []


def test_a_question_without_an_answer_waits_above_the_list(chosen: Page) -> None:
    """Leaving it is no answer."""
    chosen.locator("#nav a[data-name=sources]").click()
    chosen.wait_for_selector(".choice")
    chosen.locator("#nav a[data-name=home]").click()
    expect(chosen.locator(CARD)).to_have_count(1)


def test_a_browser_that_forbids_them_is_told_and_the_list_stays(
    context: BrowserContext, site: PushSite
) -> None:
    """The browser's own question may be answered with no."""
    context.add_init_script(
        "Notification.requestPermission = async () => {"
        " Object.defineProperty(Notification, 'permission', {value: 'denied'}); return 'denied'; };"
    )
    page = follow(Pushing(context, site).page, "cse")
    page.locator(CARD).get_by_role("button", name="알림 켜기").click()
    expect(page.locator(CARD)).to_contain_text("브라우저가 이 사이트의 알림을 막았습니다")
    assert page.locator(".notice").count() == 2


def test_a_site_without_pushes_asks_nothing(context: BrowserContext, site: PushSite) -> None:
    """Nor does a page that could not turn them on."""
    site.config = {"push": None}
    page = follow(Pushing(context, site).page, "cse")
    page.wait_for_selector(".notice")
    assert page.locator(CARD).count() == 0


def test_an_iphone_is_shown_the_way_to_its_home_screen(
    context: BrowserContext, site: PushSite
) -> None:
    """Three drawings, and no button that could do nothing."""
    site.config = {"push": {"firebase": {}, "vapidKey": "k"}}
    context.add_init_script(IPHONE)
    page = follow(Pushing(context, site).page, "cse")
    card = page.locator(CARD)
    expect(card.locator("ol svg")).to_have_count(3)
    expect(card).to_contain_text("홈 화면에 추가")
    expect(card.get_by_role("button")).to_have_text(["나중에"])
