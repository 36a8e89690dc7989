"""Deadlines: on a row, in a view of their own, on a notice's page, and as a file for a calendar."""

import re
from pathlib import Path
from typing import Any

from notices_published import (
    NAMES,
    Opened,
    campus,
    department,
    follow,
    keep,
    notice,
    publish,
    titles,
)
from playwright.sync_api import Page, expect
from site_of_client import Site

# A Friday in Seoul: its week ends on March 22.
TODAY = "Fri, 20 Mar 2026 03:00:00 GMT"


def due(date: str, **more: str) -> dict[str, str]:
    return {"date": date, "confidence": "high", **more}


def board(site: Site, *items: dict[str, Any]) -> None:
    campus(site)
    site.date = TODAY
    publish(site, "cse", list(items))


def tags(page: Page) -> dict[str, list[str]]:
    """Of each row by its title; one below the window is not painted, and has no inner text."""
    return {
        title: row.locator(".tag").all_text_contents()
        for title, row in zip(titles(page), page.locator(".notice").all(), strict=True)
    }


def test_a_row_says_until_when_and_how_long_that_is(site: Site, opened: Opened) -> None:
    board(
        site,
        notice(1, "먼 날", due=due("2026-04-30")),
        notice(2, "내일", due=due("2026-03-21", time="17:00")),
        notice(3, "오늘", due=due("2026-03-20")),
        notice(4, "지난 날", due=due("2026-03-19")),
        notice(5, "내년", due=due("2027-01-10")),
        notice(6, "추측", due=due("2026-03-25", confidence="low")),
        notice(7, "지난 추측", due=due("2026-03-19", confidence="low")),
        notice(8, "없음"),
    )
    page = follow(opened("#/"), "cse")
    assert tags(page) == {
        "먼 날": ["~4. 30. (D-41)"],
        "내일": ["~3. 21. 17:00 (D-1)"],
        "오늘": ["~3. 20. (오늘)"],
        "지난 날": ["~3. 19. (지남)"],
        "내년": ["~2027. 1. 10. (D-296)"],
        "추측": ["~3. 25. (추정)"],
        "지난 추측": [],
        "없음": [],
    }


def test_a_row_that_is_shown_has_the_days_that_are_left_now(site: Site, opened: Opened) -> None:
    """A night passes, and a deadline is read of a revision that is known: both are seen."""
    board(site, notice(1, "모집", due=due("2026-03-25")), notice(2, "대회"))
    page = opened("#/")
    page.clock.install(time="2026-03-20T03:00:00Z")
    page.reload()
    follow(page, "cse")
    assert tags(page) == {"모집": ["~3. 25. (D-5)"], "대회": []}
    page.clock.run_for(24 * 3_600_000)
    site.date = "Sat, 21 Mar 2026 03:00:00 GMT"
    items = [notice(1, "모집", due=due("2026-03-25")), notice(2, "대회", due=due("2026-03-30"))]
    publish(site, "cse", items, seq=2)
    page.get_by_role("button", name="새로 고침").click()
    expect(page.locator(".notice .tag").first).to_have_text("~3. 25. (D-4)")
    expect(page.locator("#said")).to_have_text("새로 고쳤습니다.")
    page.get_by_role("button", name="안 읽음").click()
    page.get_by_role("button", name="전체").click()
    assert tags(page) == {"모집": ["~3. 25. (D-4)"], "대회": ["~3. 30. (D-9)"]}


def test_what_is_no_deadline_is_left_out_and_the_row_stays(site: Site, opened: Opened) -> None:
    wrong: list[Any] = [
        3,
        "2026-04-30",
        {"date": "2026-99-99"},
        {"date": "<b>"},
        {"date": ["2026-04-30"]},
        {},
    ]
    right = due("2026-04-30", time="<i>", **{"from": "never"})
    board(
        site,
        *(notice(at, due=value) for at, value in enumerate(wrong, start=1)),
        notice(9, due=right),
    )
    page = follow(opened("#/"), "cse")
    found = tags(page)
    assert found.pop("공지 9") == ["~4. 30. (D-41)"]
    assert [*found.values()] == [[]] * len(wrong)


def test_the_view_has_this_week_and_the_next_the_soonest_first(site: Site, opened: Opened) -> None:
    board(
        site,
        notice(1, "일요일", due=due("2026-03-22")),
        notice(2, "오늘 여섯 시", due=due("2026-03-20", time="18:00")),
        notice(3, "오늘", due=due("2026-03-20")),
        notice(4, "월요일", due=due("2026-03-23")),
        notice(5, "먼 날", due=due("2026-04-30")),
        notice(6, "지난 날", due=due("2026-03-19")),
        notice(7, "없음"),
    )
    publish(site, "law", [notice(21, "남의 것", due=due("2026-03-21"))])
    page = follow(opened("#/"), "cse")
    page.get_by_role("link", name="마감", exact=True).click()
    expect(page.locator("h2")).to_have_text(["이번 주 마감", "다음 주 마감", "그 뒤"])
    assert titles(page) == ["오늘 여섯 시", "오늘", "일요일", "월요일", "먼 날"]
    expect(page.locator("#view")).to_contain_text("최근 공지 30개")


def test_the_view_says_that_nothing_is_due_and_how_far_it_looked(
    site: Site, opened: Opened
) -> None:
    board(site, notice(1, "먼 날", due=due("2026-04-30")))
    page = follow(opened("#/"), "cse")
    page.goto(site.url + "#/due")
    expect(page.locator(".empty")).to_have_text("이번 주에 마감되는 공지가 없습니다.")
    publish(site, "cse", [notice(1)])
    page.reload()
    expect(page.locator(".empty")).to_have_text("마감이 남은 공지를 찾지 못했습니다.")
    expect(page.locator("#view")).to_contain_text("제목에 적힌 마감만")


def test_what_is_kept_is_due_also_when_its_board_shows_it_no_more(
    site: Site, opened: Opened
) -> None:
    board(site, notice(1, "모집", due=due("2026-03-21")))
    page = follow(opened("#/"), "cse")
    keep(page, "모집")
    publish(site, "cse", [])
    page.goto(site.url + "#/due")
    page.reload()
    page.wait_for_selector(".notice")
    assert titles(page) == ["모집"]


def test_what_a_board_shows_now_counts_before_what_was_kept(site: Site, opened: Opened) -> None:
    board(site, notice(1, "모집", due=due("2026-03-21")))
    page = follow(opened("#/"), "cse")
    keep(page, "모집")
    publish(site, "cse", [notice(1, "모집 연장", revision=2, due=due("2026-03-30"))], seq=2)
    page.goto(site.url + "#/due")
    page.reload()
    expect(page.locator(".notice .title")).to_contain_text("모집 연장")
    assert page.locator(".notice").count() == 1


def test_a_notice_has_a_file_for_a_calendar_with_an_alarm_on_the_day_before(
    site: Site, opened: Opened, tmp_path: Path
) -> None:
    title = "장학금 신청; 서류, 제출 \\ 안내 " + "가나다라 " * 30
    board(site, notice(1, title, due=due("2026-12-31", time="17:00")))
    page = follow(opened("#/"), "cse")
    page.goto(site.url + "#/item/cse/1")
    expect(page.locator("dl.pairs")).to_contain_text("~12. 31. 17:00 (D-286)")
    with page.expect_download() as waited:
        page.get_by_role("button", name="달력에 추가").click()
    assert waited.value.suggested_filename == "deadline.ics"
    saved = tmp_path / "deadline.ics"
    waited.value.save_as(saved)
    raw = saved.read_bytes()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 75
    lines = re.sub(r"\r\n ", "", raw.decode()).split("\r\n")
    summary = title.strip().replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    assert f"SUMMARY:~17:00 {summary}" in lines
    assert "DTSTART;VALUE=DATE:20261231" in lines
    assert "DTEND;VALUE=DATE:20270101" in lines
    assert lines[lines.index("BEGIN:VALARM") + 1 :][:3][-1] == "TRIGGER:-PT15H"


def test_a_notice_whose_deadline_is_over_offers_no_file(site: Site, opened: Opened) -> None:
    board(site, notice(1, "모집", due=due("2026-03-19")))
    page = follow(opened("#/"), "cse")
    page.goto(site.url + "#/item/cse/1")
    expect(page.locator("dl.pairs")).to_contain_text("~3. 19. (지남)")
    assert page.get_by_role("button", name="달력에 추가").count() == 0


def test_a_board_links_its_calendar_where_the_index_names_one(site: Site, opened: Opened) -> None:
    board(site, notice(1))
    listed = [department("cse", calendar="cse/due.ics"), department("law")]
    site.put("index.json", {"departments": listed})
    page = opened("#/source/cse")
    link = page.get_by_role("link", name="마감 달력 (.ics)")
    expect(link).to_have_attribute("href", "./data/cse/due.ics")
    page.goto(site.url + "#/source/law")
    expect(page.locator("h1")).to_have_text(NAMES["law"])
    expect(page.get_by_role("link", name="Atom 피드")).to_be_visible()
    assert page.get_by_role("link", name="마감 달력 (.ics)").count() == 0
