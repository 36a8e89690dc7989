"""METAR and SPECI in IWXXM."""

from datetime import datetime
from typing import Final, Literal

from uring.fetch.xml import Element
from uring.weather.iwxxm.category import flight_category
from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.parts import (
    Clouds,
    choice,
    operator,
    read_group,
    read_visibility,
    read_weather,
    read_wind,
)
from uring.weather.iwxxm.reports import (
    Metar,
    MetarHeader,
    Observation,
    Qnh,
    Rvr,
    Temperature,
    Trend,
    WindShear,
)
from uring.weather.iwxxm.values import (
    CELSIUS,
    HECTOPASCALS,
    METRES,
    SHOWN,
    Head,
    Reader,
    blank,
    body,
    child,
    children,
    first,
    nil,
    number,
    says_nil,
    true,
    whole,
)

_TENDENCIES: Final[dict[str, Literal["UPWARD", "NO_CHANGE", "DOWNWARD"] | None]] = {
    "UPWARD": "UPWARD",
    "NO_CHANGE": "NO_CHANGE",
    "DOWNWARD": "DOWNWARD",
    "MISSING_VALUE": None,
    "": None,
}
_TREND_TYPES: Final[dict[str, Literal["BECMG", "TEMPO"]]] = {
    "BECOMING": "BECMG",
    "TEMPORARY_FLUCTUATIONS": "TEMPO",
}
_INDICATORS: Final[dict[str, Literal["AT", "FROM", "UNTIL", "FROM_UNTIL"]]] = {
    "AT": "AT",
    "FROM": "FROM",
    "UNTIL": "UNTIL",
    "FROM_UNTIL": "FROM_UNTIL",
}


def read_metar(root: Element, head: Head) -> Metar:
    """Read a METAR or SPECI.

    Raises:
        PartRefused: it lacks its time, has a status or value that cannot be, or nothing at all.
    """
    if head.status == "AMENDMENT":
        raise PartRefused("status", f"its status is {head.old_status}, which only a TAF can have")
    group = child(root, "observation")
    issued, observed = _times(root, group, head)
    is_nil = says_nil(head, group)
    observation = None if is_nil or head.translation_failed else _observation(group, head.reader)
    groups = children(root, "trendForecast") if observation else ()
    trend = [read_trend(part, head.reader) for part in groups]
    automated = root.attributes.get("automatedStation")
    return Metar(
        header=MetarHeader.model_validate(
            {
                "icao": head.icao,
                "airport_name": head.airport_name,
                "report_type": root.name,
                "report_status": head.status,
                "issue_time": issued,
                "observation_time": observed,
                "automated": None if automated is None else true(root, "automatedStation"),
                "nil": is_nil,
                "translation_failed": head.translation_failed,
                "iwxxm_version": head.version,
            }
        ),
        observation=observation,
        trend=tuple(part for part in trend if part),
        flight_category=flight_category(observation),
        raw=head.raw,
    )


def _times(root: Element, group: Element | None, head: Head) -> tuple[datetime | None, datetime]:
    """Return issue and observation time; in IWXXM 2 they are those of the OM_Observation."""
    made = first(group, "resultTime") if group else None
    issued = head.issued or head.reader.instant(made, "result time")
    within = first(group, "phenomenonTime") if group else None
    part = child(root, "observationTime") or within
    observed = head.reader.instant(part, "observation time") or issued
    if observed is None:
        raise PartRefused("time", "it has neither observation time nor issue time")
    return issued, observed


def _observation(group: Element | None, reader: Reader) -> Observation:
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "it has no observation, and is not NIL")
    return read_observation(inner, reader)


def read_observation(inner: Element, reader: Reader) -> Observation:
    """Read a ``MeteorologicalAerodromeObservation``, or IWXXM 2's record of that name.

    Raises:
        PartRefused: a value cannot be so, or nothing is said at all.
    """
    if blank(inner):
        raise PartRefused("empty", "its observation says nothing, and it is not NIL")
    missing: list[str] = []
    cavok = true(inner, "cloudAndVisibilityOK")
    wind = read_wind(child(inner, "surfaceWind"), missing)
    visibility_group = child(inner, "visibility")
    visibility = read_visibility(
        next(visibility_group.children, None) if visibility_group else None, cavok=cavok
    )
    if visibility is None:
        missing.append("visibility")
    ranges = list(children(inner, "rvr"))
    rvr = tuple(_rvr(group, reader) for group in ranges if not nil(group))
    if len(rvr) < len(ranges) or any(runway.mean is None for runway in rvr):
        missing.append("rvr")
    weather = read_weather(children(inner, "presentWeather"))
    if weather is None:
        missing.append("weather")
    recent = read_weather(children(inner, "recentWeather"))
    if recent is None:
        missing.append("recent_weather")
    cloud = child(inner, "cloud")
    clouds = None if cavok and cloud is None else Clouds(cloud, missing)
    temperature = _temperature(inner, missing)
    qnh = number(child(inner, "qnh"), HECTOPASCALS)
    if qnh is None:
        missing.append("qnh")
    return Observation(
        wind=wind,
        visibility=visibility,
        rvr=rvr,
        weather=weather,
        recent_weather=recent or (),
        clouds=clouds.layers if clouds else (),
        vertical_visibility=clouds.vertical_visibility if clouds else None,
        nsc=clouds is not None and clouds.nsc,
        ncd=clouds is not None and clouds.ncd,
        temperature=temperature,
        qnh=None if qnh is None else Qnh(value=qnh),
        wind_shear=_wind_shear(child(inner, "windShear"), reader),
        missing=tuple(missing),
    )


def _temperature(inner: Element, missing: list[str]) -> Temperature | None:
    air = number(child(inner, "airTemperature"), CELSIUS)
    dewpoint = number(child(inner, "dewpointTemperature"), CELSIUS)
    if air is None and dewpoint is None:
        missing.append("temperature")
        return None
    if air is None:
        missing.append("air")
    if dewpoint is None:
        missing.append("dewpoint")
    return Temperature(air=air, dewpoint=dewpoint)


def _rvr(group: Element, reader: Reader) -> Rvr:
    inner = next(group.children, group)
    tendency = inner.attributes.get("pastTendency", "").strip()
    if tendency not in _TENDENCIES:
        raise PartRefused("value", f"the tendency of an RVR is {tendency[:SHOWN]!r}")
    return Rvr(
        runway=reader.runway(child(inner, "runway")),
        mean=whole(child(inner, "meanRVR"), METRES),
        operator=operator(child(inner, "meanRVROperator")),
        tendency=_TENDENCIES[tendency],
    )


def _wind_shear(group: Element | None, reader: Reader) -> WindShear | None:
    inner = next(group.children, None) if group else None
    if inner is None:
        return None
    if true(inner, "allRunways"):
        return WindShear(all_runways=True)
    runways = tuple(reader.runway(part) for part in children(inner, "runway"))
    return WindShear(all_runways=False, runways=runways) if runways else None


def read_trend(group: Element, reader: Reader) -> Trend | None:
    """Read a ``trendForecast``; None when it only says that there is none.

    Raises:
        PartRefused: it has no content, an unknown indicator, or a value that cannot be.
    """
    if why := nil(group):
        return Trend(type="NOSIG") if why == "noSignificantChange" else None
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "a trend has no content")
    indicator = inner.attributes.get("changeIndicator", "").strip()
    if indicator not in _TREND_TYPES:
        raise PartRefused("value", f"a trend's changeIndicator is {indicator[:SHOWN]!r}")
    start, end = reader.period(first(group, "phenomenonTime"), "trend")
    timing = choice(child(inner, "timeIndicator"), _INDICATORS)
    return Trend(
        type=_TREND_TYPES[indicator],
        time_indicator=timing or ("AT" if start and start == end else None),
        start=start,
        end=end,
        **read_group(inner),
    )
