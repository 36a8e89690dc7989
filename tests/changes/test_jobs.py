"""A tick: one job for each source that is due, whatever the family is (N1, N2, W1)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby

import pytest
from fakes import ENTRY, MemoryQueue, MemoryWorkQueue, RecordingTelemetry, VirtualClock

from uring.changes.jobs import Orchestrator, Planned, Ticks
from uring.contracts import Job
from uring.errors import ConfigInvalid, Unavailable

WHEN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


class World:
    """A plan and a work queue."""

    def __init__(self, *sources: str, interval: int = 10) -> None:
        self.clock = VirtualClock(WHEN)
        self.queue = MemoryQueue(self.clock)
        self.work = MemoryWorkQueue(self.queue)
        self.telemetry = RecordingTelemetry()
        self.plan = [Planned(source, interval, {**ENTRY, "id": source}) for source in sources]
        self.orchestrator = Orchestrator(
            "notices", self.planned, self.work, self.telemetry, ticks=Ticks(10)
        )

    def planned(self) -> Sequence[Planned]:
        return self.plan

    def tick(self, *, minutes: int = 0, seconds: int = 0) -> int:
        return self.orchestrator.tick(WHEN + timedelta(minutes=minutes, seconds=seconds))

    def jobs(self) -> list[Job]:
        return [Job.parse(message.body) for message in self.queue.messages]


def test_a_tick_makes_one_job_for_each_source_in_a_group_of_its_own() -> None:
    world = World("cs", "ee")
    assert world.tick() == 2
    assert {message.group for message in world.queue.messages} == {"cs", "ee"}
    assert {(job.family, job.scheduled_at) for job in world.jobs()} == {("notices", WHEN)}
    assert world.telemetry.named("dispatched") == [{"family": "notices", "jobs": 2}]


def test_a_job_carries_its_entry_whole_and_its_interval() -> None:
    """So the worker needs no second read."""
    world = World("cs", interval=30)
    world.tick()
    (job,) = world.jobs()
    assert (job.source, job.interval_minutes, job.entry) == ("cs", 30, {**ENTRY, "id": "cs"})


def test_the_same_tick_again_makes_the_same_jobs() -> None:
    world = World("cs", "ee")
    world.tick()
    world.clock.advance(200)
    world.tick(seconds=30)
    assert len(world.queue.messages) == 2
    world.tick(minutes=10)
    assert len(world.queue.messages) == 4


def test_every_tick_has_an_order_of_its_own() -> None:
    """So that no site is asked at the same second of each, and none is always the last."""
    orders = set()
    for tick in range(8):
        world = World(*(f"d{number}" for number in range(4)))
        world.tick(minutes=10 * tick)
        orders.add(tuple(job.source for job in world.jobs()))
    assert len(orders) > 4


@pytest.mark.parametrize(
    ("interval", "minutes"),
    [
        (10, [0, 10, 20, 30, 40, 50]),
        (20, [0, 20, 40]),
        (30, [0, 30]),
        (60, [0]),
    ],
)
@pytest.mark.parametrize("offset", [0, 3, 9])
def test_an_interval_is_so_many_ticks(interval: int, minutes: list[int], offset: int) -> None:
    """Also when the schedule does not start at a full ten minutes."""
    world = World("cs", interval=interval)
    due = [minute for minute in range(0, 60, 10) if world.tick(minutes=minute + offset)]
    assert due == minutes


def test_a_daily_source_is_due_once_a_day() -> None:
    world = World("cs", interval=1440)
    assert sum(world.tick(minutes=10 * number) for number in range(144)) == 1


def test_a_plan_that_cannot_be_read_dispatches_nothing() -> None:
    world = World("cs")

    def unreadable() -> Sequence[Planned]:
        raise ConfigInvalid("no JSON")

    orchestrator = Orchestrator("notices", unreadable, world.work, world.telemetry, ticks=Ticks(10))
    with pytest.raises(ConfigInvalid):
        orchestrator.tick(WHEN)
    assert world.queue.messages == []


def test_a_plan_without_sources_is_no_error() -> None:
    assert World().tick() == 0


def test_refused_jobs_fail_the_tick_and_a_repeat_sends_only_them() -> None:
    world = World("cs", "ee")
    world.work.refuses = lambda job: job.source == "ee"
    with pytest.raises(Unavailable, match="refused 1 of 2 jobs"):
        world.tick()
    world.work.refuses = lambda _: False
    world.tick()
    assert {message.group for message in world.queue.messages} == {"cs", "ee"}


def test_sources_of_one_slowness_are_sent_side_by_side() -> None:
    """A batch takes as long as its slowest site, so slow sites share batches."""
    slowness = {f"d{number}": number % 3 for number in range(60)}
    world = World(*slowness)
    hints = {source: {"slowness": of} for source, of in slowness.items()}
    orders = set()
    for tick in range(24):
        world.queue.messages.clear()
        world.orchestrator = Orchestrator(
            "notices",
            world.planned,
            world.work,
            world.telemetry,
            ticks=Ticks(10),
            hints=lambda: hints,
        )
        world.tick(minutes=10 * tick)
        groups = [kind for kind, _ in groupby(slowness[job.source] for job in world.jobs())]
        assert sorted(groups) == [0, 1, 2]
        orders.add(tuple(groups))
    assert len(orders) > 3


def test_sources_too_slow_or_unknown_are_spread_among_the_others() -> None:
    """Together, forty boards of one slow host would wait for each other until their time is up."""
    world = World(*(f"d{number}" for number in range(400)))
    hints = {f"d{number}": {"slowness": number % 3} for number in range(360)}
    world.orchestrator = Orchestrator(
        "notices", world.planned, world.work, world.telemetry, ticks=Ticks(10), hints=lambda: hints
    )
    world.tick()
    order = [job.source not in hints for job in world.jobs()]
    batches = [sum(order[at : at + 10]) for at in range(0, len(order), 10)]
    assert sum(batches) == 40
    assert max(batches) <= 5


def test_urgent_jobs_come_first_however_slow() -> None:
    world = World("a", "b", "c", "d")
    world.plan = [
        replace(each, interval_minutes=10 + 10 * (each.source < "c")) for each in world.plan
    ]
    hints = {"a": {"slowness": 0}, "c": {"slowness": 5}, "d": {"slowness": 0}}
    world.orchestrator = Orchestrator(
        "notices", world.planned, world.work, world.telemetry, ticks=Ticks(10), hints=lambda: hints
    )
    world.tick()
    assert {job.source for job in world.jobs()[:2]} == {"c", "d"}
