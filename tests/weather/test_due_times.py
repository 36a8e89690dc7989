"""When a report is due, what its rhythm is, and what an airport shows that none came."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.clock import timestamp
from uring.weather.due import ReportRhythm, Rhythms, due_time, marked, noted, overdue
from uring.weather.product import Product

PROPERTY = settings(max_examples=200, deadline=None, database=None, derandomize=True)
DAY = datetime(2026, 3, 2, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
AT = "RKAA"


def metar(minutes: int, kind: str = "METAR", **more: Any) -> dict[str, Any]:
    time = timestamp(DAY + minutes * MINUTE)
    return {"header": {"report_type": kind, "observation_time": time, **more}}


def taf(minutes: int, status: str = "NORMAL", hours: int = 30, **more: Any) -> dict[str, Any]:
    issued = DAY + minutes * MINUTE
    end = timestamp(issued + timedelta(hours=hours))
    header = {"report_status": status, "issued": timestamp(issued), "valid_end": end}
    return {"header": {**header, **more}}


def after(product: Product, *reports: dict[str, Any], late: int = 5) -> tuple[Rhythms, int]:
    """The rhythms after these reports, each read some minutes late, and the due minute."""
    rhythms: Rhythms = {}
    for report in reports:
        header = report["header"]
        time = datetime.fromisoformat(header.get("observation_time") or header["issued"])
        rhythms = noted(product, {AT: report}, rhythms, time + late * MINUTE)
    due = due_time(product, reports[-1], rhythms[AT])
    return rhythms, int((due - DAY) / MINUTE)


@pytest.mark.parametrize(
    ("reports", "due"),
    [
        pytest.param([metar(0)], 90, id="no history"),
        pytest.param([metar(0), metar(30), metar(60)], 150, id="two gaps are no rhythm"),
        pytest.param([metar(at) for at in (0, 60, 120, 180)], 270, id="hourly"),
        pytest.param([metar(at) for at in (0, 30, 60, 90)], 150, id="half-hourly"),
        pytest.param([metar(at) for at in (0, 30, 90, 120)], 180, id="one was missed"),
        pytest.param([metar(at) for at in (0, 180, 360, 540)], 630, id="90 minutes at most"),
        pytest.param(
            [metar(0), metar(30), metar(60), metar(90), metar(100, "SPECI")], 150, id="speci"
        ),
        pytest.param(
            [metar(0), metar(60), metar(120), metar(180), metar(250, "SPECI")],
            330,
            id="a speci in place of a beat",
        ),
        pytest.param([metar(at, nil=True) for at in (0, 60, 120, 180)], 270, id="nil"),
        pytest.param([metar(0), metar(0, report_status="CORRECTION")], 90, id="correction"),
    ],
)
def test_a_metar_is_due(reports: list[dict[str, Any]], due: int) -> None:
    assert after("metar", *reports)[1] == due


SIX = [taf(at * 360) for at in range(4)]


@pytest.mark.parametrize(
    ("reports", "due"),
    [
        pytest.param([taf(0)], 420, id="no history"),
        pytest.param(SIX, 1_500, id="six hours"),
        pytest.param([*SIX, taf(1_400, "AMENDMENT")], 1_500, id="amended: the beat stays"),
        pytest.param([*SIX, taf(1_200, "AMENDMENT", cancelled=True)], 1_500, id="cancelled"),
        pytest.param([taf(at * 180) for at in range(4)], 780, id="three hours"),
        pytest.param([taf(0, hours=4)], 240, id="the end of its period at the latest"),
        pytest.param([taf(0, nil=True, valid_end=None)], 420, id="nil"),
    ],
)
def test_a_taf_is_due(reports: list[dict[str, Any]], due: int) -> None:
    assert after("taf", *reports)[1] == due


def test_a_clock_that_is_ahead_pushes_nothing_out() -> None:
    """The observation is half an hour ahead; it is due as if it were of the run that read it."""
    report = metar(30)
    rhythms: Rhythms = {}
    for minute in range(0, 90, 10):
        rhythms = noted("metar", {AT: report}, rhythms, DAY + minute * MINUTE)
    assert rhythms[AT].at == timestamp(DAY)
    assert due_time("metar", report, rhythms[AT]) == DAY + 90 * MINUTE


def test_marks_are_those_of_this_run() -> None:
    report = metar(0) | {"_stale": True, "_stale_since": "x", "_overdue": True, "_expired": True}
    rhythms, _ = after("metar", report)
    kept = {"_stale": True, "_stale_since": "x"}
    early = marked("metar", {AT: report}, rhythms, DAY + 89 * MINUTE)
    assert early == {AT: metar(0) | kept}
    late = marked("metar", early, rhythms, DAY + 90 * MINUTE)
    since = timestamp(DAY + 90 * MINUTE)
    assert late == {AT: metar(0) | kept | {"_overdue": True, "_overdue_since": since}}
    assert overdue(late) == {AT: since}
    assert marked("metar", late, rhythms, DAY + timedelta(days=9)) == late


def test_a_forecast_is_over_at_the_end_of_its_period() -> None:
    report = taf(0, hours=30)
    for hours, is_over in ((29, False), (30, True), (99, True)):
        (shown,) = marked("taf", {AT: report}, {}, DAY + timedelta(hours=hours)).values()
        assert shown.get("_expired", False) is is_over


@pytest.mark.parametrize(
    ("product", "report"),
    [
        ("metar", {"header": {}}),
        ("metar", {}),
        ("taf", {"header": {"issued": None, "valid_end": None}}),
        ("warning", {"airport_name": None, "warnings": []}),
    ],
)
def test_a_report_without_a_time_has_no_due_time(product: Any, report: dict[str, Any]) -> None:
    rhythms = noted(product, {AT: report}, {}, DAY)
    assert rhythms == {}
    assert marked(product, {AT: report}, rhythms, DAY) == {AT: report}


def test_an_airport_that_left_the_settings_is_forgotten() -> None:
    before, _ = after("metar", metar(0))
    assert noted("metar", {"RKBB": metar(0)}, before, DAY).keys() == {"RKBB"}


@PROPERTY
@given(
    times=st.lists(st.integers(-10_000, 10_000), max_size=6),
    at=st.integers(-10_000, 10_000),
    product=st.sampled_from(["metar", "taf"]),
)
def test_whatever_is_stored_a_report_is_due_soon(times: list[int], at: int, product: Any) -> None:
    """Also of a state that was put back, or edited: later than it, and within the limits."""
    rhythm = ReportRhythm(
        time=timestamp(DAY),
        at=timestamp(DAY + at * MINUTE),
        routine=tuple(timestamp(DAY + each * MINUTE) for each in times),
    )
    wait = due_time(product, {"header": {}}, rhythm) - (DAY + at * MINUTE)
    longest = timedelta(minutes=90) if product == "metar" else timedelta(hours=7)
    assert timedelta() < wait <= longest


@PROPERTY
@given(st.lists(st.integers(0, 3_000), min_size=1, max_size=40))
def test_little_is_kept(minutes: list[int]) -> None:
    rhythms: Rhythms = {}
    for minute in minutes:
        rhythms = noted("metar", {AT: metar(minute)}, rhythms, DAY + 99 * MINUTE)
    (rhythm,) = rhythms.values()
    assert len(rhythm.routine) <= 4
    assert [*rhythm.routine] == sorted({*rhythm.routine})
