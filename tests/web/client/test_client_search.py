"""Searches go past the newest notices: they say what was searched, and lead further back."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import pytest
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
from playwright.sync_api import Page, expect
from site_of_client import Site
from waiting import until

from uring.records.search_index import YearIndex

YEARS: Final = range(2021, 2026)


def old(number: int, year: int, title: str = "", **fields: Any) -> dict[str, Any]:
    """Return a notice of a year, found in a month by its number."""
    day = f"{year}-{number % 12 + 1:02}-05"
    item = notice(number, title or f"{year} 공지 제{number}호", date=day)
    return {**item, "first_seen": f"{day}T00:00:00Z", "id": f"{year}-{number}", **fields}


def indexed(site: Site, source: str, year: int, items: Sequence[dict[str, Any]]) -> None:
    """Publish a year's index, as the engine makes it, without the archive it is made of."""
    index = YearIndex(source, str(year), f"{YEARS[0]}01")
    months = {item["first_seen"][:7].replace("-", "") for item in items}
    for month in sorted(months, reverse=True):
        own = [line(item) for item in items if item["first_seen"][:7].replace("-", "") == month]
        index.add(month, own)
    site.data[f"{source}/search/{year}.json"] = index.body()


@pytest.fixture
def past(site: Site) -> Site:
    """Three boards, one of them with five years of indexes."""
    campus(site)
    for year in YEARS:
        titles_of = {1: "국가장학금 신청" if year == 2021 else ""}
        items = [old(number, year, titles_of.get(number, "")) for number in range(24)]
        indexed(site, "cse", year, items)
    site.put("cse/archive/202603.jsonl", [line(notice(50, "삼월의 옛 글"))])
    return site


def search(page: Page, text: str) -> None:
    """Type a search."""
    page.locator("input[type=search]").fill(text)


def look_back(page: Page) -> None:
    """Go further back, to the end."""
    page.locator(".searched button").click()
    expect(page.locator(".searched[aria-busy=false]")).to_be_visible()


class TestNews:
    def test_it_says_what_was_searched_and_never_that_nothing_matches(
        self, opened: Opened, past: Site
    ) -> None:
        page = follow(opened(), "cse")
        search(page, "국가장학금")
        expect(page.locator(".empty")).to_have_text(
            re.compile("최근 공지에는 .국가장학금.에 맞는 것이 없습니다")
        )
        expect(page.locator(".searched")).to_contain_text("최근 공지 2건까지만")
        assert not [path for _, path, *_ in past.log if "/search/2" in path]

    @pytest.mark.usefixtures("past")
    def test_a_title_of_five_years_ago_is_found(self, opened: Opened) -> None:
        page = follow(opened(), "cse")
        search(page, "국가장학금")
        look_back(page)
        assert titles(page) == ["국가장학금 신청"]
        expect(page.locator(".searched")).to_contain_text("모든 기록에서 찾았습니다")
        expect(page.locator(".day h2")).to_contain_text("2021")
        link = page.locator(".notice .title").get_attribute("href")
        assert link == "https://board.example/1"

    def test_the_month_that_no_index_has_is_read_from_the_archive(
        self, opened: Opened, past: Site
    ) -> None:
        page = follow(opened(), "cse")
        search(page, "삼월의")
        look_back(page)
        assert titles(page) == ["삼월의 옛 글"]
        # Of five years of archive one month was asked for, and two that are not there.
        asked = [path for _, path, *_ in past.log if "/cse/archive/" in path]
        assert {path[-12:-6] for path in asked} == {"202601", "202602", "202603"}

    def test_what_was_read_is_searched_at_each_letter(self, opened: Opened, past: Site) -> None:
        page = follow(opened(), "cse")
        search(page, "없는 말")
        look_back(page)
        expect(page.locator(".empty")).to_have_text(re.compile("^.없는 말.에 맞는 공지가 없습니다"))
        asked = len(past.log)
        search(page, "2023 제7호")
        expect(page.locator(".notice")).to_have_count(1)
        search(page, "2023")
        expect(page.locator(".notice")).to_have_count(24)
        assert len(past.log) == asked

    def test_a_newer_revision_in_latest_json_hides_the_older_row(
        self, opened: Opened, past: Site
    ) -> None:
        renewed = old(3, 2024, "고친 제목", revision=2)
        publish(past, "cse", [renewed, notice(1)])
        page = follow(opened(), "cse")
        search(page, "2024 제3호")
        look_back(page)
        assert titles(page) == []

    def test_an_edit_a_removal_and_a_rename_of_a_later_year_hold(
        self, opened: Opened, past: Site
    ) -> None:
        edit = old(3, 2022, "고친 글", revision=2)
        gone = old(4, 2022, revision=2, hash="")
        index = YearIndex("cse", "2025", "202101")
        at = "2025-06-05T00:00:00Z"
        renamed = {**line(old(5, 2022)), "id": "새-5", "renamed_from": "2022-5", "detected_at": at}
        index.add("202506", [line(edit, "edited", at), line(gone, "deleted", at), renamed])
        past.data["cse/search/2025.json"] = index.body()
        page = follow(opened(), "cse")
        search(page, "2022 공지")
        look_back(page)
        shown = titles(page)
        assert "2022 공지 제4호" not in shown
        assert (shown.count("2022 공지 제3호"), shown.count("2022 공지 제5호")) == (0, 1)
        search(page, "고친 글")
        assert titles(page) == ["고친 글"]

    @pytest.mark.usefixtures("past")
    def test_a_search_that_is_stopped_says_how_far_it_came_and_goes_on(
        self, opened: Opened
    ) -> None:
        page = follow(opened(), "cse")
        held: list[Any] = []
        page.route("**/search/2023.json", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
        search(page, "국가장학금")
        page.locator(".searched button").click()
        expect(page.locator(".searched")).to_contain_text("2024년까지 찾았습니다")
        page.locator(".searched button").click()
        until(page, lambda: held)
        held[0].continue_()
        page.unroute("**/search/2023.json")
        expect(page.locator(".searched[aria-busy=false]")).to_be_visible()
        expect(page.locator(".empty")).to_contain_text("아직")
        look_back(page)
        assert titles(page) == ["국가장학금 신청"]

    def test_what_failed_is_said_and_can_be_asked_for_again(
        self, opened: Opened, past: Site
    ) -> None:
        past.answers["/data/cse/search/2022.json"] = (500, b"")
        page = follow(opened(), "cse")
        search(page, "국가장학금")
        look_back(page)
        expect(page.locator(".searched .warn")).to_contain_text("게시판 1곳")
        assert titles(page) == []
        past.answers.clear()
        look_back(page)
        assert titles(page) == ["국가장학금 신청"]

    @pytest.mark.parametrize("answer", [(500, b""), (200, b"[")])
    def test_a_board_whose_newest_notices_did_not_come_is_searched_too(
        self, opened: Opened, past: Site, answer: tuple[int, bytes]
    ) -> None:
        """Else it were said that all records are searched, and its own were not."""
        past.date = "Fri, 20 Mar 2026 03:00:00 GMT"
        past.answers["/data/law/latest.json"] = answer
        past.put("law/archive/202603.jsonl", [line(notice(60, "법학과의 옛 글"))])
        page = follow(opened(), "cse", "law")
        search(page, "법학과의")
        look_back(page)
        assert titles(page) == ["법학과의 옛 글"]


class TestWithoutIndexes:
    def test_a_stack_of_the_release_before_is_searched_in_its_archive(
        self, opened: Opened, site: Site
    ) -> None:
        campus(site)
        for month in ("2026-02", "2026-01", "2025-12"):
            seen = f"{month}-03T00:00:00Z"
            item = {**notice(70, f"{month} 옛 글", first_seen=seen, date=seen[:10]), "id": month}
            site.put(f"cse/archive/{month.replace('-', '')}.jsonl", [line(item)])
        page = follow(opened(), "cse")
        search(page, "옛 글")
        look_back(page)
        assert len(titles(page)) == 3

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"[]",
            b'{"version": 1, "year": "2025", "since": "202101", "ids": ["1"], "titles": [',
            b'{"version": 2, "year": "2025", "since": "202101", "ids": [], "titles": []}',
            b'{"version": 1, "year": "2024", "since": "202101", "ids": [], "titles": []}',
            b'{"version": 1, "year": "2025", "since": "202101", "ids": ["1"], "titles": []}',
            b'{"version": 1, "year": "2025", "since": "x", "ids": [], "titles": []}',
            b"null",
        ],
    )
    def test_an_index_that_cannot_be_read_costs_nothing_but_itself(
        self, opened: Opened, past: Site, body: bytes
    ) -> None:
        past.data["cse/search/2025.json"] = body
        kept = {**notice(9, "십이월의 글"), "first_seen": "2025-12-05T00:00:00Z"}
        past.put("cse/archive/202512.jsonl", [line({**kept, "id": "dec", "date": "2025-12-05"})])
        page = follow(opened(), "cse")
        search(page, "십이월의")
        look_back(page)
        assert titles(page) == ["십이월의 글"]
        search(page, "국가장학금")
        assert titles(page) == ["국가장학금 신청"]

    def test_odd_columns_and_hostile_titles_stop_nothing(self, opened: Opened, past: Site) -> None:
        index = json.loads(past.data["cse/search/2025.json"])
        index |= {"dates": None, "links": [], "gone": [1, []], "renamed": [["a"]], "revisions": {}}
        past.put("cse/search/2025.json", index)
        long = old(1, 2024, "<img src=x onerror=alert(1)>" + "가" * 10_000)
        odd = old(2, 2024, "이상한 번호", id='../"\\ 한?#%', link="javascript:alert(1)")
        indexed(past, "cse", 2024, [long, odd])
        page = follow(opened(), "cse")
        search(page, "onerror")
        look_back(page)
        assert len(titles(page)) == 1
        search(page, "이상한 번호")
        row = page.locator(".notice .title")
        expect(row).to_have_count(1)
        assert str(row.get_attribute("href")).startswith("#/item/cse/")


class TestBoard:
    @pytest.mark.usefixtures("past")
    def test_a_boards_own_page_has_a_search(self, opened: Opened) -> None:
        page = opened("#/source/cse")
        search(page, "국가장학금")
        look_back(page)
        assert titles(page) == ["국가장학금 신청"]
        search(page, "")
        expect(page.locator(".searched")).to_have_count(0)
        assert "공지 2" in titles(page)


class TestWords:
    @pytest.mark.parametrize("text", ["컴공", "ㅋㅍㅌ", "zjarhd", "컴퓨터고"])
    def test_a_department_is_found_as_people_type_it(
        self, opened: Opened, site: Site, text: str
    ) -> None:
        campus(site)
        names = {**NAMES, "chem": "누리솔대 화학과"}
        site.put(
            "index.json", {"departments": [department(each, name=names[each]) for each in names]}
        )
        page = opened("#/sources")
        search(page, text)
        expect(page.locator(".choice .title")).to_have_text(["누리솔대 컴퓨터공학과"])
