"""A registry as the monitor shows it: health, feeds, index, alerts (R11, N24, N25)."""

import json
from typing import Any

import pytest
from fakes.registry import REGISTRY, Rule
from fakes.worlds import RegulationWorld

from uring.functions.families import family, folders_beside
from uring.regulations.registration import NAME
from uring.watch.monitor import Monitor, WatchedFamily

ALL = tuple(Rule(f"규정 {number}", str(number)) for number in range(1, 41))
ENVIRONMENT = {"REGISTRIES_KEY": "config/registries.json"}


class Watched(RegulationWorld):
    """A registry and the real monitor."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        document = json.dumps({"registries": [REGISTRY]}).encode()
        self.bucket.plant("config/registries.json", document)
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

    def watch(self) -> None:
        self.monitor.run(lambda: 100.0)

    def index(self) -> dict[str, Any]:
        (entry,) = self.document("data/index.json")["registries"]
        return dict(entry)


@pytest.fixture
def world() -> Watched:
    return Watched()


def test_the_index_has_the_registry_with_its_files(world: Watched) -> None:
    world.day(*ALL)
    world.watch()
    assert world.index()["id"] == "rules"
    assert world.index()["latest"] == "rules/latest.json"
    assert world.index()["status"] == "ok"
    assert world.document("data/rules/health.json")["status"] == "ok"


def test_a_feed_entry_leads_to_the_regulation(world: Watched) -> None:
    world.day(*ALL)
    world.watch()
    item = world.document("data/rules/feed.json")["items"][0]
    assert item["title"] == "규정 1"
    assert item["url"] == "https://rules.example.ac.kr/www/previewMenuCntFile.do?key=7&fileNo=1"


def test_a_registry_that_waits_for_its_first_day_is_not_down(world: Watched) -> None:
    world.watch()
    world.clock.advance(days=1)
    world.watch()
    assert world.index()["status"] == "pending"
    assert world.sent == []


def test_a_registry_that_fails_for_three_days_is_told_once_and_when_it_is_back(
    world: Watched,
) -> None:
    world.day(*ALL)
    for _ in range(4):
        world.day(*ALL[:3])
        world.watch()
    assert [line.partition(" (")[0] for line in world.sent if "rules" in line] == ["DOWN rules"]
    world.day(*ALL)
    world.watch()
    assert any(line.startswith("UP rules") for line in world.sent)
