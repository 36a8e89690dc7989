"""METAR and SPECI in IWXXM."""

from datetime import datetime
from functools import partial
from typing import Final, Literal

from pydantic import ValidationError

from uring.weather.iwxxm.category import flight_category
from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.fields import Qnh, Rvr, Temperature, WindShear
from uring.weather.iwxxm.ground import read_runway_states, read_sea
from uring.weather.iwxxm.parts import (
    Clouds,
    choice,
    operator,
    read_group,
    read_visibility,
    read_weather,
    read_wind,
)
from uring.weather.iwxxm.reports import Metar, MetarHeader, MetarObservation, Trend
from uring.weather.iwxxm.tac import metar_line
from uring.weather.iwxxm.tree import Element, first_child
from uring.weather.iwxxm.values import (
    CELSIUS,
    HECTOPASCALS,
    METRES,
    SHOWN,
    ReportHead,
    ReportReader,
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


def read_metar(root: Element, head: ReportHead) -> Metar:
    """Parse a METAR or SPECI.

    Raises:
        PartRefused: it lacks its time, has an impossible status or value, or is empty.
    """
    if head.status == "AMENDMENT":
        raise PartRefused("status", f"its status is {head.old_status}, which only a TAF can have")
    group = child(root, "observation")
    issued, observed = _times(root, group, head)
    is_nil = says_nil(head, group)
    observation = None if is_nil or head.translation_failed else _observation(group, head.reader)
    trend: list[Trend | None] = []
    if observation is not None:
        odd: list[str] = []
        for part in children(root, "trendForecast"):
            read = partial(read_trend, part, head.reader)
            trend.append(head.reader.believed("trend", read, odd))
        if odd:
            missing = (*observation.missing, odd[0])
            observation = observation.model_copy(update={"missing": missing})
    automated = root.attrib.get("automatedStation")
    header = MetarHeader.model_validate(
        {
            "icao": head.icao,
            "airport_name": head.airport_name,
            "position": head.position,
            "report_type": root.tag,
            "report_status": head.status,
            "issue_time": issued,
            "observation_time": observed,
            "automated": None if automated is None else true(root, "automatedStation"),
            "nil": is_nil,
            "translation_failed": head.translation_failed,
            "iwxxm_version": head.version,
        }
    )
    told = tuple(part for part in trend if part)
    return Metar(
        header=header,
        observation=observation,
        trend=told,
        flight_category=flight_category(observation),
        raw=metar_line(header, observation, told) if head.raw is None else head.raw,
        raw_derived=head.raw is None,
    )


def _times(
    root: Element, group: Element | None, head: ReportHead
) -> tuple[datetime | None, datetime]:
    """Return issue and observation time; in IWXXM 2 those of the OM_Observation."""
    made = None if group is None else first(group, "resultTime")
    issued = head.issued or head.reader.instant(made, "result time")
    within = None if group is None else first(group, "phenomenonTime")
    part = child(root, "observationTime")
    if part is None:
        part = within
    observed = head.reader.instant(part, "observation time") or issued
    if observed is None:
        raise PartRefused("time", "it has neither observation time nor issue time")
    return issued, observed


def _observation(group: Element | None, reader: ReportReader) -> MetarObservation:
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "it has no observation, and is not NIL")
    return read_observation(inner, reader)


def read_observation(inner: Element, reader: ReportReader) -> MetarObservation:
    """Parse a ``MeteorologicalAerodromeObservation``, or IWXXM 2's record of that name.

    Raises:
        PartRefused: it is empty, or every part of it is impossible.
    """
    if blank(inner):
        raise PartRefused("empty", "its observation is empty, and it is not NIL")
    noted = len(reader.notes)
    missing: list[str] = []
    cavok = true(inner, "cloudAndVisibilityOK")
    believed = partial(reader.believed, missing=missing)
    wind = read_wind(child(inner, "surfaceWind"), reader, missing)
    around = child(inner, "visibility")
    visibility = read_visibility(first_child(around), reader, missing, cavok=cavok)
    if visibility is None:
        missing.append("visibility")
    ranges = list(children(inner, "rvr"))
    measured = [believed("rvr", partial(_rvr, it, reader)) for it in ranges if not nil(it)]
    rvr = tuple(runway for runway in measured if runway is not None)
    if len(rvr) < len(ranges) or any(runway.mean is None for runway in rvr):
        missing.append("rvr")
    weather = read_weather("weather", children(inner, "presentWeather"), reader, missing)
    recent = read_weather("recent_weather", children(inner, "recentWeather"), reader, missing)
    cloud = child(inner, "cloud")
    clouds = None if cavok and cloud is None else Clouds(cloud, reader, missing)
    sky = clouds is not None and clouds.is_told
    temperature = _temperature(inner, reader, missing)
    qnh = believed("qnh", lambda: _qnh(inner))
    if qnh is None:
        missing.append("qnh")
    if len(reader.notes) > noted and not (
        wind or visibility or weather or sky or temperature or qnh
    ):
        raise PartRefused("value", f"every part is impossible: {reader.notes[-1]}")
    return MetarObservation(
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
        qnh=qnh,
        wind_shear=believed("wind_shear", lambda: _wind_shear(child(inner, "windShear"), reader)),
        runway_state=read_runway_states(children(inner, "runwayState"), reader, missing),
        sea=read_sea(child(inner, "seaCondition", "seaState"), reader, missing),
        missing=tuple(dict.fromkeys(missing)),
    )


def _qnh(inner: Element) -> Qnh | None:
    value = number(child(inner, "qnh"), HECTOPASCALS)
    return None if value is None else Qnh(value=value)


def _temperature(inner: Element, reader: ReportReader, missing: list[str]) -> Temperature | None:
    try:
        told = Temperature(
            air=number(child(inner, "airTemperature"), CELSIUS),
            dewpoint=number(child(inner, "dewpointTemperature"), CELSIUS),
        )
    except (PartRefused, ValidationError):
        told = _believed_temperature(inner, reader, missing)
    if told.air is None and told.dewpoint is None:
        missing.append("temperature")
        return None
    if told.air is None:
        missing.append("air")
    if told.dewpoint is None:
        missing.append("dewpoint")
    return told


def _believed_temperature(inner: Element, reader: ReportReader, missing: list[str]) -> Temperature:
    """Read air temperature and dew point apart, as one of them is impossible."""

    def read(name: str, field: str) -> float | None:
        def one() -> float | None:
            return Temperature(air=number(child(inner, name), CELSIUS), dewpoint=None).air

        return reader.believed(field, one, missing)

    air, dewpoint = read("airTemperature", "air"), read("dewpointTemperature", "dewpoint")
    return Temperature(air=air, dewpoint=dewpoint)


def _rvr(group: Element, reader: ReportReader) -> Rvr:
    inner = group[0] if len(group) else group
    tendency = inner.attrib.get("pastTendency", "").strip()
    if tendency not in _TENDENCIES:
        raise PartRefused("value", f"the tendency of an RVR is {tendency[:SHOWN]!r}")
    return Rvr(
        runway=reader.runway(child(inner, "runway")),
        mean=whole(child(inner, "meanRVR"), METRES),
        operator=operator(child(inner, "meanRVROperator")),
        tendency=_TENDENCIES[tendency],
    )


def _wind_shear(group: Element | None, reader: ReportReader) -> WindShear | None:
    inner = first_child(group)
    if inner is None:
        return None
    if true(inner, "allRunways"):
        return WindShear(all_runways=True)
    runways = tuple(reader.runway(part) for part in children(inner, "runway"))
    return WindShear(all_runways=False, runways=runways) if runways else None


def read_trend(group: Element, reader: ReportReader) -> Trend | None:
    """Parse a ``trendForecast``; None if it only states that there is none.

    Raises:
        PartRefused: it has no content, an unknown indicator, or an impossible value.
    """
    if why := nil(group):
        return Trend(type="NOSIG") if why == "noSignificantChange" else None
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "a trend has no content")
    indicator = inner.attrib.get("changeIndicator", "").strip()
    if indicator not in _TREND_TYPES:
        raise PartRefused("value", f"a trend's changeIndicator is {indicator[:SHOWN]!r}")
    start, end = reader.period(first(group, "phenomenonTime"), "trend")
    timing = choice(child(inner, "timeIndicator"), _INDICATORS)
    return Trend(
        type=_TREND_TYPES[indicator],
        time_indicator=timing or ("AT" if start and start == end else None),
        start=start,
        end=end,
        **read_group(inner, reader),
    )
