"""The list of followed departments: chosen, ordered, marked, refreshed without moving."""

import re

import pytest
from notices_published import (
    UPDATED,
    Opened,
    campus,
    department,
    follow,
    line,
    notice,
    publish,
    titles,
)
from playwright.sync_api import Page, Route, expect
from site_of_client import Site
from waiting import until

LATER = "2026-03-21T01:00:00Z"
PUSHED = """detail => navigator.serviceWorker.dispatchEvent(
    new MessageEvent("message", {data: {type: "pushed", ...detail}}))"""


@pytest.fixture
def home(site: Site, opened: Opened) -> Page:
    """Two departments are followed; what they have is known."""
    campus(site)
    return follow(opened("#/"), "cse", "law")


def news(site: Site) -> None:
    """The first department publishes one notice more."""
    items = [notice(3, "장학금 신청", first_seen=LATER), notice(1), notice(2)]
    publish(site, "cse", items, last_updated=LATER)


def asked(site: Site) -> set[str]:
    """Return what was asked for below `data/`; the service worker may still load its files."""
    return {path[6:] for _, path, _, _ in site.log if path.startswith("/data/")}


def listening(page: Page) -> None:
    """Wait until the list has all its parts, and has asked for all that it wants."""
    page.reload()
    page.wait_for_selector("body[data-ready='#/']")
    page.wait_for_load_state("networkidle")


def refresh(page: Page) -> None:
    """Press the button, and wait until all has been asked."""
    with page.expect_response("**/data/index.json"):
        page.get_by_role("button", name="새로 고침").click()


def test_departments_are_found_by_initial_consonants_and_read_at_once(
    site: Site, opened: Opened
) -> None:
    """ㅋㅍ leaves 컴퓨터공학과; following it shows its notices, and it is still followed later."""
    campus(site)
    page = opened("#/")
    page.get_by_role("searchbox").fill("ㅋㅍ")
    expect(page.locator(".choice .title")).to_have_text(["누리솔대 컴퓨터공학과"])
    follow(page, "cse")
    assert titles(page) == ["공지 2", "공지 1"]
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["공지 2", "공지 1"]


def test_what_is_there_when_one_follows_counts_as_known(home: Page) -> None:
    """Nothing of the first look is unread."""
    assert home.locator(".notice").count() == 4
    assert home.locator(".unread").count() == 0


def test_notices_stand_under_the_day_of_their_last_news(site: Site, opened: Opened) -> None:
    """An old notice that was edited today is today's; a date of the future is not believed."""
    campus(site)
    site.date = "Fri, 20 Mar 2026 03:00:00 GMT"
    yesterday = "2026-03-19T01:00:00Z"
    edited = notice(1, "고친 글", revision=2)
    items = [
        notice(2, "어제 글", date="2026-03-19", first_seen=yesterday),
        notice(3, "앞선 날짜", date="2199-01-01", first_seen=yesterday),
        notice(4, "작년 글", date="2025-03-20"),
        edited,
    ]
    publish(site, "cse", items)
    site.put("cse/archive/202603.jsonl", [line(edited, "edited", UPDATED)])
    page = follow(opened("#/"), "cse")
    last = re.compile("^2025년 3월 20일")
    expect(page.locator(".day h2")).to_have_text(["오늘", "어제", last])
    assert titles(page) == ["고친 글", "앞선 날짜", "어제 글", "작년 글"]


def test_tags_say_in_words_what_became_of_a_notice(site: Site, opened: Opened) -> None:
    """Pinned, edited, reposted; where the archive is silent, no more than that it changed."""
    items = [
        notice(1, "가", is_pinned=True),
        notice(2, "나", revision=2),
        notice(3, "다", revision=3),
        notice(4, "라", revision=2),
    ]
    campus(site)
    publish(site, "cse", items)
    lines = [line(items[1], "edited", UPDATED), line(items[2], "returned", UPDATED)]
    site.put("cse/archive/202603.jsonl", lines)
    page = follow(opened("#/"), "cse")
    tags = {
        row.locator(".title").inner_text()[0]: row.locator(".tag").all_inner_texts()
        for row in page.locator(".notice").all()
    }
    assert tags == {"가": ["고정"], "나": ["수정됨"], "다": ["다시 올라옴"], "라": ["변경됨"]}


def test_what_is_new_is_offered_and_moves_no_row(site: Site, home: Page) -> None:
    """A refresh that finds a notice shows a button; pressing it shows the notice as unread."""
    before = titles(home)
    news(site)
    refresh(home)
    button = home.locator(".fresh")
    expect(button).to_have_text("새 소식 1건 보기")
    assert titles(home) == before
    button.click()
    expect(home.locator(".unread .title")).to_contain_text("장학금 신청")
    expect(home.locator(".unread .spoken").first).to_have_text("새 글")


def test_a_notice_whose_pushes_were_taken_back_is_not_unread(site: Site, home: Page) -> None:
    """It stays in the list, and says why; one with another push stays unread."""
    later = "2026-03-21T01:00:00Z"
    gone = {"retracts": "e1", "revision": 2, "first_seen": later}
    items = [
        notice(8, "잘못 알린 글", **gone, retracted="all"),
        notice(9, "잘못 고친 글", **gone, retracted="part"),
    ]
    publish(site, "cse", items)
    home.reload()
    home.wait_for_selector(".notice")
    expect(home.locator(".unread .title")).to_have_count(1)
    expect(home.locator(".unread .title")).to_contain_text("잘못 고친 글")
    row = home.locator(".notice", has_text="잘못 알린 글")
    expect(row.locator(".tag")).to_have_text(["알림 취소됨"])


def test_a_notice_is_read_when_it_is_opened(site: Site, home: Page) -> None:
    """The board opens in a window that knows nothing of this one; the dot goes, also later."""
    news(site)
    home.reload()
    link = home.locator(".unread .title")
    assert link.get_attribute("rel") == "noopener noreferrer"
    home.context.route("https://board.example/**", lambda route: route.fulfill(body="board"))
    with home.context.expect_page() as board:
        link.click()
    assert board.value.evaluate("opener") is None
    expect(home.locator(".unread")).to_have_count(0)
    home.reload()
    home.wait_for_selector(".notice")
    assert home.locator(".unread").count() == 0


def test_the_right_button_opens_a_menu_and_reads_nothing(site: Site, home: Page) -> None:
    """The middle one, which opens the board in a tab, reads."""
    news(site)
    home.reload()
    link = home.locator(".unread .title")
    link.click(button="right")
    # Drawn anew, a mark that was made would show.
    home.get_by_role("button", name="전체").click()
    assert home.locator(".unread").count() == 1
    link.click(button="middle")
    expect(home.locator(".unread")).to_have_count(0)


def test_a_notice_is_read_by_its_own_page(site: Site, home: Page) -> None:
    """Where its link is not safe there is no other way, and it may be kept already."""
    hostile = notice(3, "장학금 신청", first_seen=LATER, link="javascript:alert(1)")
    publish(site, "cse", [hostile, notice(1), notice(2)], last_updated=LATER)
    home.reload()
    home.get_by_role("button", name="보관: 장학금 신청").click()
    home.locator(".unread .title").click()
    expect(home.locator("h1")).to_have_text("장학금 신청")
    home.wait_for_selector("body[data-ready='#/item/cse/3']")
    home.locator("#nav a").first.click()
    home.wait_for_selector(".notice")
    expect(home.locator(".unread")).to_have_count(0)


def test_what_was_not_answered_yet_is_not_empty(site: Site, opened: Opened) -> None:
    """A first visit on a slow line: there may well be notices, and unread ones."""
    campus(site)
    page = opened("#/")
    held: list[Route] = []
    page.context.route("**/cse/latest.json", lambda route: held.append(route))  # noqa: PLW0108
    follow(page, "cse", shown=".empty")
    expect(page.locator(".empty")).to_have_text("불러오는 중…")
    page.get_by_role("button", name="안 읽음").click()
    expect(page.locator(".empty")).to_have_text("불러오는 중…")
    page.get_by_role("button", name="전체").click()
    page.locator("input[type=search]").fill("공지")
    expect(page.locator("#said")).to_have_text("불러오는 중…")
    expect(page.locator(".empty")).to_have_text("불러오는 중…")
    page.locator("input[type=search]").fill("")
    page.get_by_role("button", name="안 읽음").click()
    for each in held:
        each.continue_()
    expect(page.locator(".empty")).to_contain_text("안 읽은 공지가 없습니다")
    page.get_by_role("button", name="전체").click()
    expect(page.locator(".notice")).to_have_count(2)


def test_a_notice_that_changed_after_reading_says_so(site: Site, home: Page) -> None:
    """It is not unread again: what was read stays read."""
    home.context.route("https://board.example/**", lambda route: route.fulfill(body="board"))
    home.locator(".notice .title", has_text="공지 2").click()
    publish(site, "cse", [notice(2, revision=2), notice(1)], last_updated=LATER)
    refresh(home)
    home.locator(".fresh").click()
    row = home.locator(".notice", has_text="공지 2")
    expect(row.locator(".tag", has_text="읽은 뒤 바뀜")).to_be_visible()
    assert home.locator(".unread").count() == 0


def test_marking_all_as_read_can_be_taken_back(site: Site, home: Page) -> None:
    """Undo restores every mark, also of a notice that claims to come from the future."""
    future = notice(4, "먼 훗날", first_seen="9999-01-01T00:00:00Z")
    publish(site, "cse", [future, notice(3, first_seen=LATER), notice(1)], last_updated=LATER)
    home.reload()
    expect(home.locator(".unread")).to_have_count(2)
    home.get_by_role("button", name="모두 읽음").click()
    expect(home.locator(".unread")).to_have_count(0)
    home.get_by_role("button", name="되돌리기").click()
    expect(home.locator(".unread")).to_have_count(2)
    home.get_by_role("button", name="모두 읽음").click()
    expect(home.locator(".unread")).to_have_count(0)
    publish(site, "cse", [notice(5, first_seen="2026-03-22T01:00:00Z"), future, notice(1)])
    home.reload()
    expect(home.locator(".unread .title")).to_contain_text("공지 5")


def test_what_is_offered_and_not_shown_yet_is_not_marked_as_read(site: Site, home: Page) -> None:
    """Marking all marks what the list shows; what came meanwhile is marked after it is shown."""
    first = notice(3, "보이는 글", first_seen=LATER)
    publish(site, "cse", [first, notice(1)], last_updated=LATER)
    home.reload()
    expect(home.locator(".unread")).to_have_count(1)
    latest = "2026-03-21T02:00:00Z"
    offered = notice(4, "뒤에 온 글", first_seen=latest)
    publish(site, "cse", [offered, first, notice(1)], last_updated=latest)
    refresh(home)
    expect(home.locator(".fresh")).to_be_visible()
    home.get_by_role("button", name="모두 읽음").click()
    expect(home.locator(".unread")).to_have_count(0)
    home.locator(".fresh").click()
    expect(home.locator(".unread .title")).to_contain_text("뒤에 온 글")
    home.get_by_role("button", name="모두 읽음").click()
    expect(home.locator(".unread")).to_have_count(0)


def test_the_filter_leaves_what_is_unread(site: Site, home: Page) -> None:
    """What is read under it stays until the next choice: no row moves under the finger."""
    news(site)
    home.reload()
    home.get_by_role("button", name="안 읽음 1").click()
    assert titles(home) == ["장학금 신청"]
    home.keyboard.press("j")
    home.keyboard.press("m")
    expect(home.locator(".unread")).to_have_count(0)
    assert titles(home) == ["장학금 신청"]
    home.get_by_role("button", name="안 읽음").click()
    expect(home.locator(".empty")).to_contain_text("안 읽은 공지가 없습니다")


def test_a_search_looks_into_titles(site: Site, home: Page) -> None:
    """Words and initial consonants; nothing found is said."""
    news(site)
    home.reload()
    home.get_by_role("searchbox").fill("ㅈㅎㄱ")
    expect(home.locator(".notice")).to_have_count(1)
    home.get_by_role("searchbox").fill("<없는 말>")
    expect(home.locator(".empty")).to_contain_text("<없는 말>")


def test_a_look_again_costs_one_304_a_followed_source(site: Site, home: Page) -> None:
    """Nothing else of a department is asked for, and nothing of one that is not followed."""
    site.log.clear()
    refresh(home)
    expect(home.locator("#said")).to_have_text("새로 고쳤습니다.")
    assert site.requests("cse/latest.json") == [304]
    assert site.requests("law/latest.json") == [304]
    assert asked(site) == {"index.json", "cse/latest.json", "law/latest.json"}


def test_the_network_coming_back_asks_again(site: Site, home: Page) -> None:
    """Without a button."""
    listening(home)
    news(site)
    home.evaluate("dispatchEvent(new Event('online'))")
    expect(home.locator(".fresh")).to_be_visible()


def test_a_push_loads_its_source_alone(site: Site, home: Page) -> None:
    """One of a department that is not followed loads nothing."""
    listening(home)
    news(site)
    site.log.clear()
    home.evaluate(PUSHED, {"source": "art"})
    home.evaluate(PUSHED, {"source": "cse"})
    expect(home.locator(".fresh")).to_have_text("새 소식 1건 보기")
    assert asked(site) == {"cse/latest.json"}


def test_a_source_that_fails_is_named(site: Site, opened: Opened) -> None:
    """With the time of its last success; one that published nothing is named too."""
    campus(site)
    entries = [department("cse", status="failed"), department("law"), department("art")]
    site.put("index.json", {"departments": entries})
    del site.data["art/latest.json"]
    page = follow(opened("#/"), "cse", "art")
    page.locator("details.health summary").click()
    told = page.locator("details.health li").all_inner_texts()
    assert "사이트가 응답하지 않습니다. 마지막 확인 2026. 3. 20. 오전 10:00" in told[0]
    assert "아직 게시된 기록이 없습니다." in told[1]
    assert titles(page) == ["공지 2", "공지 1"]


def test_hundreds_of_notices_are_laid_out_as_one_scrolls(site: Site, opened: Opened) -> None:
    """The first paint has 60 rows; the end comes by scrolling, or by the button."""
    campus(site)
    publish(site, "cse", [notice(number) for number in range(600)])
    page = follow(opened("#/"), "cse")
    assert page.locator(".notice").count() < 200
    # A pointer would wait until the button stands still, and scrolling to it brings more rows.
    page.get_by_role("button", name="더 보기").dispatch_event("click")

    def are_all_shown() -> bool:
        page.locator(".notice").last.scroll_into_view_if_needed()
        return page.locator(".notice").count() == 600

    until(page, are_all_shown)


def test_keys_go_through_the_list(home: Page) -> None:
    """Keys j and k move, s keeps, / searches, ? explains; in a field they are letters."""
    home.keyboard.press("j")
    home.keyboard.press("j")
    focused = "document.activeElement.closest('.notice')?.querySelector('.title').innerText"
    assert home.evaluate(focused).startswith(titles(home)[1])
    home.keyboard.press("s")
    expect(home.locator(".notice").nth(1).locator(".star")).to_have_attribute(
        "aria-pressed", "true"
    )
    home.keyboard.press("k")
    assert home.evaluate(focused).startswith(titles(home)[0])
    home.keyboard.press("/")
    home.keyboard.type("js")
    expect(home.get_by_role("searchbox")).to_have_value("js")
    home.get_by_role("searchbox").fill("")
    home.get_by_role("searchbox").blur()
    home.keyboard.press("?")
    expect(home.get_by_role("dialog")).to_contain_text("다음 공지")
    home.keyboard.press("Escape")
    expect(home.get_by_role("dialog")).to_have_count(0)
