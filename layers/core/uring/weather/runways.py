"""Headwind and crosswind by runway, for airports whose headings the settings name. Pure."""

import re
from collections.abc import Mapping, Sequence
from math import cos, radians, sin
from types import MappingProxyType
from typing import Any, Final, NamedTuple

_AIRPORT: Final = re.compile(r"([A-Z][A-Z0-9]{3}):(.+)", re.ASCII)
_RUNWAY: Final = re.compile(
    r"(0[1-9]|[12][0-9]|3[0-6])([LCR]?)=(360|3[0-5][0-9]|[0-2]?[0-9]{1,2})", re.ASCII
)
# A runway's number is its magnetic heading in tens of degrees. A true heading differs from it by
# the variation, which is below 10° in Korea; one further away belongs to another runway.
_MOST_APART: Final = 40


class Runway(NamedTuple):
    """A runway: its name, such as ``15L``, and its heading, ° true."""

    name: str
    heading: int


Runways = Mapping[str, Sequence[Runway]]
"""By ICAO code, in the order of the settings."""

NO_RUNWAYS: Final[Runways] = MappingProxyType({})


def read_runways(value: Any) -> Any:
    """Return the runways of a text such as ``RKSI:15L=144,33R=324;RKSS:14R=135``.

    Blanks around the signs do not count; the empty text names none. Other values are unchanged.

    Raises:
        ValueError: a part has another form, names an airport or runway twice, or has a heading that
            is not in 0 to 360 or is far from the runway's number.
    """
    if not isinstance(value, str):
        return value
    found: dict[str, tuple[Runway, ...]] = {}
    for part in filter(None, "".join(value.split()).split(";")):
        match = _AIRPORT.fullmatch(part)
        if match is None:
            raise _bad(part, "write it as RKSI:15L=144,33R=324")
        icao, runways = match[1], tuple(_runway(it) for it in match[2].split(","))
        if icao in found or len({runway.name for runway in runways}) < len(runways):
            raise _bad(part, "it names an airport or a runway twice")
        found[icao] = runways
    return found


def wind_on(wind: Mapping[str, Any], runways: Sequence[Runway]) -> list[dict[str, Any]]:
    """Return the components of a wind on each runway, KT; empty if its direction is not known.

    A tailwind is negative; a crosswind from the right is positive. ``gust_crosswind`` is null
    without a gust. A calm has no component on any runway.
    """
    direction, speed, gust = (wind.get(name) for name in ("direction", "speed", "gust"))
    if direction is None or speed is None or wind.get("variable"):
        return []
    return [
        {
            "runway": runway.name,
            "headwind": round(speed * cos(radians(direction - runway.heading))),
            "crosswind": round(speed * sin(radians(direction - runway.heading))),
            "gust_crosswind": None
            if gust is None
            else round(gust * sin(radians(direction - runway.heading))),
        }
        for runway in runways
    ]


def _runway(text: str) -> Runway:
    match = _RUNWAY.fullmatch(text)
    if match is None:
        raise _bad(text, "write a runway and its true heading as 15L=144")
    heading = int(match[3])
    apart = abs((heading - int(match[1]) * 10 + 180) % 360 - 180)
    if apart > _MOST_APART:
        raise _bad(text, f"the true heading of runway {match[1]} is within {_MOST_APART}° of it")
    return Runway(match[1] + match[2], heading)


def _bad(part: str, remedy: str) -> ValueError:
    return ValueError(f"WeatherRunways: {part[:40]!r}: {remedy}")
