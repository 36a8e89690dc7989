"""The METARs and SPECIs of an airport: a function of seed, airport and hour."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any, Final

from uring_local.sites.airfield.model import AIRPORTS, Airport, Edition, Report, newest
from uring_local.sites.airfield.scripts.weather_model import (
    conditions,
    dewpoint,
    kind_of_weather,
    temperature,
)

_HOUR: Final = timedelta(hours=1)
_LOOK_BACK: Final = 3
_CORRECTED: Final = 0.06
_SPECIAL: Final = 0.07
_NIL: Final = 0.08
_BLIND: Final = 0.15
_RVR_BELOW: Final = 1500


def metars(seed: int, icao: str, at: datetime) -> list[Report]:
    """Return the reports of the last hours published by a time, the current one last."""
    hour = at.replace(minute=0, second=0, microsecond=0)
    editions = [
        edition
        for back in reversed(range(_LOOK_BACK + 1))
        for edition in _of_hour(seed, icao, hour - back * _HOUR)
    ]
    return newest(editions, at)


@lru_cache(maxsize=4096)
def _of_hour(seed: int, icao: str, hour: datetime) -> list[Edition]:
    airport = AIRPORTS[icao]
    random = Random(f"{seed}/metar/{icao}/{hour:%Y%m%d%H}")
    editions = []
    for minute in airport.minutes:
        observed = hour + timedelta(minutes=minute)
        report = _observed(random, seed, airport, observed)
        if airport.small and random.random() < _NIL:
            report = report.emptied("NIL")
        published = observed + timedelta(minutes=random.randint(3, 8))
        editions.append(Edition(published, report))
        if report.status == "NORMAL" and random.random() < _CORRECTED:
            published += timedelta(minutes=random.randint(4, 12))
            editions.append(Edition(published, _corrected(random, report, published)))
    if random.random() < _SPECIAL:
        observed = hour + timedelta(minutes=random.choice((12, 17, 22, 41, 46, 51)))
        special = replace(_observed(random, seed, airport, observed), kind="SPECI")
        published = observed + timedelta(minutes=random.randint(3, 6))
        editions.append(Edition(published, special))
    return editions


def _observed(random: Random, seed: int, airport: Airport, at: datetime) -> Report:
    kind = kind_of_weather(seed, airport.icao, at)
    air = temperature(random, at)
    observed = conditions(random, kind, air)
    seen = observed["visibility"] if not observed["cavok"] else _RVR_BELOW
    rvr = ((airport.runway, random.choice((350, 550, 750, 1100))),) if seen < _RVR_BELOW else ()
    automated = airport.small and at.hour in range(13, 21)
    return Report(
        icao=airport.icao,
        kind="METAR",
        status="NORMAL",
        time=at,
        issued=at + timedelta(minutes=2),
        iwxxm_version=airport.generation,
        automated=automated,
        rvr=rvr,
        air=air,
        dewpoint=dewpoint(random, kind, air),
        qnh=random.randint(1002, 1031),
        **(_as_a_machine_sees(random, observed) if automated else observed),
    )


def _as_a_machine_sees(random: Random, observed: dict[str, Any]) -> dict[str, Any]:
    """Return an automatic station's view: NCD for CAVOK and NSC, sometimes no weather."""
    if observed["cavok"]:
        observed = {**observed, "cavok": False, "visibility": 10_000, "ncd": True}
    if observed["nsc"]:
        observed = {**observed, "nsc": False, "ncd": True}
    return {**observed, "weather": None} if random.random() < _BLIND else observed


def _corrected(random: Random, report: Report, published: datetime) -> Report:
    made = published - timedelta(minutes=1)
    qnh = (report.qnh or 0) + random.choice((-3, -2, -1, 1))
    return replace(report, status="CORRECTION", issued=made, qnh=qnh)
