"""What was committed long ago and never announced is archived, and is no news (N8, N9)."""

import json
from datetime import timedelta
from typing import Any

import pytest
from fakes import Notice
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.errors import Retryable, Unavailable

WEEK = timedelta(days=7)
REPORT = {"header": {"observation_time": "2026-03-02T01:00:00Z"}, "raw": None}


def left_behind(*, dies: bool = False) -> NoticeWorld:
    """A department whose entry is taken out while the outbox holds notice 3."""
    world = NoticeWorld()
    world.check()
    world.clock.advance(600)
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.outlet.refuses = lambda _: True
    with pytest.MonkeyPatch.context() as patch:
        if dies:
            patch.setattr(world.bucket, "put", _only_states(world.bucket.put))
        with pytest.raises(Retryable):
            world.check()
    world.outlet.refuses = lambda _: False
    return world


def _only_states(put: Any) -> Any:
    def dying(key: str, body: bytes, **more: Any) -> Any:
        if not key.startswith("state/"):
            raise Unavailable(key)
        return put(key, body, **more)

    return dying


def archived(world: NoticeWorld) -> list[tuple[str, bool]]:
    lines = world.bucket.body("data/cs/archive/202603.jsonl").splitlines()
    return [(line["id"], line["push"]) for line in map(json.loads, lines)]


@pytest.mark.parametrize(
    ("away", "pushes"),
    [
        (timedelta(days=1), ["3"]),
        (WEEK, ["3"]),
        (WEEK + timedelta(seconds=1), []),
        (timedelta(days=180), []),
    ],
    ids=str,
)
def test_a_change_is_pushed_within_a_week(away: timedelta, pushes: list[str]) -> None:
    world = left_behind()
    world.clock.now += away
    world.check()
    assert [record for record, _ in world.pushes()] == pushes
    assert world.state.outbox == ()
    assert world.hot[0] == "3"
    published = [line["record"] for line in world.telemetry.named("published")]
    assert published == pushes


def test_what_was_not_even_archived_says_that_it_is_no_push() -> None:
    world = left_behind(dies=True)
    world.clock.now += timedelta(days=20)
    world.check()
    assert archived(world)[-1] == ("3", False)
    assert world.hot[0] == "3"
    assert world.pushes() == []


def test_what_came_later_is_pushed_beside_it() -> None:
    world = left_behind()
    world.clock.now += timedelta(days=20)
    world.show(Notice("4", "넷"), Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    assert world.pushes() == [("4", "new")]


def test_of_the_weather_as_well() -> None:
    world = WeatherWorld()
    world.reports = dict.fromkeys(world.airports, REPORT)
    world.check()
    world.clock.advance(600)
    header = {"observation_time": "2026-03-02T01:08:00Z", "report_type": "SPECI"}
    world.reports["RKSI"] = {"header": header, "raw": "SPECI"}
    world.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        world.check()
    world.outlet.refuses = lambda _: False
    world.clock.now += timedelta(days=8)
    world.check()
    assert world.messages() == []
    assert world.state_of("metar").outbox == ()
