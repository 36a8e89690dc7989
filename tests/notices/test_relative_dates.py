"""A relative date such as "3일 전" changes every day; the notice keeps the day that is stored."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from fakes import ENTRY, VirtualClock
from fakes.worlds import NoticeWorld

from uring.changes.check import Check
from uring.notices.page import Sights, read_page
from uring.notices.source import Source

SEOUL = ZoneInfo("Asia/Seoul")
DATE = {"select": "td.date", "formats": ["ago", "%Y-%m-%d"]}
URL = "https://plover.example.ac.kr/list"


def page(*rows: tuple[int, str, str]) -> str:
    shown = "".join(
        f'<tr class=row data-no={no}><td class=subject><a href="v?no={no}">{title}</a></td>'
        f"<td class=date>{text}</td></tr>"
        for no, title, text in rows
    )
    return f"<table class=board>{shown}</table>"


def source(**keys: object) -> Source:
    return Source.model_validate({**ENTRY, "fields": ENTRY["fields"] | {"date": DATE | keys}})


class Board(NoticeWorld):
    """A board that says how many days ago each notice was posted."""

    def __init__(self, now: datetime) -> None:
        super().__init__(VirtualClock(now))

    def show_rows(self, *rows: tuple[int, str], **keys: object) -> Check:
        self.site = page(*((no, f"{no}번 공지", text) for no, text in rows))
        return self.check(fields=ENTRY["fields"] | {"date": DATE | keys})


def told(check: Check) -> list[tuple[str, str, str | None]]:
    return [(event.id, event.kind, event.content["date"]) for event in check.events]


def test_a_text_that_changes_every_day_is_no_edit() -> None:
    """Weeks and months name no day, but the stored one fits them."""
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    board.show_rows((1, "2026-11-20"))
    assert told(board.show_rows((2, "방금"), (1, "2026-11-20"))) == [("2", "new", "2026-11-25")]
    for text in ("어제", "2일 전", "3일 전", "4일 전", "5일 전", "6일 전", "1주 전"):
        board.clock.advance(days=1)
        assert told(board.show_rows((2, text), (1, "2026-11-20"))) == []
    board.clock.advance(days=35)
    assert told(board.show_rows((2, "1개월 전"), (1, "2026-11-20"))) == []
    board.clock.advance(days=1)
    assert told(board.show_rows((2, "2026-11-25"), (1, "2026-11-20"))) == []


def test_a_site_that_cuts_its_days_at_another_hour_makes_no_edit() -> None:
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    board.show_rows((1, "3일 전"))
    for text in ("4일 전", "3일 전", "4일 전", "4일 전"):
        board.clock.advance(hours=7)
        assert told(board.show_rows((1, text))) == []


def test_another_title_is_still_an_edit() -> None:
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    board.show_rows((1, "어제"))
    board.clock.advance(days=1)
    board.site = page((1, "새 제목", "2일 전"))
    assert told(board.check(fields=ENTRY["fields"] | {"date": DATE})) == [
        ("1", "edited", "2026-11-24")
    ]


def test_a_text_without_a_single_day_is_refused_or_null() -> None:
    board = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    check = board.show_rows((2, "어제"), (1, "2주 전"))
    assert told(check) == [("2", "baseline", "2026-11-24")]
    page_ = read_page(
        source(), page((2, "둘", "어제"), (1, "하나", "2주 전")), URL, date(2026, 11, 25)
    )
    assert (page_.rows[1].reason or "").startswith("date: ")
    assert "optional" in (page_.rows[1].reason or "")
    other = Board(datetime(2026, 11, 25, 1, 0, tzinfo=UTC))
    rows = ((2, "어제"), (1, "2주 전"))
    assert told(other.show_rows(*rows, optional=True)) == [
        ("1", "baseline", None),
        ("2", "baseline", "2026-11-24"),
    ]
    other.clock.advance(days=7)
    assert told(other.show_rows((2, "1주 전"), (1, "3주 전"), optional=True)) == []


@pytest.mark.parametrize("hour", [1, 10, 23])
def test_hours_are_counted_from_the_time_of_the_check(hour: int) -> None:
    now = datetime(2026, 11, 25, hour, 30, tzinfo=SEOUL)
    html = page(*((n, f"{n}시간", f"{n}시간 전") for n in range(1, 48)))
    read = {item.id: item.date for item in read_page(source(), html, URL, now).items}
    assert read == {str(n): str((now - timedelta(hours=n)).date()) for n in range(1, 48)}
    hashes = {item.id: item.hash for item in read_page(source(), html, URL, now).items}
    later = now + timedelta(hours=5)
    days = dict.fromkeys(hashes, now.date())
    html = page(*((n, f"{n}시간", f"{n + 5}시간 전") for n in range(1, 43)))
    for moment in (later, later.date()):
        again = read_page(source(), html, URL, moment, Sights(days, hashes))
        assert {item.id: item.hash for item in again.items}.items() <= hashes.items()


def test_the_worker_counts_hours_from_the_time_of_its_check() -> None:
    """It is 01:10 in Seoul: an hour ago it was today, two hours ago yesterday."""
    board = Board(datetime(2026, 11, 24, 16, 10, tzinfo=UTC))
    check = board.show_rows((3, "5분 전"), (2, "1시간 전"), (1, "2시간 전"))
    assert told(check) == [
        ("1", "baseline", "2026-11-24"),
        ("2", "baseline", "2026-11-25"),
        ("3", "baseline", "2026-11-25"),
    ]
    for hours in range(1, 30):
        board.clock.advance(hours=1)
        rows = ((3, hours), (2, hours + 1), (1, hours + 2))
        assert told(board.show_rows(*((no, f"{past}시간 전") for no, past in rows))) == []
