"""The clock of simulated days."""

from datetime import UTC, datetime, timedelta

from uring_local.sites.stage.clock import SimulatedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_it_stands_still_but_for_who_waits() -> None:
    passed = [5.0]
    clock = SimulatedClock(NOON, monotonic=lambda: passed[0])
    passed[0] += 10
    assert (clock(), clock.running()) == (NOON, NOON + timedelta(seconds=10))
    clock.move(NOON + timedelta(days=1))
    passed[0] += 2
    assert clock() == NOON + timedelta(days=1)
    assert clock.running() == NOON + timedelta(days=1, seconds=2)
    assert clock.running(600) == NOON + timedelta(days=1, minutes=20)
