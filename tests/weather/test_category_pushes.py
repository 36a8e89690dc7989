"""A push when the flight category of an airport is another one: off by default."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.worlds import PUSH_KINDS, WeatherWorld

from uring.push.payload import compose

ALL = (*PUSH_KINDS, "category_changed")


def metar(minute: int, category: str | None, kind: str = "METAR", **header: Any) -> dict[str, Any]:
    told = {
        "report_type": kind,
        "report_status": "NORMAL",
        "observation_time": f"2026-03-02T{minute // 60:02}:{minute % 60:02}:00Z",
        **header,
    }
    return {"header": told, "raw": f"{kind} {minute} {category}", "flight_category": category}


def run(*reports: dict[str, Any], kinds: Sequence[str] = ALL) -> WeatherWorld:
    """Play the reports of one airport, a run each."""
    world = WeatherWorld(airports=("RKSI",), push_kinds=kinds)
    world.clock.now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    for report in reports:
        world.reports["RKSI"] = report
        world.check()
        world.clock.advance(600)
    return world


def crossings(world: WeatherWorld) -> list[tuple[str | None, str | None]]:
    return [
        (change.content["category_before"], change.content["category"])
        for change in world.messages()
        if change.kind == "category_changed"
    ]


def test_it_is_off_by_default() -> None:
    assert run(metar(600, "VFR"), metar(660, "LIFR"), kinds=PUSH_KINDS).messages() == []


def test_a_push_says_both_categories() -> None:
    (change,) = run(metar(600, "VFR"), metar(660, "IFR"), metar(720, "IFR")).messages()
    assert (change.topic, change.urgency, change.lifetime_seconds) == ("RKSI", "high", 3_600)
    data = compose(change).data
    told = ("kind", "title", "time", "raw", "category", "category_before")
    assert [data[name] for name in told] == [
        "category_changed",
        "RKSI CATEGORY CHANGED",
        "2026-03-02T11:00:00Z",
        "METAR 660 IFR",
        "IFR",
        "VFR",
    ]


def test_the_way_back_is_pushed_too_and_again_on_the_same_day() -> None:
    world = run(*(metar(600 + 10 * n, ("VFR", "IFR")[n % 2]) for n in range(5)))
    assert crossings(world) == [("VFR", "IFR"), ("IFR", "VFR")] * 2
    assert len({change.event_id for change in world.messages()}) == 4


def test_an_unknown_category_in_between_hides_nothing() -> None:
    """VFR, NIL, LIFR: whoever heard of VFR hears of LIFR."""
    world = run(metar(600, "VFR"), metar(630, None, nil=True), metar(660, None), metar(690, "LIFR"))
    assert crossings(world) == [("VFR", "LIFR")]


def test_the_first_known_category_is_silent() -> None:
    assert crossings(run(metar(600, None), metar(660, "IFR"))) == []
    assert crossings(run(metar(600, "IFR"))) == []


def test_a_speci_that_crosses_is_pushed_as_both() -> None:
    world = run(metar(600, "VFR"), metar(610, "IFR", "SPECI"))
    assert [change.kind for change in world.messages()] == ["speci", "category_changed"]


def test_a_correction_to_another_category_is_pushed() -> None:
    correction = metar(600, "LIFR", report_status="CORRECTION")
    assert crossings(run(metar(600, "VFR"), correction)) == [("VFR", "LIFR")]


@pytest.mark.parametrize("again", [metar(600, "IFR"), metar(500, "IFR")])
def test_another_reckoning_of_the_same_or_an_older_report_is_not(again: dict[str, Any]) -> None:
    """A release that judges categories differently pushes nothing for that alone."""
    assert crossings(run(metar(600, "VFR"), again)) == []
