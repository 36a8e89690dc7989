"""Under a rhythm nothing is lost or doubled, and notices wait as the rhythm says."""

import pytest
from week import play

from uring.sources.rhythm import RhythmName

# From 7 to 11 o'clock.
STEPS = 120


@pytest.mark.parametrize(
    ("rhythms", "least", "most"),
    [
        (["sooner"], 1.5, 3),
        (["thrifty"], 4, 8),
        # They change while jobs are under way.
        (["uniform", "sooner", "thrifty", "sooner", "uniform"], 2, 8),
    ],
    ids=["sooner", "thrifty", "changing"],
)
def test_a_morning_loses_and_doubles_nothing(
    rhythms: list[RhythmName], least: float, most: float
) -> None:
    week = play(3, rhythms, STEPS)
    assert (week.false, week.missed) == ([], [])
    assert week.due > 100
    assert least < week.mean < most
