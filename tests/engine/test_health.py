"""Health: counted, classed, and patient with a site that fails (N25)."""

from datetime import UTC, datetime, timedelta

import pytest

from uring.changes.health import class_of, ill, recovered, well
from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.records.model import Health

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
TICK = timedelta(minutes=10)
FRESH = Health(since="2026-03-01T00:00:00Z")


def after(*troubles: SourceTrouble) -> Health:
    """A failed check every ten minutes, whatever retry_at says."""
    health = FRESH
    for number, trouble in enumerate(troubles):
        health = ill(health, trouble, "entry", NOW + number * TICK, TICK)
    return health


def waits(count: int, reason: str) -> list[float]:
    """Minutes until the next check after each of so many failures, met when they are due."""
    health, now, found = FRESH, NOW, []
    for _ in range(count):
        health = ill(health, FetchFailed(reason, "x"), "entry", now, TICK)
        began = now
        now += TICK
        while health.retry_at and now < datetime.fromisoformat(health.retry_at):
            now += TICK
        found.append((now - began).total_seconds() / 60)
    return found


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (FetchFailed("timeout", "x"), "transient"),
        (FetchFailed("http_status", "x"), "transient"),
        (FetchFailed("robots_unreachable", "x"), "transient"),
        (FetchFailed("forbidden", "x"), "blocked"),
        (FetchFailed("robots", "x"), "blocked"),
        (SuspectPage("challenge", "x"), "blocked"),
        (SuspectPage("login", "x"), "blocked"),
        (SuspectPage("maintenance", "x"), "transient"),
        (SuspectPage("no_rows", "x"), "structure"),
        (SuspectPage("ids_gone", "x"), "structure"),
        (FetchFailed("not_found", "x"), "structure"),
    ],
)
def test_every_trouble_has_a_class(trouble: SourceTrouble, expected: str) -> None:
    assert class_of(after(trouble)) == expected
    assert class_of(FRESH) == "ok"


def test_failures_are_counted_and_the_class_dated() -> None:
    health = after(FetchFailed("timeout", "x"), FetchFailed("dns", "x"), FetchFailed("dns", "x"))
    assert (health.failures, health.reason) == (3, "dns")
    assert health.since == "2026-03-02T01:00:00Z"
    health = after(FetchFailed("timeout", "x"), SuspectPage("no_rows", "x"))
    assert (health.failures, health.since) == (2, "2026-03-02T01:10:00Z")


def test_a_site_that_fails_is_left_alone_for_longer_and_longer() -> None:
    assert waits(7, "timeout") == [10, 10, 20, 40, 60, 60, 60]
    assert waits(9, "forbidden") == [10, 10, 20, 40, 80, 160, 320, 360, 360]


def test_what_the_site_asks_for_is_granted_up_to_a_day() -> None:
    asked = FetchFailed("http_status", "x", retry_after=3_600)
    assert after(asked).retry_at == "2026-03-02T01:55:00Z"
    for endless in (10**9, 1e300, float("inf")):
        greedy = FetchFailed("http_status", "x", retry_after=endless)
        assert after(greedy).retry_at == "2026-03-03T00:55:00Z"


def test_a_slow_rhythm_is_never_sped_up() -> None:
    health = FRESH
    for _ in range(5):
        health = ill(health, FetchFailed("timeout", "x"), "entry", NOW, timedelta(hours=4))
    assert health.retry_at is None


def test_a_success_ends_it_and_is_written_hourly() -> None:
    health = recovered(after(FetchFailed("timeout", "x")), NOW)
    assert health == Health(since="2026-03-02T01:00:00Z", succeeded_at="2026-03-02T01:00:00Z")
    assert well(health, NOW + timedelta(minutes=59)) is None
    later = well(health, NOW + timedelta(minutes=60))
    assert later is not None
    assert (later.since, later.succeeded_at) == (health.since, "2026-03-02T02:00:00Z")
    assert well(after(FetchFailed("timeout", "x")), NOW) == health
