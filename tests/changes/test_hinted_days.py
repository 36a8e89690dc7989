"""Days of quiet boards, counted: an unchanged check costs nothing at S3, and nobody is alarmed."""

from collections import Counter
from datetime import timedelta

import pytest
from hinted_world import HINTS, ONE, TICK, TWO, HintedWorld

from uring.clock import parse_timestamp
from uring.watch.memory import memory_key

DAY_TICKS = 144
OWN = ("data/index.json", memory_key("notices"), HINTS)
DEPARTMENTS = tuple(f"d{number:02}" for number in range(14))


def quiet(world: HintedWorld, ticks: int, *, moving: int) -> None:
    """Let ticks pass; the counters of the first so many departments move each time."""
    for tick in range(ticks):
        for source in world.ids[:moving]:
            world.show(TWO, ONE, source=source, decoration=f"{tick} views")
        world.tick()


@pytest.mark.parametrize("moving", [0, 1], ids=["still", "counting"])
def test_the_workers_calls_of_a_day_are_those_of_its_daily_check(moving: int) -> None:
    world = HintedWorld()
    world.begin()
    quiet(world, DAY_TICKS, moving=moving)
    assert world.seen_by["worker"].calls == {"get": 1, "put": 1}
    assert world.hinted == DAY_TICKS - 1
    assert len(world.sites.asked) == DAY_TICKS


def test_an_unchanged_tick_of_fourteen_departments_is_free() -> None:
    world = HintedWorld(*DEPARTMENTS)
    world.begin()
    # One of them has its daily check at the first.
    world.tick()
    world.forget()
    quiet(world, 1, moving=7)
    assert (world.seen_by["worker"].calls, world.hinted) == ({}, 14)
    assert world.seen_by["orchestrator"].calls == {"get": 1, "list": 1}


def test_a_quiet_day_costs_a_department_two_writes_and_three_reads() -> None:
    """By worker and monitor together, beside what each run of the monitor and each tick costs."""
    world = HintedWorld(*DEPARTMENTS)
    world.begin()
    before = {key: len(world.bucket.versions[key]) for key in OWN}
    quiet(world, DAY_TICKS, moving=7)
    calls = world.seen_by["worker"].calls + world.seen_by["monitor"].calls
    # Index, memory and hints are read by each run, and written by one that finds them changed.
    own = Counter({"get": len(OWN) * DAY_TICKS, "list": DAY_TICKS})
    own["put"] = sum(len(world.bucket.versions[key]) - before[key] for key in OWN)
    calls.subtract(own)
    assert calls["get"] <= 3 * len(DEPARTMENTS)
    assert calls["put"] <= 2 * len(DEPARTMENTS)
    assert calls["list"] == 0
    assert world.seen_by["orchestrator"].calls == {"get": DAY_TICKS, "list": DAY_TICKS}


def test_in_four_days_no_success_is_older_than_a_day_and_nobody_is_told_of_anything() -> None:
    honour = {"request": {"honour_robots": True}}
    world = HintedWorld("cs", "ee", **honour)
    world.begin()
    oldest = timedelta()
    for tick in range(4 * DAY_TICKS):
        world.show(TWO, ONE, decoration=f"{tick} views")
        world.tick()
        for source in world.ids:
            state = world.state_of(source)
            assert state.permission is not None
            assert state.health.succeeded_at is not None
            for stamp in (state.health.succeeded_at, state.permission.asked_at):
                oldest = max(oldest, world.clock() - parse_timestamp(stamp))
        assert world.watch() == {"ok": 2}
    assert timedelta(days=1) - 2 * TICK < oldest <= timedelta(days=1) + TICK
    assert world.alerts == []
    assert world.hinted >= 2 * 4 * (DAY_TICKS - 1)


def test_departments_are_written_at_different_minutes() -> None:
    world = HintedWorld(*DEPARTMENTS)
    world.begin()
    before = {source: world.state_of(source).seq for source in DEPARTMENTS}
    at_once = []
    for _ in range(DAY_TICKS):
        world.tick()
        now = {source: world.state_of(source).seq for source in DEPARTMENTS}
        at_once.append(sum(now[source] != before[source] for source in DEPARTMENTS))
        before = now
    assert sum(at_once) == len(DEPARTMENTS)
    assert max(at_once) <= 3
