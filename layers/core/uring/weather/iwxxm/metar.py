"""The body of a METAR or SPECI in IWXXM."""

from typing import Final, Literal

from uring.fetch.xml import Element
from uring.weather.iwxxm.category import flight_category
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
    Unreadable,
    blank,
    body,
    child,
    children,
    first,
    nil,
    nil_body,
    number,
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
    """A METAR or SPECI.

    Raises:
        Unreadable: it lacks its time, has a status or value that cannot be, or nothing at all.
    """
    if head.status == "AMENDMENT":
        raise Unreadable("status", f"its status is {head.old_status}, which only a TAF can have")
    group = child(root, "observation")
    inner = body(group)
    # In IWXXM 2 the times are those of the OM_Observation.
    observed = child(root, "observationTime") or _within(group, "phenomenonTime")
    made = _within(group, "resultTime")
    issued = head.issued or head.reader.instant(made, "result time")
    time = head.reader.instant(observed, "observation time") or issued
    if time is None:
        raise Unreadable("time", "it has neither observation time nor issue time")
    # IWXXM 2 also says MISSING of what could not be translated.
    is_nil = not head.translation_failed and (head.old_status == "MISSING" or nil_body(group))
    observation = None
    if not is_nil and not head.translation_failed:
        if inner is None:
            raise Unreadable("empty", "it has no observation, and is not NIL")
        observation = read_observation(inner, head.reader)
    automated = root.attributes.get("automatedStation")
    trend = [
        read_trend(each, head.reader) for each in children(root, "trendForecast") if observation
    ]
    return Metar(
        header=MetarHeader.model_validate(
            {
                "icao": head.icao,
                "airport_name": head.airport_name,
                "report_type": root.name,
                "report_status": head.status,
                "issue_time": issued,
                "observation_time": time,
                "automated": None if automated is None else true(root, "automatedStation"),
                "nil": is_nil,
                "translation_failed": head.translation_failed,
                "iwxxm_version": head.version,
            }
        ),
        observation=observation,
        trend=tuple(each for each in trend if each),
        flight_category=flight_category(observation),
        raw=head.raw,
    )


def _within(group: Element | None, name: str) -> Element | None:
    return first(group, name) if group else None


def read_observation(inner: Element, reader: Reader) -> Observation:
    """A ``MeteorologicalAerodromeObservation``, or IWXXM 2's record of that name.

    Raises:
        Unreadable: a value cannot be so, or nothing is said at all.
    """
    if blank(inner):
        raise Unreadable("empty", "its observation says nothing, and it is not NIL")
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
    rvr = tuple(_rvr(each, reader) for each in ranges if not nil(each))
    if len(rvr) < len(ranges) or any(each.mean is None for each in rvr):
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
        raise Unreadable("value", f"the tendency of an RVR is {tendency[:SHOWN]!r}")
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
    runways = tuple(reader.runway(each) for each in children(inner, "runway"))
    return WindShear(all_runways=False, runways=runways) if runways else None


def read_trend(group: Element, reader: Reader) -> Trend | None:
    """A ``trendForecast``; None when it only says that there is none.

    Raises:
        Unreadable: it has no content, an unknown indicator, or a value that cannot be.
    """
    if why := nil(group):
        return Trend(type="NOSIG") if why == "noSignificantChange" else None
    inner = body(group)
    if inner is None:
        raise Unreadable("empty", "a trend has no content")
    indicator = inner.attributes.get("changeIndicator", "").strip()
    if indicator not in _TREND_TYPES:
        raise Unreadable("value", f"a trend's changeIndicator is {indicator[:SHOWN]!r}")
    start, end = reader.period(first(group, "phenomenonTime"), "trend")
    timing = choice(child(inner, "timeIndicator"), _INDICATORS)
    return Trend(
        type=_TREND_TYPES[indicator],
        time_indicator=timing or ("AT" if start and start == end else None),
        start=start,
        end=end,
        **read_group(inner),
    )
