"""The warnings of an airport: a function of seed, airport and half day.

Every warning begins and ends within its half day, though it may be listed after its end. The last
hour of the half day is calm everywhere: at times no warning is listed, and no half day depends on
another.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Final

from uring_local.sites.airfield.model import AIRPORTS, Bulletin, Warned, in_force

_HALF_DAY: Final = 12
_HAPPENS: Final = 0.45
_MINUTE: Final = timedelta(minutes=1)
_LIFTED_BEFORE_END: Final = 90
_LINGERS: Final = 0.4
_CALM: Final = timedelta(hours=_HALF_DAY - 1)
# The courses of a warning, with their weights.
_COURSES: Final = {
    "out": 20,
    "lifted": 15,
    "changed": 15,
    "twins": 15,
    "two": 10,
    "cancelled": 15,
    "extended": 10,
}
_WORDED: Final = 0.5
# Cancellations in words that are not Annex 3's.
_WORDINGS: Final = (
    "{name} CANCELLED",
    "CNL WRNG NR 1",
    "강풍경보 해제",
    "{name} 취소",
    "warning no longer needed, cancelled",
)
_CONTINUED: Final = _MINUTE * 120
_TEXTS: Final = {
    "00": "WS IN APCH FCST",
    "1": "SFC VIS LESS THAN 800M OBS",
    "2": "SFC WSPD 28KT MAX 40 FCST",
    "3": "HVY RA 30MM & MORE FCST",
    "4": "CEILING BLW 500FT OBS",
    "5": "TS & LTNG OBS",
    "8": "HVY SN 3CM FCST",
    "13": "YELLOW DUST OBS",
    "99": "CROSS WIND MAX 30KT FCST",
    "11": "KIND OF THREAT NOT LISTED FCST",
    "급변풍": "WS IN FINAL APCH OBS",
}
_MARK: Final = {"00": "WS", "급변풍": "WS"}


@dataclass(frozen=True)
class Stay:
    """A warning, and the period in which the gateway lists it; the end is excluded."""

    begin: datetime
    end: datetime
    bulletin: Bulletin


def warnings(seed: int, at: datetime) -> Warned:
    """Return every airport's warnings in force at a time; () for an airport without any."""
    return {
        icao: in_force(row for row in rows if row.end > at)
        for icao, rows in lists(seed, at).items()
    }


def lists(seed: int, at: datetime) -> Warned:
    """Return every airport's rows at a time: warnings and cancellations."""
    return {
        icao: tuple(stay.bulletin for stay in stays(seed, icao, at) if stay.begin <= at < stay.end)
        for icao in AIRPORTS
    }


def stays(seed: int, icao: str, at: datetime) -> list[Stay]:
    """Return all stays of an airport in the half day of a time."""
    hour = at.hour // _HALF_DAY * _HALF_DAY
    return _of_half_day(seed, icao, at.replace(hour=hour, minute=0, second=0, microsecond=0))


@lru_cache(maxsize=1024)
def _of_half_day(seed: int, icao: str, begin: datetime) -> list[Stay]:
    random = Random(f"{seed}/warning/{icao}/{begin:%Y%m%d%H}")
    if random.random() >= _HAPPENS:
        return []
    course = random.choices(list(_COURSES), list(_COURSES.values()))[0]
    kind = "00" if course == "twins" else random.choice(list(_TEXTS))
    issued = begin + _MINUTE * random.randint(5, 150)
    start = _rounded(issued + _MINUTE * random.randint(10, 60))
    end = start + _MINUTE * random.choice((180, 240, 300))
    first = _bulletin(icao, kind, 1, issued, start, end)
    if course == "lifted":
        lifted = end - _MINUTE * random.randint(_LIFTED_BEFORE_END, 150)
        # Its own random numbers: the other courses stay as they were.
        own = Random(f"{seed}/worded/{icao}/{begin:%Y%m%d%H}")
        worded = own.random() < _WORDED
        return _worded(own, first, lifted) if worded else [Stay(issued, lifted, first)]
    if course == "changed":
        return _changed(random, first)
    if course == "cancelled":
        return _cancelled(random, first)
    if course == "extended":
        return _extended(random, first)
    stays_of_day = [Stay(issued, end, first)]
    if course == "out":
        # It may stay listed as if it were in force, up to the calm hour.
        late = Random(f"{seed}/lingers/{icao}/{begin:%Y%m%d%H}")
        lingers = _MINUTE * (late.randint(20, 130) if late.random() < _LINGERS else 0)
        stays_of_day = [Stay(issued, min(end + lingers, begin + _CALM), first)]
    if course == "twins":
        text = first.text.replace("IN APCH", "IN CLIMB-OUT")
        stays_of_day.append(Stay(issued, end, replace(first, text=text)))
    if course == "two":
        other = random.choice(
            [other_kind for other_kind in _TEXTS if _MARK.get(other_kind) != _MARK.get(kind)]
        )
        other_issued = issued + _MINUTE * random.randint(5, 50)
        until = end - _MINUTE * 60
        second = _bulletin(icao, other, 2, other_issued, start, until)
        stays_of_day.append(Stay(other_issued, until, second))
    return stays_of_day


def _changed(random: Random, first: Bulletin) -> list[Stay]:
    """Replace a warning once or twice by a later bulletin with a longer period."""
    stays_of_day = []
    last = first
    for number in range(2, random.randint(3, 4)):
        issued = last.issued + _MINUTE * random.randint(40, 80)
        end = last.end + _MINUTE * random.choice((30, 60))
        new = _bulletin(first.icao, first.type, number, issued, last.start, end)
        stays_of_day.append(Stay(last.issued, new.issued, last))
        last = new
    return [*stays_of_day, Stay(last.issued, last.end, last)]


def _cancelled(random: Random, first: Bulletin) -> list[Stay]:
    """Cancel a warning; it goes at once, or stays listed beside its cancellation."""
    issued = first.end - _MINUTE * random.randint(_LIFTED_BEFORE_END, 150)
    text = f"{_head(first, 2)} VALID {issued:%d%H%M}/{first.end:%d%H%M} CNL {_name(first)}="
    over = Bulletin(first.icao, first.type, issued, issued, first.end, text, cancels=first)
    until = random.choice((issued, first.end))
    return [Stay(first.issued, until, first), Stay(issued, first.end, over)]


def _worded(random: Random, first: Bulletin, issued: datetime) -> list[Stay]:
    """Cancel a warning in other words; it goes at once, or stays listed to its end."""
    said = random.choice(_WORDINGS).format(name=_name(first))
    valid = f"VALID {issued:%d%H%M}/{first.end:%d%H%M}"
    text = f"{_head(first, 2)} {issued:%d%H%M} {valid} {said}="
    over = Bulletin(first.icao, first.type, issued, issued, first.end, text, doubtful=True)
    until = random.choice((issued, first.end))
    return [Stay(first.issued, until, first), Stay(issued, first.end, over)]


def _extended(random: Random, first: Bulletin) -> list[Stay]:
    """Extend a warning by another one; the first goes at its end or 12 minutes before."""
    issued = first.end - _MINUTE * random.randint(40, 70)
    end = first.end + _CONTINUED
    valid = f"VALID {first.end:%d%H%M}/{end:%d%H%M}"
    text = f"{_head(first, 2)} {issued:%d%H%M} {valid} EXTENDED {_name(first)}="
    longer = Bulletin(first.icao, first.type, issued, first.end, end, text, extends=first)
    until = first.end - _MINUTE * random.choice((0, 12))
    return [Stay(first.issued, until, first), Stay(issued, end, longer)]


def _head(warning: Bulletin, number: int) -> str:
    return f"{warning.icao} {_MARK.get(warning.type, 'AD')} WRNG {number}"


def _name(warning: Bulletin) -> str:
    """Return the name by which another text refers to the first warning of the half day."""
    period = f"{warning.start:%d%H%M}/{warning.end:%d%H%M}"
    return f"{_head(warning, 1).removeprefix(warning.icao).strip()} {period}"


def _bulletin(
    icao: str, kind: str, number: int, issued: datetime, start: datetime, end: datetime
) -> Bulletin:
    head = f"{icao} {_MARK.get(kind, 'AD')} WRNG {number} {issued:%d%H%M}"
    text = f"{head} VALID {start:%d%H%M}/{end:%d%H%M} {_TEXTS[kind]}="
    return Bulletin(icao, kind, issued, start, end, text)


def _rounded(moment: datetime) -> datetime:
    """Return a time rounded up to ten minutes, as in the periods of warnings."""
    return moment + _MINUTE * (-moment.minute % 10)
