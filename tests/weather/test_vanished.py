"""A warning that vanishes before its end without a cancellation deserves a second look."""

from datetime import timedelta
from typing import Any

import pytest
from fakes.worlds import WeatherWorld

from uring.clock import timestamp
from uring.weather.gateway.collect import CollectedReports
from uring.weather.state import WeatherState
from uring.weather.warning_text import Cancellation, read_text

AIRPORTS = ("RKAA", "RKBB")
FIVE_MINUTES = 300


class World(WeatherWorld):
    """Warnings over fakes, with lists that a test writes."""

    def __init__(self) -> None:
        super().__init__(airports=AIRPORTS)
        self.begin = self.clock()

    def warning(self, number: int, *, kind: str = "WIND", hours: float = 9) -> dict[str, Any]:
        start, end = self.begin, self.begin + timedelta(hours=hours)
        return {
            "issued": timestamp(start),
            "wrng_type": kind,
            "wrng_type_key": kind,
            "valid_start": timestamp(start),
            "valid_end": timestamp(end),
            "raw_message": f"RKAA AD WRNG {number} VALID {start:%d%H%M}/{end:%d%H%M} WSPD FCST=",
        }

    def answers(self, *warnings: dict[str, Any], other: list[dict[str, Any]] | None = None) -> None:
        self.reports = {
            "RKAA": {"airport_name": "x", "warnings": list(warnings)},
            "RKBB": {"airport_name": "y", "warnings": other or []},
        }

    def look(self, *warnings: dict[str, Any], **more: Any) -> list[str]:
        """The pushes of a run whose list has these warnings."""
        before = len(self.messages())
        self.answers(*warnings, **more)
        self.check("warning")
        self.clock.advance(FIVE_MINUTES)
        return [f"{push.topic} {push.kind}" for push in self.messages()[before:]]

    def shown(self) -> list[str]:
        airport = self.document("data/warning/latest.json")["airports"]["RKAA"]
        return [each["raw_message"].split()[3] for each in airport["warnings"]]


def test_a_list_that_lacks_a_row_once_lifts_nothing() -> None:
    world = World()
    one, two = world.warning(1), world.warning(2, kind="RAIN")
    assert world.look() == []
    assert world.look(one, two) == ["RKAA warning_raised"] * 2
    assert world.look(two) == []
    assert world.shown() == ["2", "1"]
    assert world.look(one, two) == []
    # And the next look begins again.
    assert world.look(one) == []
    assert world.look(one) == ["RKAA warning_lifted"]
    assert world.shown() == ["1"]


def test_one_airport_may_vanish_while_another_is_listed() -> None:
    world = World()
    other = [world.warning(7)]
    world.look(other=other)
    world.look(world.warning(1), other=other)
    assert world.look(other=other) == []
    assert world.look(other=other) == ["RKAA warning_lifted"]


def test_a_warning_in_its_place_is_a_change_at_once_and_the_surplus_waits() -> None:
    world = World()
    world.look()
    world.look(world.warning(1), world.warning(2))
    assert world.look(world.warning(3)) == ["RKAA warning_changed"]
    assert world.look(world.warning(3)) == ["RKAA warning_lifted"]


def test_a_warning_that_ran_out_is_gone_at_once_and_silent() -> None:
    world = World()
    world.look()
    short = world.warning(1, hours=0.2)
    world.look(short)
    world.clock.advance(900)
    assert world.look() == []
    assert world.shown() == []


def test_a_cancelled_warning_is_lifted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    one, two = world.warning(1), world.warning(2)
    world.look()
    world.look(one, two)
    (name,) = read_text("RKAA AD WRNG 3 VALID 010000/010900 CNL AD WRNG 1=").cancels
    over = {"RKAA": (Cancellation(name, world.clock()),)}
    collect = world.collect

    def cancelling(*arguments: Any) -> CollectedReports:
        found = collect(*arguments)
        return CollectedReports(found.fresh, found.failed, cancelled=over)

    monkeypatch.setattr(world, "collect", cancelling)
    assert world.look() == ["RKAA warning_lifted"]
    assert world.shown() == ["2"]


def test_a_failure_between_the_two_looks_begins_again_and_so_does_an_hour() -> None:
    world = World()
    world.look()
    world.look(world.warning(1))
    assert world.look() == []
    world.reports = {}
    world.check("warning")
    assert world.look() == []
    world.clock.advance(3_600)
    assert world.look() == []
    assert world.look() == ["RKAA warning_lifted"]


def test_a_state_of_the_release_before_is_read_and_looks_begin_again() -> None:
    world = World()
    world.look()
    world.look(world.warning(1))
    key = "state/weather/warning.json"
    stored = world.document(key)
    del stored["vanished"], stored["corrected"]
    stored["emptied_at"] = timestamp(world.clock())
    state = WeatherState.model_validate(stored)
    assert (state.vanished, state.corrected) == ({}, {})
    assert state.model_dump(mode="json", by_alias=True)["emptied_at"] == stored["emptied_at"]
