"""A product's state that was put back takes its airports from ``latest.json``: no push twice."""

import json
from typing import Any

import pytest
from fakes.worlds import WeatherWorld

STATE, LATEST = "state/weather/metar.json", "data/metar/latest.json"


def speci(minute: int) -> dict[str, Any]:
    when = f"2026-03-02T01:{minute:02}:00Z"
    header = {"report_type": "SPECI", "report_status": "NORMAL", "observation_time": when}
    return {"header": {**header, "issue_time": when}, "raw": f"SPECI {minute}"}


class World(WeatherWorld):
    """Products whose state is put back."""

    def __init__(self) -> None:
        super().__init__(airports=("RKAA",))
        self.see(0)
        self.old = self.bucket.get(STATE)

    def see(self, minute: int) -> None:
        self.clock.advance(600)
        self.reports = {"RKAA": speci(minute)}
        self.check()

    def put_back(self) -> None:
        assert self.old is not None
        self.clock.advance(60)
        self.bucket.restore(STATE, self.old)


def test_an_event_that_was_pushed_is_not_pushed_again() -> None:
    world = World()
    world.see(10)
    world.put_back()
    world.see(10)
    world.see(20)
    assert [event.content["raw"] for event in world.messages()] == ["SPECI 10", "SPECI 20"]


@pytest.mark.parametrize("airports", [None, [], {"RKAA": {}}])
def test_a_damaged_document_stops_no_check(airports: Any) -> None:
    world = World()
    world.see(10)
    world.put_back()
    shown = world.bucket.get(LATEST)
    assert shown is not None
    damaged = {**json.loads(shown.body), "airports": airports}
    world.bucket.put(LATEST, json.dumps(damaged).encode(), if_match=shown.etag, content_type="x")
    world.see(20)
    assert [event.content["raw"] for event in world.messages()] == ["SPECI 10", "SPECI 20"]
