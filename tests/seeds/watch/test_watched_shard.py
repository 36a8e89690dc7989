"""A shard as the monitor shows it: index, health and alerts."""

import json
from typing import Any

import pytest
from fakes.watched_domains import OUTAGE, SOURCE, WATCH, Site, WatchWorld

from uring.functions.families import family, folders_beside
from uring.seeds.registration import NAME
from uring.watch.monitor import Monitor, WatchedFamily

ENVIRONMENT = {"WATCHES_KEY": "config/watches.json"}


class Monitored(WatchWorld):
    """A shard and the real monitor."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.bucket.plant("config/watches.json", json.dumps({"watches": [WATCH]}).encode())
        registered = family(NAME)
        watched = WatchedFamily(
            registered,
            lambda: registered.watched(ENVIRONMENT, self.bucket, folders_beside(NAME)),
        )
        self.monitor = Monitor([watched], self.bucket, self, self.telemetry, clock=self.clock)

    def send(self, subject: str, text: str) -> None:
        """Implement `uring.watch.alerts`' mail."""
        del subject
        self.sent += text.splitlines()

    def watch(self) -> dict[str, Any]:
        """Run the monitor; return the shard's entry in the index."""
        self.monitor.run(lambda: 100.0)
        (entry,) = self.document("data/index.json")["watches"]
        return dict(entry)

    def day(self) -> dict[str, Any]:
        self.check()
        return self.watch()


@pytest.fixture
def world() -> Monitored:
    return Monitored()


def test_the_index_has_the_shard_with_its_file_and_no_feed(world: Monitored) -> None:
    entry = world.day()
    assert (entry["id"], entry["status"]) == (SOURCE, "ok")
    assert entry["latest"] == f"{SOURCE}/latest.json"
    assert not [key for key in world.bucket.versions if "feed" in key]


def test_a_watch_that_waits_for_its_first_day_is_not_down(world: Monitored) -> None:
    assert world.watch()["status"] == "pending"
    assert world.sent == []


def test_one_domain_that_fails_for_ever_is_told_to_nobody(world: Monitored) -> None:
    for _ in range(5):
        world.day()
        world.web.sites["mom.gov.sg"] = Site(OUTAGE)
    assert world.sent == []
    assert world.watch()["status"] == "ok"


def test_when_most_fail_for_days_people_are_told_once_and_when_it_is_over(
    world: Monitored,
) -> None:
    world.day()
    sites = dict(world.web.sites)
    for domain in world.domains:
        world.web.sites[domain] = Site(OUTAGE)
    for _ in range(4):
        world.day()
    (line,) = world.sent
    assert line.startswith(f"DOWN {SOURCE}")
    assert "the worker's own way to the web" in line
    world.web.sites.update(sites)
    world.day()
    assert world.sent[1].startswith(f"UP {SOURCE}")
