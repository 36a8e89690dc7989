"""The calendar of a board's deadlines: valid, the same when made again, and complete."""

import json
import re
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.watched_world import Watched

KEY = "data/cs/due.ics"
NOW = "2026-03-02T01:05:00Z"


class Board(Watched):
    """One board, watched after each check."""

    def __init__(self, *notices: Notice) -> None:
        super().__init__("cs")
        self.turn(*notices)

    def turn(self, *notices: Notice, minutes: int = 10) -> None:
        self.sites["cs"] = page_of(notices)
        self.tick()
        self.watch()
        self.clock.advance(minutes * 60)

    def raw(self) -> bytes:
        return self.bucket.body(KEY)

    def lines(self) -> list[str]:
        return re.sub(r"\r\n ", "", self.raw().decode()).split("\r\n")

    def events(self) -> list[dict[str, str]]:
        """Each event's properties, without their parameters."""
        text = "\n".join(self.lines())
        blocks = re.findall(r"^BEGIN:VEVENT\n(.*?)^END:VEVENT$", text, re.DOTALL | re.MULTILINE)
        return [
            {
                name.partition(";")[0]: value
                for name, _, value in (line.partition(":") for line in block.split("\n")[:-1])
            }
            for block in blocks
        ]

    def days(self) -> dict[str, str]:
        return {event["SUMMARY"]: event["DTSTART"] for event in self.events()}


def due(key: str, title: str, **more: Any) -> Notice:
    return Notice(key, title, date="2026-03-02", **more)


def test_a_deadline_is_an_event_of_a_whole_day_with_what_is_known() -> None:
    board = Board(due("1", "국가장학금 신청 3/2~3/13 18:00"), due("2", "학위복 안내"))
    (event,) = board.events()
    assert event == {
        "UID": "urn:uring:notices:cs:1",
        "DTSTAMP": "20260302T010500Z",
        "LAST-MODIFIED": "20260302T010500Z",
        "SEQUENCE": "0",
        "DTSTART": "20260313",
        "DTEND": "20260314",
        "SUMMARY": "~18:00 국가장학금 신청 3/2~3/13 18:00",
        "DESCRIPTION": r"2026-03-02 ~ 2026-03-13 18:00\ncs 학과\n"
        "https://cs.example.ac.kr/board/view?no=1",
        "URL": "https://cs.example.ac.kr/board/view?no=1",
        "TRANSP": "TRANSPARENT",
    }


def test_an_unsure_deadline_is_in_no_calendar() -> None:
    board = Board(due("1", "AI 캠프 참가자 모집 (3/10~3/13)"))
    assert board.document("data/cs/latest.json")["items"][0]["due"]["confidence"] == "low"
    assert board.events() == []


def test_a_calendar_without_a_deadline_has_a_component_all_the_same() -> None:
    """RFC 5545, 3.6: strict readers refuse a calendar without one."""
    lines = Board(due("1", "학위복 안내")).lines()
    assert "BEGIN:VTIMEZONE" in lines
    assert lines[-2:] == ["END:VCALENDAR", ""]


def test_a_calendar_made_again_is_the_same_and_is_not_written() -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    first = board.raw()
    board.turn(due("2", "학위복 안내"), due("1", "장학금 신청 (~3/13)"))
    assert board.raw() == first
    assert len(board.bucket.versions[KEY]) == 1


def test_a_deadline_stays_until_its_day_though_its_notice_left_the_newest_thirty() -> None:
    board = Board(due("0", "장학금 신청 (~3/13)"))
    others = [due(str(number), f"공지 {number}") for number in range(40, 0, -1)]
    board.turn(*others)
    assert "0" not in [item["id"] for item in board.document("data/cs/latest.json")["items"]]
    assert board.days() == {"장학금 신청 (~3/13)": "20260313"}
    board.turn(due("41", "공지 41"), *others, minutes=60 * 24 * 42)
    assert board.days() == {"장학금 신청 (~3/13)": "20260313"}
    board.turn(due("42", "공지 42"), *others)
    assert board.days() == {}


def test_an_extended_deadline_is_the_same_event_with_a_higher_sequence() -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    board.turn(due("1", "장학금 신청 연장 (~3/20)"))
    board.turn(due("1", "[필독] 장학금 신청 연장 (~3/20)"))
    (event,) = board.events()
    assert (event["UID"], event["DTSTART"], event["SEQUENCE"]) == (
        "urn:uring:notices:cs:1",
        "20260320",
        "1",
    )
    assert event["SUMMARY"].startswith("[필독]")
    assert event["LAST-MODIFIED"] > event["DTSTAMP"][:8]


def test_a_deadline_that_the_title_no_longer_names_is_removed() -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    board.turn(due("1", "장학금 신청 (마감)"))
    assert board.events() == []


def test_lines_are_folded_between_characters_at_75_octets() -> None:
    title = "가나다라마바사아자차카타파하" * 20 + " 신청 (~3/13)"
    board = Board(due("1", title))
    raw = board.raw()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 75
    (event,) = board.events()
    assert event["SUMMARY"] == title


@pytest.mark.parametrize("letters", range(12))
def test_no_line_ends_within_an_escape(letters: int) -> None:
    title = "a" * letters + ", ; " * 60 + "신청 (~3/13)"
    board = Board(due("1", title))
    assert [line for line in board.raw().decode().split("\r\n") if line.endswith("\\")] == []
    assert board.events()[0]["SUMMARY"] == re.sub("([,;])", r"\\\1", title)


def test_a_hostile_title_adds_no_line() -> None:
    title = "신청 (~3/13)\\n; , \\\r\nEND:VEVENT\u2028\x07\x85BEGIN:VEVENT"
    board = Board(due("1", title))
    assert sum(line == "BEGIN:VEVENT" for line in board.lines()) == 1
    (event,) = board.events()
    assert event["SUMMARY"].startswith(r"신청 (~3/13)\\n\; \, \\")
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", board.raw().decode())


def stored_with(due: dict[str, str]) -> bytes:
    """A feed with one deadline of an earlier notice."""
    event = {"id": "x", "title": "x", "url": None, "sequence": 0, "modified": NOW, "due": due}
    return json.dumps({"_uring": {"deadlines": [event]}}).encode()


@pytest.mark.parametrize(
    "stored",
    [
        b"{",
        b"[]",
        b'{"_uring": 3}',
        b'{"_uring": {"deadlines": 3}}',
        b'{"_uring": {"deadlines": [{}]}}',
        stored_with({"date": "2026-99-99"}),
        stored_with({}),
    ],
)
def test_a_damaged_feed_costs_only_what_it_alone_had(stored: bytes) -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    board.bucket.plant("data/cs/feed.json", stored)
    board.turn(due("2", "등록 (~3/20)"), due("1", "장학금 신청 (~3/13)"))
    assert sorted(board.days().values()) == ["20260313", "20260320"]


def test_the_type_is_that_of_calendars_and_a_copy_is_kept_for_five_minutes() -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    version = board.bucket.versions[KEY][-1]
    assert (version.content_type, version.cache_control) == (
        "text/calendar; charset=utf-8",
        "public, max-age=300",
    )
    (entry,) = board.document("data/index.json")["departments"]
    assert entry["calendar"] == "cs/due.ics"


def test_a_release_before_reads_the_feed_and_this_one_reads_its_feed() -> None:
    board = Board(due("1", "장학금 신청 (~3/13)"))
    feed = board.document("data/cs/feed.json")
    assert [event["id"] for event in feed["_uring"]["deadlines"]] == [feed["items"][0]["id"]]
    del feed["_uring"]
    board.bucket.plant("data/cs/feed.json", json.dumps(feed).encode())
    board.turn(due("2", "등록 (~3/20)"), due("1", "장학금 신청 (~3/13)"))
    assert sorted(board.days().values()) == ["20260313", "20260320"]


def test_a_renumbered_board_has_each_deadline_once() -> None:
    board = Board(due("2", "근로 신청 ~3/20"), due("1", "장학금 신청 ~3/13"))
    board.turn(due("12", "근로 신청 ~3/20"), due("11", "장학금 신청 ~3/13"))
    assert [event["UID"][-2:] for event in board.events()] == ["11", "12"]


def test_a_deadline_of_another_shape_in_the_feed_costs_itself_alone() -> None:
    board = Board(due("2", "근로 신청 ~3/20"), due("1", "장학금 신청 ~3/13"))
    feed = board.document("data/cs/feed.json")
    known = feed["_uring"]["deadlines"]
    others = [{**known[0], "id": "a", "due": {"days": 2}}, {**known[0], "id": "b", "due": {}}]
    earlier = {**known[0], "id": "c", "title": "먼저 신청"}
    feed["_uring"]["deadlines"] = [*others, earlier, *known]
    board.bucket.plant("data/cs/feed.json", json.dumps(feed).encode())
    board.turn(due("3", "안내"), due("2", "근로 신청 ~3/20"), due("1", "장학금 신청 ~3/13"))
    assert [event["UID"][-1] for event in board.events()] == ["c", "1", "2"]
