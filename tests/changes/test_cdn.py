"""What is announced can be read at the CDN within seconds, and a device can tell (N7, N12)."""

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from fakes import MemoryBucket, Notice, VirtualClock
from fakes.worlds import NoticeWorld, WeatherWorld

# AWS's Managed-CachingOptimized, which the template names.
LEAST_SECONDS = 1
MOST_SECONDS = 31_536_000
# As the documentation says to devices.
PAUSE_SECONDS = 5


@dataclass(frozen=True)
class Copy:
    """An answer that is kept."""

    body: bytes
    cache_control: str
    until: datetime


class Edge:
    """A cache before the bucket: it keeps an answer by s-maxage, or else by max-age."""

    def __init__(self, objects: MemoryBucket, clock: VirtualClock) -> None:
        self._objects = objects
        self._clock = clock
        self._kept: dict[str, Copy] = {}

    def get(self, key: str) -> Copy:
        now = self._clock()
        kept = self._kept.get(key)
        if kept is None or kept.until <= now:
            version = self._objects.versions[key][-1]
            header = version.cache_control or ""
            seconds = _seconds(header, "s-maxage") or _seconds(header, "max-age")
            seconds = min(max(seconds, LEAST_SECONDS), MOST_SECONDS)
            kept = Copy(version.body, header, now + timedelta(seconds=seconds))
            self._kept[key] = kept
        return kept


def _seconds(header: str, name: str) -> int:
    found = re.search(rf"(?:^|[ ,]){name}=(\d+)", header)
    return int(found[1]) if found else 0


class Department(NoticeWorld):
    """A board whose notice 3 is news."""

    key, stamp = "data/cs/latest.json", "last_updated"

    def before(self) -> None:
        self.check()

    def news(self) -> None:
        self.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
        self.check()

    def has_it(self, document: Any) -> bool:
        return bool(document["items"][0]["id"] == "3")

    def updated(self, document: Any) -> str:
        return str(document["meta"]["last_updated"])


class Product(WeatherWorld):
    """METAR, of which a SPECI is news."""

    key = "data/metar/latest.json"

    def before(self) -> None:
        self.reports = dict.fromkeys(self.airports, self.report("METAR", 0))
        self.check()

    def news(self) -> None:
        self.reports["RKSI"] = self.report("SPECI", 8)
        self.check()

    def report(self, kind: str, minute: int) -> dict[str, Any]:
        header = {"report_type": kind, "observation_time": f"2026-03-02T01:0{minute}:00Z"}
        return {"header": header, "raw": kind}

    def has_it(self, document: Any) -> bool:
        return bool(document["airports"]["RKSI"]["raw"] == "SPECI")

    def updated(self, document: Any) -> str:
        return str(document["fetched_at"])


each_world = pytest.mark.parametrize("world_of", [Department, Product])


@each_world
@pytest.mark.parametrize("before_the_news", [0, 1, 4, 5, 299])
def test_a_device_that_is_told_reads_it_after_one_pause_at_the_most(
    world_of: type[Department | Product], before_the_news: int
) -> None:
    """Another reader had the edge keep the old one, some seconds before."""
    world = world_of()
    world.before()
    world.clock.advance(600)
    edge = Edge(world.bucket, world.clock)
    edge.get(world.key)
    world.clock.advance(before_the_news)
    world.news()
    (push,) = world.messages()
    document = json.loads(edge.get(world.key).body)
    is_old = world.updated(document) < push.detected_at
    assert is_old != world.has_it(document), "the rule by which a device knows"
    if is_old:
        world.clock.advance(PAUSE_SECONDS)
        document = json.loads(edge.get(world.key).body)
    assert world.updated(document) >= push.detected_at
    assert world.has_it(document)


@each_world
def test_readers_that_were_told_nothing_keep_their_copy_for_minutes(
    world_of: type[Department | Product],
) -> None:
    world = world_of()
    world.before()
    header = world.bucket.versions[world.key][-1].cache_control or ""
    assert _seconds(header, "max-age") >= 60
    assert LEAST_SECONDS <= _seconds(header, "s-maxage") <= PAUSE_SECONDS
