"""A state that was put back knows it by latest.json, and takes from the archive what it lacks."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from fakes import Died, FlakyBucket, Notice, VirtualClock
from fakes.worlds import NoticeWorld

from uring.changes.register import StateVersion
from uring.errors import FetchFailed, Unavailable
from uring.objects import Stored
from uring.records import months
from uring.records.put_back import ShownRecords, caught_up

STATE, LATEST = "state/notices/cs.json", "data/cs/latest.json"
MONTH_END = datetime(2026, 3, 31, 23, 30, tzinfo=UTC)


class World(NoticeWorld):
    """A department whose state is put back.

    Attributes:
        behind: by how many seconds the worker's clock is behind that of the schedule.
    """

    behind = 0

    def __init__(self, **more: Any) -> None:
        super().__init__(VirtualClock(MONTH_END), **more)
        self.see("1")
        self.old = self.stored()

    def see(self, *words: str) -> None:
        """Check a page: a number a notice, ``!`` for another title."""
        self.clock.advance(600)
        self.show(
            *(
                Notice(word.rstrip("!"), f"공지 {word.rstrip('!')}{' 고침' * word.count('!')}")
                for word in words
            )
        )
        self.check(age=-self.behind)

    def stored(self) -> Stored:
        stored = self.bucket.get(STATE)
        assert stored is not None
        return stored

    def put_back(self, way: str = "bytes") -> None:
        """Put back the first state, as its bytes or as `uring state repair` does."""
        self.clock.advance(3600)
        if way == "bytes":
            self.bucket.restore(STATE, self.old)
            return
        state = self.model.from_json(self.old.body, key=STATE, source="cs")
        now = self.model.from_json(self.stored().body, key=STATE, source="cs")
        self.register.write(StateVersion(state.replace(seq=now.seq), self.stored().etag), state)

    def die_at_document(self, number: int, *words: str) -> None:
        """Check a page, and die before this write of a published document."""
        put, written = self.bucket.put, count()

        def dying(key: str, *arguments: Any, **more: Any) -> str:
            if key.startswith("data/") and next(written) == number:
                raise Died
            return put(key, *arguments, **more)

        self.bucket.put = dying  # type: ignore[method-assign]
        with suppress(Died):
            self.see(*words)
        self.bucket.put = put  # type: ignore[method-assign]
        self.restart()

    def lines(self) -> list[dict[str, Any]]:
        keys = sorted(key for key in self.bucket.versions if "/archive/" in key)
        named = {
            line.get("earlier", {}).get("file", "")
            for key in keys
            for line in map(json.loads, self.bucket.body(key).splitlines())
        }
        keys = [key for key in keys if key.count(".") == 1 or key.rpartition("/")[2] in named]
        return [json.loads(line) for key in keys for line in self.bucket.body(key).splitlines()]

    def pushed(self) -> list[tuple[str, str, int]]:
        """What the notify queue got; the ledger holds back a repeated event."""
        events = {change.event_id: change for change in self.messages()}.values()
        return [(event.kind, event.id, event.revision) for event in events]


each_way = pytest.mark.parametrize("way", ["bytes", "repair"])


@each_way
def test_a_line_is_once_over_the_end_of_a_month(way: str) -> None:
    world = World()
    world.see("2", "1")
    world.put_back(way)
    world.see("3", "2", "1")
    assert [line["id"] for line in world.lines()] == ["1", "2", "3"]
    assert world.pushed()[-1:] == [("new", "3", 1)]
    assert [item["id"] for item in world.document(LATEST)["items"]] == ["3", "2", "1"]


@each_way
def test_a_line_is_once_behind_closed_files(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(months, "MONTH_BYTES", 600)
    world = World()
    for number in range(2, 9):
        world.see(*map(str, range(number, 0, -1)))
    world.put_back(way)
    world.see(*map(str, range(9, 0, -1)))
    names = [line["event_id"] for line in world.lines()]
    assert len(names) == len(set(names)) == 9


@each_way
def test_an_edit_that_came_since_is_the_next_revision_and_pushed(way: str) -> None:
    world = World()
    world.see("1!")
    world.put_back(way)
    world.see("1!!")
    assert world.pushed() == [("edited", "1", 2), ("edited", "1", 3)]
    assert [line["revision"] for line in world.lines()] == [1, 2, 3]


def test_writes_of_health_do_not_hide_that_a_state_was_put_back() -> None:
    world = World()
    world.see("1!")
    world.put_back()
    world.site = FetchFailed("timeout", "slow")
    world.check()
    world.see("1!!")
    assert world.pushed() == [("edited", "1", 2), ("edited", "1", 3)]


def test_a_page_that_is_the_old_one_again_is_read_again_after_it_caught_up() -> None:
    """It caught up, and its run died; meanwhile the board has undone the edit."""
    world = World()
    world.see("1!")
    world.put_back()
    state, shown = world.state, ShownRecords.read(world.bucket.get(LATEST))
    assert shown is not None
    after = caught_up(state, shown, world.lines())
    assert after is not None
    world.register.write(StateVersion(state, world.stored().etag), after)
    world.see("1")
    assert [(item["id"], item["revision"]) for item in world.document(LATEST)["items"]] == [
        ("1", 3)
    ]


def test_a_page_that_is_the_old_one_again_is_found_with_the_next_change() -> None:
    world = World()
    world.see("1!")
    world.put_back()
    world.see("1")
    world.see("2", "1")
    assert [(item["id"], item["revision"]) for item in world.document(LATEST)["items"]] == [
        ("2", 1),
        ("1", 3),
    ]


def test_a_death_between_the_two_documents_leaves_no_line_without_its_witness() -> None:
    """The state is put back before the next run, and the notice has another title then."""
    world = World()
    world.die_at_document(1, "1!")
    world.put_back()
    world.see("1!!")
    assert [line["revision"] for line in world.lines()] == [1, 2]
    assert world.pushed() == [("edited", "1", 2)]


def test_an_outbox_of_a_slow_clock_is_no_sign() -> None:
    """Its change is not in the archive: nobody was told, and it is drained."""
    world = World()
    world.see("2", "1")
    world.behind = 30
    world.clock.advance(-600 - world.behind)
    world.die_at_document(0, "3", "2", "1")
    assert [event.id for event in world.state.outbox] == ["3"]
    world.behind = 0
    world.see("3", "2", "1")
    assert world.pushed() == [("new", "2", 1), ("new", "3", 1)]


def test_pushes_of_the_last_change_are_sent_again_under_their_names() -> None:
    """The run that committed them may have died before the queue had them."""
    world = World()
    world.see("2", "1")
    world.put_back()
    world.see("3", "2", "1")
    first, again, new = world.messages()
    assert (first.id, again.id, new.id) == ("2", "2", "3")
    assert first == again


def test_an_outbox_that_was_announced_does_not_come_back() -> None:
    world = World()
    world.see("2", "1")
    committed = world.bucket.versions[STATE][-2]
    world.old = Stored(committed.body, committed.etag)
    assert json.loads(world.old.body)["outbox"]
    world.see("2!", "1")
    world.put_back("repair")
    world.see("2!!", "1")
    assert [line["revision"] for line in world.lines()] == [1, 1, 2, 3]
    assert world.pushed() == [("new", "2", 1), ("edited", "2", 2), ("edited", "2", 3)]


def test_a_change_reads_no_object_more() -> None:
    """``latest.json`` is read before the commit instead of after it."""
    world = World()
    reads = world.bucket.reads
    world.see("2", "1")
    assert world.bucket.reads - reads == 3, "state, latest.json, month"


def test_a_document_that_another_run_wrote_meanwhile_is_read_again() -> None:
    bucket = FlakyBucket()
    world = World(bucket=bucket)
    bucket.refused = []
    bucket.lost = [Unavailable("no answer")]
    world.see("2", "1")
    assert [item["id"] for item in world.document(LATEST)["items"]] == ["2", "1"]


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"meta": {"seq": 1, "last_updated": "soon"}, "items": []}', b"\xff"],
)
def test_a_damaged_document_is_no_witness(body: bytes) -> None:
    assert ShownRecords.read(Stored(body, "e")) is None


def test_what_readers_get_beside_a_record_is_not_its_content() -> None:
    """A deadline is derived when it is published: a state that is put back must not store it."""
    world = World()
    world.clock.advance(600)
    world.show(Notice("2", "장학금 신청 (~4.10)"), Notice("1", "공지 1"))
    world.check()
    shown = world.document(LATEST)["items"][0]
    assert shown["due"]["confidence"] == "high"
    read = ShownRecords.read(world.bucket.get(LATEST))
    assert read is not None
    assert "due" not in read.items[0].content
    world.put_back()
    world.clock.advance(600)
    world.check()
    assert all("due" not in item.content for item in world.state.hot)
    archives = [body for key, body in world.bucket.bodies().items() if "/archive/" in key]
    assert archives
    assert not any(b'"due"' in body for body in archives)
