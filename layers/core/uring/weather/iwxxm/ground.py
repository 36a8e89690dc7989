"""The ground in a METAR: runways, the sea, and the aerodrome's position."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Final, TypeVar, get_args

from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.fields import Braking, Deposit, Position, RunwayState, Sea
from uring.weather.iwxxm.parts import NOTHING
from uring.weather.iwxxm.tree import Element, first_child, text_of
from uring.weather.iwxxm.values import (
    CELSIUS,
    METRES,
    SHOWN,
    ReportReader,
    child,
    code,
    first,
    nil,
    number,
    true,
    whole,
)

_ELEVATIONS: Final = {"M": 1 / 0.3048, "m": 1 / 0.3048, "FT": 1.0, "[ft_i]": 1.0}
_MILLIMETRES: Final = {"mm": 1.0, "cm": 10.0, "m": 1000.0}
_POINT: Final = re.compile(
    r"([+-]?\d{1,3}(?:\.\d{1,15})?)\s+([+-]?\d{1,3}(?:\.\d{1,15})?)", re.ASCII
)
# Latitude first; other systems have it second.
_WGS84: Final = re.compile(r"EPSG[/:]+(?:[0-9.]*[/:])?4326\Z", re.ASCII)
# BUFR's tables 0 20 086, 0 20 087 (the most covered, in percent) and 0 20 089.
_DEPOSITS: Final = dict(zip("0123456789", get_args(Deposit), strict=True))
_EXTENTS: Final = {"1": 10, "2": 25, "5": 50, "9": 100}
_BRAKING: Final = dict(zip(("91", "92", "93", "94", "95"), get_args(Braking), strict=True))
# WMO's guidance on translation gives this reason for R/SNOCLO: all runways closed by snow.
_SNOW: Final = "inapplicable"
_MOST_FRICTION: Final = 90
_UNKNOWN: Final = {"15", "31", "127", "255"}
_CALM_TO_PHENOMENAL: Final = range(10)

V = TypeVar("V")


def read_runway_states(
    groups: Iterable[Element], reader: ReportReader, missing: list[str]
) -> tuple[RunwayState, ...]:
    """Parse each ``runwayState``, ``R/SNOCLO`` included; IWXXM 2025-2 has none."""
    states: list[RunwayState | None] = []
    for group in groups:
        why = nil(group)
        if why is None or why == _SNOW:
            read = partial(_runway_state, group, reader)
            states.append(reader.believed("runway_state", read, missing))
        elif why != NOTHING:
            missing.append("runway_state")
    return tuple(state for state in states if state is not None)


def _runway_state(group: Element, reader: ReportReader) -> RunwayState:
    inner = first_child(group)
    if inner is None:
        if nil(group) != _SNOW:
            raise PartRefused("value", "a runway state is empty")
        return RunwayState(runway=None, snow_closed=True)
    friction, braking = _friction(code(child(inner, "estimatedSurfaceFrictionOrBrakingAction")))
    everywhere = true(inner, "allRunways")
    return RunwayState(
        runway=None if everywhere else reader.runway(child(inner, "runway")),
        snow_closed=true(inner, "snowClosure"),
        cleared=true(inner, "cleared"),
        deposit=_looked_up(code(child(inner, "depositType")), _DEPOSITS, "deposit"),
        extent=_looked_up(code(child(inner, "contamination")), _EXTENTS, "contamination"),
        depth=whole(child(inner, "depthOfDeposit"), _MILLIMETRES),
        friction=friction,
        braking=braking,
    )


def _looked_up(found: str | None, table: dict[str, V], name: str) -> V | None:
    if found is None or found in _UNKNOWN:
        return None
    if found not in table:
        raise PartRefused("value", f"a {name} is {found[:SHOWN]!r}")
    return table[found]


def _friction(found: str | None) -> tuple[float | None, Braking | None]:
    """Return the coefficient or the word for it; neither if unreliable."""
    if (
        found is not None
        and found.isdecimal()
        and found.isascii()
        and int(found[:9]) <= _MOST_FRICTION
    ):
        return int(found) / 100, None
    braking = None if found == "99" else _looked_up(found, _BRAKING, "friction")
    return None, braking


def read_sea(group: Element | None, reader: ReportReader, missing: list[str]) -> Sea | None:
    """Parse a ``seaCondition``, in IWXXM 2 and 3 ``seaState``; None without one."""
    if group is None or nil(group):
        return None
    return reader.believed("sea", lambda: _sea(first_child(group)), missing)


def _sea(inner: Element | None) -> Sea | None:
    found = code(child(inner, "seaState"))
    if found is not None and found not in {str(state) for state in _CALM_TO_PHENOMENAL}:
        raise PartRefused("value", f"a sea state is {found[:SHOWN]!r}")
    sea = Sea(
        temperature=number(child(inner, "seaSurfaceTemperature"), CELSIUS),
        wave_height=number(child(inner, "significantWaveHeight"), METRES),
        state=None if found is None else int(found),
    )
    told = (sea.temperature, sea.wave_height, sea.state)
    return None if told == (None, None, None) else sea


def read_position(place: Element | None, reader: ReportReader) -> Position | None:
    """Parse an aerodrome's reference point; None without one in WGS 84."""
    point = None if place is None else first(place, "ARP")
    return None if point is None else reader.believed("position", lambda: _position(point), [])


def _position(arp: Element) -> Position | None:
    point = first_child(arp)
    if point is None or not _WGS84.search(point.attrib.get("srsName", "").strip()):
        return None
    text = child(point, "pos")
    found = None if text is None else _POINT.fullmatch(text_of(text).strip())
    if found is None:
        return None
    elevation = child(point, "elevation")
    return Position(
        latitude=float(found[1]),
        longitude=float(found[2]),
        elevation=whole(elevation, _ELEVATIONS),
    )
