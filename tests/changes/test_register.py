"""The register: a compare-and-swap that recognises its own writes."""

from itertools import count
from typing import Any

import pytest
from fakes import FlakyBucket, VirtualClock

from uring.changes.register import StateRegister, StateVersion, Superseded
from uring.changes.retry import ATTEMPTS, Backoff
from uring.changes.state import Health
from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.records.model import RecordState

KEY = "state/notices/cs.json"
STAMP = "2026-03-02T01:00:00Z"
FIRST = StateVersion(RecordState(source="cs", health=Health(since=STAMP)), None)


class World:
    """Two writers of one source over one bucket."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.objects = FlakyBucket(self.clock)
        self.numbers = count(1)
        self.a, self.b = (self.register() for _ in range(2))

    def register(self) -> StateRegister[RecordState]:
        return StateRegister(
            self.objects,
            "notices",
            RecordState,
            clock=self.clock,
            backoff=Backoff(self.clock.sleep),
            token=lambda: f"writer-{next(self.numbers)}",
        )


ERRORS = [PreconditionFailed("412"), Contended("409"), Unavailable("no answer")]


class TestWrite:
    def test_a_source_never_seen_has_no_state(self) -> None:
        assert World().a.read("cs") is None

    def test_what_was_written_is_read(self) -> None:
        world = World()
        written = world.a.write(FIRST, FIRST.state)
        assert world.b.read("cs") == written

    def test_every_write_has_a_token_of_its_own_and_a_higher_seq(self) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        two = world.a.write(one, one.state)
        assert two.state.seq > one.state.seq
        assert two.state.writer != one.state.writer

    def test_seq_is_at_least_the_time_so_a_state_taken_anew_overtakes(self) -> None:
        """Readers drop what is older than what they have: a deleted state must not start at 1."""
        world = World()
        written = world.a.write(FIRST, FIRST.state)
        assert written.state.seq == int(world.clock().timestamp())

    def test_seq_grows_also_when_the_clock_goes_back(self) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        world.clock.advance(-3600)
        assert world.a.write(one, one.state).state.seq == one.state.seq + 1

    @pytest.mark.parametrize("error", ERRORS, ids=str)
    def test_its_own_write_whose_answer_was_lost_is_a_success(self, error: Exception) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        world.objects.lost = [error]
        two = world.a.write(one, one.state.replace(reading="f"))
        assert world.b.read("cs") == two
        assert two.state.reading == "f"

    @pytest.mark.parametrize("error", ERRORS, ids=str)
    def test_a_write_that_never_arrived_is_sent_again(self, error: Exception) -> None:
        world = World()
        world.objects.refused = [error, error]
        written = world.a.write(FIRST, FIRST.state)
        assert world.b.read("cs") == written

    def test_a_lost_race_is_superseded_and_changes_nothing(self) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        world.b.write(one, one.state.replace(reading="b"))
        with pytest.raises(Superseded, match="another run committed first"):
            world.a.write(one, one.state.replace(reading="a"))
        stored = world.a.read("cs")
        assert stored is not None
        assert stored.state.reading == "b"

    def test_two_first_writers_are_one_first_writer(self) -> None:
        world = World()
        world.a.write(FIRST, FIRST.state)
        with pytest.raises(Superseded):
            world.b.write(FIRST, FIRST.state)

    def test_the_same_content_by_another_writer_is_not_taken_for_its_own(self) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        world.b.write(one, one.state)
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_a_lost_answer_followed_by_another_commit_is_superseded(self) -> None:
        """Committed, and no longer what is there: the caller reads again and finds its events."""
        world = World()
        one = world.a.write(FIRST, FIRST.state)

        put = world.objects.put

        def lost_and_overtaken(*args: Any, **more: Any) -> str:
            world.objects.put = put  # type: ignore[method-assign]
            put(*args, **more)
            stored = world.b.read("cs")
            assert stored is not None
            world.b.write(stored, stored.state)
            raise Unavailable("no answer")

        world.objects.put = lost_and_overtaken  # type: ignore[method-assign]
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_a_state_that_vanished_is_superseded(self) -> None:
        world = World()
        one = world.a.write(FIRST, FIRST.state)
        world.objects.remove(KEY)
        with pytest.raises(Superseded):
            world.a.write(one, one.state)

    def test_it_gives_up_after_bounded_attempts_with_jitter(self) -> None:
        world = World()
        world.objects.refused = [Contended("409")] * 99
        with pytest.raises(WriteConflict, match=f"{KEY}.*the next run tries again"):
            world.a.write(FIRST, FIRST.state)
        assert len(world.clock.slept) == ATTEMPTS - 1
        assert max(world.clock.slept) <= 2
