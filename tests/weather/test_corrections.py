"""A correction of a TAF that was pushed is pushed; of another it is not."""

from typing import Any

import pytest
from fakes.worlds import WeatherWorld

from uring.weather.events import corrections, events_between
from uring.weather.product import merge

ICAO = "RKAA"
END = "2026-03-03T12:00:00Z"


def taf(
    hour: int,
    status: str = "NORMAL",
    *,
    cancelled: bool = False,
    speed: int = 5,
    end: str = END,
    nil: bool = False,
    operator: str | None = None,
) -> dict[str, Any]:
    return {
        "header": {
            "report_status": status,
            "issued": f"2026-03-02T{hour:02}:00:00Z",
            "valid_start": f"2026-03-02T{hour:02}:00:00Z",
            "valid_end": end,
            "cancelled": cancelled,
            "nil": nil,
        },
        "base": {
            "wind": {"speed": speed},
            "visibility": {"value": 10_000, "operator": operator},
            "flight_category": "VFR",
        },
        "changes": [],
        "raw": f"TAF {hour} {status} {speed}",
    }


AMD, COR = "AMENDMENT", "CORRECTION"


@pytest.mark.parametrize(
    ("answers", "pushes"),
    [
        ([taf(5), taf(6, AMD), taf(6, COR, speed=9)], ["amended", "amended"]),
        # With its own time of issue.
        ([taf(5), taf(6, AMD), taf(7, COR, speed=9)], ["amended", "amended"]),
        # And corrected once more.
        (
            [taf(5), taf(6, AMD), taf(6, COR, speed=9), taf(6, COR, speed=8)],
            ["amended", "amended", "amended"],
        ),
        ([taf(5), taf(6, AMD), taf(6, COR, speed=9), taf(7, COR)], ["amended"] * 3),
        ([taf(5), taf(6, cancelled=True), taf(6, COR)], ["cancelled", "amended"]),
        ([taf(5), taf(6, AMD, cancelled=True), taf(7, COR)], ["cancelled", "amended"]),
        (
            [taf(5), taf(6, AMD), taf(6, COR, cancelled=True)],
            ["amended", "cancelled"],
        ),
        # What it replaces was not pushed.
        ([taf(5), taf(5, COR, speed=9)], []),
        ([taf(5), taf(5, COR, speed=9), taf(5, COR, speed=8)], []),
        # The next period's, corrected before anybody saw it.
        ([taf(5), taf(6, AMD), taf(11, COR, end="2026-03-03T18:00:00Z")], ["amended"]),
        ([taf(5), taf(6, AMD), taf(11, end="2026-03-03T18:00:00Z"), taf(11, COR)], ["amended"]),
        # The gateway goes back, or repeats itself.
        ([taf(5), taf(6, AMD), taf(6, COR, speed=9), taf(6, AMD)], ["amended", "amended"]),
        ([taf(5), taf(6, AMD), taf(6, COR), taf(6, COR)], ["amended", "amended"]),
        ([taf(5), taf(6, AMD), taf(6, COR), taf(6, COR, nil=True)], ["amended", "amended"]),
        # Another version of IWXXM writes the same in another way.
        ([taf(5), taf(6, AMD), taf(6, COR), taf(6, COR, operator="ABOVE")], ["amended"] * 2),
    ],
)
def test_a_correction_of_a_pushed_taf_is_pushed(answers: list[Any], pushes: list[str]) -> None:
    world = WeatherWorld(airports=(ICAO,))
    for answer in answers:
        world.reports = {ICAO: answer}
        world.check("taf")
        world.clock.advance(1_800)
    assert [push.kind for push in world.messages()] == [f"taf_{kind}" for kind in pushes]
    statuses = [push.content.get("status") for push in world.messages()]
    corrected = [answer for answer in answers if answer["header"]["report_status"] == COR]
    assert statuses.count(COR) <= len(corrected)
    if pushes[1:] and answers[-1]["header"]["report_status"] == COR:
        assert statuses[-1] == COR


def test_another_reading_of_the_same_correction_is_none() -> None:
    """A new release may derive another category, and compose another line."""
    one = taf(6, COR)
    other = {**one, "base": {**one["base"], "flight_category": "IFR"}, "raw": "TAF COR"}
    faster = {**other, "base": {**one["base"], "wind": {"speed": 40}}}
    now, known = WeatherWorld(airports=(ICAO,)).clock(), {ICAO: one["header"]["issued"]}
    for report, count in ((other, 0), (faster, 1)):
        found = events_between("taf", {ICAO: one}, {ICAO: report}, now, corrected=known)
        assert len(found) == count


def test_an_airport_that_left_the_list_is_forgotten() -> None:
    assert corrections({"RKBB": "2026-03-02T06:00:00Z"}, {ICAO: {}}, []) == {}


def test_a_correction_replaces_a_cancellation_of_its_time_and_is_not_replaced_by_it() -> None:
    over, right = taf(6, cancelled=True), taf(6, COR)
    now = WeatherWorld(airports=(ICAO,)).clock()
    for before, answer in ((over, right), (right, over)):
        assert merge("taf", {ICAO: before}, {ICAO: answer}, [ICAO], now).airports[ICAO] == right
