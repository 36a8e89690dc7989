"""Backpressure, and what comes back: SQS deletes a message after ten days and tells nobody."""

from collections.abc import Callable
from functools import partial

import pytest
from fakes.seeds import PARTITION, SeedWorld, record

from uring.runtime.batches import Postponed
from uring.seeds.files.backlog import DomainBacklog
from uring.seeds.pace import domains_per_second, most_waiting
from uring.seeds.progress import STOPPED

DOMAINS = [f"site{number}.com" for number in range(30)]


WorldOf = Callable[..., SeedWorld]


@pytest.fixture(params=[False, True], ids=["domains", "ranges"])
def world_of(request: pytest.FixtureRequest) -> WorldOf:
    """A world of either way of work; a range has ten domains."""
    return partial(_world_of, ranges=request.param)


def _world_of(
    domains: list[str] = DOMAINS, *, stride: int = 10, ranges: bool = False, most_waiting: int = 0
) -> SeedWorld:
    # The queue counts messages.
    most_waiting //= stride if ranges else 1
    world = SeedWorld(stride=stride, ranges=ranges, most_waiting=most_waiting)
    for domain in domains:
        world.web.put(domain, b"User-agent: *\n")
    world.put(record(f"https://{domain}/") for domain in domains)
    world.orchestrate()
    return world


def visits(world: SeedWorld) -> int:
    return sum(url.endswith("/robots.txt") for url in world.web.asked)


def test_messages_that_expired_are_sent_again_by_the_next_orchestration(world_of: WorldOf) -> None:
    world = world_of()
    world.read_files()
    world.collect(most=1)
    world.clock.advance(days=11)
    world.collect()
    assert (world.status().sent, world.status().settled) == (30, 10)
    world.orchestrate(name="next")
    world.read_files()
    world.collect()
    assert (world.status().sent, world.status().settled) == (30, 30)
    assert (world.status().counts["collected"], visits(world)) == (30, 30)
    assert all(map(world.is_marked, DOMAINS))
    # Nothing is missing, nothing more is sent.
    accepted = len(world.domains.accepted)
    world.clock.advance(days=1)
    world.orchestrate(name="after")
    world.read_files()
    assert len(world.domains.accepted) == accepted


def test_messages_that_expire_behind_a_stop_are_sent_again(world_of: WorldOf) -> None:
    """As many as were stopped: the lap of the stop was not one for them."""
    world = world_of()
    world.read_files()
    world.collect(most=1)
    world.progress.hold(PARTITION, STOPPED)
    world.collect()
    world.clock.advance(hours=2)
    world.orchestrate(name="again", only=PARTITION)
    world.read_files()
    world.clock.advance(days=11)
    world.orchestrate(name="next")
    world.read_files()
    world.collect()
    assert (world.status().settled, visits(world)) == (30, 30)


@pytest.mark.parametrize("hours", [0.01, 2])
def test_what_is_under_way_is_not_taken_for_lost(world_of: WorldOf, hours: float) -> None:
    """Neither minutes after it was sent, for SQS counts late, nor while messages wait."""
    world = world_of()
    world.read_files()
    world.clock.advance(hours=hours)
    world.orchestrate(name="next")
    world.read_files()
    assert len(world.sent()) == 30
    world.collect()
    assert (world.status().settled, visits(world)) == (30, 30)


def test_what_a_second_lap_did_not_bring_is_not_sent_for_ever(world_of: WorldOf) -> None:
    """A malformed message is a dead letter and no outcome: each daily tick would send all again."""
    world = world_of()
    world.read_files()
    world.domains.messages.pop()
    world.collect()

    def refuse(sent: int) -> None:
        del sent
        world.domains.messages.clear()

    laps = []
    world.domain_sends.fails = refuse
    for day in range(5):
        world.clock.advance(days=1)
        world.orchestrate(name=f"day-{day}")
        world.read_files()
        world.domains.messages.clear()
        started = world.progress.started(PARTITION)
        laps.append(started.lap if started else None)
    assert laps == [1] * 5


def test_a_forced_collection_has_its_own_epoch_and_no_lap(world_of: WorldOf) -> None:
    world = world_of()
    world.read_files()
    world.clock.advance(days=11)
    world.orchestrate(name="forced", force=True)
    assert [message.lap for message in world.sent()[30:]] == []
    world.read_files()
    world.collect()
    assert (world.status().settled, world.status().started.lap) == (30, 0)


def test_a_lap_is_not_doubled_by_a_late_message_of_the_one_before(world_of: WorldOf) -> None:
    world = world_of()
    world.read_files()
    late = world.seeds.accepted[0][1]
    world.clock.advance(days=11)
    world.orchestrate(name="next")
    world.read_files()
    world.collect()
    before = len(world.domains.accepted)
    world.seeds.send(late.group, "late", late.body)
    world.read_files()
    assert len(world.domains.accepted) == before
    assert world.status().files == {"done": 1}


def test_a_file_waits_while_the_domain_queue_is_full_and_nothing_expires(world_of: WorldOf) -> None:
    """Ten domains in two days, a hundred in the file: they take twice the ten days."""
    domains = [f"d{number}.com" for number in range(100)]
    world = world_of(domains, stride=5, most_waiting=10)
    deepest = 0
    for hour in range(24 * 40):
        world.read_files()
        deepest = max(deepest, len(world.waiting()))
        if hour % 48 == 0:
            world.collect(most=1)
        world.clock.advance(hours=1)
    assert deepest <= 10
    status = world.status()
    assert (status.sent, status.settled, status.files) == (100, 100, {"done": 1})
    assert not world.seed_letters.messages
    assert (world.seeds.messages, visits(world)) == ([], 100)


def test_a_full_queue_gives_the_same_files_to_nobody_until_half_of_it_is_free(
    world_of: WorldOf,
) -> None:
    """A file is parsed from its beginning each time: not for each stride."""
    world = world_of(stride=5, most_waiting=10)
    for _ in range(40):
        world.read_files()
        world.clock.advance(minutes=20)
    assert (len(world.sent()), len(world.telemetry.named("file_processing_start"))) == (10, 1)


def test_a_queue_is_full_at_two_days_of_work() -> None:
    assert most_waiting(3) == int(domains_per_second(3) * 2 * 86_400) == 748_303
    assert most_waiting(0) == 0
    # A message is two hundred domains.
    by_ranges = domains_per_second(3, "ranges") * 2 * 86_400 / 200
    assert most_waiting(3, "ranges") == int(by_ranges) == 23_671
    DomainBacklog(lambda: 10**9, 0).wait_for_room()
    assert not DomainBacklog(lambda: 10**9, 0).is_full
    assert DomainBacklog(lambda: 10, 10).is_full
    DomainBacklog(lambda: 5, 10).wait_for_room()
    with pytest.raises(Postponed, match="6 messages are on the domain queue; half of 10"):
        DomainBacklog(lambda: 6, 10).wait_for_room()
