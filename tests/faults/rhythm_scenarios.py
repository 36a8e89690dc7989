"""Rhythms that change while jobs are under way: at a border of hours, in the file, in the stack."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from rhythm_world import RhythmScenario
from scenarios import board

from uring.errors import FetchFailed

# 17 o'clock in Korea is 8 in UTC, the hour with a tick every two minutes.
_OFTEN_AT_17: Final = {
    "rhythm": {"hours": [{"days": "Mon-Sun", "hours": "17-18", "minutes": 4}], "otherwise": 30}
}


def _at(hour: int, minute: int) -> datetime:
    return datetime(2026, 3, 31, hour, minute, tzinfo=UTC)


def _every(minutes: int) -> dict[str, Any]:
    return {"rhythm": {"otherwise": minutes}}


# From four minutes to thirty: what fails before six comes again behind the next hour's jobs.
ENDS: Final = RhythmScenario(
    "rhythm: every 4 minutes, then every 30",
    _at(8, 55),
    pages=((0, board("2", "1")), (4.5, board("2!", "1"))),
    sitemaps=((0, _OFTEN_AT_17),),
)

RHYTHM_SCENARIOS: Final = (
    ENDS,
    RhythmScenario(
        "rhythm: every 30 minutes, then every 4",
        _at(7, 45),
        pages=((0, board("2", "1")), (16.5, board("3", "2", "1"))),
        sitemaps=((0, _OFTEN_AT_17),),
    ),
    # Half a minute after each tick, so that its repeat reads another table.
    RhythmScenario(
        "rhythm: edited before a tick's repeat",
        _at(8, 1),
        pages=((0, board("2", "1")), (6.2, board("2!", "1"))),
        sitemaps=(
            (0, _every(2)),
            (0.5, {"rhythm": "uniform"}),
            (2.5, _every(2)),
            (4.5, _every(30)),
            (6.5, {"rhythm": "uniform", "interval_minutes": 20}),
            (8.5, _every(3)),
            (10.5, {}),
        ),
    ),
    RhythmScenario(
        "rhythm: the interval is edited",
        _at(8, 51),
        pages=((0, board("2", "1")), (8.7, board("2!", "1"))),
        sitemaps=(
            (0, {"interval_minutes": 30}),
            (4.5, {}),
            (8.5, {"interval_minutes": 60}),
            (15, {"interval_minutes": 20, "rhythm": "uniform"}),
            (35, _every(2)),
        ),
    ),
    RhythmScenario(
        "rhythm: the stack's is deployed",
        _at(8, 3),
        pages=((0, board("2", "1")), (13, board("2!", "1"))),
        sitemaps=((0, {}),),
        stacks=((0, "uniform"), (6.5, "sooner"), (12.5, "thrifty"), (20.5, "uniform")),
    ),
    # Jobs of several ticks are behind each other in the queue.
    replace(ENDS, name="rhythm: jobs wait for their worker", polled=3),
    replace(ENDS, name="rhythm: hinted", hinted=True),
    replace(
        ENDS,
        name="rhythm: the site is down meanwhile",
        pages=(
            (0, board("2", "1")),
            (1.5, FetchFailed("timeout", "no answer")),
            (6, board("2!", "1")),
        ),
    ),
)
