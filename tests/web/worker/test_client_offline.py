"""Without network, without room, with a wrong clock: what was seen is shown, the rest is said."""

from notices_published import UPDATED, Opened, campus, follow, line, notice, publish, titles
from playwright.sync_api import BrowserContext, Route, expect
from site_of_client import Site

DATA = "**/data/**"
# A device that believes to live in 2011.
WRONG_CLOCK = """
    const real = Date, back = 15 * 365 * 86400000;
    globalThis.Date = class extends real {
        constructor(...given) { given.length ? super(...given) : super(real.now() - back); }
        static now() { return real.now() - back; }
    };
"""
FULL = """
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function () {
        throw new DOMException("full", "QuotaExceededError");
    };
"""


def cut(route: Route) -> None:
    """Lose a request."""
    route.abort("internetdisconnected")


def test_what_was_seen_is_shown_without_network(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """The list, the archive and the history; with the time of the copy."""
    campus(site)
    site.put("cse/archive/202603.jsonl", [line(notice(1)), line(notice(2))])
    page = follow(opened("#/"), "cse")
    page.goto(site.url + "#/source/cse")
    expect(page.locator(".center")).to_contain_text("여기까지입니다")
    page.goto(site.url + "#/")
    page.wait_for_selector(".notice")
    context.route(DATA, cut)
    page.reload()
    page.wait_for_selector(".notice")
    expect(page.locator(".health.warn")).to_contain_text("인터넷에 연결되지 않아")
    assert titles(page) == ["공지 2", "공지 1"]
    page.goto(site.url + "#/item/cse/1")
    expect(page.locator(".event strong")).to_have_text(["새로 올라왔습니다"])


def test_a_first_start_without_network_says_so_and_tries_again(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """The button loads the departments when the network is back; nothing was lost."""
    campus(site)
    context.route(DATA, cut)
    page = opened("#/")
    expect(page.locator(".empty")).to_contain_text("인터넷 연결을 확인해 주세요")
    context.unroute(DATA)
    page.get_by_role("button", name="다시 시도").click()
    follow(page, "cse")
    assert titles(page) == ["공지 2", "공지 1"]


def test_a_network_that_hangs_keeps_nobody_waiting(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """What the device has is there after a second; what comes later is offered."""
    campus(site)
    page = follow(opened("#/"), "cse")
    publish(site, "cse", [notice(3), notice(1), notice(2)])
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    context.route("**/data/cse/latest.json", hold)
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["공지 2", "공지 1"]
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator(".fresh")).to_have_text("새 소식 1건 보기")


def test_a_broken_object_does_not_replace_a_good_copy(site: Site, opened: Opened) -> None:
    """Half of a file is no file."""
    campus(site)
    page = follow(opened("#/"), "cse")
    site.data["cse/latest.json"] = site.data["cse/latest.json"][:100]
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["공지 2", "공지 1"]


def test_a_full_disk_is_told_and_the_page_goes_on(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """Following, keeping and reading work until the page is closed."""
    campus(site)
    context.add_init_script(FULL)
    page = follow(opened("#/"), "cse")
    assert titles(page) == ["공지 2", "공지 1"]
    star = page.get_by_role("button", name="보관: 공지 1")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#notice")).to_be_visible()


def test_a_disk_that_fills_later_is_told_at_once(site: Site, opened: Opened) -> None:
    """By the first value that finds no room, whatever it is; in the language of the page."""
    campus(site)
    page = follow(opened("#/"), "cse")
    expect(page.locator("#notice")).to_be_hidden()
    page.evaluate(f"() => {{ {FULL} }}")
    page.get_by_role("button", name="보관: 공지 1").click()
    expect(page.locator("#notice")).to_contain_text("저장을 허용하지 않습니다")
    page.locator("#nav a[data-name=settings]").click()
    page.get_by_label("언어 / Language").select_option("en")
    expect(page.locator("#notice")).to_contain_text("stores nothing")


def test_a_clock_that_is_years_off_changes_neither_order_nor_paging(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """Days are named by the server's clock; new is new, older months are found."""
    campus(site)
    site.date = "Fri, 20 Mar 2026 03:00:00 GMT"
    newest = notice(4, "오늘 글", date="2026-03-20", first_seen=UPDATED)
    publish(site, "cse", [notice(1), newest])
    site.put("cse/archive/202603.jsonl", [line(notice(1)), line(notice(2))])
    context.add_init_script(WRONG_CLOCK)
    page = follow(opened("#/"), "cse")
    today, before = page.locator(".day h2").all_inner_texts()
    assert today == "오늘"
    assert before.startswith("3월 2일")
    assert titles(page) == ["오늘 글", "공지 1"]
    later = "2026-03-20T02:00:00Z"
    publish(
        site, "cse", [notice(5, "방금", first_seen=later), newest, notice(1)], last_updated=later
    )
    page.reload()
    expect(page.locator(".unread .title")).to_contain_text("방금")
    page.goto(site.url + "#/source/cse")
    page.wait_for_selector("body[data-ready='#/source/cse']")
    page.locator(".end").scroll_into_view_if_needed()
    expect(page.locator(".notice")).to_have_count(4)
