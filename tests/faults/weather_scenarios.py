"""What a gateway says in turn: short stories, each for one way in which a product changes."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from weather_world import AIRPORTS, Page, WeatherScenario

from uring.clock import timestamp


def metar(minute: int, kind: str = "METAR", *, category: str | None = None) -> dict[str, Any]:
    """A report by the minute of its observation."""
    when = timestamp(datetime(2026, 3, 31, 23, tzinfo=UTC) + timedelta(minutes=minute))
    header = {"report_type": kind, "report_status": "NORMAL", "observation_time": when}
    told = {"flight_category": category} if category else {}
    return {"header": {**header, "issue_time": when}, "raw": f"{kind} {minute}", **told}


def taf(hour: int, status: str = "NORMAL", *, cancelled: bool = False) -> dict[str, Any]:
    """A forecast by the hour of its issue."""
    issued = timestamp(datetime(2026, 3, 31, tzinfo=UTC) + timedelta(hours=hour))
    header = {"report_status": status, "issued": issued, "valid_start": issued}
    return {"header": {**header, "cancelled": cancelled}, "raw": f"TAF {hour} {status}"}


def warned(*kinds: str) -> dict[str, Any]:
    """Warnings in force, one of each type; without any, what the gateway says of fair weather."""
    warnings = [
        {
            "issued": "2026-03-31T23:00:00Z",
            "wrng_type": kind,
            "wrng_type_key": f"TYPE{kind}",
            "valid_start": "2026-03-31T23:00:00Z",
            "valid_end": "2026-04-30T23:00:00Z",
            "raw_message": f"WS WRNG {kind}",
        }
        for kind in kinds
    ]
    return {"airport_name": "x", "warnings": warnings}


METARS: Final[Page] = dict.fromkeys(AIRPORTS, metar(0))
TAFS: Final[Page] = dict.fromkeys(AIRPORTS, taf(5))
FAIR: Final[Page] = dict.fromkeys(AIRPORTS, warned())

WEATHER_SCENARIOS: Final = (
    WeatherScenario(
        "weather: first run",
        "metar",
        (METARS, {**METARS, "RKAA": metar(5, "SPECI")}),
        told=(("RKAA", "speci"),),
    ),
    WeatherScenario(
        "weather: SPECI and METAR",
        "metar",
        (
            {**METARS, "RKAA": metar(5, "SPECI"), "RKCC": metar(6, "SPECI")},
            {**METARS, "RKAA": metar(10), "RKCC": metar(6, "SPECI")},
        ),
        told=(("RKAA", "speci"), ("RKCC", "speci")),
        before=(METARS,),
    ),
    WeatherScenario(
        "weather: a category crosses",
        "metar",
        (
            {**METARS, "RKAA": metar(5, category="IFR"), "RKBB": metar(5, category="VFR")},
            {**METARS, "RKAA": metar(10, "SPECI", category="LIFR"), "RKBB": metar(5)},
        ),
        told=(
            ("RKAA", "category_changed"),
            ("RKAA", "speci"),
            ("RKAA", "category_changed"),
        ),
        before=(dict.fromkeys(AIRPORTS, metar(0, category="VFR")),),
    ),
    WeatherScenario(
        "weather: TAF amended, cancelled",
        "taf",
        (
            {**TAFS, "RKBB": taf(7, "AMENDMENT")},
            {**TAFS, "RKBB": taf(8, "AMENDMENT", cancelled=True)},
        ),
        told=(("RKBB", "taf_amended"), ("RKBB", "taf_cancelled")),
        before=(TAFS,),
    ),
    WeatherScenario(
        "weather: warning raised, lifted",
        "warning",
        (
            {**FAIR, "RKAA": warned("1"), "RKBB": warned("2")},
            {**FAIR, "RKBB": warned("2")},
            {**FAIR, "RKBB": warned("2")},
        ),
        told=(("RKAA", "warning_raised"), ("RKBB", "warning_raised"), ("RKAA", "warning_lifted")),
        before=(FAIR,),
    ),
    # Two of one topic beside one of another: the first that is refused holds back the second alone.
    WeatherScenario(
        "weather: two warnings of one airport",
        "warning",
        ({**FAIR, "RKAA": warned("1", "2"), "RKBB": warned("2")},),
        told=(("RKAA", "warning_raised"), ("RKBB", "warning_raised"), ("RKAA", "warning_raised")),
        before=(FAIR,),
    ),
    # Upstream loses a warning for a while: whoever heard that it is over must hear that it is not.
    WeatherScenario(
        "weather: warning gone and back",
        "warning",
        # The second answer without any lifts it.
        (FAIR, FAIR, {**FAIR, "RKAA": warned("1")}),
        told=(("RKAA", "warning_raised"), ("RKAA", "warning_lifted"), ("RKAA", "warning_raised")),
        before=(FAIR, {**FAIR, "RKAA": warned("1")}),
    ),
    WeatherScenario(
        "weather: an airport fails",
        "metar",
        (
            {"RKBB": metar(5, "SPECI"), "RKCC": metar(0)},
            {**METARS, "RKAA": metar(10, "SPECI"), "RKBB": metar(5, "SPECI")},
        ),
        told=(("RKBB", "speci"), ("RKAA", "speci")),
        before=(METARS,),
    ),
    WeatherScenario(
        "weather: all airports fail",
        "metar",
        ({}, {**METARS, "RKAA": metar(5, "SPECI")}),
        told=(("RKAA", "speci"),),
        before=(METARS,),
    ),
    WeatherScenario(
        "weather: the eleventh file",
        "metar",
        ({**METARS, "RKAA": metar(11, "SPECI"), "RKBB": metar(10)},),
        told=(("RKAA", "speci"),),
        before=tuple({**METARS, "RKBB": metar(minute)} for minute in range(1, 11)),
    ),
    # Each page is another when a stalled process goes on, and when a job comes back.
    WeatherScenario(
        "weather: ever another report",
        "metar",
        tuple({**METARS, "RKAA": metar(minute, "SPECI")} for minute in (5, 15, 25, 35)),
        told=(("RKAA", "speci"),) * 4,
        before=(METARS,),
        step=timedelta(minutes=3),
    ),
    # Around the deduplication window of the queue, in the one product whose jobs may come back.
    *(
        WeatherScenario(
            f"weather: down for {minutes} minutes",
            "taf",
            ({**TAFS, "RKAA": taf(7, "AMENDMENT"), "RKCC": taf(7, "AMENDMENT")},),
            told=(("RKAA", "taf_amended"), ("RKCC", "taf_amended")),
            before=(TAFS,),
            down=timedelta(minutes=minutes),
        )
        for minutes in (3, 15)
    ),
)
