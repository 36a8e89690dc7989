"""A report's line in the traditional code, composed from its fields if no document has one.

After WMO-No. 306, FM 15, 16 and 51, without remarks and the figures of runway states. Missing
values are left out or slashed, by the rules of the code.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from uring.weather.iwxxm.fields import (
    CloudLayer,
    PresentWeather,
    RunwayState,
    Rvr,
    Sea,
    Temperature,
    Visibility,
    Wind,
    WindShear,
)
from uring.weather.iwxxm.reports import (
    Base,
    ChangeGroup,
    MetarHeader,
    MetarObservation,
    Taf,
    TafTemperature,
    Trend,
)

Conditions = MetarObservation | Base | ChangeGroup | Trend

_MOST_METRES: Final = 9999
_LONGEST: Final = 2_000
_TENDENCIES: Final = {"UPWARD": "U", "NO_CHANGE": "N", "DOWNWARD": "D", None: ""}
_SIGNS: Final = {"ABOVE": "P", "BELOW": "M", None: ""}
_STATUSES: Final = {"CORRECTION": "COR", "AMENDMENT": "AMD"}


def metar_line(
    head: MetarHeader, observation: MetarObservation | None, trend: Iterable[Trend]
) -> str:
    """Return a METAR or SPECI such as ``METAR RKSI 211200Z 33003KT 9999 FEW030 12/07 Q1018``."""
    groups = [head.report_type, *_status(head.report_status), head.icao]
    groups.append(f"{head.observation_time:%d%H%M}Z")
    if head.nil:
        groups.append("NIL")
    if head.automated:
        groups.append("AUTO")
    if observation is not None:
        groups += _observed(observation)
    for change in trend:
        groups += _trend(change)
    return " ".join(groups)[:_LONGEST]


def taf_line(report: Taf) -> str:
    """Return a TAF such as ``TAF RKSI 210500Z 2106/2212 33010KT CAVOK TX12/2106Z``."""
    head = report.header
    groups = ["TAF", *_status(head.report_status), head.icao]
    groups.append(f"{head.issued:%d%H%M}Z")
    if head.nil:
        groups.append("NIL")
    groups += _period(head.valid_start, head.valid_end)
    if head.cancelled:
        groups.append("CNL")
    if report.base is not None:
        groups += _conditions(report.base)
    groups += map(_extreme, head.temperatures)
    for change in report.changes:
        groups += _change(change)
    return " ".join(groups)[:_LONGEST]


def _status(status: str) -> tuple[str, ...]:
    return (_STATUSES[status],) if status in _STATUSES else ()


def _observed(observation: MetarObservation) -> Iterator[str]:
    yield _wind(observation.wind)
    yield _visibility(observation.visibility, observation)
    yield from map(_rvr, observation.rvr)
    yield from _weather(observation.weather)
    yield from _sky(observation)
    yield _temperature(observation.temperature)
    yield f"Q{math.floor(observation.qnh.value):04d}" if observation.qnh else "Q////"
    yield from (f"RE{group.raw.removeprefix('RE')}" for group in observation.recent_weather)
    if observation.wind_shear:
        yield _wind_shear(observation.wind_shear)
    if observation.sea:
        yield _sea(observation.sea)
    yield from (_snow(state) for state in observation.runway_state if state.snow_closed)


def _conditions(forecast: Base | ChangeGroup | Trend) -> Iterator[str]:
    """Yield the groups of a forecast or of a change to it; unchanged parts have none."""
    lacks = forecast.missing or ()
    if forecast.wind or "wind" in lacks:
        yield _wind(forecast.wind)
    if forecast.visibility or "visibility" in lacks:
        yield _visibility(forecast.visibility, forecast)
    if forecast.weather or "weather" in lacks:
        yield from _weather(forecast.weather)
    if not isinstance(forecast, Base) and forecast.nsw:
        yield "NSW"
    yield from _sky(forecast)


def _wind(wind: Wind | None) -> str:
    return wind.raw if wind else "/////KT"


def _weather(groups: Sequence[PresentWeather] | None) -> list[str]:
    """Return the groups of the table; any other word could be mistaken for another group."""
    if groups is None:
        return ["//"]
    return [group.raw for group in groups if group.phenomena or group.descriptor]


def _visibility(visibility: Visibility | None, around: Conditions) -> str:
    if visibility is None:
        return "////"
    contradicted = visibility.value is not None or visibility.minimum is not None
    if visibility.cavok and not (contradicted or around.clouds or around.vertical_visibility):
        return "CAVOK"
    text = "////" if visibility.value is None else f"{min(visibility.value, _MOST_METRES):04d}"
    if visibility.operator == "BELOW":
        text = f"M{text}"
    if visibility.minimum is not None:
        text += f" {min(visibility.minimum, _MOST_METRES):04d}{_towards(visibility)}"
    return text


def _towards(visibility: Visibility) -> str:
    if visibility.minimum_direction is None:
        return ""
    eighth = round(visibility.minimum_direction / 45) % 8
    return ("N", "NE", "E", "SE", "S", "SW", "W", "NW")[eighth]


def _rvr(rvr: Rvr) -> str:
    mean = "////" if rvr.mean is None else f"{_SIGNS[rvr.operator]}{rvr.mean:04d}"
    return f"R{rvr.runway}/{mean}{_TENDENCIES[rvr.tendency]}"


def _sky(part: Conditions) -> Iterator[str]:
    clouds: Sequence[CloudLayer] = part.clouds or ()
    if part.vertical_visibility is not None:
        yield f"VV{max(part.vertical_visibility, 0) // 100:03d}"
    elif "vertical_visibility" in (part.missing or ()):
        yield "VV///"
    elif part.nsc:
        yield "NSC"
    elif isinstance(part, MetarObservation) and part.ncd:
        yield "NCD"
    elif part.clouds is None and "clouds" in (part.missing or ()):
        yield "//////"
    yield from (layer.raw for layer in clouds)


def _temperature(temperature: Temperature | None) -> str:
    air, dewpoint = (temperature.air, temperature.dewpoint) if temperature else (None, None)
    return f"{_celsius(air)}/{_celsius(dewpoint)}"


def _celsius(value: float | None) -> str:
    """Return whole degrees, halves rounded towards the warmer."""
    if value is None:
        return "//"
    degrees = math.floor(value + 0.5)
    return f"{'M' if value < 0 else ''}{abs(degrees):02d}"


def _wind_shear(shear: WindShear) -> str:
    return "WS ALL RWY" if shear.all_runways else f"WS {' '.join(f'R{it}' for it in shear.runways)}"


def _sea(sea: Sea) -> str:
    state = f"S{'/' if sea.state is None else sea.state}"
    if sea.wave_height is not None:
        state = f"H{math.floor(sea.wave_height * 10 + 0.5):d}"
    return f"W{_celsius(sea.temperature)}/{state}"


def _snow(state: RunwayState) -> str:
    return f"R{state.runway or ''}/SNOCLO"


def _trend(trend: Trend) -> Iterator[str]:
    yield trend.type
    named = trend.time_indicator or "FROM_UNTIL"
    if named == "AT" and trend.start:
        yield f"AT{trend.start:%H%M}"
    if named in {"FROM", "FROM_UNTIL"} and trend.start:
        yield f"FM{trend.start:%H%M}"
    if named in {"UNTIL", "FROM_UNTIL"} and trend.end:
        midnight = trend.end.hour == trend.end.minute == 0
        yield "TL2400" if midnight else f"TL{trend.end:%H%M}"
    yield from _conditions(trend)


def _change(change: ChangeGroup) -> Iterator[str]:
    if change.type == "FM":
        yield f"FM{change.start:%d%H%M}" if change.start else "FM"
    else:
        yield change.type.replace("_", " ")
        yield from _period(change.start, change.end)
    yield from _conditions(change)


def _period(start: datetime | None, end: datetime | None) -> Iterator[str]:
    if start is not None and end is not None:
        yield f"{start:%d%H}/{_end(end)}"


def _end(moment: datetime) -> str:
    """Return day and hour; midnight is hour 24 of the day before."""
    if moment.hour == moment.minute == 0:
        return f"{moment - timedelta(days=1):%d}24"
    return f"{moment:%d%H}"


def _extreme(extreme: TafTemperature) -> str:
    at = f"/{extreme.time:%d%H}Z" if extreme.time else ""
    return f"{extreme.type}{_celsius(extreme.value)}{at}"
