"""A date without a year, or a bare time, stays the day it was when the notice was first seen.

Else a notice of "12-31" jumps a year when that day comes round again, and is pushed as edited.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from fakes import ENTRY, VirtualClock
from fakes.worlds import NoticeWorld

from uring.changes.check import Check
from uring.notices.source import Source
from uring.reading import dates, extract
from uring.sources.config import validated
from uring.sources.entry import Entry

FIELDS = ENTRY["fields"] | {
    "date": {"select": "td.date", "formats": ["%Y-%m-%d", "%m-%d", "%H:%M"]}
}


class Board(NoticeWorld):
    """A board whose rows a test sets."""

    def __init__(self, now: datetime) -> None:
        super().__init__(VirtualClock(now))

    def show_rows(self, *rows: tuple[int, str]) -> Check:
        """Put these rows on the board and check it."""
        shown = "".join(
            f'<tr class=row data-no={no}><td class=subject><a href="v?no={no}">{no}번 공지</a></td>'
            f"<td class=date>{date}</td></tr>"
            for no, date in rows
        )
        self.site = f"<table class=board>{shown}</table>"
        return self.check(fields=FIELDS)


def told(check: Check) -> list[tuple[str, str, str | None]]:
    return [(event.id, event.kind, event.content["date"]) for event in check.events]


def test_the_last_day_of_a_year_does_not_jump_when_it_comes_round() -> None:
    # 09:00 in Seoul on New Year's Eve.
    board = Board(datetime(2025, 12, 31, 0, 0, tzinfo=UTC))
    assert board.show_rows((2, "12-31"), (1, "12-30")).outcome == "baseline"
    board.clock.advance(days=364, hours=14)
    eve = board.show_rows((3, "12-30"), (2, "12-31"), (1, "12-30"))
    board.clock.advance(hours=10)
    later = board.show_rows((4, "12-31"), (3, "12-30"), (2, "12-31"), (1, "12-30"))
    assert told(eve) == [("3", "new", "2026-12-30")]
    assert told(later) == [("4", "new", "2026-12-31")]


def test_todays_time_becomes_the_same_day_tomorrow() -> None:
    board = Board(datetime(2026, 3, 1, 14, 50, tzinfo=UTC))
    board.show_rows((1, "03-01"))
    assert told(board.show_rows((2, "23:48"), (1, "03-01"))) == [("2", "new", "2026-03-01")]
    board.clock.advance(minutes=15)
    # A board that is slow to change it, then one that did.
    assert told(board.show_rows((3, "00:04"), (2, "23:48"), (1, "03-01"))) == [
        ("3", "new", "2026-03-02")
    ]
    board.clock.advance(days=1)
    assert board.show_rows((3, "03-02"), (2, "03-01"), (1, "03-01")).events == ()


def test_a_date_with_its_year_is_what_it_says() -> None:
    board = Board(datetime(2026, 3, 1, tzinfo=UTC))
    board.show_rows((1, "2026-02-27"))
    assert told(board.show_rows((1, "2026-03-05"))) == [("1", "edited", "2026-03-05")]


def test_a_notice_that_was_long_gone_keeps_its_year_when_it_returns() -> None:
    """Its record is no longer in the state; it is looked up before its date is counted."""
    board = Board(datetime(2025, 12, 31, 0, 0, tzinfo=UTC))
    board.show_rows((1, "12-31"), (0, "12-30"))
    # So many that the first ones leave the state.
    for start in range(10, 500, 100):
        board.clock.advance(days=1)
        rows = [(no, "01-01") for no in range(start, start + 100)]
        board.show_rows(*rows, (9, "01-01"))
    board.clock.advance(days=365)
    check = board.show_rows(*rows[:60], (1, "12-31"), (9, "01-01"))
    assert told(check) == []


def test_a_date_of_the_days_ahead_is_of_this_year() -> None:
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    board.show_rows((1, "11-24"))
    board.clock.advance(minutes=10)
    check = board.show_rows((4, "01-10"), (3, "12-03"), (2, "11-26"), (1, "11-24"))
    assert told(check) == [
        ("2", "new", "2026-11-26"),
        ("3", "new", "2026-12-03"),
        ("4", "new", "2027-01-10"),
    ]
    assert all(event.push for event in check.events)


def test_a_date_ahead_neither_jumps_at_midnight_nor_at_new_year() -> None:
    board = Board(datetime(2026, 12, 31, 14, 50, tzinfo=UTC))
    board.show_rows((1, "12-30"))
    assert told(board.show_rows((2, "01-02"), (1, "12-30"))) == [("2", "new", "2027-01-02")]
    for _ in range(4):
        board.clock.advance(days=1)
        assert told(board.show_rows((2, "01-02"), (1, "12-30"))) == []


@pytest.fixture
def older_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Read dates as the release before; the answer ends that."""
    monkeypatch.setattr(dates, "AHEAD_DAYS", 0)
    monkeypatch.setattr(Source, "versions", Entry.versions)
    # Read each date, and cache none.
    monkeypatch.setattr(extract, "_DATE_LENGTH", 0)
    validated.cache_clear()

    def end() -> None:
        monkeypatch.undo()
        validated.cache_clear()

    return end


def test_a_wrong_year_of_an_older_release_is_mended_in_silence(
    older_release: Callable[[], None],
) -> None:
    """The page is the same, byte by byte; further notices are still announced."""
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    board.show_rows((1, "11-24"))
    rows = ((2, "11-26"), (1, "11-24"))
    assert told(board.show_rows(*rows)) == [("2", "new", "2025-11-26")]
    older_release()
    board.clock.advance(minutes=10)
    check = board.show_rows(*rows)
    assert [(*each, event.push) for each, event in zip(told(check), check.events, strict=True)] == [
        ("2", "baseline", "2026-11-26", False)
    ]
    assert board.document("data/cs/latest.json")["items"][0]["date"] == "2026-11-26"
    assert told(board.show_rows(*rows)) == []
    assert told(board.show_rows((3, "11-27"), *rows)) == [("3", "new", "2026-11-27")]


def test_only_boards_without_years_are_read_again(older_release: Callable[[], None]) -> None:
    def entry(*formats: str) -> Source:
        fields = ENTRY["fields"] | {"date": {"select": "td", "formats": list(formats)}}
        return Source.model_validate({**ENTRY, "fields": fields})

    kinds = (["%m-%d"], ["%Y-%m-%d", "%H:%M"], ["ago", "unix", "iso8601"], ["%d %b"])
    before = [(entry(*kind).reading, entry(*kind).fingerprint) for kind in kinds]
    older_release()
    after = [(entry(*kind).reading, entry(*kind).fingerprint) for kind in kinds]
    same = [one == other for one, other in zip(before, after, strict=True)]
    assert same == [False, True, True, False]


def test_a_renumbered_notice_of_last_spring_keeps_its_year() -> None:
    """Read near today, its date would be one of next spring: no known notice has that one."""
    board = Board(datetime(2026, 4, 5, 3, 0, tzinfo=UTC))
    old = [(no, f"04-0{no}") for no in range(5, 0, -1)]
    board.show_rows(*old)
    board.clock.advance(days=271)
    assert told(board.show_rows((6, "12-31"), *old)) == [("6", "new", "2026-12-31")]
    board.clock.advance(days=5)
    board.show_rows((6, "12-31"), *old)
    board.site = board.site.replace("data-no=", "data-no=10")
    check = board.check(fields=FIELDS)
    assert told(check) == [
        *((f"10{no}", "renamed", f"2026-04-0{no}") for no, _ in reversed(old)),
        ("106", "renamed", "2026-12-31"),
    ]
    assert not any(event.push for event in check.events)
    board.site += "<!-- other bytes -->"
    assert told(board.check(fields=FIELDS)) == []


def test_an_id_of_the_last_board_does_not_lend_its_year() -> None:
    """Else the date is read near that notice's first sight, and at the next check near its own."""
    board = Board(datetime(2026, 3, 5, 3, 0, tzinfo=UTC))
    board.show_rows(*((no, f"03-0{no}") for no in range(5, 0, -1)))
    board.clock.advance(days=306)
    titles = str.maketrans("12345", "가나다라마")
    for rows, due in (
        (
            ((2, "01-04"), (1, "01-03")),
            [("1", "baseline", "2027-01-03"), ("2", "baseline", "2027-01-04")],
        ),
        (((3, "01-05"), (2, "01-04"), (1, "01-03")), [("3", "new", "2027-01-05")]),
        (((3, "01-05"), (2, "01-04"), (1, "01-03")), []),
    ):
        shown = "".join(
            f'<tr class=row data-no={no}><td class=subject><a href="v?no={no}">'
            f"{str(no).translate(titles)} 안내</a></td><td class=date>{date}</td></tr>"
            for no, date in rows
        )
        board.site = f"<table class=board>{shown}</table><!-- {len(rows)} {due} -->"
        check = board.check(fields=FIELDS, epoch=2)
        assert told(check) == due
        board.clock.advance(minutes=10)
