"""Whatever a gateway does wrong: a line names airport and reason, nothing stored is harmed (W6).

The whole worker over HTTP, against the airfield; each of its faults befalls one airport, or the
list of warnings.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import VirtualClock
from fakes.worlds import WeatherWorld

from uring.fetch.http import Fetcher
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import CollectedReports, Gateway
from uring.weather.product import Product, reported
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.comparable import faults_of_report
from uring_local.sites.airfield.faults import FAULTS
from uring_local.sites.airfield.model import Report

OPENED = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
# METAR and TAF have changed after these.
LATER = timedelta(hours=7)
AIRPORTS = ("RKSI", "RKPC", "RKSS")
ILL = "RKPC"
# After these no other airport is asked in that run.
CLOSING = {"http_429", "hub_quota", "hub_quota_200", "portal_quota", "portal_key"}
WARNING: Any = "warning"
UNKNOWN = "11"
WARNED = ("RKPC", "RKTU", "RKTN", "RKJB", "RKJK")
# When these have warnings.
WARNED_AT = OPENED + timedelta(hours=3)


class World(WeatherWorld):
    """The worker, its clock and the airfield."""

    def __init__(self, airfield: Airfield, airports: tuple[str, ...] = AIRPORTS) -> None:
        self.airfield = airfield
        self.fetcher = Fetcher(
            user_agent="uRing/1", allowed_private_hosts=frozenset({airfield.host})
        )
        clock = VirtualClock(WARNED_AT if airports != AIRPORTS else OPENED)
        super().__init__(clock, airports=airports, push_kinds=())

    def gateway(self) -> GatewayClient:
        return GatewayClient(
            self.fetcher,
            self.airfield.url,
            "authKey",
            self.airfield.key,
            sleep=lambda _: None,
            clock=self.clock,
        )

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        return Gateway(self.gateway, lambda: None).collect(product, airports, now)

    def run(self, product: Any) -> None:
        self.work_queue.dispatch([self.job(product, interval_minutes=5)])
        assert self.poll() == {"batchItemFailures": []}

    def move(self, by: timedelta) -> None:
        self.clock.advance(by.total_seconds())
        self.airfield.advance(self.clock())

    def shown(self, product: str) -> dict[str, dict[str, Any]]:
        airports: dict[str, dict[str, Any]] = self.document(f"data/{product}/latest.json")[
            "airports"
        ]
        return airports


@pytest.fixture
def world() -> Iterator[World]:
    with Airfield(7, opened=OPENED) as airfield:
        yield World(airfield)


CASES = [
    (name, product)
    for name, fault in FAULTS.items()
    for product in fault.products
    if product != WARNING and name not in {"older", "ahead"} and not fault.is_read
]


@pytest.mark.parametrize(("name", "product"), CASES)
def test_one_airport_s_failure_costs_nobody_else(world: World, name: str, product: str) -> None:
    world.run(product)
    before = world.shown(product)
    world.move(LATER)
    world.airfield.inject_fault(name, product, ILL)
    world.run(product)
    after, truth = world.shown(product), world.airfield.truth(product)
    marks = {"_stale", "_stale_since", "_overdue", "_overdue_since"}
    assert {name: after[ILL][name] for name in after[ILL].keys() - marks} == before[ILL]
    closed = {"RKSS"} if name in CLOSING else set()
    for icao in AIRPORTS:
        if icao != ILL and icao not in closed:
            assert [*faults_of_report(truth[icao], after[icao])] == []
            assert "_stale" not in after[icao]
    lines = [x for x in world.telemetry.named("airports_failed") if ILL in x["airports"]]
    (line,) = lines
    assert line["source"] == product
    assert line["reason"]
    assert after[ILL]["_stale"] is True
    assert not world.dead.messages
    assert world.airfield.key not in str([*world.telemetry.events, *world.telemetry.warnings])


@pytest.mark.parametrize(
    "name", [name for name, fault in FAULTS.items() if fault.is_read and "metar" in fault.products]
)
def test_a_report_is_read_but_for_the_part_that_is_wrong(world: World, name: str) -> None:
    world.airfield.inject_fault(name, "metar", ILL)
    world.run("metar")
    (call,) = (call for call in world.airfield.take_calls() if call.icao == ILL)
    assert call.fault == name
    assert isinstance(call.served, Report)
    shown = world.shown("metar")[ILL]
    assert [*faults_of_report(call.served, shown)] == []
    assert "_stale" not in shown
    (note,) = world.telemetry.named("odd_answer")
    assert note["reason"].startswith(f"{ILL}: METAR: ")


@pytest.mark.parametrize("product", ["metar", "taf"])
def test_a_report_of_a_clock_that_is_ahead_is_believed(world: World, product: str) -> None:
    world.airfield.inject_fault("ahead", product, ILL)
    world.run(product)
    (call,) = (call for call in world.airfield.take_calls() if call.icao == ILL)
    assert isinstance(call.served, Report)
    assert call.served.time > world.clock()
    shown = world.shown(product)[ILL]
    assert [*faults_of_report(call.served, shown)] == []
    assert not shown.keys() & {"_stale", "_overdue"}


@pytest.mark.parametrize("product", ["metar", "taf"])
def test_a_report_of_before_is_kept_out_and_named(world: World, product: str) -> None:
    world.run(product)
    before = world.stored(product)
    world.airfield.inject_fault("older", product, ILL)
    world.clock.advance(60)
    world.run(product)
    assert world.stored(product) == before
    (line,) = world.telemetry.named("report_older")
    assert (line["source"], line["icao"]) == (product, ILL)


@pytest.mark.parametrize(
    "name",
    [name for name, each in FAULTS.items() if WARNING in each.products and each.is_read],
)
def test_a_list_with_an_odd_row_is_read_and_lifts_nothing(name: str) -> None:
    with Airfield(7, opened=WARNED_AT) as airfield:
        world = World(airfield, WARNED)
        world.run(WARNING)
        before = world.shown(WARNING)
        airfield.inject_fault(name, WARNING)
        world.clock.advance(60)
        world.run(WARNING)
        assert world.shown(WARNING) == before
        assert not world.telemetry.named("airports_failed")
        assert world.telemetry.named("odd_answer")


@pytest.mark.parametrize(
    "name",
    [name for name, each in FAULTS.items() if WARNING in each.products and not each.is_read],
)
def test_a_list_that_is_not_believed_lifts_nothing(name: str) -> None:
    with Airfield(7, opened=WARNED_AT) as airfield:
        world = World(airfield, WARNED)
        world.run(WARNING)
        before = world.shown(WARNING)
        assert all(each["warnings"] for each in before.values())
        airfield.inject_fault(name, WARNING)
        world.clock.advance(60)
        world.run(WARNING)
        shown = world.shown(WARNING)
        assert {icao: reported(each) for icao, each in shown.items()} == before
        line, *_ = world.telemetry.named("airports_failed")
        assert line["airports"]
        assert line["reason"]
        assert world.telemetry.named("checked")[-1]["failed"] > 0


def test_a_type_that_nobody_knows_is_told_as_it_came() -> None:
    with Airfield(7, opened=WARNED_AT) as airfield:
        world = World(airfield, tuple(airfield.truth(WARNING)))
        for _ in range(100):
            rows = [row for each in airfield.truth(WARNING).values() for row in each]
            if any(row.type == UNKNOWN for row in rows):
                break
            world.move(timedelta(minutes=30))
        world.run(WARNING)
        shown = [row for each in world.shown(WARNING).values() for row in each["warnings"]]
        (row,) = [row for row in shown if row["wrng_type"] == UNKNOWN]
        assert (row["wrng_type_key"], row["wrng_type_name"]) == ("UNKNOWN", UNKNOWN)
        notes = [note["reason"] for note in world.telemetry.named("odd_answer")]
        assert any(f"wrngType {UNKNOWN} is unknown" in note for note in notes)
