"""The memory behind the states: a union that forgets nothing too early and never guesses."""

from datetime import timedelta

import pytest
from fakes import FlakyBucket, VirtualClock

from uring.changes.retry import Backoff
from uring.clock import timestamp
from uring.errors import Contended, CorruptState, PreconditionFailed, Unavailable, WriteConflict
from uring.records.apply import FORGET_AFTER
from uring.records.model import Known
from uring.records.seen import SeenStore

SEEN = "state/notices/cs.seen.json"
STAMP = "2026-03-02T01:00:00Z"


class World:
    """Two runs that remember over one bucket."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.objects = FlakyBucket(self.clock)
        self.a, self.b = (
            SeenStore(self.objects, "notices", clock=self.clock, backoff=Backoff(self.clock.sleep))
            for _ in range(2)
        )


def known(revision: int, last_seen: str = STAMP) -> Known:
    return Known("h", revision, False, STAMP, last_seen)


def test_nothing_was_ever_seen_of_a_source_without_a_memory() -> None:
    assert World().a.lookup("cs", {"1"}) == {}


def test_what_was_added_is_found_and_nothing_else() -> None:
    world = World()
    world.a.add("cs", {"1": known(1), "2": known(2)})
    assert world.b.lookup("cs", {"2", "3"}) == {"2": known(2)}


def test_adding_is_a_union() -> None:
    world = World()
    world.a.add("cs", {"1": known(1)})
    world.b.add("cs", {"2": known(2)})
    assert world.a.lookup("cs", {"1", "2"}) == {"1": known(1), "2": known(2)}


def test_adding_again_writes_nothing() -> None:
    world = World()
    world.a.add("cs", {"1": known(1)})
    world.a.add("cs", {"1": known(1)})
    assert world.objects.writes == 1


def test_the_higher_revision_stays() -> None:
    """A run that never committed may have added less than what is there."""
    world = World()
    world.a.add("cs", {"1": known(5)})
    world.b.add("cs", {"1": known(4)})
    assert world.a.lookup("cs", {"1"}) == {"1": known(5)}


def test_a_record_that_leaves_again_unchanged_is_dated_anew() -> None:
    """It was on the page meanwhile: else it would be forgotten too early, and come back as new."""
    world = World()
    world.a.add("cs", {"1": known(1)})
    world.clock.advance(days=300)
    world.a.add("cs", {"1": known(1, timestamp(world.clock()))})
    world.clock.advance(days=300)
    world.a.add("cs", {"2": known(1, timestamp(world.clock()))})
    assert world.b.lookup("cs", {"1"}) == {"1": known(1, "2026-12-27T01:00:00Z")}


@pytest.mark.parametrize("when", ["refused", "lost"])
@pytest.mark.parametrize(
    "error", [PreconditionFailed("412"), Contended("409"), Unavailable("no answer")], ids=str
)
def test_a_write_in_doubt_is_looked_at_again(error: Exception, when: str) -> None:
    world = World()
    setattr(world.objects, when, [error])
    world.a.add("cs", {"1": known(1)})
    assert world.a.lookup("cs", {"1"}) == {"1": known(1)}


def test_it_gives_up_after_bounded_attempts() -> None:
    world = World()
    world.objects.refused = [Contended("409")] * 99
    with pytest.raises(WriteConflict, match=SEEN):
        world.a.add("cs", {"1": known(1)})


def test_what_was_unseen_for_400_days_is_forgotten() -> None:
    world = World()
    world.a.add("cs", {"1": known(1)})
    world.clock.advance(FORGET_AFTER.total_seconds() + 86_400)
    recent = timestamp(world.clock() - timedelta(days=1))
    world.a.add("cs", {"2": known(1, recent)})
    assert world.a.lookup("cs", {"1", "2"}) == {"2": known(1, recent)}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"1": ["h"]}', b'{"1": 1}', b"\xff"])
def test_a_memory_that_cannot_be_read_is_never_overwritten(body: bytes) -> None:
    world = World()
    world.objects.plant(SEEN, body)
    refused = pytest.raises(CorruptState, match=rf"{SEEN}.*restore an earlier version")
    with refused:
        world.a.lookup("cs", {"1"})
    with refused:
        world.a.add("cs", {"1": known(1)})
    assert world.objects.body(SEEN) == body
