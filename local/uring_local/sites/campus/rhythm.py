"""The campus on working days: offices publish by day, and the schedules tick by a rhythm.

minutes 1, 3, 5 …      the boards move a step, in office hours
minutes 5, 15, 25 …    a tick; under a rhythm in each odd minute of the busy hours
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Final
from zoneinfo import ZoneInfo

from uring.runtime.settings import hours
from uring.sources.rhythm import RHYTHMS, RhythmName, hour_of_week
from uring_local.sites.campus.departments import DEPARTMENTS
from uring_local.sites.campus.site import Campus

BUSY_HOURS: Final = "23,0-10"
"""The template's default: hours in UTC."""
ZONE: Final = "Asia/Seoul"
STEP: Final = timedelta(minutes=2)
# In Korea a Thursday, seven o'clock.
FIRST_STEP: Final = datetime(2026, 3, 4, 22, 1, tzinfo=UTC)
_STEPS_A_DAY: Final = timedelta(days=1) // STEP
_BUSY: Final[frozenset[int]] = hours(BUSY_HOURS)
_OFFICE_HOURS: Final = range(9, 18)
_WORKING_DAYS: Final = 5
_MINUTE: Final = timedelta(minutes=1)


def time_of(step: int) -> datetime:
    """Return the time of a step, from 1; aware UTC."""
    return FIRST_STEP + STEP * (step - 1)


def is_tick(rhythm: RhythmName, at: datetime) -> bool:
    """Return whether a schedule of the orchestrator ticks at the time of a step, UTC."""
    is_busy = rhythm != "uniform" and at.hour in _BUSY
    return is_busy or at.minute % 10 == 5  # noqa: PLR2004


def delay(published: int, pushed: datetime) -> float:
    """Return the minutes from a publication to its push.

    Args:
        published: the step that shows the notice: it came after the step before, half a step ago
            on average.
        pushed: the time of the push.
    """
    return (pushed - time_of(published) + STEP / 2) / _MINUTE


def working_campus(seed: int, rhythm_at: Callable[[int], RhythmName], *, port: int = 0) -> Campus:
    """Return a campus whose ticks are steps; its judge observes a board when it is asked.

    Args:
        seed: of the script.
        rhythm_at: returns the rhythm at a step.
        port: 0 picks a free one.
    """

    def interval(step: int) -> int:
        week = RHYTHMS[rhythm_at(step)].week
        return week[hour_of_week(time_of(step), ZONE)] * _MINUTE // STEP

    campus = Campus(
        seed,
        day_of=_day,
        # Of many notices of a day the numbers alone are in order.
        departments=[replace(each, hex_ids=False) for each in DEPARTMENTS],
        ticks_a_day=_STEPS_A_DAY,
        interval=interval,
        publishes=_is_office_hour,
        # An outage would count as a delay.
        misbehave=False,
        port=port,
    )
    campus.asked = set()
    return campus


class Timetable:
    """The ticks of the schedules under a rhythm, from 1."""

    def __init__(self, rhythm: RhythmName) -> None:
        self._rhythm = rhythm
        self._steps = [_STEP_OF_TICK_0]

    def step(self, tick: int) -> int:
        """Return the step at the time of a tick; tick 0 came before the first step."""
        while len(self._steps) <= tick:
            following = count(self._steps[-1] + 1)
            self._steps.append(
                next(step for step in following if is_tick(self._rhythm, time_of(step)))
            )
        return self._steps[tick]


def _day(step: int) -> date:
    return time_of(step).astimezone(ZoneInfo(ZONE)).date()


def _is_office_hour(step: int) -> bool:
    at = time_of(step).astimezone(ZoneInfo(ZONE))
    return at.weekday() < _WORKING_DAYS and at.hour in _OFFICE_HOURS


# Five to seven.
_STEP_OF_TICK_0: Final = -2
