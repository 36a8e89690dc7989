"""Kept notices outlive the board, the page and the source that is followed."""

from notices_published import Opened, campus, follow, keep, notice, publish, titles
from playwright.sync_api import expect
from site_of_client import Site


def test_what_is_kept_outlives_its_board(site: Site, opened: Opened) -> None:
    """The newest kept is first; the page has them when the board and the network have not."""
    campus(site)
    page = follow(opened("#/"), "cse")
    keep(page, "공지 1", "공지 2")
    publish(site, "cse", [])
    page.goto(site.url + "#/kept")
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["공지 2", "공지 1"]
    assert page.locator(".notice .facts a").first.inner_text() == "누리솔대 컴퓨터공학과"


def test_a_slip_on_the_star_is_taken_back_where_it_happened(site: Site, opened: Opened) -> None:
    """What is dropped stays in view, and is gone when the view is opened again."""
    campus(site)
    page = follow(opened("#/"), "cse")
    star = page.get_by_role("button", name="보관: 공지 1")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="보관함").click()
    page.wait_for_selector("body[data-ready='#/kept']")
    star = page.get_by_role("button", name="보관: 공지 1")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    page.get_by_role("link", name="새 소식").last.click()
    page.get_by_role("link", name="보관함").click()
    expect(page.locator(".empty")).to_contain_text("보관한 공지가 없습니다")


def test_what_is_kept_is_as_its_board_has_it_now(site: Site, opened: Opened) -> None:
    """An edit reaches the kept notice, with its deadline; another notice under the id does not."""
    campus(site)
    page = follow(opened("#/"), "cse")
    keep(page, "공지 1", "공지 2")
    due = {"date": "2026-04-10", "time": None, "from": None, "confidence": "high"}
    other = notice(2, "다른 글", revision=2, first_seen="2026-03-21T01:00:00Z")
    publish(site, "cse", [notice(1, "공지 1 (연장)", revision=2, due=due), other])
    page.goto(site.url + "#/kept")
    page.reload()
    expect(page.locator(".notice .title").last).to_contain_text("(연장)")
    assert titles(page) == ["공지 2", "공지 1 (연장)"]
    site.data.clear()
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["공지 2", "공지 1 (연장)"]


def test_what_another_window_dropped_is_not_brought_back(site: Site, opened: Opened) -> None:
    """Its board has an edit of it by then; this window still shows what it read before."""
    campus(site)
    page = follow(opened("#/"), "cse")
    keep(page, "공지 1", "공지 2")
    page.evaluate(
        """async () => {
          const {open} = await import(new URL("./app/store.js", document.baseURI).href);
          await (await open()).remove("kept", "cse/1");
        }"""
    )
    publish(site, "cse", [notice(1, revision=2), notice(2, "공지 2 (연장)", revision=2)])
    page.get_by_role("link", name="보관함").click()
    expect(page.locator(".notice .title").first).to_contain_text("(연장)")
    kept = page.evaluate(
        """async () => {
          const {open} = await import(new URL("./app/store.js", document.baseURI).href);
          const all = await (await open()).entries("kept");
          return [...all].map(([key, {notice}]) => [key, notice.revision]);
        }"""
    )
    assert kept == [["cse/2", 2]]


def test_what_is_kept_is_found_by_its_title(site: Site, opened: Opened) -> None:
    campus(site)
    page = follow(opened("#/"), "cse")
    keep(page, "공지 1", "공지 2")
    page.get_by_role("link", name="보관함").click()
    page.wait_for_selector("body[data-ready='#/kept']")
    page.locator("input[type=search]").fill("공지 2")
    expect(page.locator(".notice")).to_have_count(1)
    assert titles(page) == ["공지 2"]
