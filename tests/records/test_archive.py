"""The archive: each event exactly once, whole lines, in its own month (N8)."""

import json
import time
from datetime import timedelta

import pytest
from fakes import FlakyObjects, MemoryObjects, VirtualClock

from uring.changes.retry import ATTEMPTS, Backoff
from uring.changes.state import event_id
from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.notices.item import fields
from uring.records import archive as subject
from uring.records.archive import Archive
from uring.records.model import Event

MARCH = "data/cs/archive/202603.jsonl"


def event(number: int, *, at: str = "2026-03-02T01:00:00Z", title: str = "공지") -> Event:
    return Event(
        event_id=event_id("cs", str(number), 1, "h"),
        kind="new",
        detected_at=at,
        push=True,
        id=str(number),
        revision=1,
        hash="h",
        is_marked=False,
        first_seen=at,
        content={"title": title, "date": None, "category": "장학", "link": "https://x/"},
    )


def line(of: Event) -> bytes:
    return subject.line(of, fields)


def append(body: bytes, events: list[Event]) -> bytes:
    return subject.append(body, events, fields)


class TestAppend:
    def test_a_line_is_an_item_with_what_happened_when(self) -> None:
        text = line(event(1))
        assert text.endswith(b"}\n")
        assert text.count(b"\n") == 1
        assert json.loads(text) == {
            "event_id": event(1).event_id,
            "kind": "new",
            "detected_at": "2026-03-02T01:00:00Z",
            "push": True,
            "id": "1",
            "title": "공지",
            "date": None,
            "category": "장학",
            "link": "https://x/",
            "is_pinned": False,
            "revision": 1,
            "hash": "h",
            "first_seen": "2026-03-02T01:00:00Z",
        }

    def test_what_is_there_stays_byte_by_byte(self) -> None:
        before = append(b"", [event(1)])
        after = append(before, [event(2)])
        assert after == before + line(event(2))

    def test_appending_twice_is_appending_once(self) -> None:
        once = append(b"", [event(1), event(2)])
        assert append(once, [event(1), event(2)]) == once

    def test_only_what_is_missing_is_appended(self) -> None:
        before = append(b"", [event(1)])
        assert append(before, [event(1), event(2)]) == before + line(event(2))

    def test_nothing_to_append_touches_nothing_not_even_a_torn_line(self) -> None:
        assert append(b'{"torn', []) == b'{"torn'

    def test_a_torn_last_line_is_closed_and_never_joined(self) -> None:
        torn = line(event(1)).rstrip(b"\n")
        assert append(torn, [event(2)]) == torn + b"\n" + line(event(2))

    def test_a_long_archive_is_searched_once_for_all(self) -> None:
        """2,000 changed rows, and an archive of 10 MB."""
        many = [event(number) for number in range(2_000)]
        body = b"".join(line(event(n, title="가" * 1_000)) for n in range(10_000, 13_000))
        began = time.process_time()
        assert append(append(body, many), many).count(b"\n") == 5_000
        assert time.process_time() - began < 2

    def test_a_title_that_spells_an_event_id_hides_nothing(self) -> None:
        """A hostile site may guess ids: they are hashes of what it publishes."""
        spelled = event(1, title=f'{{"event_id":"{event(2).event_id}"')
        after = append(b"", [spelled, event(2)])
        assert [json.loads(text)["id"] for text in after.splitlines()] == ["1", "2"]

    def test_a_title_with_line_breaks_is_one_line(self) -> None:
        text = append(b"", [event(1, title="a\nb\r\u2028c\u0085d")])
        assert text.count(b"\n") == 1
        assert json.loads(text)["title"] == "a\nb\r\u2028c\u0085d"


def add(objects: MemoryObjects, *events: Event, clock: VirtualClock | None = None) -> None:
    backoff = Backoff((clock or VirtualClock()).sleep)
    Archive(objects, backoff=backoff).add("cs", events, fields)


class TestAdd:
    def test_each_event_goes_to_the_month_in_which_it_was_detected(self) -> None:
        """Whatever the time is when the outbox is drained."""
        objects = MemoryObjects()
        april = event(2, at="2026-04-01T00:00:00Z")
        add(objects, event(1, at="2026-03-31T23:59:59Z"), april)
        assert objects.body(MARCH) == line(event(1, at="2026-03-31T23:59:59Z"))
        assert objects.body("data/cs/archive/202604.jsonl") == line(april)

    def test_readers_may_keep_it_for_five_minutes(self) -> None:
        objects = MemoryObjects()
        add(objects, event(1))
        (version,) = objects.versions[MARCH]
        assert version.cache_control == "public, max-age=300"
        assert version.content_type == "application/x-ndjson; charset=utf-8"

    def test_adding_again_writes_nothing(self) -> None:
        objects = MemoryObjects()
        add(objects, event(1))
        add(objects, event(1))
        assert objects.writes == 1

    @pytest.mark.parametrize(
        "error", [PreconditionFailed("412"), Contended("409"), Unavailable("503")], ids=str
    )
    @pytest.mark.parametrize("when", ["refused", "lost"])
    def test_a_write_in_doubt_is_looked_at_again(self, error: Exception, when: str) -> None:
        objects = FlakyObjects(**{when: [error]})
        add(objects, event(1), event(2))
        assert objects.body(MARCH) == line(event(1)) + line(event(2))

    def test_a_baseline_taken_anew_keeps_what_the_archive_holds(self) -> None:
        """An operator deleted the state; the month has lines already."""
        objects = MemoryObjects()
        baseline = event(1).model_copy(update={"kind": "baseline"})
        add(objects, event(2))
        add(objects, baseline)
        add(objects, baseline)
        assert objects.body(MARCH) == line(event(2)) + line(baseline)

    def test_another_writers_lines_survive(self) -> None:
        objects = MemoryObjects()
        add(objects, event(1))
        real = objects.get
        raced: list[str] = []

        def race(key: str) -> object:
            stored = real(key)
            if not raced:
                raced.append(key)
                add(objects, event(2))
            return stored

        objects.get = race  # type: ignore[method-assign,assignment]
        add(objects, event(3))
        assert objects.body(MARCH) == line(event(1)) + line(event(2)) + line(event(3))

    def test_it_gives_up_after_bounded_attempts_with_growing_pauses(self) -> None:
        clock = VirtualClock()
        objects = FlakyObjects(refused=[Contended("409")] * 99)
        with pytest.raises(WriteConflict, match=r"202603\.jsonl.*the next run tries again"):
            add(objects, event(1), clock=clock)
        assert len(objects.refused) == 99 - ATTEMPTS
        assert len(clock.slept) == ATTEMPTS - 1
        assert timedelta(seconds=sum(clock.slept)) < timedelta(seconds=10)
