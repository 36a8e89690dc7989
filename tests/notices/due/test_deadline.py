"""The deadline of a title: every one that is called sure is right, and what is none stays none."""

import time
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from uring.notices.due.deadline import Deadline, deadline_of

TITLES = Path(__file__).parents[2] / "fixtures" / "due" / "titles.txt"


class Judged(NamedTuple):
    """A title with the deadline that a reader sees in it; ``day`` and ``at`` may be empty."""

    posted: date
    day: str
    at: str
    title: str


def judged() -> list[Judged]:
    lines = [line for line in TITLES.read_text("utf-8").splitlines() if not line.startswith("#")]
    parts = [line.split("|", 2) for line in lines]
    return [
        Judged(date.fromisoformat(posted), *truth.partition("T")[::2], title)
        for posted, truth, title in parts
    ]


def day_of(due: Deadline | None) -> str:
    return due.day.isoformat() if due else ""


def due(title: str, posted: str = "2026-11-24") -> Deadline | None:
    return deadline_of(title, date.fromisoformat(posted))


@pytest.mark.parametrize("each", judged(), ids=lambda each: each.title)
def test_no_sure_deadline_is_wrong(each: Judged) -> None:
    found = deadline_of(each.title, each.posted)
    if found and found.is_sure:
        at = found.at.isoformat("minutes") if found.at else ""
        assert (found.day.isoformat(), at) == (each.day, each.at)


def test_of_a_hundred_titles_six_in_seven_deadlines_are_sure_and_one_is_missed() -> None:
    wanted = [each for each in judged() if each.day]
    found = [deadline_of(each.title, each.posted) for each in wanted]
    assert len(judged()) == 100
    assert sum(bool(each and each.is_sure) for each in found) >= len(wanted) * 6 / 7
    missed = [each.title for each, due in zip(wanted, found, strict=True) if due is None]
    assert missed == ["2차 합격자 등록금 납부 (12/7~12/9)"]


def test_of_the_titles_without_a_deadline_one_gets_an_unsure_one() -> None:
    others = [each for each in judged() if not each.day]
    found = [each.title for each in others if deadline_of(each.title, each.posted)]
    assert found == ["AI 캠프 참가자 모집 (10/24~10/25)"]


@pytest.mark.parametrize(
    ("posted", "title", "day"),
    [
        ("2026-12-20", "겨울학기 등록 (~1.10)", "2027-01-10"),
        ("2027-01-02", "겨울학기 등록 (~1.10)", "2027-01-10"),
        ("2027-01-11", "겨울학기 등록 (~1.10)", ""),
        ("2026-11-24", "겨울학기 등록 (~11.24)", "2026-11-24"),
        ("2026-11-24", "장학금 신청 (~2026.11.23.)", ""),
        ("2026-11-24", "장학금 신청 (~2.29)", ""),
        ("2027-12-24", "장학금 신청 (~2.29)", "2028-02-29"),
        ("2026-11-24", "장학금 신청 (~13/5)", ""),
        ("2026-03-05", "장학금 신청 (~2/28)", ""),
        ("2026-12-20", "복학 신청 (12/28~1/8)", "2027-01-08"),
        ("2026-11-24", "복학 신청 (2026. 12. 28. ~ 1. 8.)", "2027-01-08"),
    ],
)
def test_a_year_is_that_of_the_notice_or_the_next_and_never_one_before(
    posted: str, title: str, day: str
) -> None:
    assert day_of(due(title, posted)) == day


def test_a_weekday_of_another_year_makes_a_deadline_unsure() -> None:
    right, wrong = due("장학금 신청 (~12/4(금))"), due("장학금 신청 (~12/4(수))")
    assert right is not None
    assert wrong is not None
    assert (right.is_sure, wrong.is_sure) == (True, False)


@pytest.mark.parametrize(
    ("title", "day", "is_sure"),
    [
        ("보고서 제출 (12월 4일 금요일까지)", "2026-12-04", True),
        ("보고서 제출 (12월 4일 수요일까지)", "2026-12-04", False),
        ("Apply by November 30: buddies of exchange students", "2026-11-30", True),
        ("Apply by November 10:30", "", False),
    ],
)
def test_a_word_or_a_colon_behind_a_day_is_not_part_of_it(
    title: str, day: str, *, is_sure: bool
) -> None:
    found = due(title)
    assert (day_of(found), bool(found and found.is_sure)) == (day, is_sure)


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("수강신청 정정 11/30(월)~12/4(금)", "2026-11-30"),
        ("복학 신청 12/28~1/8", "2026-12-28"),
        ("수강신청 정정 12/1~4", "2026-12-01"),
        ("장학금 신청 (~12/4)", ""),
    ],
)
def test_a_period_has_a_first_day(title: str, first: str) -> None:
    found = due(title)
    assert found is not None
    assert (found.since.isoformat() if found.since else "") == first


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("17:00", "17:00"),
        ("17시", "17:00"),
        ("17시 30분", "17:30"),
        ("오후 5시", "17:00"),
        ("오전 10시", "10:00"),
        ("낮 12시", "12:00"),
        ("정오", "12:00"),
        ("5 pm", "17:00"),
        ("5시", ""),
        ("24시", ""),
        ("24:00", ""),
        ("자정", ""),
        ("25:00", ""),
    ],
)
def test_a_time_is_given_where_it_is_certain(text: str, at: str) -> None:
    found = due(f"장학금 신청 (~12/4 {text}까지)")
    assert found is not None
    assert found.day == date(2026, 12, 4)
    assert (found.at.isoformat("minutes") if found.at else "") == at


def test_midnight_as_the_beginning_of_a_day_ends_the_day_before() -> None:
    found = due("장학금 신청 (~12/4 00시 마감)")
    assert found == Deadline(date(2026, 12, 3), is_sure=False)


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("[마감 D-3] 창업 경진대회", "2026-11-27"),
        ("[D-3] 장학금 신청", "2026-11-27"),
        ("접수 마감 D-day", "2026-11-24"),
        ("축제 D-3", ""),
        ("외국인 유학생(D-2) 등록", ""),
        ("D-304호 예약", ""),
    ],
)
def test_a_countdown_counts_from_the_day_of_the_notice_and_is_unsure(title: str, day: str) -> None:
    """A board that counts by itself counts from today."""
    found = due(title)
    assert day_of(found) == day
    assert not (found and found.is_sure)


@pytest.mark.parametrize(
    "title",
    [
        "~1/1" * 100_000,
        "~" * 1_000_000,
        "1." * 500_000,
        "(" * 1_000_000 + "~1/1",
        " " * 1_000_000 + "~1/1 신청",
        "신청 12/1~" * 100_000,
        "D-" * 500_000,
        "12월 " * 300_000,
        "\ufdfa" * 1_000_000,
        "jan 1 " * 200_000,
    ],
    ids=lambda title: title[:8],
)
def test_a_hostile_title_takes_no_longer_than_a_long_one(title: str) -> None:
    began = time.process_time()
    due(title)
    assert time.process_time() - began < 0.2


@pytest.mark.parametrize(
    ("title", "day"),
    [
        # Of public reports about other readers of dates.
        ("apply by 1/8 at 12pm", "2027-01-08"),
        ("접수 ~3/21", "2027-03-21"),
        ("apply until Jan 1 3000", ""),
        ("apply by Sun, Dec 20th, 2026", "2026-12-20"),
        ("apply by Sunday Dec. 20", "2026-12-20"),
        ("registration until 2026-12-24 (1.5.3)", "2026-12-24"),
        ("참가비 1.33까지 신청", ""),
        ("신청 10,00 2 · 19,60 5 · 73 20까지", ""),
        ("software products may be described until applied", ""),
        ("apply by 13190 SW 68th Parkway, Suite 200", ""),
        ("SOA Suite 11g and 12c, JUN. 2013 - 2020 registration", ""),
    ],
)
def test_numbers_and_words_that_other_readers_took_for_dates(title: str, day: str) -> None:
    found = due(title)
    assert day_of(found) == day
    assert found is None or found.is_sure


def test_a_weekday_before_the_date_is_compared_too() -> None:
    found = due("apply by Wed, Dec 20th, 2026")
    assert found is not None
    assert not found.is_sure


def test_readers_get_what_is_known() -> None:
    period = due("장학금 신청 12/1 ~ 12/4 17:00")
    assert period is not None
    assert period.published() == {
        "date": "2026-12-04",
        "time": "17:00",
        "from": "2026-12-01",
        "confidence": "high",
    }
    bare = due("장학금 안내 12/4까지 · 1부 12/2까지")
    assert bare is not None
    assert bare.published() == {"date": "2026-12-02", "confidence": "low"}
