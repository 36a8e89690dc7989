"""METAR, SPECI and TAF as readers of ``latest.json`` see them: one airport's report each.

Times are UTC, in JSON ISO 8601 with ``Z``. Units never vary: degrees, knots (KT), metres, feet, °C,
hPa; a report in other units is converted. Null is "not told", never zero and never "none": what a
report says it could not observe, or leaves out though it belongs there, is also in ``missing``.
"""

from datetime import UTC
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from uring.clock import timestamp

__all__ = [
    "Base",
    "Braking",
    "Change",
    "ChangeType",
    "CloudAmount",
    "CloudLayer",
    "Deposit",
    "FlightCategory",
    "Metar",
    "MetarHeader",
    "Observation",
    "Operator",
    "Position",
    "Qnh",
    "ReportStatus",
    "RunwayState",
    "Rvr",
    "Sea",
    "Taf",
    "TafHeader",
    "TafTemperature",
    "Temperature",
    "Trend",
    "Visibility",
    "Weather",
    "Wind",
    "WindShear",
]

Utc = Annotated[
    AwareDatetime,
    AfterValidator(lambda moment: moment.astimezone(UTC)),
    PlainSerializer(timestamp, return_type=str, when_used="json"),
]
Icao = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{3}$")]
Degrees = Annotated[int, Field(ge=0, le=360)]
Knots = Annotated[int, Field(ge=0, le=400)]
Metres = Annotated[int, Field(ge=0, le=100_000)]
Feet = Annotated[int, Field(ge=-2_000, le=100_000)]
Celsius = Annotated[float, Field(ge=-100, le=70)]
Hectopascals = Annotated[float, Field(ge=800, le=1_200)]

Operator = Literal["ABOVE", "BELOW"]
CloudAmount = Literal["FEW", "SCT", "BKN", "OVC", "SKC", "CLR"]
FlightCategory = Literal["VFR", "MVFR", "IFR", "LIFR"]
ReportStatus = Literal["NORMAL", "AMENDMENT", "CORRECTION"]
ChangeType = Literal["BECMG", "TEMPO", "FM", "PROB30", "PROB40", "PROB30_TEMPO", "PROB40_TEMPO"]


Deposit = Literal[
    "CLEAR_AND_DRY",
    "DAMP",
    "WET",
    "RIME_OR_FROST",
    "DRY_SNOW",
    "WET_SNOW",
    "SLUSH",
    "ICE",
    "COMPACTED_SNOW",
    "FROZEN_RUTS",
]
Braking = Literal["POOR", "MEDIUM_POOR", "MEDIUM", "MEDIUM_GOOD", "GOOD"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wind(_Part):
    """Surface wind; all null but ``raw`` never occurs, such a wind is null as a whole.

    Attributes:
        direction: degrees true that it blows from; null when variable or not told.
        speed: mean, KT; metres a second are converted and rounded.
        gust: KT.
        variable: no direction can be given (VRB).
        variable_from: degrees, with ``variable_to`` the sector clockwise in which it varies.
        variable_to: degrees.
        speed_operator: ABOVE, when the speed is only known to exceed it (P99KT).
        raw: the group as in TAC, in the unit of the report: ``24004MPS``, ``VRB02KT``, ``///08KT``.
    """

    direction: Degrees | None
    speed: Knots | None
    gust: Knots | None = None
    unit: Literal["KT"] = "KT"
    variable: bool = False
    variable_from: Degrees | None = None
    variable_to: Degrees | None = None
    speed_operator: Operator | None = None
    raw: str


class Visibility(_Part):
    """Horizontal visibility.

    Attributes:
        value: prevailing, m; TAC's 9999 is 10000. Null with CAVOK, which stands for it.
        operator: ABOVE or BELOW, when the true value exceeds, or is less than, ``value``.
        minimum: the lowest in any direction, m, where it differs much.
        minimum_direction: of it, degrees from the aerodrome.
        cavok: 10 km or more, no cloud below 5000 ft, no CB nor TCU, no significant weather.
    """

    value: Metres | None
    operator: Operator | None = None
    minimum: Metres | None = None
    minimum_direction: Degrees | None = None
    cavok: bool = False


class Rvr(_Part):
    """Runway visual range; ``mean`` in m over ten minutes, null when not observable."""

    runway: str
    mean: Metres | None
    operator: Operator | None = None
    tendency: Literal["UPWARD", "NO_CHANGE", "DOWNWARD"] | None = None


class Weather(_Part):
    """A weather group of WMO code table 4678.

    Attributes:
        raw: the group, ``+TSRA``.
        intensity: ``+`` heavy, ``-`` light, ``VC`` in the vicinity; null is moderate.
        descriptor: MI BC PR DR BL SH TS FZ.
        phenomena: such as RA, SN, FG, in the group's order; empty if only a descriptor was given,
            or the group is none of the table.
    """

    raw: str
    intensity: Literal["+", "-", "VC"] | None = None
    descriptor: str | None = None
    phenomena: tuple[str, ...] = ()


class CloudLayer(_Part):
    """A cloud layer; ``base`` in ft above the aerodrome, ``raw`` as in TAC: ``BKN005CB``.

    An amount or base that could not be observed is null, and ``///`` in ``raw``. SKC and CLR have
    no base.
    """

    amount: CloudAmount | None
    base: Feet | None
    type: Literal["CB", "TCU"] | None = None
    raw: str


class Temperature(_Part):
    """°C; with one of both missing the other is still told."""

    air: Celsius | None
    dewpoint: Celsius | None


class Qnh(_Part):
    """Pressure reduced to mean sea level by the standard atmosphere, hPa."""

    value: Hectopascals
    unit: Literal["hPa"] = "hPa"


class WindShear(_Part):
    """Wind shear below 1600 ft on all runways, or on those named."""

    all_runways: bool
    runways: tuple[str, ...] = ()


class RunwayState(_Part):
    """The state of a runway's surface; IWXXM 2025-2 leaves it to SNOWTAM.

    Attributes:
        runway: null means all of them.
        snow_closed: closed by snow (SNOCLO).
        cleared: what lay there is gone (CLRD).
        deposit: what lies there, by BUFR's table 0 20 086; WET is with patches of water.
        extent: at most so many percent of it are covered.
        depth: mm.
        friction: coefficient, 0 to 0.9.
        braking: in place of a coefficient.
    """

    runway: str | None
    snow_closed: bool = False
    cleared: bool = False
    deposit: Deposit | None = None
    extent: Literal[10, 25, 50, 100] | None = None
    depth: Annotated[int, Field(ge=0, le=10_000)] | None = None
    friction: float | None = None
    braking: Braking | None = None


class Sea(_Part):
    """The sea beside an offshore station: °C, m, and its state of WMO's table 3700, 0 to 9."""

    temperature: Celsius | None
    wave_height: Annotated[float, Field(ge=0, le=50)] | None
    state: Annotated[int, Field(ge=0, le=9)] | None


class Position(_Part):
    """An aerodrome's reference point: WGS 84, degrees north and east; feet above the sea."""

    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    elevation: Feet | None


class MetarHeader(_Part):
    """The header of a METAR or SPECI.

    Attributes:
        icao: location indicator.
        airport_name: as the report has it, null without.
        position: likewise.
        report_type: SPECI is issued between the hours, because something changed much.
        report_status: CORRECTION is a COR of a report with the same time.
        issue_time: null in IWXXM 2 where it does not say.
        observation_time: of the values.
        automated: AUTO, no person watched; null where the report does not say.
        nil: the airport says there is no report; observation is null.
        translation_failed: IWXXM only carries the TAC it was made from, in ``raw``.
        iwxxm_version: ``2023-1``; null where the document does not say.
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


class Observation(_Part):
    """The observation. With CAVOK rvr, weather and clouds are empty by definition.

    Attributes:
        rvr: by runway, in the report's order.
        weather: present weather; empty is none, null is not observable.
        recent_weather: of the last hour, over by now.
        clouds: layers; empty with CAVOK, NSC, NCD or ``vertical_visibility``; null is not told.
        vertical_visibility: ft into an obscured sky.
        nsc: no cloud below 5000 ft, no CB nor TCU.
        ncd: an automatic station found no cloud.
        runway_state: by runway, in the report's order.
        missing: parts that could not be observed or were left out, by field name; of a part's own
            fields ``wind_direction``, ``wind_speed``, ``cloud_base``, ``air``, ``dewpoint``.
    """

    wind: Wind | None
    visibility: Visibility | None
    rvr: tuple[Rvr, ...] = ()
    weather: tuple[Weather, ...] | None
    recent_weather: tuple[Weather, ...] = ()
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


class _Group(_Part):
    """Changes to what went before: a field not mentioned does not change and is not in the JSON.

    ``weather`` with ``nsw`` and ``clouds`` with ``nsc`` are empty: it ends, none is expected.
    ``missing`` names what is mentioned without a value.
    """

    start: Utc | None = None
    end: Utc | None = None
    wind: Wind | None = None
    visibility: Visibility | None = None
    weather: tuple[Weather, ...] | None = None
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

    ``time_indicator`` is TAC's AT, FM (FROM), TL (UNTIL) or both; start and end are the period that
    it means, equal for AT, null where the report gives none.
    """

    type: Literal["BECMG", "TEMPO", "NOSIG"]
    time_indicator: Literal["AT", "FROM", "UNTIL", "FROM_UNTIL"] | None = None


class Change(_Group):
    """A change group of a TAF, kept as a group: BECMG and FM stay, TEMPO and PROB pass.

    ``flight_category`` is of what it says over what prevails then.
    """

    type: ChangeType
    flight_category: FlightCategory | None = None


class Metar(_Part):
    """A METAR or SPECI.

    ``observation`` is null when NIL or not translated. ``raw`` is the TAC text where the document
    carries it; else one composed of the fields, and ``raw_derived`` is true. ``flight_category``:
    see `uring.weather.iwxxm.category`.
    """

    header: MetarHeader
    observation: Observation | None
    trend: tuple[Trend, ...] = ()
    flight_category: FlightCategory | None = None
    raw: str | None = None
    raw_derived: bool = False


class TafTemperature(_Part):
    """An extreme within the period: TX the highest, TN the lowest, °C, expected at ``time``."""

    type: Literal["TX", "TN"]
    value: Celsius
    time: Utc | None


class TafHeader(_Part):
    """The header of a TAF.

    Attributes:
        report_status: AMENDMENT (AMD) replaces a forecast that no longer holds, CORRECTION (COR)
            one with errors.
        cancelled: CNL, the forecast of that period no longer counts and none replaces it.
        nil: there is none; ``base`` is null as with ``cancelled``.
        issued: its time.
        valid_start: of a cancelled TAF the period that is cancelled; null with NIL.
        valid_end: its end.
        translation_failed: IWXXM only carries the TAC it was made from, in ``raw``.
        iwxxm_version: ``2023-1``; null where the document does not say.
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


class Base(_Part):
    """The forecast from ``valid_start`` on; its fields as those of `Observation`."""

    wind: Wind | None
    visibility: Visibility | None
    weather: tuple[Weather, ...] | None
    clouds: tuple[CloudLayer, ...] | None
    vertical_visibility: Feet | None = None
    nsc: bool = False
    flight_category: FlightCategory | None = None
    missing: tuple[str, ...] = ()


class Taf(_Part):
    """A TAF; ``changes`` in the report's order, ``raw`` as with `Metar`."""

    header: TafHeader
    base: Base | None
    changes: tuple[Change, ...] = ()
    raw: str | None = None
    raw_derived: bool = False
