"""One department: its archive as one scrolls, what is missing told, its rule."""

import json

from notices_published import (
    NAMES,
    Opened,
    campus,
    department,
    follow,
    line,
    notice,
    publish,
    titles,
)
from playwright.sync_api import BrowserContext, Page, Route, expect
from site_of_client import Site
from waiting import until

LATER = "2026-03-21T01:00:00Z"


def dated(number: int, month: str, **fields: str) -> dict[str, object]:
    """Return a notice of a month, `2026-01`."""
    day = f"{month}-{number % 28 + 1:02}"
    return notice(number, date=day, first_seen=f"{day}T00:00:00Z", **fields)


def archived(site: Site) -> None:
    """Three months: March is the newest, January the first that was watched, February is long."""
    campus(site)
    publish(site, "cse", [notice(90)])
    site.put("cse/archive/202603.jsonl", [line(notice(90))])
    long = [line(dated(number, "2026-02")) for number in range(30, 60)]
    site.put("cse/archive/202602.jsonl", long)
    site.put("cse/archive/202601.jsonl", [line(dated(n, "2026-01"), "baseline") for n in (1, 2)])


def rule(page: Page) -> object:
    """Return what the service worker will obey."""
    return page.evaluate(
        """async () => {
            const {open} = await import("./app/store.js");
            return (await (await open()).get("settings", "rules"))?.sources.cse;
        }"""
    )


def to_the_end(page: Page) -> None:
    """Scroll until there is no more: what has come moves the end."""
    end = page.locator(".center", has_text="여기까지입니다")

    def is_there() -> bool:
        page.locator(".end").scroll_into_view_if_needed()
        return end.count() > 0

    until(page, is_there)


def test_older_months_follow_as_one_scrolls(site: Site, opened: Opened) -> None:
    """Month after month back to the first look, each notice once, newest first."""
    archived(site)
    page = opened("#/source/cse")
    expect(page.locator("h1")).to_have_text("누리솔대 컴퓨터공학과")
    assert titles(page)[0] == "공지 90"
    to_the_end(page)
    shown = titles(page)
    assert len(shown) == len(set(shown)) == 33
    assert shown[-2:] == ["공지 2", "공지 1"]
    expect(page.locator(".center")).to_have_text("여기까지입니다. 2026-01부터 지켜보고 있습니다.")
    assert site.requests("cse/archive/202512.jsonl") == [403]


def test_a_missing_file_is_told_and_the_rest_is_shown(site: Site, opened: Opened) -> None:
    """Of February the earlier part is gone and a line is broken; January still comes."""
    archived(site)
    lines = [line(dated(number, "2026-02")) for number in range(30, 60)]
    lines[0]["earlier"] = {"file": f"202602.{'a' * 32}.jsonl", "until": "2026-02-01T00:00:00Z"}
    text = "".join(json.dumps(each) + "\n" for each in lines) + '{"cut\n'
    site.data["cse/archive/202602.jsonl"] = text.encode()
    page = opened("#/source/cse")
    to_the_end(page)
    told = page.locator(".health.warn").all_inner_texts()
    assert "2026-02 기록의 일부를 받지 못했습니다." in told
    assert "읽을 수 없는 기록 1건이 빠졌습니다." in told
    assert len(titles(page)) == 33


def test_after_a_failure_the_walk_goes_on_where_it_ended(
    context: BrowserContext, site: Site, opened: Opened
) -> None:
    """The network fails in February: it is said, and a button goes on."""
    archived(site)
    february = "**/archive/202602.jsonl"
    context.route(february, lambda route: route.abort())
    page = opened("#/source/cse")
    again = page.get_by_role("button", name="다시 시도")
    again.scroll_into_view_if_needed()
    expect(page.locator(".health.warn")).to_have_text("2026-02 기록의 일부를 받지 못했습니다.")
    context.unroute(february)
    again.click()
    to_the_end(page)
    assert len(titles(page)) == 33


def test_an_older_month_comes_by_a_button_too(site: Site, opened: Opened) -> None:
    """Without any scrolling; the row that is read stands still."""
    archived(site)
    page = opened("#/source/cse")
    first = page.locator(".notice .title").first
    before = first.bounding_box()
    page.keyboard.press("j")
    expect(first).to_be_focused()
    expect(page.locator(".notice")).not_to_have_count(1)
    assert first.bounding_box() == before


def test_keywords_are_what_the_service_worker_obeys(site: Site, opened: Opened) -> None:
    """Chosen by mode, added once, removed; kept over a reload, with the department's name."""
    campus(site)
    page = opened("#/source/cse")
    page.get_by_role("button", name="받아 보기").click()
    page.get_by_label("알림").select_option("keywords")
    for word in ("장학", "장학", "-모집"):
        page.get_by_label("새 키워드").fill(word)
        page.keyboard.press("Enter")
        expect(page.get_by_label("새 키워드")).to_have_value("")
    expect(page.locator(".chips li")).to_have_count(2)
    page.get_by_role("button", name="-모집 지우기").click()
    expect(page.locator(".chips li")).to_have_count(1)
    page.reload()
    expect(page.locator(".chips span")).to_have_text(["장학"])
    assert rule(page) == {
        "mode": "keywords",
        "keywords": ["장학"],
        "name": "누리솔대 컴퓨터공학과",
    }


def test_keywords_that_are_added_at_once_are_all_kept(site: Site, opened: Opened) -> None:
    """Two that come before the list is drawn again; two that go at once are gone."""
    campus(site)
    page = opened("#/source/cse")
    page.get_by_role("button", name="받아 보기").click()
    page.get_by_label("알림").select_option("keywords")
    word = page.get_by_label("새 키워드")
    word.wait_for()
    word.evaluate(
        """(input) => ["장학", "모집", "-마감"].forEach((word) => {
          input.value = word;
          input.form.requestSubmit();
        })"""
    )
    expect(page.locator(".chips span")).to_have_text(["장학", "모집", "-마감"])
    page.locator(".chips button").evaluate_all(
        "(all) => [all[0], all[2]].forEach((one) => one.click())"
    )
    expect(page.locator(".chips span")).to_have_text(["모집"])
    assert rule(page)["keywords"] == ["모집"]


def test_a_rule_keeps_the_name_that_no_list_tells_yet(site: Site, opened: Opened) -> None:
    """The notices of the board have not come, either; the reader chose it by its name."""
    campus(site)
    page = follow(opened("#/"), "cse")
    site.put("index.json", {"departments": [department("law")]})
    held: list[Route] = []
    page.context.route("**/cse/latest.json", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(site.url + "#/source/cse")
    page.reload()
    expect(page.locator("h1")).to_have_text(NAMES["cse"])
    page.get_by_label("알림").select_option("off")
    until(page, lambda: rule(page)["mode"] == "off")
    assert rule(page)["name"] == NAMES["cse"]
    for each in held:
        each.continue_()


def test_what_is_new_is_offered_above_the_list(site: Site, opened: Opened) -> None:
    """The button takes it over, and reads from the newest on."""
    archived(site)
    page = opened("#/source/cse")
    publish(site, "cse", [notice(91, "장학금"), notice(90)], last_updated=LATER)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="새 공지 1건").click()
    expect(page.locator(".notice .title").first).to_contain_text("장학금")
    expect(page.locator(".fresh")).to_have_count(0)


def test_a_department_says_how_it_is_and_where_it_is_read(site: Site, opened: Opened) -> None:
    """Its health, its site, its feed; a site that is a script is no link."""
    campus(site)
    entry = department("cse", status="suspect", base_url="javascript:alert(1)")
    site.put("index.json", {"departments": [entry]})
    publish(site, "cse", [notice(1)], base_url="javascript:alert(2)")
    page = opened("#/source/cse")
    expect(page.locator(".health.warn")).to_contain_text(
        "의심스러워 마지막으로 확인된 내용을 보여 드립니다"
    )
    feed = page.get_by_role("link", name="Atom 피드")
    assert feed.get_attribute("href") == "./data/cse/feed.atom"
    assert page.get_by_role("link", name="게시판 홈").count() == 0


def test_a_silent_department_says_since_which_day(site: Site, opened: Opened) -> None:
    """A day has no hour, wherever the reader is."""
    campus(site)
    entry = department("cse", stale_since="2026-02-01")
    site.put("index.json", {"departments": [entry]})
    expect(opened("#/source/cse").locator(".health.warn")).to_have_text(
        "2026. 2. 1.부터 새 글이 없습니다. 게시판을 옮겼을 수 있습니다."
    )


def test_a_department_that_nobody_publishes_is_unknown(site: Site, opened: Opened) -> None:
    """Its name may be anything; nothing is asked outside of data/."""
    site.put("index.json", {"departments": []})
    page = opened("#/source/..%2F..%2Fconfig.json")
    expect(page.locator(".empty")).to_contain_text("config.json")
    expect(page.locator(".follow")).to_have_count(0)
    assert not [path for _, path, _, _ in site.log if path.endswith("latest.json")]


def test_a_status_of_a_later_release_is_said_as_it_is(site: Site, opened: Opened) -> None:
    """So are unknown fields passed over, in the index and in an item."""
    later = department("cse", status="hibernating", moons=[1, 2])
    site.put("index.json", {"departments": [later, {"id": 7}, None], "planets": {"a": 1}})
    publish(site, "cse", [notice(1, moons={"deep": [1]}, kind_of="x")], shape=2)
    page = opened("#/source/cse")
    expect(page.locator(".health")).to_have_text(
        "상태를 알 수 없습니다: hibernating 마지막 확인 2026. 3. 20. 오전 10:00"
    )
    assert titles(page) == ["공지 1"]
