"""How often a source is checked, by the hour of the week.

Mon-Fri 9-18  every 4 minutes   the first hours that fit count
Mon-Fri 8-20  every 8
otherwise     every 30
"""

import math
import re
from collections.abc import Hashable, Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt

from uring.reading.rules import Rule, refusal

DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS_A_DAY: Final = 24
SHORTEST, LONGEST = 2, 30
"""Minutes between two checks by a rhythm."""
_MINUTES_AN_HOUR: Final = 60
# An interval in parts: each number of minutes of a table divides it.
_INTERVAL: Final = math.lcm(*range(1, LONGEST + 1))
_SPAN: Final = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)


def _check_days(text: str) -> str:
    if days_of(text) is None:
        raise refusal(
            f"{text[:60]!r} is not a list of days", 'write for example "Mon-Fri" or "Sat,Sun"'
        )
    return text


def _check_hours(text: str) -> str:
    if hours_of(text) is None:
        remedy = 'write for example "8-20": from eight until twenty, in the zone of the source'
        raise refusal(f"{text[:60]!r} are not hours of a day", remedy)
    return text


def _check_minutes(minutes: int) -> int:
    if not SHORTEST <= minutes <= LONGEST:
        raise refusal(
            f"{minutes} minutes are outside the bounds",
            f"use {SHORTEST} to {LONGEST} minutes; a longer interval is `interval_minutes`",
        )
    return minutes


Minutes = Annotated[StrictInt, AfterValidator(_check_minutes)]


def days_of(text: str) -> frozenset[int] | None:
    """Return the days of a list such as ``Mon-Fri`` or ``Sat,Sun``, 0 for Monday; None if invalid.

    ``Sun-Thu`` goes over the end of the week.
    """
    days: set[int] = set()
    for part in text.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        if first not in DAYS or (dash and last not in DAYS):
            return None
        begin = DAYS.index(first)
        length = (DAYS.index(last) - begin) % len(DAYS) if dash else 0
        days |= {(begin + day) % len(DAYS) for day in range(length + 1)}
    return frozenset(days)


def hours_of(text: str) -> range | None:
    """Return the hours of ``8-20``, from 8 to 19; None if invalid."""
    match = _SPAN.fullmatch(text)
    first, last = map(int, match.groups()) if match else (0, 0)
    return range(first, last) if first < last <= HOURS_A_DAY else None


def hour_of_week(at: datetime, zone: str) -> int:
    """Return the hour of the week in a zone; 0 is Monday from 0 to 1."""
    local = at.astimezone(ZoneInfo(zone))
    return local.weekday() * HOURS_A_DAY + local.hour


class Weekly:
    """A cadence by hour of the week, see `uring.changes.jobs.Cadence`.

    An interval that has begun goes on at the next hour's pace. So two checks are no further apart
    than the longer interval of both hours, and no nearer than the shorter one. An interval ends
    where the zone's clocks change.

    Args:
        week: the minutes by hour of the week.
        zone: of these hours.
    """

    def __init__(self, week: tuple[int, ...], zone: str) -> None:
        self.week = week
        self.zone = zone
        parts = (_MINUTES_AN_HOUR * (_INTERVAL // minutes) for minutes in week)
        self._before = tuple(accumulate(parts, initial=0))

    def __call__(self, at: datetime) -> int:
        """Return the minutes between two checks at a time (aware)."""
        return self.week[hour_of_week(at, self.zone)]

    def turn(self, at: datetime, shift: int) -> Hashable:
        """See `Cadence.turn`."""
        local = at.astimezone(ZoneInfo(self.zone))
        weeks, day = divmod(local.toordinal() - 1, len(DAYS))
        hour = day * HOURS_A_DAY + local.hour
        parts = weeks * self._before[-1] + self._before[hour]
        parts += local.minute * (_INTERVAL // self.week[hour])
        return local.utcoffset(), (parts + shift % _INTERVAL) // _INTERVAL


@lru_cache(maxsize=1024)
def paced(week: tuple[int, ...], zone: str) -> Weekly:
    """Return the cadence of a week; equal weeks have one."""
    return Weekly(week, zone)


class Hours(Rule):
    """An interval for some hours of some days.

    Attributes:
        days: such as ``Mon-Fri`` or ``Sat,Sun``.
        hours: such as ``8-20``, from eight until twenty.
        minutes: between two checks, 2 to 30.
    """

    days: Annotated[str, Field(max_length=40), AfterValidator(_check_days)]
    hours: Annotated[str, Field(max_length=5), AfterValidator(_check_hours)]
    minutes: Minutes


class Rhythm(Rule):
    """The interval of each hour of the week, in the zone of a source.

    Attributes:
        hours: the first entry that has an hour counts; they may overlap.
        otherwise: minutes between two checks in all other hours, 2 to 30.
    """

    hours: Annotated[tuple[Hours, ...], Field(max_length=20)] = ()
    otherwise: Minutes = LONGEST

    @cached_property
    def week(self) -> tuple[int, ...]:
        """The minutes between two checks by hour of the week; 0 is Monday from 0 to 1."""
        week = [self.otherwise] * (len(DAYS) * HOURS_A_DAY)
        for span in reversed(self.hours):
            for day in days_of(span.days) or ():
                for hour in hours_of(span.hours) or ():
                    week[day * HOURS_A_DAY + hour] = span.minutes
        return tuple(week)


RhythmName = Literal["uniform", "sooner", "thrifty"]

UNIFORM: Final = Rhythm(otherwise=10)
"""The interval of the entry at all hours."""

# 1,087 posts with a time of day on 51 Korean university boards, 17 months: 99.4 % are of Monday to
# Friday, 9 to 19. `sooner` makes as many requests as a check every ten minutes (143 a day), and
# `thrifty` as short a delay (five minutes on average) with 78; bench/rhythm.py replays both.
RHYTHMS: Final[Mapping[str, Rhythm]] = MappingProxyType(
    {
        "uniform": UNIFORM,
        "sooner": Rhythm(
            hours=(
                Hours(days="Mon-Fri", hours="9-18", minutes=4),
                Hours(days="Mon-Fri", hours="8-20", minutes=8),
            )
        ),
        "thrifty": Rhythm(
            hours=(
                Hours(days="Mon-Fri", hours="9-18", minutes=10),
                Hours(days="Mon-Fri", hours="8-20", minutes=15),
            )
        ),
    }
)
"""The rhythms that have a name."""


def _named(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in RHYTHMS:
        raise refusal(f"{value[:60]!r} is not a rhythm", f"write {', '.join(RHYTHMS)}, or a table")
    return RHYTHMS[value]


RhythmKey = Annotated[
    Rhythm | None,
    BeforeValidator(_named, json_schema_input_type=Rhythm | RhythmName | None),
]
"""A table, or the name of one."""
