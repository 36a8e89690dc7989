"""The TAFs of an airport: a function of seed, airport and the six-hour block of their issue."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any, Final

from uring_local.sites.airfield.model import AIRPORTS, Edition, Group, Report, newest
from uring_local.sites.airfield.scripts.weather_model import (
    conditions,
    kind_of_weather,
    temperature,
)

_EVERY: Final = timedelta(hours=6)
_VALID: Final = timedelta(hours=30)
_HOUR: Final = timedelta(hours=1)
_NIL: Final = 0.08
_CORRECTED: Final = 0.08
_AMENDED: Final = 0.2
_CANCELLED: Final = 0.07
_AMENDED_WRONG: Final = 0.3
_CANCELLED_WRONG: Final = 0.2
_UNORDERED: Final = 0.2
_TYPES: Final = ("BECMG", "TEMPO", "FM", "PROB30", "PROB40_TEMPO", "PROB30_TEMPO", "PROB40")


def tafs(seed: int, icao: str, at: datetime) -> list[Report]:
    """Return the TAFs of the last half day published by a time, the current one last."""
    begin = at.replace(hour=at.hour // 6 * 6, minute=0, second=0, microsecond=0)
    editions = [
        edition
        for back in (2, 1, 0, -1)  # a TAF is issued before its period begins
        for edition in _of_period(seed, icao, begin - back * _EVERY)
    ]
    return newest(editions, at)


@lru_cache(maxsize=1024)
def _of_period(seed: int, icao: str, begin: datetime) -> list[Edition]:
    airport = AIRPORTS[icao]
    random = Random(f"{seed}/taf/{icao}/{begin:%Y%m%d%H}")
    # Its own random numbers: the rest stays as it was.
    own = Random(f"{seed}/taf/corrections/{icao}/{begin:%Y%m%d%H}")
    issued = begin - timedelta(minutes=random.randint(50, 60))
    published = issued + timedelta(minutes=random.randint(2, 6))
    report = _forecast(random, seed, icao, issued, begin, begin + _VALID)
    if airport.small and random.random() < _NIL:
        return [Edition(published, report.emptied("NIL"))]
    editions = [Edition(published, report)]
    if random.random() < _CORRECTED:
        published += timedelta(minutes=random.randint(15, 40))
        corrected = _forecast(random, seed, icao, issued, begin, begin + _VALID)
        editions.append(Edition(published, replace(corrected, status="CORRECTION")))
    if random.random() < _AMENDED:
        issued = begin + timedelta(minutes=random.randint(40, 150))
        hour = issued.replace(minute=0) + _HOUR
        amended = _forecast(random, seed, icao, issued, hour, begin + _VALID)
        published = issued + timedelta(minutes=random.randint(2, 6))
        editions.append(Edition(published, replace(amended, status="AMENDMENT")))
        editions += _corrected(own, seed, editions[-1], _AMENDED_WRONG)
    if random.random() < _CANCELLED:
        issued = begin + timedelta(minutes=random.randint(180, 270))
        cancelled = replace(editions[-1].report, time=issued, issued=issued)
        published = issued + timedelta(minutes=random.randint(2, 6))
        before = editions[-1].report
        editions.append(Edition(published, cancelled.emptied("CANCEL")))
        # It was cancelled by mistake.
        if own.random() < _CANCELLED_WRONG:
            corrected = replace(before, time=issued, issued=issued, status="CORRECTION")
            published += timedelta(minutes=own.randint(20, 50))
            editions.append(Edition(published, corrected))
    return editions


def _corrected(random: Random, seed: int, wrong: Edition, chance: float) -> list[Edition]:
    """Return the corrections of an edition, each of them perhaps corrected once more."""
    corrections: list[Edition] = []
    published, report = wrong.published, wrong.report
    while random.random() < chance and report.valid_start and report.valid_end:
        published += timedelta(minutes=random.randint(15, 40))
        corrected = _forecast(
            random, seed, report.icao, report.issued, report.valid_start, report.valid_end
        )
        corrections.append(Edition(published, replace(corrected, status="CORRECTION")))
    return corrections


def _forecast(
    random: Random, seed: int, icao: str, issued: datetime, start: datetime, end: datetime
) -> Report:
    kind = kind_of_weather(seed, icao, start)
    return Report(
        icao=icao,
        kind="TAF",
        status="NORMAL",
        time=issued,
        issued=issued,
        iwxxm_version=AIRPORTS[icao].generation,
        valid_start=start,
        valid_end=end,
        temperatures=_extremes(random, start, end),
        groups=_in_some_order(_groups(random, start, end), seed),
        **conditions(random, kind, temperature(random, start)),
    )


def _extremes(
    random: Random, start: datetime, end: datetime
) -> tuple[tuple[str, int, datetime], ...]:
    """Return highs at 06 and lows at 20 UTC: at most three, in order of time."""
    extremes: list[tuple[str, int, datetime]] = []
    hour = start + _HOUR
    while hour < end:
        if hour.hour in {6, 20}:
            value = temperature(random, hour)
            extremes.append(("TX" if hour.hour == 6 else "TN", value, hour))  # noqa: PLR2004
        hour += _HOUR
    return tuple(extremes[:3])


def _groups(random: Random, start: datetime, end: datetime) -> tuple[Group, ...]:
    groups: list[Group] = []
    hour = start + _HOUR * random.randint(1, 4)
    for _ in range(random.randint(0, 4)):
        kind = random.choice(_TYPES)
        until = end if kind == "FM" else hour + _HOUR * random.randint(1, 4)
        if until > end:
            break
        groups.append(Group(type=kind, start=hour, end=until, **_mentioned(random, kind)))
        hour += _HOUR * random.randint(2, 5)
    return tuple(groups)


def _in_some_order(groups: tuple[Group, ...], seed: int) -> tuple[Group, ...]:
    """Return the groups by time, in some TAFs in no order."""
    random = Random(f"{seed}/order/{groups}")
    return tuple(random.sample(groups, len(groups))) if random.random() < _UNORDERED else groups


def _mentioned(random: Random, group: str) -> dict[str, Any]:
    """Return the conditions that a group mentions: all for FM, some for other types.

    A group may also mention the end of weather or cloud, by an empty tuple.
    """
    weather = random.choice(("fair", "windy", "rain", "storm", "fog", "haze", "cavok"))
    expected = conditions(random, weather, 10)
    del expected["nsc"]  # here no cloud and no vertical visibility mean the same
    if expected["cavok"]:
        return {**expected, "weather": None, "clouds": None}
    if group == "FM":
        return expected | {"weather": expected["weather"] or None}
    told = random.choice(({"wind"}, {"visibility", "weather"}, {"weather", "clouds"}, {"clouds"}))
    fields = {
        "wind": ("wind_direction", "wind_speed", "gust", "variable"),
        "visibility": ("visibility",),
        "weather": ("weather",),
        "clouds": ("clouds", "vertical_visibility"),
    }
    names = {name for part in told for name in fields[part]}
    return {name: value for name, value in expected.items() if name in names}
