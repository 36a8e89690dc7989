"""METAR, SPECI and TAF for the readers of ``latest.json``: one airport's report each.

Times are UTC, in JSON ISO 8601 with ``Z``. Units never vary: degrees, knots (KT), metres, feet, °C,
hPa; a report in other units is converted. Null is "unknown", never zero and never "none": parts
that could not be observed, or that a report lacks although it should have them, are also in
``missing``.
"""

from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from uring.weather.iwxxm.fields import (
    Celsius,
    ChangeType,
    CloudLayer,
    Feet,
    FlightCategory,
    Icao,
    Part,
    Position,
    PresentWeather,
    Qnh,
    ReportStatus,
    RunwayState,
    Rvr,
    Sea,
    Temperature,
    Utc,
    Visibility,
    Wind,
    WindShear,
)


class MetarHeader(Part):
    """The header of a METAR or SPECI.

    Attributes:
        icao: location indicator.
        airport_name: from the report, null without.
        position: from the report, null without.
        report_type: SPECI is issued between the hours, because something changed much.
        report_status: CORRECTION is a COR of a report with the same time.
        issue_time: null where IWXXM 2 lacks it.
        observation_time: the time of the values.
        automated: AUTO, without a human observer; null where the report lacks it.
        nil: the airport says there is no report; observation is null.
        translation_failed: IWXXM carries only the source TAC, in ``raw``.
        iwxxm_version: ``2023-1``; null if the document names none.
    """

    icao: Icao
    airport_name: str | None
    position: Position | None = None
    report_type: Literal["METAR", "SPECI"]
    report_status: Literal["NORMAL", "CORRECTION"]
    issue_time: Utc | None
    observation_time: Utc
    automated: bool | None
    nil: bool = False
    translation_failed: bool = False
    iwxxm_version: str | None


class MetarObservation(Part):
    """The observation. With CAVOK rvr, weather and clouds are empty by definition.

    Attributes:
        rvr: by runway, in the report's order.
        weather: present weather; empty: no weather; null: it cannot be observed.
        recent_weather: of the last hour, now over.
        clouds: layers; empty with CAVOK, NSC, NCD or ``vertical_visibility``; null is unknown.
        vertical_visibility: ft into an obscured sky.
        nsc: no cloud below 5000 ft, no CB nor TCU.
        ncd: an automatic station found no cloud.
        runway_state: by runway, in the report's order.
        missing: parts that could not be observed or were left out, by field name; the fields within
            a part are ``wind_direction``, ``wind_speed``, ``cloud_base``, ``cloud_type``, ``air``,
            ``dewpoint``.
    """

    wind: Wind | None
    visibility: Visibility | None
    rvr: tuple[Rvr, ...] = ()
    weather: tuple[PresentWeather, ...] | None
    recent_weather: tuple[PresentWeather, ...] = ()
    clouds: tuple[CloudLayer, ...] | None
    vertical_visibility: Feet | None = None
    nsc: bool = False
    ncd: bool = False
    temperature: Temperature | None
    qnh: Qnh | None
    wind_shear: WindShear | None = None
    runway_state: tuple[RunwayState, ...] = ()
    sea: Sea | None = None
    missing: tuple[str, ...] = ()


class _Group(Part):
    """Changes to earlier conditions: a field that is not mentioned stays and is not in the JSON.

    ``weather`` with ``nsw`` and ``clouds`` with ``nsc`` are empty: it ends, none is expected.
    ``missing`` names the fields that are mentioned without a value.
    """

    start: Utc | None = None
    end: Utc | None = None
    wind: Wind | None = None
    visibility: Visibility | None = None
    weather: tuple[PresentWeather, ...] | None = None
    nsw: Literal[True] | None = None
    clouds: tuple[CloudLayer, ...] | None = None
    vertical_visibility: Feet | None = None
    nsc: Literal[True] | None = None
    missing: tuple[str, ...] | None = None

    @model_serializer(mode="wrap")
    def _mentioned(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {
            name: value
            for name, value in sorted(handler(self).items(), key=lambda item: item[0] != "type")
            if value is not None or name in {"start", "end"}
        }


class Trend(_Group):
    """A change within two hours of a METAR; NOSIG mentions nothing.

    ``time_indicator`` is TAC's AT, FM (FROM), TL (UNTIL) or both; start and end are its period,
    equal for AT, null where the report gives none.
    """

    type: Literal["BECMG", "TEMPO", "NOSIG"]
    time_indicator: Literal["AT", "FROM", "UNTIL", "FROM_UNTIL"] | None = None


class ChangeGroup(_Group):
    """A change group of a TAF, kept as a group: BECMG and FM stay, TEMPO and PROB pass.

    ``flight_category`` is of its values over the conditions that prevail then.
    """

    type: ChangeType
    flight_category: FlightCategory | None = None


class Metar(Part):
    """A METAR or SPECI.

    ``observation`` is null when NIL or not translated. ``raw`` is the TAC text of the document;
    without one it is composed from the fields, and ``raw_derived`` is true. ``flight_category``:
    see `uring.weather.iwxxm.category`.
    """

    header: MetarHeader
    observation: MetarObservation | None
    trend: tuple[Trend, ...] = ()
    flight_category: FlightCategory | None = None
    raw: str | None = None
    raw_derived: bool = False


class TafTemperature(Part):
    """An extreme within the period: TX the highest, TN the lowest, °C, expected at ``time``."""

    type: Literal["TX", "TN"]
    value: Celsius
    time: Utc | None


class TafHeader(Part):
    """The header of a TAF.

    Attributes:
        report_status: AMENDMENT (AMD) replaces a forecast that no longer holds, CORRECTION (COR) a
            forecast with errors.
        cancelled: CNL, the forecast of that period no longer counts, without a replacement.
        nil: there is no forecast; ``base`` is null, as with ``cancelled``.
        issued: the time of issue.
        valid_start: for a cancelled TAF the start of the cancelled period; null with NIL.
        valid_end: the end of that period.
        translation_failed: IWXXM carries only the source TAC, in ``raw``.
        iwxxm_version: ``2023-1``; null if the document names none.
    """

    icao: Icao
    airport_name: str | None
    position: Position | None = None
    report_status: ReportStatus
    cancelled: bool = False
    nil: bool = False
    translation_failed: bool = False
    issued: Utc
    valid_start: Utc | None
    valid_end: Utc | None
    temperatures: tuple[TafTemperature, ...] = ()
    iwxxm_version: str | None


class Base(Part):
    """The forecast from ``valid_start`` on, with the fields of `MetarObservation`."""

    wind: Wind | None
    visibility: Visibility | None
    weather: tuple[PresentWeather, ...] | None
    clouds: tuple[CloudLayer, ...] | None
    vertical_visibility: Feet | None = None
    nsc: bool = False
    flight_category: FlightCategory | None = None
    missing: tuple[str, ...] = ()


class Taf(Part):
    """A TAF; ``changes`` in the report's order, ``raw`` as in `Metar`."""

    header: TafHeader
    base: Base | None
    changes: tuple[ChangeGroup, ...] = ()
    raw: str | None = None
    raw_derived: bool = False
