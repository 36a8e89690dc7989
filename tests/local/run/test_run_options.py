"""How fast a run goes, and how many of its ticks the functions see in a day of their clock."""

from datetime import date
from pathlib import Path

import pytest

from uring_local.run.options import Options
from uring_local.sites.campus.judge import Judge
from uring_local.sites.campus.model import Notice, Page


@pytest.mark.parametrize(
    ("options", "pace", "ticks_a_day"),
    [
        (Options(), 60, 8_640),
        (Options(ticks=9), 0, 86_400),
        (Options(ticks=9, speed=1), 1, 144),
        (Options(ticks=9, speed=120), 120, 17_280),
        (Options(config=Path("sitemap.json")), 1, 144),
    ],
)
def test_a_tick_is_shorter_by_the_speed(options: Options, pace: float, ticks_a_day: int) -> None:
    assert (options.pace, options.ticks_a_day) == (pace, ticks_a_day)


def _edits(ticks_a_day: int) -> int:
    """Return the recorded edits of a notice whose title goes to and fro on a hundred ticks."""
    judge = Judge(["cs"], ticks_a_day)
    for tick in range(1, 101):
        marker = " (other)" if tick % 2 else ""
        notice = Notice("1", 1, "one", date(2026, 3, 2), "", 1, marker)
        judge.observe(tick, {"cs": Page((), (notice,), 1, tick, tick)})
    return sum(entry.kind == "edited" for entry in judge.journal)


def test_a_notice_that_goes_to_and_fro_rests_by_the_clock_of_the_functions() -> None:
    """A hundred ticks without waiting are minutes to the worker: its pause of an hour goes on."""
    assert (_edits(86_400), _edits(144)) == (3, 5)
