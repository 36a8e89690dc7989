"""The register: a compare-and-swap that recognises its own writes, and the memory behind it."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from fakes import MemoryObjects, VirtualClock

from uring.changes.register import Register, Superseded, Version
from uring.changes.retry import ATTEMPTS, Backoff
from uring.clock import timestamp
from uring.errors import Contended, CorruptState, PreconditionFailed, Unavailable, WriteConflict
from uring.records.diff import FORGET_AFTER
from uring.records.model import Health, Known, SourceState

KEY = "state/notices/cs.json"
SEEN = "state/notices/cs.seen.json"
STAMP = "2026-03-02T01:00:00Z"


class World:
    """Two writers of one source over one bucket."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.objects = MemoryObjects(self.clock)
        self.numbers = count(1)
        self.a, self.b = (self.register() for _ in range(2))
        self.put = self.objects.put

    def register(self) -> Register:
        return Register(
            self.objects,
            "notices",
            clock=self.clock,
            backoff=Backoff(self.clock.sleep),
            token=lambda: f"writer-{next(self.numbers)}",
        )

    def first(self) -> Version:
        return Version(SourceState(source="cs", health=Health(since=STAMP)), None)

    def spoil(self, *steps: Callable[..., str]) -> None:
        """The next writes do this instead."""
        left = list(steps)

        def put(*args: Any, **more: Any) -> str:
            return left.pop(0)(*args, **more) if left else self.put(*args, **more)

        self.objects.put = put  # type: ignore[method-assign]

    def lost(self, error: Exception) -> Callable[..., str]:
        """Write, and lose the answer."""

        def put(*args: Any, **more: Any) -> str:
            self.put(*args, **more)
            raise error

        return put


def refused(error: Exception) -> Callable[..., str]:
    def put(*_: Any, **__: Any) -> str:
        raise error

    return put


ERRORS = [PreconditionFailed("412"), Contended("409"), Unavailable("no answer")]


class TestWrite:
    def test_a_source_never_seen_has_no_state(self) -> None:
        assert World().a.read("cs") is None

    def test_what_was_written_is_read(self) -> None:
        world = World()
        written = world.a.write(world.first(), world.first().state)
        assert world.b.read("cs") == written

    def test_every_write_has_a_token_of_its_own_and_a_higher_seq(self) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        two = world.a.write(one, one.state)
        assert two.state.seq > one.state.seq
        assert two.state.writer != one.state.writer

    def test_seq_is_at_least_the_time_so_a_state_taken_anew_overtakes(self) -> None:
        """Readers drop what is older than what they have: a deleted state must not start at 1."""
        world = World()
        written = world.a.write(world.first(), world.first().state)
        assert written.state.seq == int(world.clock().timestamp())

    def test_seq_grows_also_when_the_clock_goes_back(self) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        world.clock.advance(-3600)
        assert world.a.write(one, one.state).state.seq == one.state.seq + 1

    @pytest.mark.parametrize("error", ERRORS, ids=str)
    def test_its_own_write_whose_answer_was_lost_is_a_success(self, error: Exception) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        world.spoil(world.lost(error))
        two = world.a.write(one, one.state.replace(fingerprint="f"))
        assert world.b.read("cs") == two
        assert two.state.fingerprint == "f"

    @pytest.mark.parametrize("error", ERRORS, ids=str)
    def test_a_write_that_never_arrived_is_sent_again(self, error: Exception) -> None:
        world = World()
        world.spoil(refused(error), refused(error))
        written = world.a.write(world.first(), world.first().state)
        assert world.b.read("cs") == written

    def test_a_lost_race_is_superseded_and_changes_nothing(self) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        world.b.write(one, one.state.replace(fingerprint="b"))
        with pytest.raises(Superseded, match="another run committed first"):
            world.a.write(one, one.state.replace(fingerprint="a"))
        stored = world.a.read("cs")
        assert stored is not None
        assert stored.state.fingerprint == "b"

    def test_two_first_writers_are_one_first_writer(self) -> None:
        world = World()
        world.a.write(world.first(), world.first().state)
        with pytest.raises(Superseded):
            world.b.write(world.first(), world.first().state)

    def test_the_same_content_by_another_writer_is_not_taken_for_its_own(self) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        world.b.write(one, one.state)
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_a_lost_answer_followed_by_another_commit_is_superseded(self) -> None:
        """Committed, and no longer what is there: the caller reads again and finds its events."""
        world = World()
        one = world.a.write(world.first(), world.first().state)

        def lost_and_overtaken(*args: Any, **more: Any) -> str:
            world.put(*args, **more)
            stored = world.b.read("cs")
            assert stored is not None
            world.b.write(stored, stored.state)
            raise Unavailable("no answer")

        world.spoil(lost_and_overtaken)
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_a_state_that_vanished_is_superseded(self) -> None:
        world = World()
        one = world.a.write(world.first(), world.first().state)
        world.objects.remove(KEY)
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_it_gives_up_after_bounded_attempts_with_jitter(self) -> None:
        world = World()
        world.spoil(*[refused(Contended("409"))] * 99)
        with pytest.raises(WriteConflict, match=f"{KEY}.*the next run tries again"):
            world.a.write(world.first(), world.first().state)
        assert len(world.clock.slept) == ATTEMPTS - 1
        assert max(world.clock.slept) <= 2


def known(revision: int, last_seen: str = STAMP) -> Known:
    return Known("h", revision, False, STAMP, last_seen)


class TestMemory:
    def test_nothing_was_ever_seen_of_a_source_without_a_memory(self) -> None:
        assert World().a.recall("cs", frozenset({"1"})) == {}

    def test_what_is_remembered_is_recalled_and_nothing_else(self) -> None:
        world = World()
        world.a.remember("cs", {"1": known(1), "2": known(2)})
        assert world.b.recall("cs", frozenset({"2", "3"})) == {"2": known(2)}

    def test_remembering_is_a_union(self) -> None:
        world = World()
        world.a.remember("cs", {"1": known(1)})
        world.b.remember("cs", {"2": known(2)})
        assert world.a.recall("cs", frozenset({"1", "2"})) == {"1": known(1), "2": known(2)}

    def test_remembering_again_writes_nothing(self) -> None:
        world = World()
        world.a.remember("cs", {"1": known(1)})
        world.a.remember("cs", {"1": known(1)})
        assert world.objects.writes == 1

    def test_the_higher_revision_stays(self) -> None:
        """A run that never committed may have remembered less than what is there."""
        world = World()
        world.a.remember("cs", {"1": known(5)})
        world.b.remember("cs", {"1": known(4)})
        assert world.a.recall("cs", frozenset({"1"})) == {"1": known(5)}

    @pytest.mark.parametrize("error", ERRORS, ids=str)
    def test_a_write_in_doubt_is_looked_at_again(self, error: Exception) -> None:
        for spoiled in (refused(error), None):
            world = World()
            world.spoil(spoiled or world.lost(error))
            world.a.remember("cs", {"1": known(1)})
            assert world.a.recall("cs", frozenset({"1"})) == {"1": known(1)}

    def test_it_gives_up_after_bounded_attempts(self) -> None:
        world = World()
        world.spoil(*[refused(Contended("409"))] * 99)
        with pytest.raises(WriteConflict, match=SEEN):
            world.a.remember("cs", {"1": known(1)})

    def test_what_was_unseen_for_400_days_is_forgotten(self) -> None:
        world = World()
        world.a.remember("cs", {"1": known(1)})
        world.clock.advance(FORGET_AFTER.total_seconds() + 86_400)
        recent = timestamp(world.clock() - timedelta(days=1))
        world.a.remember("cs", {"2": known(1, recent)})
        assert world.a.recall("cs", frozenset({"1", "2"})) == {"2": known(1, recent)}

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"1": ["h"]}', b'{"1": 1}', b"\xff"])
    def test_a_memory_that_cannot_be_read_is_never_overwritten(self, body: bytes) -> None:
        world = World()
        world.objects.plant(SEEN, body)
        for call in (
            lambda: world.a.recall("cs", frozenset({"1"})),
            lambda: world.a.remember("cs", {"1": known(1)}),
        ):
            with pytest.raises(CorruptState, match=rf"{SEEN}.*restore an earlier version"):
                call()
        assert world.objects.body(SEEN) == body
