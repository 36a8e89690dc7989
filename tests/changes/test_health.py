"""Health: counted, classed, and patient with a site that fails (N25)."""

import ast
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from uring.changes.health import (
    CLASSES,
    DAILY,
    after_failure,
    after_success,
    class_of,
    is_write_due,
    reset,
    waits,
    written_next,
)
from uring.changes.state import Health
from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.weather.gateway.errors import GatewayError, GatewayReason

LIBRARY = Path(__file__).parents[2] / "layers" / "core" / "uring"
NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
TICK = timedelta(minutes=10)
HOUR = timedelta(hours=1)
FRESH = Health(since="2026-03-01T00:00:00Z")


def after(*troubles: SourceTrouble) -> Health:
    """A failed check every ten minutes, whatever retry_at says."""
    health = FRESH
    for number, trouble in enumerate(troubles):
        health = after_failure(health, trouble, "entry", NOW + number * TICK, TICK)
    return health


def pauses(count: int, reason: str) -> list[float]:
    """Minutes until the next check after each of so many failures, met when they are due."""
    health, now, found = FRESH, NOW, []
    for _ in range(count):
        health = after_failure(health, FetchFailed(reason, "x"), "entry", now, TICK)
        began = now
        now += TICK
        while waits(health, "entry", now):
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


def test_every_reason_that_is_given_is_classed() -> None:
    given: set[str] = set()
    for path in LIBRARY.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                if node.func.id not in ("FetchFailed", "SuspectPage"):
                    continue
                match node.args[0]:
                    case ast.Constant(value=str(reason)):
                        given.add(reason)
    for reason in get_args(GatewayReason):
        if not GatewayError("", reason, "").is_structural:
            given.add(reason)
    assert len(given) > 30
    assert given - CLASSES.keys() == set()


def test_a_family_says_of_its_own_words_that_a_person_has_to_look() -> None:
    health = after(FetchFailed("version", "x", is_structural=True))
    assert class_of(health) == "structure"
    assert class_of(after_failure(health, FetchFailed("dns", "x"), "", NOW, TICK)) == "transient"
    assert reset(health, NOW).is_structural is False


def test_failures_are_counted_and_the_class_dated() -> None:
    health = after(FetchFailed("timeout", "x"), FetchFailed("dns", "x"), FetchFailed("dns", "x"))
    assert (health.failures, health.reason) == (3, "dns")
    assert health.since == "2026-03-02T01:00:00Z"
    health = after(FetchFailed("timeout", "x"), SuspectPage("no_rows", "x"))
    assert (health.failures, health.since) == (2, "2026-03-02T01:10:00Z")


def test_a_site_that_fails_is_left_alone_for_longer_and_longer() -> None:
    assert pauses(7, "timeout") == [10, 10, 20, 40, 60, 60, 60]
    assert pauses(9, "forbidden") == [10, 10, 20, 40, 80, 160, 320, 360, 360]


def test_what_the_site_asks_for_is_granted_up_to_a_day() -> None:
    asked = FetchFailed("http_status", "x", retry_after=3_600)
    assert after(asked).retry_at == "2026-03-02T01:55:00Z"
    for endless in (10**9, 1e300, float("inf")):
        greedy = FetchFailed("http_status", "x", retry_after=endless)
        assert after(greedy).retry_at == "2026-03-03T00:55:00Z"


def test_a_slow_rhythm_is_never_sped_up() -> None:
    health = FRESH
    for _ in range(5):
        health = after_failure(
            health, FetchFailed("timeout", "x"), "entry", NOW, timedelta(hours=4)
        )
    assert health.retry_at is None


def test_a_success_ends_it_and_is_written_when_it_is_due() -> None:
    health = reset(after(FetchFailed("timeout", "x")), NOW)
    assert health == Health(since="2026-03-02T01:00:00Z", succeeded_at="2026-03-02T01:00:00Z")
    assert after_success(health, NOW + HOUR, is_due=False) is None
    later = after_success(health, NOW + HOUR, is_due=True)
    assert later is not None
    assert (later.since, later.succeeded_at) == (health.since, "2026-03-02T02:00:00Z")
    failed = after(FetchFailed("timeout", "x"))
    assert is_write_due(failed, "cs", NOW, DAILY)
    assert after_success(failed, NOW, is_due=True) == health


def test_a_success_is_written_at_a_minute_of_the_sources_own() -> None:
    """Whenever the last one was: never later than a day, and no two of ten thousand together."""
    names = [f"board-{number}" for number in range(1_000)]
    at = {name: written_next(name, NOW, DAILY) for name in names}
    assert all(NOW < due <= NOW + DAILY for due in at.values())
    assert max(Counter(at.values()).values()) < 10
    for name, due in at.items():
        health = reset(FRESH, due - timedelta(seconds=1))
        assert not is_write_due(health, name, due - timedelta(seconds=1), DAILY)
        assert is_write_due(health, name, due, DAILY)
        assert written_next(name, due, DAILY) == due + DAILY


def test_without_a_heartbeat_each_success_is_written() -> None:
    assert is_write_due(reset(FRESH, NOW), "metar", NOW, timedelta())


def test_a_corrected_entry_need_not_wait() -> None:
    health = after(*[FetchFailed("timeout", "x")] * 3)
    soon = NOW + 2 * TICK
    assert waits(health, "entry", soon)
    assert not waits(health, "another", soon)


def test_a_family_that_does_not_ease_off_never_waits() -> None:
    """Its source paces it itself, and what came during an outage is urgent."""
    health = FRESH
    for _ in range(9):
        asked = FetchFailed("quota", "x", retry_after=3_600)
        health = after_failure(health, asked, "", NOW, TICK, eases_off=False)
    assert (health.failures, health.retry_at) == (9, None)


def test_how_many_parts_fail_is_written_when_it_changes() -> None:
    """Of fifteen airports one fails: readers are told, though the check is a success."""
    health = after_success(FRESH, NOW, is_due=True, parts=15, failed={"RKSI": "timeout"})
    assert health is not None
    assert (health.status, health.parts, health.failing) == ("ok", 15, 1)
    assert (
        after_success(health, NOW + TICK, is_due=False, parts=15, failed={"RKSI": "timeout"})
        is None
    )
    other = after_success(health, NOW + TICK, is_due=False, parts=15, failed={"RKSS": "timeout"})
    assert other is not None
    assert (other.failing, [*other.troubles]) == (1, ["RKSS"])
    worse = after_success(health, NOW + TICK, is_due=False, parts=15, failed={"RKSI": "no_data"})
    assert worse is not None
    since = health.troubles["RKSI"].since
    assert (worse.troubles["RKSI"].reason, worse.troubles["RKSI"].since) == ("no_data", since)
    healed = after_success(health, NOW + TICK, is_due=False, parts=15)
    assert healed is not None
    assert (healed.failing, healed.since) == (0, health.since)
    down = after_failure(
        health,
        FetchFailed("timeout", "x"),
        "",
        NOW,
        TICK,
        parts=15,
        failed=dict.fromkeys(map(str, range(15)), "timeout"),
    )
    assert (down.parts, down.failing) == (15, 15)
