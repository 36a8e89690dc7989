"""Days of the weather through the real client, reader and worker, in memory, and their judge.

``uring run`` plays the same days through the whole stack; here a week takes half a minute. A run
plays one day of one seed at each share of faults, ``URING_SEEDS=1,2,3`` others, ``URING_DAYS=7``
more.
"""

import cmath
import json
import math
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from fakes.worlds import WeatherWorld
from played_bucket import PlayedBucket

from uring.fetch.http import Fetcher, Response
from uring.fetch.request import Request
from uring.push.payload import compose
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import CollectedReports, Gateway
from uring.weather.product import Product
from uring.weather.runways import read_runways
from uring_local import loopback
from uring_local.fcm.journal import Delivery
from uring_local.loopback import Answer, LoopbackServer
from uring_local.run.launch import PARAMETERS, STACK_NAME, TEMPLATE
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.simulation import PRODUCTS, AirfieldSimulation
from uring_local.sites.stage.simulation import World
from uring_local.sites.stage.verdict import Verdict
from uring_local.template.template import load

DAYS = int(os.environ.get("URING_DAYS", "1"))
SEEDS = os.environ.get("URING_SEEDS", "3").split(",")
TICK = timedelta(minutes=5)
VARIABLES = load(TEMPLATE, PARAMETERS, STACK_NAME).variables()
# All kinds of push, also the one that is off by default, and the runways of one airport.
VARIABLES["WeatherWorker"]["PUSH_KINDS"] += ",category_changed"
RUNWAYS = read_runways("RKSI:15L=144,33R=324")
MINUTES = {
    product: int(VARIABLES["WeatherOrchestrator"][f"{product.upper()}_MINUTES"])
    for product in PRODUCTS
}


class Shortcut(Fetcher):
    """The airfield without sockets for whole answers; every other goes over HTTP on loopback."""

    def __init__(self, airfield: Airfield, wire: LoopbackServer) -> None:
        super().__init__(user_agent="uring-test/1", allowed_private_hosts=[wire.host])
        self._airfield, self._wire = airfield, wire

    def fetch(self, request: Request) -> Response:
        target = request.url.removeprefix(f"http://{self._airfield.host}")
        answer = self._airfield.respond(loopback.Request("GET", target))
        is_plain = answer.status == 200 and answer.manner == "whole" and answer.stream is None
        if not is_plain or len(answer.body) > 100_000 or "Content-Length" in answer.headers:
            self._wire.answer = answer  # type: ignore[attr-defined]
            return super().fetch(replace(request, url=f"http://{self._wire.host}{target}"))
        kind = answer.headers.get("Content-Type")
        return Response(200, request.url, answer.body, kind, None, None, requests=1)


class Wire(LoopbackServer):
    """Gives one answer over HTTP."""

    def __init__(self) -> None:
        self.answer = Answer(404)
        super().__init__(lambda _: self.answer)


class Field(WeatherWorld):
    """The products over the airfield's own gateway."""

    def __init__(self, airfield: Airfield, fetcher: Fetcher) -> None:
        worker = VARIABLES["WeatherWorker"]
        kinds = worker["PUSH_KINDS"].split(",")
        self._gateway = Gateway(
            lambda: GatewayClient(
                fetcher,
                airfield.url,
                "authKey",
                airfield.key,
                sleep=lambda _: None,
                clock=self.clock,
            ),
            lambda: None,
        )
        airports = worker["AIRPORTS"].split(",")
        super().__init__(airports=airports, push_kinds=kinds, runways=RUNWAYS)

    def collect(self, product: Product, airports: Any, now: datetime) -> CollectedReports:
        return self._gateway.collect(product, airports, now)


class Checker:
    """Looks at every stored byte after each tick, and shares no code with the judge."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self._archived: dict[str, bytes] = {}
        self._seqs: dict[str, int] = {}

    def look(self, bodies: Mapping[str, bytes], now: datetime) -> None:
        for product, name in {"metar": "METAR", "taf": "TAF", "warning": "WARNINGS"}.items():
            folder = f"data/{product}/"
            files = sorted(key for key in bodies if key.startswith(f"{folder}{name}_"))
            if not files:
                continue
            latest = json.loads(bodies[f"{folder}latest.json"])
            self._say(len(files) <= 10, f"{product}: {len(files)} files")
            self._say(latest["seq"] >= self._seqs.get(product, 0), f"{product}: seq goes back")
            self._seqs[product] = latest["seq"]
            stamp = latest["fetched_at"].translate({ord("-"): None, ord(":"): None})
            self._say(files[-1] == f"{folder}{name}_{stamp}.json", f"{product}: {files[-1]}")
            for key in files:
                known = self._archived.setdefault(key, bodies[key])
                self._say(known == bodies[key], f"{key} was written twice")
            self._reports(product, latest, now)

    def _reports(self, product: str, latest: Mapping[str, Any], now: datetime) -> None:
        shown = f"{now:%Y-%m-%dT%H:%M:%SZ}"
        for icao, report in latest["airports"].items():
            where = f"{shown} {product} {icao}"
            for mark in ("_stale", "_overdue"):
                since = report.get(f"{mark}_since")
                self._say((mark in report) == (since is not None), f"{where}: {mark} without since")
                self._say(since is None or since <= shown, f"{where}: {mark} of the future")
            if product == "warning":
                ends = [each["valid_end"] for each in report["warnings"] if each["valid_end"]]
                self._say(all(end > shown for end in ends), f"{where}: an ended warning")
            if product == "taf" and not report["header"].get("nil"):
                end = report["header"]["valid_end"]
                is_over = end is not None and end <= shown
                self._say(is_over == ("_expired" in report), f"{where}: _expired, ends {end}")
            if product == "metar" and "_overdue" not in report:
                age = now - datetime.fromisoformat(report["header"]["observation_time"])
                self._say(age <= timedelta(minutes=100), f"{where}: {age} old, and not overdue")
        if product == "metar" and "RKSI" in latest["airports"]:
            self._components(shown, latest["airports"]["RKSI"])
        if product == "warning":
            count = sum(len(each["warnings"]) for each in latest["airports"].values())
            self._say(latest["total_count"] == count, f"{shown}: total_count")

    def _components(self, shown: str, report: Mapping[str, Any]) -> None:
        wind = (report["observation"] or {}).get("wind") or {}
        speed, told = wind.get("speed"), wind.get("runways", [])
        is_due = speed is not None and wind["direction"] is not None and not wind["variable"]
        self._say(len(told) == 2 * is_due, f"{shown}: wind {wind}")
        for each, heading in zip(told, (144, 324), strict=False):
            turned = cmath.rect(speed, math.radians(wind["direction"] - heading))
            given = complex(each["headwind"], each["crosswind"])
            self._say(abs(turned - given) <= 1, f"{shown}: {each} of {wind}")

    def _say(self, is_right: bool, fault: str) -> None:  # noqa: FBT001
        if not is_right:
            self.faults.append(fault)


def played(seed: int, failing: float) -> tuple[Verdict, Checker]:
    """The verdicts on all ticks of a seed."""
    simulation = AirfieldSimulation(
        World(seed, date(2026, 3, 2), failing=failing, variables=VARIABLES)
    )
    airfield = simulation.site
    assert isinstance(airfield, Airfield)
    with simulation, Wire() as wire:
        world, checker = Field(airfield, Shortcut(airfield, wire)), Checker()
        published = PlayedBucket(world.bucket)
        for tick in range(DAYS * 288):
            at = simulation.opened + tick * TICK
            world.clock.now = at
            simulation.advance(tick + 1, at)
            for product, minutes in MINUTES.items():
                if int(at.timestamp()) % (minutes * 60) < TICK.total_seconds():
                    world.check(product, interval_minutes=minutes)  # type: ignore[arg-type]
            simulation.inspect(at, published)
            checker.look(world.bucket.bodies(), at)
    deliveries = [
        Delivery(change.event_id, change.topic, compose(change).data, world.clock(), 1, "ok")
        for change in world.messages()
    ]
    return simulation.judge(published, deliveries, ()), checker


@pytest.mark.parametrize("failing", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("seed", SEEDS)
def test_its_days_end_as_the_gateway_had_them(seed: str, failing: float) -> None:
    verdict, checker = played(int(seed), failing)
    assert verdict.problems == []
    assert verdict.pushed == verdict.expected
    assert checker.faults == []
