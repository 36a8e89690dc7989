"""The operator's page: what needs a look, why, and what to do."""

import re
from collections.abc import Callable

import pytest
from index_of_status import ago, entry, failing, index, product
from playwright.sync_api import BrowserContext, Page, expect
from site_of_client import Site
from waiting import until

Status = Callable[[], Page]
AIRPORTS = [f"RK{letter}{other}" for letter in "PQR" for other in "ABCDE"]


def sentence(page: Page) -> str:
    return page.locator("#verdict .sentence").inner_text()


def row(page: Page, key: str) -> str:
    """Return a row's text; that of one out of sight has no inner text."""
    return " ".join((page.locator(f"[data-source='{key}']").text_content() or "").split())


def test_what_needs_a_look_comes_first_with_reason_and_remedy(site: Site, status: Status) -> None:
    """Corrupt, unchecked, failing, suspect, stale, then the well; the reason in words."""
    site.put(
        "index.json",
        index(
            [
                entry("well"),
                entry("moved", stale_since="2026-11-02"),
                failing("cut", "too_few_rows", status="suspect", **{"class": "structure"}),
                failing("slow", "timeout"),
                entry("silent", status="unchecked", since=ago(days=2)),
                failing("torn", "corrupt_state", status="corrupt", **{"class": "corrupt"}),
            ]
        ),
    )
    page = status()
    assert sentence(page) == "소스 6개 중 5개를 살펴봐야 합니다."
    order = page.locator(".sources > li").evaluate_all("all => all.map((li) => li.dataset.kind)")
    assert order == ["corrupt", "unchecked", "failed", "suspect", "stale", "ok"]
    slow = row(page, "departments/slow")
    assert "제시간에 응답하지 않음 timeout" in slow
    assert "7시간 전" in slow
    assert "연속 3번 실패" in slow
    assert "uring try slow" in slow
    assert "2026-11-02부터 평소보다 오래 조용함" in row(page, "departments/moved")
    assert "uring state repair torn --stack NAME" in row(page, "departments/torn")
    assert "uring queue show NoticeQueue --stack NAME" in row(page, "departments/silent")
    assert "uring config check config/sitemap.json" in row(page, "departments/cut")


def test_a_failure_that_may_pass_needs_no_look_yet(site: Site, status: Status) -> None:
    """After one failure the verdict is good, and says that there is one."""
    site.put("index.json", index([failing("once", "dns", consecutive_failures=1), entry("well")]))
    page = status()
    assert sentence(page) == "모두 정상입니다. 소스 2개."
    assert "방금 실패해 저절로 나을 수 있는 것 1개." in page.locator("#verdict").inner_text()


def test_times_are_told_as_they_are_read(site: Site, status: Status) -> None:
    """A word and its time have a space between; what was in this minute was just now."""
    site.put("index.json", index([failing("slow", "dns", since=ago(), last_success=ago(hours=9))]))
    page = status()
    told = page.locator(".sources .facts").all_inner_texts()
    assert told[0].startswith("시작 방금 (")
    assert told[1].startswith("마지막 성공 9시간 전 (")


def test_a_dead_gateway_is_one_thing(site: Site, status: Status) -> None:
    """Three products, fifteen airports each: one alarm, and no row of its own for any of them."""
    failed = {name: {"reason": "network", "since": ago(hours=1)} for name in AIRPORTS}
    trouble = {"status": "failed", "class": "transient", "reason": "network", "since": ago(hours=1)}
    products = [
        product(name, 15, failed, consecutive_failures=4, **trouble)
        for name in ("metar", "taf", "warning")
    ]
    site.put("index.json", index([entry("well")], weather=products))
    page = status()
    alarm = page.locator("[data-alarm=gateway]")
    assert page.locator("[data-alarm]").count() == 1
    assert "METAR, TAF, WARNING · 공항 15곳 모두" in alarm.inner_text()
    assert "게이트웨이에 닿지 않거나 응답이 깨짐 network" in alarm.inner_text()
    assert page.locator(".sources > li").count() == 1
    assert sentence(page) == "소스 4개 중 3개를 살펴봐야 합니다."
    page.locator("[data-family=weather]").click()
    assert page.locator(".sources > li").count() == 3
    assert page.locator(".airports > li").count() == 3


def test_an_airport_that_is_silent_for_an_hour_is_named(site: Site, status: Status) -> None:
    """With its reason and since when; one that is silent for minutes is named and needs no look."""
    old = {"RKPA": {"reason": "no_data", "since": ago(hours=3)}}
    new = {"RKPB": {"reason": "quota", "since": ago(minutes=3)}}
    weather = [product("metar", 15, old), product("taf", 15, new), product("warning", 15, {})]
    site.put("index.json", index([], weather=weather))
    page = status()
    assert sentence(page) == "소스 3개 중 1개를 살펴봐야 합니다."
    assert "공항 15곳 중 1곳" in row(page, "weather/metar")
    assert re.search(
        r"RKPA\s+게이트웨이에 자료가 없음 no_data · 시작 3시간 전", row(page, "weather/metar")
    )
    assert "오늘의 요청 한도를 넘음" in row(page, "weather/taf")
    assert page.locator("[data-alarm]").count() == 0


@pytest.mark.parametrize(("hours", "alarms"), [(3.2, 0), (4, 1)])
def test_a_silent_monitor_is_told_on_top(
    site: Site, status: Status, hours: float, alarms: int
) -> None:
    """The weather moves the index within three hours; later nobody is told of anything."""
    late = {**index([], weather=[product("metar", 1, {})]), "generated_at": ago(hours=hours)}
    site.put("index.json", late)
    page = status()
    assert page.locator("[data-alarm=silent]").count() == alarms


@pytest.mark.parametrize(("hours", "alarms"), [(26, 0), (29, 1)])
def test_departments_alone_may_be_silent_for_a_day(
    site: Site, status: Status, hours: float, alarms: int
) -> None:
    """A success is written once a day; an index of failures alone promises nothing."""
    site.put("index.json", {**index([entry("well")]), "generated_at": ago(hours=hours)})
    assert status().locator("[data-alarm=silent]").count() == alarms
    site.put("index.json", {**index([failing("ill", "dns")]), "generated_at": ago(hours=hours)})
    assert status().locator("[data-alarm=silent]").count() == 0


def test_without_an_index_it_says_what_to_do(site: Site, status: Status) -> None:
    """403 is a stack that has none yet."""
    page = status()
    alarm = page.locator("[data-alarm=no_index]").inner_text()
    assert "uring config upload config/sitemap.json --stack NAME" in alarm
    assert "docs/operations.md#deploy" in alarm
    site.put("index.json", index([entry("well")]))
    page.clock.run_for(61_000)
    expect(page.locator("#verdict .sentence")).to_have_text("모두 정상입니다. 소스 1개.")
    assert page.locator("[data-alarm]").count() == 0


def test_it_asks_again_each_minute_and_keeps_what_was_seen(site: Site, status: Status) -> None:
    """Unchanged is a 304; an answer that is gone or broken is told, and costs nothing shown."""
    site.put("index.json", index([entry("well")]))
    page = status()
    with page.expect_response("**/data/index.json"):
        page.clock.run_for(61_000)
    assert site.requests("index.json") == [200, 304]
    site.data["index.json"] = b"{"
    page.clock.run_for(61_000)
    page.locator("[data-alarm=broken]").wait_for()
    assert page.locator(".sources > li").count() == 1
    del site.data["index.json"]
    page.clock.run_for(61_000)
    page.locator("[data-alarm=gone]").wait_for()
    assert page.locator(".sources > li").count() == 1
    site.put("index.json", index([failing("well", "tls")]))
    page.clock.run_for(61_000)
    expect(page.locator("#said")).to_have_text("살펴볼 소스 1개")
    assert page.title().startswith("(1) ")


def test_it_asks_nothing_while_nobody_looks(site: Site, status: Status) -> None:
    """A hidden page is silent, and asks at once when it is looked at."""
    site.put("index.json", index([entry("well")]))
    page = status()
    page.evaluate(
        """() => Object.defineProperty(document, "visibilityState",
             {get: () => window.seen ?? "hidden", configurable: true})"""
    )
    page.clock.run_for(300_000)
    assert site.requests("index.json") == [200]
    with page.expect_response("**/data/index.json"):
        page.evaluate(
            """() => { window.seen = "visible";
                 document.dispatchEvent(new Event("visibilitychange")); }"""
        )
    assert site.requests("index.json") == [200, 304]


def test_commands_and_docs_take_the_operators_own_names(site: Site, status: Status) -> None:
    """They outlive the page; what is no name of a stack, or no web address, is not used."""
    site.put("index.json", index([failing("torn", "corrupt_state", status="corrupt")]))
    page = status()
    page.locator("#stack").fill("uring-prod")
    page.locator("#docs").fill("https://docs.example.org/uring")
    page.locator("#docs").press("Tab")
    again = status()
    assert "uring state show torn --stack uring-prod" in row(again, "departments/torn")
    assert again.get_by_role("link", name="docs/operations.md").get_attribute("href") == (
        "https://docs.example.org/uring/docs/operations.md#when-something-is-wrong"
    )
    again.locator("#stack").fill("x; rm -rf .")
    again.locator("#docs").fill("javascript:alert(1)")
    again.locator("#docs").press("Tab")
    assert "--stack NAME" in row(again, "departments/torn")
    assert again.locator(".sources a").count() == 0


def test_a_command_is_copied_whole(site: Site, status: Status, context: BrowserContext) -> None:
    """The button puts it on the clipboard and says so."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    site.put("index.json", index([failing("slow", "timeout")]))
    page = status()
    page.get_by_role("button", name="명령 복사: uring try slow").click()
    expect(page.locator("#said")).to_have_text("복사했습니다: uring try slow")
    assert page.evaluate("navigator.clipboard.readText()") == "uring try slow"


def test_details_are_asked_for_once_a_change_and_survive_it(site: Site, status: Status) -> None:
    """`health.json` of rows in sight; what is open stays so, and keeps its focus, as rows move."""
    site.put("index.json", index([entry("one"), entry("two")]))
    site.put("two/health.json", {"id": "two", "seq": 4711})
    page = status()
    page.get_by_role("button", name="two 학과 자세히").click()
    expect(page.locator("[data-source='departments/two'] .raw")).to_contain_text("4711")
    site.put("index.json", index([entry("one"), failing("two", "timeout"), entry("three")]))
    page.clock.run_for(61_000)
    expect(page.locator(".sources > li").first).to_contain_text("timeout")
    assert "4711" in row(page, "departments/two")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "two 학과 자세히"
    until(page, lambda: site.requests("two/health.json") == [200, 304])


def test_it_speaks_english_too(site: Site, status: Status) -> None:
    """The choice is the client's own setting, and is kept."""
    site.put("index.json", index([failing("slow", "timeout")]))
    status().locator("#language").click()
    page = status()
    assert sentence(page) == "1 of 1 sources needs a look."
    assert "no complete answer in time timeout" in row(page, "departments/slow")
    assert page.evaluate("document.documentElement.lang") == "en"


def test_many_failures_for_one_reason_are_one_cause(site: Site, status: Status) -> None:
    """Half of a family, five at least: the cause is rather ours, and is told once."""
    ill = [failing(f"s{number}", "dns") for number in range(5)]
    site.put("index.json", index([*ill, entry("a"), entry("b")]))
    page = status()
    assert "학과 7개 중 5개가 한 가지 이유로 실패합니다." in (
        page.locator("[data-alarm=outage]").inner_text()
    )
    site.put("index.json", index([*ill[:4], entry("a"), entry("b")]))
    page.clock.run_for(61_000)
    expect(page.locator("[data-alarm=outage]")).to_have_count(0)


def test_a_clock_that_is_wrong_is_told_and_judges_nothing(site: Site, status: Status) -> None:
    """The server's clock decides: a device two days ahead does not make the monitor silent."""
    site.put("index.json", index([entry("well")]))
    page = status()
    page.clock.fast_forward("48:00:00")
    page.locator("[data-alarm=clocks]").wait_for()
    assert page.locator("[data-alarm]").count() == 1
