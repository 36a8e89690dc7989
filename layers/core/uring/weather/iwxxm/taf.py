"""TAF in IWXXM."""

from collections.abc import Iterable
from functools import partial
from typing import Final, Literal

from uring.weather.iwxxm.category import flight_category, forecast_categories
from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.fields import ChangeType
from uring.weather.iwxxm.parts import (
    Clouds,
    read_group,
    read_visibility,
    read_weather,
    read_wind,
)
from uring.weather.iwxxm.reports import Base, ChangeGroup, Taf, TafHeader, TafTemperature
from uring.weather.iwxxm.tac import taf_line
from uring.weather.iwxxm.tree import Element, first_child
from uring.weather.iwxxm.values import (
    CELSIUS,
    SHOWN,
    Period,
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
)

_TYPES: Final[dict[str, ChangeType]] = {
    "BECOMING": "BECMG",
    "TEMPORARY_FLUCTUATIONS": "TEMPO",
    "FROM": "FM",
    "PROBABILITY_30": "PROB30",
    "PROBABILITY_40": "PROB40",
    "PROBABILITY_30_TEMPORARY_FLUCTUATIONS": "PROB30_TEMPO",
    "PROBABILITY_40_TEMPORARY_FLUCTUATIONS": "PROB40_TEMPO",
}
_EXTREMES: Final[tuple[tuple[Literal["TX", "TN"], str], ...]] = (
    ("TX", "maximumAirTemperature"),
    ("TN", "minimumAirTemperature"),
)


def read_taf(root: Element, head: ReportHead) -> Taf:
    """Parse a TAF.

    Raises:
        PartRefused: it lacks its time, has an impossible value, or is empty.
    """
    if head.issued is None:
        raise PartRefused("time", "it has no issue time")
    group = child(root, "baseForecast")
    cancelled = true(root, "isCancelReport") or head.old_status == "CANCELLATION"
    is_nil = not cancelled and says_nil(head, group)
    period = _period(root, head.reader, cancelled=cancelled)
    inner, changes = None, list[Element]()
    if not (cancelled or is_nil or head.translation_failed):
        inner, changes = _forecast(group, period), list(children(root, "changeForecast"))
    base = None if inner is None else read_base(inner, head.reader)
    groups = [read_change(it, head.reader) for it in changes if not nil(it)]
    categories = forecast_categories(base, groups)
    report = Taf(
        header=TafHeader(
            icao=head.icao,
            airport_name=head.airport_name,
            position=head.position,
            report_status=head.status,
            cancelled=cancelled,
            nil=is_nil,
            translation_failed=head.translation_failed,
            issued=head.issued,
            valid_start=period[0],
            valid_end=period[1],
            temperatures=read_temperatures([inner, *map(body, changes)], head.reader),
            iwxxm_version=head.version,
        ),
        base=base and base.model_copy(update={"flight_category": flight_category(base)}),
        changes=tuple(
            group.model_copy(update={"flight_category": category})
            for group, category in zip(groups, categories, strict=True)
        ),
        raw=head.raw,
    )
    if report.raw is not None:
        return report
    return report.model_copy(update={"raw": taf_line(report), "raw_derived": True})


def _period(root: Element, reader: ReportReader, *, cancelled: bool) -> Period:
    """Return the period of validity; of a cancelled TAF the cancelled period."""
    part = None
    if cancelled:
        part = child(root, "cancelledReportValidPeriod", "previousReportValidPeriod")
    if part is None:
        part = child(root, "validPeriod", "validTime")
    return reader.period(part, "valid period")


def _forecast(group: Element | None, period: Period) -> Element:
    """Return the base forecast; raise PartRefused if it or the period is missing."""
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "it has no base forecast, and is neither NIL nor cancelled")
    if None in period:
        raise PartRefused("time", "it has no valid period")
    return inner


def read_base(inner: Element, reader: ReportReader) -> Base:
    """Parse a base forecast's ``MeteorologicalAerodromeForecast``, or IWXXM 2's record.

    Raises:
        PartRefused: it is empty, or every part of it is impossible.
    """
    if blank(inner):
        raise PartRefused("empty", "its base forecast is empty, and it is not NIL")
    noted = len(reader.notes)
    missing: list[str] = []
    cavok = true(inner, "cloudAndVisibilityOK")
    wind = read_wind(child(inner, "surfaceWind"), reader, missing)
    visibility = read_visibility(inner, reader, missing, cavok=cavok)
    if visibility is None:
        missing.append("visibility")
    weather = read_weather("weather", children(inner, "weather"), reader, missing)
    cloud = child(inner, "cloud")
    clouds = None if cavok and cloud is None else Clouds(cloud, reader, missing)
    sky = clouds is not None and clouds.is_told
    if len(reader.notes) > noted and not (wind or visibility or weather or sky):
        raise PartRefused("value", f"every part is impossible: {reader.notes[-1]}")
    layers = clouds.layers if clouds else ()
    height = clouds.vertical_visibility if clouds else None
    return Base(
        wind=wind,
        visibility=visibility,
        weather=weather,
        clouds=layers,
        vertical_visibility=height,
        nsc=clouds is not None and clouds.nsc,
        missing=tuple(dict.fromkeys(missing)),
    )


def read_change(group: Element, reader: ReportReader) -> ChangeGroup:
    """Parse a ``changeForecast``.

    Raises:
        PartRefused: it has no content, an unknown indicator, or an impossible value.
    """
    inner = body(group)
    if inner is None:
        raise PartRefused("empty", "a change group has no content")
    indicator = inner.attrib.get("changeIndicator", "").strip()
    if indicator not in _TYPES:
        raise PartRefused("value", f"a changeIndicator is {indicator[:SHOWN]!r}")
    start, end = reader.period(first(group, "phenomenonTime"), "change group")
    return ChangeGroup(type=_TYPES[indicator], start=start, end=end, **read_group(inner, reader))


def read_temperatures(
    bodies: Iterable[Element | None], reader: ReportReader
) -> tuple[TafTemperature, ...]:
    """Parse the extremes of all forecasts in their order, each once.

    They come in pairs: a TAF with two highs and one low repeats the low.
    """
    extremes: dict[TafTemperature, None] = {}
    for part in bodies:
        for group in children(part, "temperature"):
            inner = first_child(group)
            for kind, name in _EXTREMES:
                read = partial(_extreme, inner, kind, name, reader)
                if extreme := reader.believed(kind, read, []):
                    extremes[extreme] = None
    return tuple(extremes)


def _extreme(
    inner: Element | None, kind: Literal["TX", "TN"], name: str, reader: ReportReader
) -> TafTemperature | None:
    value = number(child(inner, name), CELSIUS)
    if value is None:
        return None
    time = reader.instant(child(inner, f"{name}Time"), f"{kind} time")
    return TafTemperature(type=kind, value=value, time=time)
