"""A product's state outlives releases, in both directions.

`EARLIER` has the keys of the release before: it wrote all of them and refused a state that lacked
one; it knew no health.
"""

import json
from typing import Any, Literal

import pytest
from fakes.worlds import AIRPORTS, WeatherWorld
from pydantic import BaseModel, ConfigDict, Field

from uring.errors import CorruptState, NewerRelease, Unavailable
from uring.push.payload import compose
from uring.weather.product import PRODUCTS, reported
from uring.weather.state import WeatherState

STATE = "state/weather/metar.json"
HEADER = {
    "report_type": "METAR",
    "report_status": "NORMAL",
    "observation_time": "2026-03-02T00:30:00Z",
    "issue_time": "2026-03-02T00:30:00Z",
}
METAR = {"header": HEADER, "raw": "METAR RKSI 020030Z"}
EVENT = {
    "event_id": "5" * 40,
    "topic": "RKSI",
    "kind": "speci",
    "id": "RKSI.speci.2026-03-02T00:30:00Z.NORMAL.2026-03-02T00:40:00Z",
    "detected_at": "2026-03-02T00:40:00Z",
    "content": {"title": "RKSI SPECI", "time": "2026-03-02T00:30:00Z", "raw": "SPECI RKSI"},
}
EARLIER: dict[str, Any] = {
    "schema": 1,
    "source": "metar",
    "seq": 1772411000,
    "writer": "f" * 32,
    "fetched_at": "2026-03-02T00:40:00Z",
    "airports": dict.fromkeys(AIRPORTS, METAR),
    "hash": "5f5a9eefb659d969139c38edddb755c2541c97570f68e1af578e9691a18ba4ab",
    "published": True,
    "outbox": [],
}


class EarlierTold(BaseModel):
    """An event of the outbox, as the release before read it."""

    model_config = ConfigDict(strict=True, extra="ignore")

    event_id: str
    topic: str
    kind: str
    id: str
    detected_at: str
    content: dict[str, str | None]


class EarlierState(BaseModel):
    """A state, as the release before read it."""

    model_config = ConfigDict(strict=True, extra="ignore")

    schema_version: Literal[1] = Field(alias="schema")
    source: str
    seq: int
    writer: str
    fetched_at: str | None
    airports: dict[str, dict[str, Any]]
    hash: str
    published: bool
    outbox: list[EarlierTold]


def plant(world: WeatherWorld, **changes: Any) -> None:
    world.bucket.plant(STATE, json.dumps(EARLIER | changes).encode())


def test_a_state_of_the_release_before_is_gone_on_from() -> None:
    """It has no health, and its airports are no first sight."""
    world = WeatherWorld()
    plant(world)
    world.reports = dict.fromkeys(AIRPORTS, METAR)
    world.reports["RKSI"] = {
        "header": HEADER | {"report_type": "SPECI", "observation_time": "2026-03-02T00:50:00Z"},
        "raw": "SPECI",
    }
    assert world.check().outcome == "changed"
    assert [(change.topic, change.kind) for change in world.messages()] == [("RKSI", "speci")]
    state = world.state_of("metar")
    assert (state.health.status, state.health.succeeded_at) == ("ok", "2026-03-02T01:00:00Z")


def test_what_the_release_before_did_not_finish_is_finished() -> None:
    world = WeatherWorld()
    plant(world, published=False, outbox=[EVENT])
    check = world.check()
    assert [event.event_id for event in check.recovered] == [EVENT["event_id"]]
    shown = world.document("data/metar/latest.json")["airports"]
    assert {icao: reported(each) for icao, each in shown.items()} == EARLIER["airports"]
    (change,) = world.messages()
    assert compose(change).data == {
        "event_id": "5" * 40,
        "dept": "metar",
        "id": EVENT["id"],
        "revision": "1",
        "kind": "speci",
        "changes": "1",
        "detected_at": "2026-03-02T00:40:00Z",
        **EVENT["content"],
    }
    state = world.state_of("metar")
    assert (state.is_published, state.outbox) == (True, ())


@pytest.mark.parametrize("key", [*EARLIER])
def test_a_state_without_a_key_of_the_release_before_is_corrupt(key: str) -> None:
    body = {name: value for name, value in EARLIER.items() if name != key}
    with pytest.raises(CorruptState, match=r"is missing|Field required"):
        WeatherState.from_json(json.dumps(body).encode(), key=STATE, source="metar")


def states() -> list[dict[str, Any]]:
    """Return all that is ever stored: failed, empty, shown or not, with an outbox and without."""
    world = WeatherWorld()
    for product in PRODUCTS:
        world.check(product)
    world.reports = dict.fromkeys(AIRPORTS, METAR)
    world.check()
    world.reports["RKSI"] = {
        "header": HEADER | {"report_type": "SPECI", "observation_time": "2026-03-02T00:50:00Z"},
        "raw": "SPECI",
    }
    world.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        world.check()
    world.outlet.refuses = lambda _: False
    world.check()
    warning = {
        "wrng_type": "1",
        "wrng_type_key": "LOW_VISIBILITY",
        "valid_end": "2026-03-03T01:00:00Z",
    }
    none: dict[str, Any] = {"airport_name": None, "warnings": []}
    for warned in (none, {**none, "warnings": [warning]}, none, none):
        world.clock.advance(minutes=5)
        world.reports = dict.fromkeys(AIRPORTS, none) | {"RKSI": warned}
        world.check("warning")
    return [
        json.loads(version.body)
        for key, versions in world.bucket.versions.items()
        if key.startswith("state/weather/")
        for version in versions
    ]


def test_the_release_before_finds_every_key_and_shape_that_it_knew() -> None:
    found = [EarlierState.model_validate(state).model_dump() for state in states()]
    assert {state["source"] for state in found} == {*PRODUCTS}
    assert {state["published"] for state in found} == {True, False}
    assert any(state["fetched_at"] is None for state in found)
    kinds = {event["kind"] for state in found for event in state["outbox"]}
    assert kinds == {"speci", "warning_raised", "warning_lifted"}
    contents = [{*event["content"]} for state in found for event in state["outbox"]]
    assert {"title", "time", "raw"} in contents
    assert {"title", "time", "raw", "until"} in contents
    assert all(keys <= {"title", "time", "raw", "until"} for keys in contents)


def test_a_key_of_a_later_release_is_written_back() -> None:
    world = WeatherWorld()
    health = {"since": "2026-03-02T00:00:00Z", "later": 1}
    plant(world, later={"a": [1]}, health=health, published=False, outbox=[EVENT | {"later": 2}])
    world.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        world.check()
    (event,) = world.document(STATE)["outbox"]
    assert event["later"] == 2
    world.outlet.refuses = lambda _: False
    world.reports = dict.fromkeys(AIRPORTS, METAR) | {
        "RKSI": {"header": HEADER | {"observation_time": "2026-03-02T00:50:00Z"}, "raw": "x"}
    }
    assert world.check().outcome == "changed"
    state = world.document(STATE)
    assert (state["later"], state["health"]["later"]) == ({"a": [1]}, 1)


def test_a_state_of_a_later_schema_is_left_alone() -> None:
    world = WeatherWorld()
    plant(world, schema=2)
    with pytest.raises(NewerRelease, match="schema 2"):
        world.check()
    assert world.asked == []
    assert world.document(STATE) == EARLIER | {"schema": 2}
