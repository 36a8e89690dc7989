"""The operator's page remembers: beats, pauses, marks of this device, a filter in the address."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from index_of_status import ago, entry, failing, index
from playwright.sync_api import BrowserContext, Page, Route, expect
from site_of_client import Site
from waiting import until

from uring.changes.history.beats import Beat, beats_of, with_beat
from uring.clock import parse_timestamp

Status = Callable[[], Page]
ROW = "[data-source='departments/slow']"


def beat(outcome: str, hours: float, **more: Any) -> dict[str, Any]:
    return {"at": ago(hours=hours), "outcome": outcome, "ms": 300, **more}


def show(site: Site, beats: Any, **changes: Any) -> None:
    site.put("index.json", index([failing("slow", "timeout", **changes)]))
    site.put("slow/health.json", {"id": "slow", "beats": beats})


class TestBeats:
    def test_the_bar_says_in_words_how_often_and_since_when(
        self, site: Site, status: Status
    ) -> None:
        show(
            site,
            [
                beat("baseline", 50, rows=30),
                beat("failed", 40, reason="dns", ms=10_400),
                beat("changed", 30, rows=30, changes=2, ms=100),
                beat("failed", 3, reason="timeout", ms=200),
                beat("failed", 2, reason="timeout", ms=200),
            ],
        )
        page = status()
        bar = page.locator(f"{ROW} .beats")
        expect(bar).to_have_attribute("aria-label", "기록된 확인 5번: 실패 3번, 변경 있음 1번.")
        assert bar.get_attribute("role") == "img"
        titles = bar.locator(".beat").evaluate_all("all => all.map(({ title }) => title)")
        assert titles[1].endswith("실패 · 주소(DNS)를 찾을 수 없음 · 10초")
        assert titles[2].endswith("변경 2건 · 30행 · 100 ms")
        text = " ".join((page.locator(ROW).text_content() or "").split())
        assert "실패 3번, 2차례" in text
        assert "응답 시간 마지막 200 ms, 중앙값 200 ms" in text

    def test_a_time_in_which_nobody_looked_is_a_gap(self, site: Site, status: Status) -> None:
        """Not two good checks side by side: a stack that stood still, or a pause."""
        hours = [200, 176, 150, 60, 36, 9]
        show(site, [beat("unchanged", at) for at in hours], interval_minutes=10)
        page = status()
        bar = page.locator(f"{ROW} .beats")
        expect(bar.locator(".beat")).to_have_count(6)
        classes = bar.locator("i").evaluate_all("all => all.map(({ classList }) => classList[0])")
        assert classes == ["beat", "beat", "beat", "gap", "beat", "beat", "beat"]
        expect(page.locator(ROW)).to_contain_text("기록이 끊긴 때 한 번: 3일")
        first, whole = bar.locator(".beat").first.bounding_box(), bar.bounding_box()
        assert first is not None
        assert whole is not None
        assert (first["x"], first["width"]) == (whole["x"], 12)
        page.locator(f"{ROW} button[aria-expanded]").click()
        expect(page.locator(f"{ROW} .told li", has_text="3일 동안 확인 기록이 없음")).to_have_count(
            1
        )

    def test_a_silence_that_goes_on_is_a_gap_too(self, site: Site, status: Status) -> None:
        show(site, [beat("unchanged", at) for at in (200, 176, 152)], interval_minutes=10)
        page = status()
        bar = page.locator(f"{ROW} .beats")
        expect(bar.locator(".beat")).to_have_count(3)
        assert bar.locator("i").last.get_attribute("class") == "gap"
        page.locator(f"{ROW} button[aria-expanded]").click()
        expect(page.locator(ROW)).to_contain_text("6일 동안 확인 기록이 없음")

    @pytest.mark.parametrize("gaps", [20, 95])
    def test_the_newest_checks_stay_in_sight_beside_many_gaps(
        self, site: Site, status: Status, gaps: int
    ) -> None:
        hours = [2 + 30 * min(at, gaps) + max(0, at - gaps) for at in range(96)]
        show(site, [beat("failed", at) for at in reversed(hours)], interval_minutes=10)
        page = status()
        bar = page.locator(f"{ROW} .beats")
        expect(bar.locator(".gap")).to_have_count(gaps)
        newest, whole = bar.locator(".beat").last.bounding_box(), bar.bounding_box()
        assert newest is not None
        assert whole is not None
        assert newest["width"] >= 1
        assert newest["x"] + newest["width"] <= whole["x"] + whole["width"] + 0.5
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    def test_a_source_that_is_checked_once_a_day_has_no_gap_within_some_days(
        self, site: Site, status: Status
    ) -> None:
        show(site, [beat("unchanged", at) for at in (200, 110, 20)], interval_minutes=1440)
        page = status()
        expect(page.locator(f"{ROW} .beat")).to_have_count(3)
        assert page.locator(f"{ROW} .gap").count() == 0

    def test_what_the_engine_writes_is_what_the_page_reads(
        self, site: Site, status: Status
    ) -> None:
        ring, at = "", parse_timestamp(ago(hours=2))
        for _ in range(200):
            ring = with_beat(ring, Beat(at, "suspect", 12, 30, 0, "same_ids"))
        show(site, [each.document() for each in beats_of(ring)])
        expect(status().locator(f"{ROW} .beat.suspect")).to_have_count(96)

    @pytest.mark.parametrize(
        "beats",
        [
            None,
            "1764260000,u,1,1,0,",
            {"0": 1},
            [None, 7, {}, {"at": 7, "outcome": "failed"}, {"at": "2026", "outcome": "failed"}],
            [{"at": "2026-03-02T01:00:00Z", "outcome": "exploded", "ms": -1}],
        ],
    )
    def test_a_ring_that_is_none_is_no_bar_and_costs_nothing_else(
        self, site: Site, status: Status, beats: Any
    ) -> None:
        show(site, beats)
        page = status()
        page.locator(f"{ROW} button[aria-expanded]").click()
        expect(page.locator(f"{ROW} .raw")).to_contain_text("slow")
        assert page.locator(".beats").count() == 0

    def test_hostile_words_of_a_beat_stay_text_and_a_million_are_cut(
        self, site: Site, status: Status
    ) -> None:
        markup = "<img src=x onerror='window.hit=1'>"
        show(site, [beat("failed", 2, reason=markup, rows="1", ms=1e300)] * 5_000)
        page = status()
        expect(page.locator(f"{ROW} .beat")).to_have_count(96)
        page.locator(f"{ROW} button[aria-expanded]").click()
        expect(page.locator(f"{ROW} .told li").first).to_contain_text("<img src=x")
        assert page.evaluate("window.hit") is None

    def test_a_clock_that_went_back_is_told_in_the_order_of_the_checks(
        self, site: Site, status: Status
    ) -> None:
        show(site, [beat("changed", 2, changes=1), beat("failed", 9, reason="dns")])
        page = status()
        beats = page.locator(f"{ROW} .beat")
        expect(beats).to_have_count(2)
        assert beats.evaluate_all("all => all.map((each) => each.classList[1])") == [
            "changed",
            "failed",
        ]

    def test_rows_out_of_sight_ask_for_nothing(self, site: Site, status: Status) -> None:
        site.put("index.json", index([entry(f"d{number:03}") for number in range(200)]))
        site.put("d000/health.json", {"beats": [beat("changed", 2, changes=1)]})
        page = status()
        expect(page.locator(".beats")).to_have_count(1)
        asked = {path for _, path, _, _ in site.log if path.endswith("/health.json")}
        assert 0 < len(asked) < 12

    def test_a_filter_while_beats_come_costs_no_row_its_beats(
        self, site: Site, status: Status, context: BrowserContext
    ) -> None:
        """A row that left the list before it was asked for is asked for when it is back."""
        ids = [f"d{number:02}" for number in range(19)]
        site.put("index.json", index([entry(each) for each in ids]))
        for each in ids:
            site.put(f"{each}/health.json", {"beats": [beat("changed", 2, changes=1)]})
        held: list[Route] = []
        free = threading.Event()
        context.route(
            "**/health.json",
            lambda route: route.continue_() if free.is_set() else held.append(route),
        )
        page = status()
        page.set_viewport_size({"width": 1280, "height": 6000})
        until(page, lambda: len(held) >= 4)
        page.locator("#search").fill("d00")
        expect(page.locator(".sources > li")).to_have_count(1)
        free.set()
        for each_held in held:
            each_held.continue_()
        expect(page.locator(".beats")).to_have_count(1)
        page.locator("#search").fill("")
        expect(page.locator(".beats")).to_have_count(len(ids))


class TestAttending:
    def test_a_refused_page_has_its_command_and_a_doubt_its_word(
        self, site: Site, status: Status
    ) -> None:
        suspect = {"status": "suspect", "class": "structure"}
        site.put(
            "index.json",
            index([failing("cse", "same_ids", **suspect), failing("law", "ids_gone", **suspect)]),
        )
        text = status().locator(".sources").text_content() or ""
        assert "uring refused cse --stack NAME" in text
        assert "uring decide law same --stack NAME --yes" in text
        assert "uring decide cse" not in text

    def test_a_paused_source_needs_no_look_and_says_until_when(
        self, site: Site, status: Status
    ) -> None:
        paused = failing("slow", "timeout", paused_until=ago(days=-3))
        over = failing("over", "timeout", paused_until=ago(days=3))
        site.put("index.json", index([paused, over, entry("well")]))
        page = status()
        assert page.locator(ROW).get_attribute("data-kind") == "paused"
        assert "uring resume slow --stack NAME" in (page.locator(ROW).text_content() or "")
        assert "쉬게 한 것 1개." in page.locator("#verdict").inner_text()
        assert "소스 3개 중 1개" in page.locator("#verdict").inner_text()
        over_kind = page.locator("[data-source='departments/over']").get_attribute("data-kind")
        assert over_kind == "failed"

    def test_a_mark_is_of_this_device_and_of_this_trouble(self, site: Site, status: Status) -> None:
        since = ago(hours=7)
        site.put(
            "index.json", index([failing("slow", "timeout", since=since), failing("b", "dns")])
        )
        page = status()
        page.locator(f"{ROW} button[aria-expanded]").click()
        page.locator(f"{ROW} .ack").click()
        expect(page.locator(f"{ROW} [data-seen]")).to_be_visible()
        assert "계정이 없어 누가 봤는지는 알 수 없습니다" in (
            page.locator(ROW).text_content() or ""
        )
        assert page.title().startswith("(1)")
        again = status()
        expect(again.locator(f"{ROW} [data-seen]")).to_be_visible()
        order = again.locator(".sources > li").evaluate_all(
            "all => all.map((li) => li.dataset.source)"
        )
        assert order == ["departments/b", "departments/slow"]
        site.put("index.json", index([failing("slow", "dns", since=ago(hours=1))]))
        again.clock.run_for(61_000)
        expect(again.locator(f"{ROW} [data-seen]")).to_have_count(0)

    def test_the_console_is_linked_by_the_operators_own_names(
        self, site: Site, status: Status
    ) -> None:
        show(site, [])
        page = status()
        page.locator(f"{ROW} button[aria-expanded]").click()
        assert page.locator("a[href*='amazon']").count() == 0
        page.locator("#stack").fill("prod")
        page.locator("#region").fill("ap-northeast-2")
        page.locator("#region").press("Enter")
        links = page.locator(f"{ROW} a[href*='amazon']")
        expect(links).to_have_count(2)
        base = "https://ap-northeast-2.console.aws.amazon.com/cloudwatch/home?region=ap-northeast-2"
        hrefs = links.evaluate_all("all => all.map(({ href }) => href)")
        group = "$252Faws$252Flambda$252Fprod-notice-worker"
        assert hrefs == [
            f"{base}#logsV2:log-groups/log-group/{group}",
            f"{base}#alarmsV2:?search=prod",
        ]
        page.locator("#region").fill("evil.example/")
        page.locator("#region").press("Enter")
        expect(links).to_have_count(0)


class TestAddress:
    def test_a_filter_stands_in_the_address_and_comes_from_it(
        self, site: Site, status: Status, context: BrowserContext
    ) -> None:
        site.put("index.json", index([failing("slow", "timeout"), entry("well")]))
        page = status()
        page.locator("#kind").select_option("needs")
        page.locator("#order").select_option("name")
        page.locator("#search").fill("slow 학과")
        link = str(page.evaluate("location.href"))
        assert link.endswith("status/#kind=needs&q=slow+%ED%95%99%EA%B3%BC&order=name")
        colleague = context.new_page()
        colleague.goto(link)
        colleague.wait_for_selector("body[data-ready]")
        expect(colleague.locator(".sources > li")).to_have_count(1)
        assert colleague.locator("#search").input_value() == "slow 학과"
        assert colleague.locator("#kind").input_value() == "needs"
        colleague.evaluate("location.hash = ''")
        expect(colleague.locator(".sources > li")).to_have_count(2)

    @pytest.mark.parametrize("hash_", ["#kind=exploded&order=x", "#%E0%A4%A", "#" + "q=" * 999])
    def test_an_address_of_wrong_words_shows_the_page(
        self, site: Site, context: BrowserContext, hash_: str
    ) -> None:
        site.put("index.json", index([entry("well")]))
        page = context.new_page()
        page.goto(f"{site.url}status/{hash_}")
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#verdict .sentence")).to_have_text("모두 정상입니다. 소스 1개.")


def test_the_changes_of_a_day_leave_out_first_checks_and_keep_one_order(
    site: Site, status: Status
) -> None:
    """The first check of a board is no change; kinds stand in one order; each has its title."""
    now = ago(seconds=-60)
    for source, kinds in {
        "a": ["edited", "new"],
        "b": ["new", "edited"],
        "c": ["baseline"],
    }.items():
        common = {"id": "1", "revision": 1, "detected_at": now}
        lines = [
            {**common, "event_id": f"{source}{kind}", "kind": kind, "title": f"글 {kind}"}
            for kind in kinds
        ]
        for month in {each[:4] + each[5:7] for each in (ago(seconds=0), now)}:
            site.put(f"{source}/archive/{month}.jsonl", lines)
    site.put("index.json", index([entry(source, last_change=now) for source in "abc"]))
    page = status()
    page.locator("#count").click()
    expect(page.locator(".counts > li")).to_have_count(2)
    told = [" ".join(text.split()) for text in page.locator(".counts > li").all_inner_texts()]
    assert told == ["a 학과 2 new 1 · edited 1", "b 학과 2 new 1 · edited 1"]
    expect(page.locator("main")).to_contain_text("처음 읽은 소스 1개는 변경으로 세지 않습니다.")
    expect(page.locator(".changes > li")).to_have_count(4)


def test_ten_thousand_sources_are_thirty_rows_and_one_request(site: Site, status: Status) -> None:
    """Whatever their number: a page of rows, and a filter that reaches each of them."""
    departments = [entry(f"d{number:05}", f"{number}번 학과") for number in range(9_990)]
    ill = [failing(f"ill{number}", "timeout") for number in range(10)]
    site.put("index.json", index([*departments, *ill]))
    page = status()
    assert page.locator(".sources > li").count() == 30
    page.locator("#search").fill("d09876")
    expect(page.locator(".sources > li")).to_have_count(1)
    assert page.locator("main *").count() < 2_000


def test_a_page_in_english_has_no_plural_of_one(site: Site, status: Status) -> None:
    site.put("index.json", index([failing("once", "dns", consecutive_failures=1)]))
    site.put("once/health.json", {"beats": [beat("changed", 1, changes=1, rows=1, ms=0)]})
    status().locator("#language").click()
    page = status()
    text = " ".join(page.locator("main").inner_text().split())
    assert "1 just failed and may pass by itself." in text
    assert "1 check failed" in text
    assert "The only source is well." in text
    title = page.locator(".beat").get_attribute("title") or ""
    assert title.endswith("1 change · 1 row")
