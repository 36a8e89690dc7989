"""Ten thousand boards and five workers: whatever is dropped rings, and the doctor knows before."""

import pytest
from expanded import ROOT
from overload import HEAD, SECONDS, Overload, play, row

from uring.sources.rhythm import RHYTHMS

AGE, DROPPED = "NoticeQueueAgeAlarm", "NoticeChecksDroppedAlarm"


@pytest.mark.parametrize(
    ("seconds", "oldest", "percent", "rings", "workers"),
    [
        (1.5, 300, 0, {}, 4),
        (2.9, 580, 0, {AGE: (10, 10)}, 7),
        (3.5, 606, 15, {AGE: (10, 10), DROPPED: (15, 15)}, 8),
        (5.0, 612, 41, {AGE: (10, 10), DROPPED: (15, 15)}, 11),
        (8.0, 620, 63, {AGE: (10, 10), DROPPED: (15, 15)}, 17),
    ],
)
def test_five_workers_that_are_too_few_are_told_when_the_first_jobs_are_dropped(
    seconds: float, oldest: int, percent: int, rings: dict[str, tuple[int, int]], workers: int
) -> None:
    result = play(seconds)
    assert result == Overload(seconds, oldest, result.dropped, rings, workers)
    assert round(100 * result.dropped) == percent


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs/operations.md").read_text("utf-8")
    assert "\n".join([HEAD, *(row(play(seconds), 5) for seconds in SECONDS)]) in page


@pytest.mark.parametrize("rhythm", ["uniform", "sooner"])
@pytest.mark.parametrize("seconds", [1.0, 1.5, 2.9, 5.0])
def test_the_workers_that_the_doctor_asks_for_are_enough(rhythm: str, seconds: float) -> None:
    wanted = play(seconds, rhythm=rhythm).workers
    enough = play(seconds, rhythm=rhythm, workers=wanted)
    assert (enough.dropped, enough.rings) == (0, {})


@pytest.mark.parametrize("seconds", [1.5, 2.9, 8.0])
def test_under_sooner_dropped_checks_ring_within_half_an_hour(seconds: float) -> None:
    result = play(seconds, rhythm="sooner")
    assert result.dropped > 0.01
    assert result.rings.keys() == {AGE, DROPPED}
    assert all(latest <= 30 for _, latest in result.rings.values())
    # The shortest interval of the rhythm is the age at which a job is dropped.
    assert min(RHYTHMS["sooner"].week) * 60 == 240
