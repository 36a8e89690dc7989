"""The TAFs of an airport: a function of seed, airport and the six hours they are issued for."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any, Final

from uring_local.sites.airfield.model import AIRPORTS, Edition, Group, Report, newest
from uring_local.sites.airfield.skies import conditions, kind_of_weather, temperature

_EVERY: Final = timedelta(hours=6)
_VALID: Final = timedelta(hours=30)
_HOUR: Final = timedelta(hours=1)
_NIL: Final = 0.08
_CORRECTED: Final = 0.08
_AMENDED: Final = 0.2
_CANCELLED: Final = 0.07
_TYPES: Final = ("BECMG", "TEMPO", "FM", "PROB30", "PROB40_TEMPO", "PROB30_TEMPO", "PROB40")


def tafs(seed: int, icao: str, at: datetime) -> list[Report]:
    """Return the last half day's TAFs that were published by then; the last one counts."""
    begin = at.replace(hour=at.hour // 6 * 6, minute=0, second=0, microsecond=0)
    editions = [
        edition
        for back in (2, 1, 0, -1)  # one is issued before its period begins
        for edition in _of_period(seed, icao, begin - back * _EVERY)
    ]
    return newest(editions, at)


@lru_cache(maxsize=1024)
def _of_period(seed: int, icao: str, begin: datetime) -> list[Edition]:
    airport = AIRPORTS[icao]
    random = Random(f"{seed}/taf/{icao}/{begin:%Y%m%d%H}")
    issued = begin - timedelta(minutes=random.randint(50, 60))
    published = issued + timedelta(minutes=random.randint(2, 6))
    report = _forecast(random, seed, icao, issued, begin, begin + _VALID)
    if airport.small and random.random() < _NIL:
        return [Edition(published, _without(report, status="NIL"))]
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
    if random.random() < _CANCELLED:
        issued = begin + timedelta(minutes=random.randint(180, 270))
        cancelled = replace(editions[-1].report, time=issued, issued=issued)
        published = issued + timedelta(minutes=random.randint(2, 6))
        editions.append(Edition(published, _without(cancelled, status="CANCEL")))
    return editions


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
        groups=_groups(random, start, end),
        **conditions(random, kind, temperature(random, start)),
    )


def _extremes(
    random: Random, start: datetime, end: datetime
) -> tuple[tuple[str, int, datetime], ...]:
    """Highs at 06 and lows at 20 UTC, two of the one kind and one of the other at most."""
    found: list[tuple[str, int, datetime]] = []
    hour = start + _HOUR
    while hour < end:
        if hour.hour in {6, 20}:
            value = temperature(random, hour)
            found.append(("TX" if hour.hour == 6 else "TN", value, hour))  # noqa: PLR2004
        hour += _HOUR
    return tuple(found[:3])


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


def _mentioned(random: Random, group: str) -> dict[str, Any]:
    """Return what a group tells: all of FM, some of others, and that weather or cloud are over."""
    weather = random.choice(("fair", "windy", "rain", "storm", "fog", "haze", "cavok"))
    sky = conditions(random, weather, 10)
    del sky["nsc"]  # which is what no cloud and no vertical visibility mean here
    if sky["cavok"]:
        return {**sky, "weather": None, "clouds": None}
    if group == "FM":
        return sky | {"weather": sky["weather"] or None}
    told = random.choice(({"wind"}, {"visibility", "weather"}, {"weather", "clouds"}, {"clouds"}))
    fields = {
        "wind": ("wind_direction", "wind_speed", "gust", "variable"),
        "visibility": ("visibility",),
        "weather": ("weather",),
        "clouds": ("clouds", "vertical_visibility"),
    }
    names = {name for part in told for name in fields[part]}
    return {name: value for name, value in sky.items() if name in names}


def _without(report: Report, *, status: Any) -> Report:
    """Return the same without a forecast; only a cancelled one still has a period."""
    cancelled = status == "CANCEL"
    return Report(
        icao=report.icao,
        kind="TAF",
        status=status,
        time=report.time,
        issued=report.issued,
        iwxxm_version=report.iwxxm_version,
        valid_start=report.valid_start if cancelled else None,
        valid_end=report.valid_end if cancelled else None,
    )
