"""A product's health: readers can tell "no warnings" from "nobody could ask"."""

from datetime import timedelta
from typing import Any

from fakes.worlds import AIRPORTS, WeatherWorld

from uring.changes.health import class_of
from uring.clock import timestamp
from uring.errors import FetchFailed, SourceTrouble
from uring.watch.monitor import Monitor, WatchedFamily
from uring.weather.gateway.collect import CollectedReports
from uring.weather.product import Product
from uring.weather.registration import WeatherRegistration

TEN_MINUTES = 600
TIMEOUT = FetchFailed("timeout", "no answer")
QUOTA = FetchFailed("quota", "not asked")
NONE: dict[str, Any] = {"airport_name": None, "warnings": []}
ENVIRONMENT = {
    "METAR_MINUTES": "10",
    "TAF_MINUTES": "30",
    "WARNING_MINUTES": "5",
    "AIRPORTS": "RKSI,RKPC",
}


class World(WeatherWorld):
    """Checks of the warnings every ten minutes, and the monitor behind each."""

    def __init__(self) -> None:
        super().__init__()
        self.alerts: list[str] = []
        family = WeatherRegistration()
        self.monitor = Monitor(
            [WatchedFamily(family, lambda: family.watched(ENVIRONMENT, self.bucket, {}))],
            self.bucket,
            self,
            self.telemetry,
            clock=self.clock,
        )

    def send(self, subject: str, text: str) -> None:
        """Implement `uring.watch.alerts.Alerts`."""
        del subject
        self.alerts += text.splitlines()

    def run(self, *failing: str, trouble: SourceTrouble = TIMEOUT) -> str:
        self.clock.advance(TEN_MINUTES)
        failed = dict.fromkeys(failing, trouble)
        fresh = {icao: NONE for icao in AIRPORTS if icao not in failed}
        self.collected = CollectedReports(fresh, failed)
        return self.check("warning").outcome

    def entry(self, product: Product = "warning") -> dict[str, Any]:
        """Return what the index has of a product."""
        self.monitor.run(lambda: 100)
        (entry,) = [
            entry for entry in self.document("data/index.json")["weather"] if entry["id"] == product
        ]
        return dict(entry)


def test_success_is_written_with_each_run() -> None:
    """Also where nothing changes: readers of warnings need to know when somebody asked last."""
    world = World()
    assert [world.run() for _ in range(3)] == ["baseline", "unchanged", "unchanged"]
    for _ in range(5):
        world.run()
        now = timestamp(world.clock())
        assert world.state_of("warning").health.succeeded_at == now
        assert world.entry()["last_success"] == now
    assert world.document("data/warning/health.json")["last_success"] == now
    fetched_at = world.document("data/warning/latest.json")["fetched_at"]
    assert fetched_at == world.entry()["last_change"] < now


def test_a_product_whose_airports_all_fail_has_failed() -> None:
    world = World()
    world.run()
    last = timestamp(world.clock())
    for failures in range(1, 5):
        assert world.run(*AIRPORTS) == "failed"
        health = world.state_of("warning").health
        assert (health.status, health.reason, health.failures) == ("failed", "timeout", failures)
        assert (health.parts, health.failing) == (3, 3)
        assert health.succeeded_at == last
    since = timestamp(world.clock() - timedelta(minutes=30))
    entry = world.entry()
    assert {key: entry[key] for key in ("status", "class", "reason", "since")} == {
        "status": "failed",
        "class": "transient",
        "reason": "timeout",
        "since": since,
    }
    assert (entry["consecutive_failures"], entry["last_success"]) == (4, last)
    assert (entry["parts"], entry["failing"]) == (3, 3)
    assert world.document("data/warning/health.json")["failing"] == 3


def test_a_product_that_never_answered_has_failed_and_no_files() -> None:
    world = World()
    assert world.run(*AIRPORTS) == "failed"
    entry = world.entry()
    assert (entry["status"], entry["last_success"], entry["last_change"]) == ("failed", None, None)
    assert (entry["parts"], entry["failing"]) == (3, 3)
    assert world.entry("taf")["status"] == "pending"
    assert "parts" not in world.entry("taf")


def test_a_product_that_fails_is_asked_at_every_tick_all_the_same() -> None:
    """The gateway's own limits pace it; a warning that came during an outage is urgent."""
    for trouble in (TIMEOUT, QUOTA, FetchFailed("key", "not registered")):
        world = World()
        for failures in range(1, 51):
            assert world.run(*AIRPORTS, trouble=trouble) == "failed"
            health = world.state_of("warning").health
            assert (health.failures, health.retry_at) == (failures, None)
        assert len(world.asked) == 50
        assert world.run() == "baseline"


def test_one_airport_that_fails_is_counted_and_no_failure() -> None:
    world = World()
    world.run()
    since = world.state_of("warning").health.since
    assert world.run(AIRPORTS[1]) == "unchanged"
    health = world.state_of("warning").health
    assert (health.status, health.reason, health.failures) == ("ok", "", 0)
    assert (health.parts, health.failing, health.since) == (3, 1, since)
    entry = world.entry()
    assert (entry["status"], entry["class"], entry["reason"]) == ("ok", "ok", None)
    assert (entry["parts"], entry["failing"]) == (3, 1)
    world.run()
    assert world.entry()["failing"] == 0


def test_a_product_is_well_again_with_the_first_airport_that_answers() -> None:
    world = World()
    world.run()
    world.run(*AIRPORTS)
    world.run(*AIRPORTS)
    world.run(AIRPORTS[0], AIRPORTS[2])
    health = world.state_of("warning").health
    assert (health.status, health.failures, health.failing) == ("ok", 0, 2)
    assert health.since == health.succeeded_at == timestamp(world.clock())


def test_people_hear_of_it_after_three_failures_and_when_it_is_well_again() -> None:
    world = World()
    world.run()
    for _ in range(5):
        world.run(*AIRPORTS, trouble=FetchFailed("key", "not registered"))
        world.entry()
    (line,) = world.alerts
    assert line.startswith("DOWN warning (Airport warnings): key (blocked) since ")
    assert "3 checks in a row" in line
    world.run()
    world.entry()
    assert world.alerts[1:] == ["UP warning (Airport warnings): up again, was blocked"]


def test_people_hear_of_one_airport_that_fails_for_an_hour_and_when_it_is_well_again() -> None:
    """Two of them, one after the other; neither for what all of them have."""
    world = World()
    world.run()
    first, second, third = AIRPORTS
    since = timestamp(world.clock() + timedelta(minutes=10))
    for _ in range(6):
        world.run(first)
        assert world.entry()["failed"] == {first: {"reason": "timeout", "since": since}}
    assert world.alerts == []
    for _ in range(9):
        world.run(first, second)
        world.entry()
    assert [line.partition(",")[0] for line in world.alerts] == [
        f"DOWN warning/{first} (Airport warnings): timeout since {since}",
        (
            f"DOWN warning/{second} (Airport warnings): timeout since "
            f"{timestamp(world.clock() - timedelta(minutes=80))}"
        ),
    ]
    assert "1 of 3 answer" in world.alerts[0]
    for _ in range(9):
        world.run(*AIRPORTS)
        world.entry()
    world.run(second)
    world.entry()
    world.run()
    world.entry()
    told = [line.partition(":")[0] for line in world.alerts[2:] if "warning" in line]
    assert told == [
        "DOWN warning (Airport warnings)",
        "UP warning (Airport warnings)",
        f"UP warning/{first} (Airport warnings)",
        f"UP warning/{second} (Airport warnings)",
    ]
    assert third not in str(world.alerts)


def test_the_reason_is_the_one_that_most_airports_have() -> None:
    world = World()
    world.clock.advance(TEN_MINUTES)
    world.collected = CollectedReports(
        {},
        dict(zip(AIRPORTS, (TIMEOUT, QUOTA, QUOTA), strict=True)),
    )
    check = world.check("warning")
    assert (check.reason, check.detail) == ("quota", "not asked")
    assert class_of(world.state_of("warning").health) == "blocked"


def test_a_warning_that_ends_while_nobody_answers_goes_and_the_product_has_failed() -> None:
    world = World()
    ends = timestamp(world.clock() + timedelta(minutes=15))
    warning = {"wrng_type": "1", "wrng_type_key": "LOW_VISIBILITY", "valid_end": ends}
    warned = {**NONE, "warnings": [warning]}
    world.reports = dict.fromkeys(AIRPORTS, warned)
    world.check("warning")
    assert world.run(*AIRPORTS) == "failed"
    assert world.run(*AIRPORTS) == "changed"
    assert world.document("data/warning/latest.json")["total_count"] == 0
    health = world.state_of("warning").health
    assert (health.status, health.failures, health.failing) == ("failed", 2, 3)
