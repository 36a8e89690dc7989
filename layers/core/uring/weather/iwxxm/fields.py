"""The parts of METAR, SPECI and TAF, with their units."""

from datetime import UTC
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer

from uring.clock import timestamp

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


class Part(BaseModel):
    """A part of a report: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Wind(Part):
    """Surface wind; a wind with nothing but ``raw`` is null as a whole.

    Attributes:
        direction: degrees true, the origin; null when variable or missing.
        speed: mean, KT; metres per second are converted and rounded.
        gust: KT.
        variable: no direction can be given (VRB).
        variable_from: degrees, with ``variable_to`` the sector clockwise in which it varies.
        variable_to: degrees.
        speed_operator: ABOVE when the true speed exceeds it (P99KT).
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


class Visibility(Part):
    """Horizontal visibility.

    Attributes:
        value: prevailing, m; TAC's 9999 is 10000. Null with CAVOK, which implies it.
        operator: ABOVE or BELOW, when the true value exceeds, or is less than, ``value``.
        minimum: the lowest in any direction, m, if it differs much.
        minimum_direction: its direction, degrees from the aerodrome.
        cavok: 10 km or more, no cloud below 5000 ft, no CB nor TCU, no significant weather.
    """

    value: Metres | None
    operator: Operator | None = None
    minimum: Metres | None = None
    minimum_direction: Degrees | None = None
    cavok: bool = False


class Rvr(Part):
    """Runway visual range; ``mean`` in m over ten minutes, null when not observable."""

    runway: str
    mean: Metres | None
    operator: Operator | None = None
    tendency: Literal["UPWARD", "NO_CHANGE", "DOWNWARD"] | None = None


class PresentWeather(Part):
    """A weather group of WMO code table 4678.

    Attributes:
        raw: the group, ``+TSRA``.
        intensity: ``+`` heavy, ``-`` light, ``VC`` in the vicinity; null is moderate.
        descriptor: MI BC PR DR BL SH TS FZ.
        phenomena: such as RA, SN, FG, in the group's order; empty for a descriptor alone, or for a
            group outside the table.
    """

    raw: str
    intensity: Literal["+", "-", "VC"] | None = None
    descriptor: str | None = None
    phenomena: tuple[str, ...] = ()


class CloudLayer(Part):
    """A cloud layer; ``base`` in ft above the aerodrome, ``raw`` as in TAC: ``BKN005CB``.

    An amount, base or type that could not be observed is null, and ``///`` in ``raw``. Without
    ``///`` a null type is neither CB nor TCU. SKC and CLR have no base.
    """

    amount: CloudAmount | None
    base: Feet | None
    type: Literal["CB", "TCU"] | None = None
    raw: str


class Temperature(Part):
    """Air and dew point, °C; one of them may be missing."""

    air: Celsius | None
    dewpoint: Celsius | None


class Qnh(Part):
    """Pressure reduced to mean sea level by the standard atmosphere, hPa."""

    value: Hectopascals
    unit: Literal["hPa"] = "hPa"


class WindShear(Part):
    """Wind shear below 1600 ft on all runways, or on those named."""

    all_runways: bool
    runways: tuple[str, ...] = ()


class RunwayState(Part):
    """The state of a runway's surface; IWXXM 2025-2 leaves it to SNOWTAM.

    Attributes:
        runway: null means all of them.
        snow_closed: closed by snow (SNOCLO).
        cleared: the deposit is gone (CLRD).
        deposit: by BUFR's table 0 20 086; WET is with patches of water.
        extent: the covered part, at most this percentage.
        depth: mm.
        friction: coefficient, 0 to 0.9.
        braking: the braking action, in place of a coefficient.
    """

    runway: str | None
    snow_closed: bool = False
    cleared: bool = False
    deposit: Deposit | None = None
    extent: Literal[10, 25, 50, 100] | None = None
    depth: Annotated[int, Field(ge=0, le=10_000)] | None = None
    friction: float | None = None
    braking: Braking | None = None


class Sea(Part):
    """The sea beside an offshore station: °C, m, and its state by WMO's table 3700, 0 to 9."""

    temperature: Celsius | None
    wave_height: Annotated[float, Field(ge=0, le=50)] | None
    state: Annotated[int, Field(ge=0, le=9)] | None


class Position(Part):
    """An aerodrome's reference point: WGS 84, degrees north and east; feet above the sea."""

    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    elevation: Feet | None
