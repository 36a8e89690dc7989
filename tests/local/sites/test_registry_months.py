"""Forty days of the registries through the real sync and reader, in memory, and their judge.

``uring run`` plays the same days through the whole stack; here they take seconds. A run plays one
of the eight seeds, ``URING_SEEDS=1,2,3`` others, ``URING_DAYS=100`` more.
"""

import hashlib
import os
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from importlib import import_module
from types import MappingProxyType
from typing import Any

import pytest
from fakes.worlds import RegulationWorld
from played_bucket import PlayedBucket

from uring.errors import FetchFailed
from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.formats import format_of
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.push.payload import compose
from uring_local import loopback
from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.model import OPENED
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.registry.site import RegistrySite
from uring_local.sites.stage.simulation import World
from uring_local.sites.stage.verdict import Verdict

DAYS = int(os.environ.get("URING_DAYS", "40"))
SEEDS = os.environ.get("URING_SEEDS", "4").split(",")


class Loopless:
    """The site without its sockets; it implements `uring.fetch.Fetches`."""

    def __init__(self, site: RegistrySite) -> None:
        self._site = site
        self.late = ""

    def fetch(self, request: Request) -> Response:
        if self.late and self.late in request.url:
            raise FetchFailed("timeout", "the answer was not complete in time")
        target = request.url.removeprefix(f"http://{self._site.host}")
        tags = {"if-none-match": request.etag} if request.etag else {}
        answer = self._site.respond(loopback.Request("GET", target, tags))
        if answer.manner != "whole":
            raise FetchFailed("timeout", "no answer")
        if answer.status not in (200, 304):
            reason = "not_found" if answer.status == 404 else "http_status"
            raise FetchFailed(reason, f"HTTP {answer.status}", status=answer.status)
        return Response(
            status=answer.status,
            url=request.url,
            body=answer.body,
            content_type=answer.headers.get("Content-Type"),
            etag=answer.headers.get("ETag"),
            last_modified=None,
            requests=1,
        )


def read_here(body: bytes, formats: Collection[str]) -> Extraction:
    """Read a sound file without a process of its own; leave every other to `extract`."""
    format_, limits = format_of(body), ExtractLimits()
    if format_ not in formats:
        return extract(body, formats=formats)
    reader = import_module(f"uring.extract.readers.{format_}")
    try:
        reading: FileReading = reader.read(body, limits)
    except Unreadable:
        return extract(body, formats=formats)
    if not reading.text.strip():
        return extract(body, formats=formats)
    return Extraction(
        outcome="text",
        format=format_,
        text=reading.text,
        pages=reading.pages,
        source_sha256=hashlib.sha256(body).hexdigest(),
    )


class InMemory(PlayedBucket):
    """The bucket and the table of a world."""

    def __init__(self, world: RegulationWorld) -> None:
        super().__init__(world.bucket)
        self._world = world

    def table(self, name: str, partition: str) -> dict[str, dict[str, Any]]:
        del name
        return {key: dict(item) for key, item in self._world.items.query(partition, "")}


def played(
    seed: int,
    days: int = DAYS,
    late: Mapping[int, str] = MappingProxyType({}),
    *,
    told: bool = True,
) -> Verdict:
    """The verdict on the days of a seed; on late ones no address of this part is read in time."""
    simulation = RegistrySimulation(World(seed, date(2026, 3, 2)))
    site = simulation.site
    assert isinstance(site, RegistrySite)
    world = RegulationWorld(extract=read_here)
    fetcher = world.site = world.texts.site = Loopless(site)  # type: ignore[assignment]
    world.restart()
    world.texts.restart()
    published = InMemory(world)
    entries: list[Mapping[str, Any]] = site.entries()["registries"]
    with simulation:
        for day in range(1, days + 1):
            at = OPENED + timedelta(days=day - 1)
            world.clock.now = at
            simulation.advance(day, at)
            reports = []
            for entry in entries:
                job = world.job(entry["id"], interval_minutes=1440, entry=entry)
                fetcher.late = late.get(day, "")
                check = world.checker.check(job)
                fetcher.late = ""
                reason = {"reason": check.reason, "detail": check.detail} if told else {}
                reports.append({"event": check.outcome, "source": entry["id"], **reason})
            world.read()
            simulation.inspect(at, published)
            # A deployed function's log is read when all queues are empty already.
            for report in reports:
                simulation.observe(report)
    deliveries = [
        Delivery(change.event_id, change.topic, compose(change).data, world.clock(), 1, "ok")
        for change in (*world.messages(), *world.texts.messages())
    ]
    return simulation.judge(published, deliveries, ())


@pytest.mark.parametrize("seed", SEEDS)
def test_its_days_end_as_the_journal_has_them(seed: str) -> None:
    verdict = played(int(seed))
    assert verdict.problems == []
    assert verdict.pushed == verdict.expected > 100


# Its robots.txt is known from the day before, and the list is read.
LATE = {5: "key=", 7: "/robots.txt", 9: "key="}


def test_a_list_that_a_busy_machine_did_not_read_is_made_up_for_on_the_next_day() -> None:
    """The verdict counts them. A product that fails without a word of why is at fault."""
    verdict = played(4, 12, late=LATE)
    assert verdict.problems == []
    assert verdict.figures["not_read_in_time"] == 2
    assert played(4, 12, late=LATE, told=False).wrong
