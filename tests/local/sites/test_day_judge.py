"""The judge of days and timelines finds what is wrong in them."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from uring_local.sites.airfield.days import DayJudge, timeline_faults
from uring_local.sites.airfield.model import Group, Report

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


def at(hours: float) -> str:
    return f"{NOON + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"


def metar(hours: float, **values: Any) -> Report:
    when = NOON + timedelta(hours=hours)
    told = {
        "status": "NORMAL",
        "wind_direction": 90,
        "wind_speed": 5,
        "visibility": 9_000,
        **values,
    }
    return Report(icao="RKSI", kind="METAR", time=when, issued=when, iwxxm_version="2023-1", **told)


TAF: Final = Report(
    icao="RKSI",
    kind="TAF",
    status="NORMAL",
    time=NOON,
    issued=NOON,
    iwxxm_version="2023-1",
    visibility=9_000,
    clouds=(),
    valid_start=NOON,
    valid_end=NOON + timedelta(hours=24),
    groups=(
        Group(
            type="TEMPO",
            start=NOON + timedelta(hours=3),
            end=NOON + timedelta(hours=6),
            visibility=500,
        ),
    ),
)


def entry(hours: float, **values: Any) -> dict[str, Any]:
    return {
        "time": at(hours),
        "report_type": "METAR",
        "report_status": "NORMAL",
        "wind": {"direction": 90, "speed": 5, "gust": None, "variable": False},
        "visibility": 9_000,
        "weather": [],
        **values,
    }


def piece(start: float, end: float, worst: str = "VFR") -> dict[str, Any]:
    return {
        "start": at(start),
        "end": at(end),
        "prevailing": {"flight_category": "VFR"},
        "worst": {"flight_category": worst},
    }


def judged(*entries: dict[str, Any]) -> list[str]:
    judge = DayJudge()
    judge.note("metar", "RKSI", [metar(-30), metar(-2), metar(-1, status="NIL")], NOON)
    judge.note("metar", "RKSI", [metar(0)], NOON)
    return [*judge.faults("metar", {"RKSI": {"reports": [*entries]}} if entries else {})]


def test_a_day_with_the_reports_of_the_window_is_right() -> None:
    assert judged(entry(-2), entry(0)) == []


@pytest.mark.parametrize(
    ("entries", "word"),
    [
        ([], "not 2"),
        ([entry(0)], "not 2"),
        ([entry(-30), entry(-2), entry(0)], "not 2"),
        ([entry(0), entry(-2)], "time"),
        ([entry(-2), entry(0, visibility=900)], "visibility"),
        ([entry(-2), entry(0, report_type="SPECI")], "report_type"),
    ],
)
def test_a_day_that_lacks_or_changes_a_report_is_wrong(
    entries: list[dict[str, Any]], word: str
) -> None:
    assert word in judged(*entries)[0]


@pytest.mark.parametrize(
    ("pieces", "word"),
    [
        ([], "cover"),
        ([piece(0, 3), piece(3, 6, "LIFR")], "cover"),
        ([piece(0, 3), piece(4, 24)], "cover"),
        ([piece(0, 24)], "LIFR"),
        ([piece(0, 3), piece(3, 24, "LIFR")], "VFR"),
    ],
)
def test_a_timeline_with_a_gap_or_another_category_is_wrong(
    pieces: list[dict[str, Any]], word: str
) -> None:
    assert word in next(timeline_faults(TAF, pieces))


def test_a_right_timeline_has_no_fault_and_a_cancelled_taf_none_at_all() -> None:
    pieces = [piece(0, 3), piece(3, 6, "LIFR"), piece(6, 24)]
    assert [*timeline_faults(TAF, pieces)] == []
    cancelled = TAF.emptied("CANCEL")
    assert [*timeline_faults(cancelled, [])] == []
    assert [*timeline_faults(cancelled, pieces)] != []
