"""Reports that do not come: the gateway answers, and serves for hours what it served before.

A function of seed, product, airport and day. It happens to one airport, or to all at once.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

_DAY: Final = timedelta(days=1)
_MINUTE: Final = timedelta(minutes=1)
_ALL: Final = "all"


class _Length(NamedTuple):
    """Minutes of a standstill, and the shares of days on which an airport's, or all, begin."""

    shortest: int
    longest: int
    one: float
    every: float


# The longest ones of TAF outlast its period.
_LENGTHS: Final = {"metar": _Length(40, 600, 0.15, 0.1), "taf": _Length(300, 2400, 0.12, 0.06)}
_LOOK_BACK: Final = 2


def served_at(seed: int, product: str, icao: str, at: datetime) -> datetime:
    """Return the time whose reports are served at a time: the same, or the standstill's begin."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    spans = [
        _standstill(seed, product, whose, midnight - back * _DAY)
        for whose in (icao, _ALL)
        for back in range(_LOOK_BACK + 1)
    ]
    return min((span[0] for span in spans if span and span[0] <= at < span[1]), default=at)


@lru_cache(maxsize=4096)
def _standstill(
    seed: int, product: str, whose: str, midnight: datetime
) -> tuple[datetime, datetime] | None:
    length = _LENGTHS[product]
    random = Random(f"{seed}/standstill/{product}/{whose}/{midnight:%Y%m%d}")
    if random.random() >= (length.every if whose == _ALL else length.one):
        return None
    begin = midnight + _MINUTE * random.randrange(24 * 60)
    return begin, begin + _MINUTE * random.randint(length.shortest, length.longest)
