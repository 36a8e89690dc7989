"""How often a source is checked stands in the index, as its orchestrator does it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fakes import VirtualClock
from fakes.watched_world import Watched

from uring.changes.jobs import Planned, Ticks
from uring.changes.registry import WatchedSource
from uring.notices.source import Source
from uring.sources.rhythm import RhythmName
from uring.watch.pace import pace

SEOUL, NEW_YORK, KATHMANDU = "Asia/Seoul", "America/New_York", "Asia/Kathmandu"
BUSY = {"BUSY_HOURS": "23,0-10"}
SOONER = {"RHYTHM": "sooner", **BUSY}
WEEKDAYS = [1, 2, 3, 4, 5]
NIGHT = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


class Paced(Watched):
    """Departments in a stack with a rhythm; entries and file may have their own."""

    def __init__(self, environment: dict[str, str], **own: Any) -> None:
        self.own = own
        super().__init__()
        self.environment |= environment

    def entry(self, source: str) -> dict[str, Any]:
        return {**super().entry(source), **self.own}


def published(world: Watched) -> dict[str, Any]:
    """Return what the index says of the pace of one department."""
    world.tick()
    world.watch()
    entry = world.index()["cs"]
    return {key: entry[key] for key in ("interval_minutes", "rhythm") if key in entry}


def minutes_in(said: dict[str, Any], at: datetime) -> int:
    """Return the minutes of a time, read from the index by the words of its page."""
    if "rhythm" not in said:
        return int(said["interval_minutes"])
    local = at.astimezone(ZoneInfo(said["rhythm"]["zone"]))
    found = [
        hours["minutes"]
        for hours in said["rhythm"]["hours"]
        if local.isoweekday() in hours["days"] and hours["from"] <= local.hour < hours["until"]
    ]
    assert len(found) <= 1
    return int(found[0] if found else said["rhythm"]["otherwise"])


def test_an_interval_is_one_number() -> None:
    assert published(Watched()) == {"interval_minutes": 10}
    assert published(Paced({}, interval_minutes=60)) == {"interval_minutes": 60}


def test_a_rhythm_is_a_table_of_the_week_in_the_zone_of_the_source() -> None:
    assert published(Paced(SOONER)) == {
        "interval_minutes": 30,
        "rhythm": {
            "zone": SEOUL,
            "hours": [
                {"days": WEEKDAYS, "from": 8, "until": 9, "minutes": 8},
                {"days": WEEKDAYS, "from": 9, "until": 18, "minutes": 4},
                {"days": WEEKDAYS, "from": 18, "until": 20, "minutes": 8},
            ],
            "otherwise": 30,
        },
    }


def test_an_entry_that_is_uniform_in_a_stack_with_a_rhythm_has_its_interval() -> None:
    assert published(Paced(SOONER, rhythm="uniform")) == {"interval_minutes": 10}


def test_a_long_interval_is_the_shortest_under_any_rhythm() -> None:
    assert published(Paced(SOONER, interval_minutes=60)) == {"interval_minutes": 60}


def test_ten_minutes_are_the_shortest_without_busy_hours() -> None:
    """A table that its schedule cannot keep is not promised to readers."""
    table = {"hours": [{"days": "Mon-Fri", "hours": "8-20", "minutes": 2}], "otherwise": 30}
    said = published(Paced({}, rhythm=table))
    assert said["rhythm"]["hours"] == [{"days": WEEKDAYS, "from": 8, "until": 20, "minutes": 10}]


def test_a_table_over_midnight_and_the_end_of_the_week() -> None:
    table = {
        "hours": [
            {"days": "Sun-Mon", "hours": "22-24", "minutes": 12},
            {"days": "Mon", "hours": "0-2", "minutes": 12},
        ],
        "otherwise": 20,
    }
    assert published(Paced({}, rhythm=table))["rhythm"]["hours"] == [
        {"days": [1], "from": 0, "until": 2, "minutes": 12},
        {"days": [1, 7], "from": 22, "until": 24, "minutes": 12},
    ]


@pytest.mark.parametrize("zone", [SEOUL, NEW_YORK, KATHMANDU])
@pytest.mark.parametrize("rhythm", ["sooner", "thrifty"])
@pytest.mark.parametrize(
    "begin", [datetime(2026, 1, 12, tzinfo=UTC), datetime(2026, 7, 6, tzinfo=UTC)]
)
def test_what_the_index_says_is_what_the_orchestrator_does(
    zone: str, rhythm: RhythmName, begin: datetime
) -> None:
    """All ticks of a week; in a zone with a part of an hour, the ticks within its hours of UTC."""
    world = Paced({"RHYTHM": rhythm, **BUSY}, zone=zone)
    world.clock = VirtualClock(begin)
    source = Source.model_validate(world.entry("cs"))
    registered = next(each for each in world.monitored if each.registered.name == "notices")
    watched = next(each for each in registered.sources() if each.id == "cs")
    ticks = Ticks(10, frozenset({23, *range(11)}))
    planned = Planned("cs", 10, rhythm=source.paced(rhythm))
    said = pace(watched, begin + timedelta(days=2))
    for hour in range(24 * 7):
        at = begin + timedelta(hours=hour, minutes=35)
        assert planned.rhythm is not None
        meant = max(planned.rhythm(at), ticks.since(at))
        local = at.astimezone(ZoneInfo(zone))
        assert (local, minutes_in(said, at)) == (local, meant)


def test_a_changed_rhythm_is_a_changed_index_and_reads_no_state_again() -> None:
    """Ten thousand boards change at once: one object is written, and no state is read."""
    world = Paced({})
    world.tick()
    world.watch()
    world.environment |= SOONER
    reads = world.bucket.reads
    assert world.written().keys() == {"data/index.json"}
    assert world.bucket.reads - reads <= 4
    assert world.written() == {}


def test_after_a_pause_a_board_has_the_time_of_its_rhythm() -> None:
    """At night a rhythm waits for half an hour: nobody is mailed after ten minutes."""
    world = Paced(SOONER)
    world.tick()
    world.watch()
    world.clock.advance(86_400 * 4)
    world.watch()
    world.clock.advance(20 * 60)
    world.watch()
    assert world.mail.lines == []
    world.clock.advance(20 * 60)
    world.watch()
    assert len(world.mail.lines) == 2


def test_the_index_of_a_release_before_is_completed_without_a_change_of_health() -> None:
    world = Watched()
    world.tick()
    world.watch()
    index = world.document("data/index.json")
    for entry in index["departments"]:
        del entry["interval_minutes"]
    world.bucket.plant("data/index.json", json.dumps(index).encode())
    assert world.written().keys() == {"data/index.json"}
    assert world.index()["cs"]["interval_minutes"] == 10


def test_a_product_of_the_weather_has_its_interval() -> None:
    assert pace(WatchedSource("taf", "TAF", "", "", 30, SEOUL), NIGHT) == {"interval_minutes": 30}
