"""A morning of the campus under a rhythm, in one process."""

from documented import RHYTHM, arguments
from uring_command import assert_all_is_well, events, summary, uring


def test_a_morning_under_a_rhythm_is_pushed_sooner_than_by_ten_minutes() -> None:
    """From five past seven to half past nine: the functions get rhythm and busy hours."""
    run = uring(*arguments(RHYTHM, ticks=51), "--json")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert_all_is_well(found)
    assert found["until"] == "2026-03-05T00:29:00+00:00"
    # Every four minutes.
    assert found["delay_minutes"]["mean"] < 3
    assert found["delay_minutes"]["p95"] == 3
    assert found["most_checks_in_a_tick"] < 14
    ticks = [event for event in events(run.stdout) if event["event"] == "tick"]
    morning = [event["checked"] for event in ticks if "T00:" in event["at"]]
    assert sum(morning) == 14 * len(morning) / 2
    assert found["checked"] == sum(event["checked"] for event in ticks)
