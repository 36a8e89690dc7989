"""What a run collects from a gateway's responses and errors."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from uring.weather.gateway.collect import CollectedReports, Gateway
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.warnings import (
    AirportWarning,
    AirportWarnings,
    Disagreement,
    RefusedWarning,
    WarningList,
)
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf

NOW = datetime(2026, 3, 2, 1, tzinfo=UTC)
AIRPORTS = ("RKAA", "RKBB", "RKCC")
WARNING = AirportWarning(
    issued=NOW,
    wrng_type="1",
    wrng_type_key="LOW_VISIBILITY",
    wrng_type_name="저시정",
    valid_start=NOW,
    valid_end=NOW.replace(hour=5),
    raw_message="RKAA AD WRNG",
)
LISTED = WarningList(
    total_count=1,
    received=1,
    airports={
        icao: AirportWarnings(airport_name=None, warnings=(WARNING,) if icao == "RKAA" else ())
        for icao in AIRPORTS
    },
)


FORGOTTEN = {"key"}


class Refusing:
    """A gateway that refuses each airport in its own way."""

    requests = 4

    def __init__(self, listed: WarningList | GatewayError = LISTED) -> None:
        self._listed = listed
        self.asked: list[str] = []

    def metar(self, icao: str) -> Metar:
        self.asked.append(icao)
        if icao == "RKAA":
            raise GatewayError("01", "unavailable", "RKAA: application error")
        raise ReportRefused("future", f"{icao}: of tomorrow")

    def taf(self, icao: str) -> Taf:
        raise GatewayError("22", "quota", f"{icao}: not asked", asked=False)

    def warnings(self, airports: Collection[str]) -> WarningList:
        del airports
        if isinstance(self._listed, GatewayError):
            raise self._listed
        return self._listed


def asked(product: Any, listed: WarningList | GatewayError = LISTED) -> CollectedReports:
    return Gateway(lambda: Refusing(listed), FORGOTTEN.clear).collect(product, AIRPORTS, NOW)


def test_every_refusal_is_one_airport_s_failure() -> None:
    answers = asked("metar")
    assert answers.fresh == {}
    assert {icao: str(error) for icao, error in answers.failed.items()} == {
        "RKAA": "unavailable: RKAA: application error",
        "RKBB": "future: RKBB: of tomorrow",
        "RKCC": "future: RKCC: of tomorrow",
    }
    assert asked("taf").failed.keys() == {*AIRPORTS}


def test_warnings_are_every_airport_s_also_where_there_are_none() -> None:
    answers = asked("warning")
    assert answers.failed == {}
    assert answers.fresh["RKBB"] == {"airport_name": None, "warnings": []}
    assert answers.fresh["RKAA"]["warnings"][0]["valid_end"] == "2026-03-02T05:00:00Z"


def test_an_incomplete_list_lifts_nothing() -> None:
    answers = asked("warning", replace(LISTED, total_count=2))
    assert answers.fresh == {}
    assert {str(error) for error in answers.failed.values()} == {
        "rows_missing: 1 of 2 rows missing"
    }
    # What came is in force all the same.
    assert [each["wrng_type"] for each in answers.partial["RKAA"]["warnings"]] == ["1"]
    assert asked("warning", GatewayError("04", "network", "no answer")).fresh == {}


def test_a_row_that_is_not_believed_costs_its_airport_alone() -> None:
    row = RefusedWarning("RKBB", "period", "RKBB: ends before it starts")
    answers = asked("warning", replace(LISTED, received=2, total_count=2, refused=(row,)))
    assert (answers.fresh.keys(), answers.failed.keys()) == ({"RKAA", "RKCC"}, {"RKBB"})


def test_a_row_of_nobody_may_be_anybody_s() -> None:
    row = RefusedWarning(None, "airport", "a row without an airport")
    answers = asked("warning", replace(LISTED, received=2, total_count=2, refused=(row,)))
    assert answers.fresh == {}


def test_a_key_that_is_refused_is_read_again_and_nothing_else_is() -> None:
    FORGOTTEN.add("key")
    asked("metar")
    asked("taf")
    asked("warning", GatewayError("22", "quota", "enough for today"))
    assert FORGOTTEN
    asked("warning", GatewayError("30", "key", "not registered"))
    assert not FORGOTTEN


def test_what_is_odd_and_believed_all_the_same_is_told() -> None:
    listed = replace(
        LISTED,
        disagreements=(Disagreement("RKAA", "RKAA: valid_end is not the text's"),),
        unknown_types=("12\n",),
        elsewhere=2,
    )
    notes = asked("warning", listed).notes
    assert notes[0] == "RKAA: valid_end is not the text's"
    assert notes[1].startswith("wrngType 12")
    assert "\n" not in notes[1]
    assert "2 rows" in notes[2]
    assert asked("warning").notes == ()


def test_the_requests_of_a_run_are_counted() -> None:
    assert asked("warning").requests == 4


def test_each_run_begins_with_another_airport() -> None:
    """Where hanging ones use up the time, it is not always the same that are not asked."""
    orders = []
    for turn in range(4):
        client = Refusing()
        now = NOW + timedelta(minutes=10 * turn)
        Gateway(lambda client=client: client, FORGOTTEN.clear).collect("metar", AIRPORTS, now)
        orders.append(client.asked)
    assert {order[0] for order in orders} == {*AIRPORTS}
    assert all(sorted(order) == [*AIRPORTS] for order in orders)
    assert orders[0] == orders[3]
