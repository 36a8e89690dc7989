"""A tick: one job for each department that is due, whatever the other entries are (N1 to N3)."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import (
    ENTRY,
    MemoryObjects,
    MemoryQueue,
    MemoryWorkQueue,
    RecordingTelemetry,
    VirtualClock,
)

from uring.contracts import CollectNotices
from uring.errors import ConfigInvalid, Misconfigured, Unavailable
from uring.notices.config import Source
from uring.notices.orchestrate import NoticeOrchestrator

KEY = "config/sitemap.json"
WHEN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


class World:
    """A bucket with a sitemap and a work queue."""

    def __init__(self, *entries: Any) -> None:
        self.clock = VirtualClock(WHEN)
        self.objects = MemoryObjects(self.clock)
        self.queue = MemoryQueue(self.clock)
        self.work = MemoryWorkQueue(self.queue)
        self.telemetry = RecordingTelemetry()
        self.objects.plant(KEY, json.dumps({"sources": entries}).encode())
        self.orchestrator = NoticeOrchestrator(
            self.objects, self.work, self.telemetry, config_key=KEY, tick_minutes=10
        )

    def jobs(self) -> list[CollectNotices]:
        return [CollectNotices.parse(message.body) for message in self.queue.messages]


def entry(source_id: str, **more: Any) -> dict[str, Any]:
    return {**ENTRY, "id": source_id, **more}


def test_a_tick_makes_one_job_for_each_department_in_a_group_of_its_own() -> None:
    world = World(entry("cs"), entry("ee"))
    assert world.orchestrator.tick(WHEN) == 2
    assert {message.group for message in world.queue.messages} == {"cs", "ee"}
    assert {job.scheduled_at for job in world.jobs()} == {WHEN}


def test_a_job_carries_its_entry_whole() -> None:
    """So the worker needs no second read; what it reads is the same entry."""
    world = World(entry("cs", interval_minutes=30))
    world.orchestrator.tick(WHEN)
    (job,) = world.jobs()
    assert Source.model_validate(job.source) == Source.model_validate(
        entry("cs", interval_minutes=30)
    )
    assert (
        Source.model_validate(job.source).fingerprint
        == Source.model_validate(entry("cs", interval_minutes=30)).fingerprint
    )


def test_the_same_tick_again_makes_the_same_jobs() -> None:
    world = World(entry("cs"), entry("ee"))
    world.orchestrator.tick(WHEN)
    world.clock.advance(200)
    world.orchestrator.tick(WHEN + timedelta(seconds=30))
    assert len(world.queue.messages) == 2
    world.orchestrator.tick(WHEN + timedelta(minutes=10))
    assert len(world.queue.messages) == 4


def test_a_bad_entry_is_reported_with_its_place_and_costs_no_other() -> None:
    world = World(entry("cs"), entry("ee", surprise=1), "nonsense", entry("cs"), entry("me"))
    assert world.orchestrator.tick(WHEN) == 2
    assert {job.source["id"] for job in world.jobs()} == {"cs", "me"}
    problems = world.telemetry.named("entry_refused")
    assert [problem["path"] for problem in problems] == [
        "sources[1].surprise",
        "sources[2]",
        "sources[3].id",
    ]
    assert all(problem["remedy"] for problem in problems)
    assert world.telemetry.counts["EntriesRefused"] == 3


def test_every_tick_has_an_order_of_its_own() -> None:
    """So that no site is asked at the same second of each, and none is always the last."""
    orders = set()
    for tick in range(8):
        world = World(*(entry(f"d{number}") for number in range(4)))
        world.orchestrator.tick(WHEN + tick * timedelta(minutes=10))
        orders.add(tuple(job.source["id"] for job in world.jobs()))
    assert len(orders) > 4


def test_no_refused_entries_is_a_count_of_none() -> None:
    """A metric that is missing cannot bring its alarm back to OK."""
    world = World(entry("cs"))
    world.orchestrator.tick(WHEN)
    assert world.telemetry.counts == {"EntriesRefused": 0}


@pytest.mark.parametrize(
    ("interval", "minutes"),
    [
        (10, [0, 10, 20, 30, 40, 50]),
        (20, [0, 20, 40]),
        (30, [0, 30]),
        (60, [0]),
    ],
)
@pytest.mark.parametrize("offset", [0, 3, 9])
def test_an_interval_is_so_many_ticks(interval: int, minutes: list[int], offset: int) -> None:
    """Also when the schedule does not start at a full ten minutes."""
    world = World(entry("cs", interval_minutes=interval))
    due = [
        minute
        for minute in range(0, 60, 10)
        if world.orchestrator.tick(WHEN + timedelta(minutes=minute + offset))
    ]
    assert due == minutes


def test_a_daily_source_is_due_once_a_day() -> None:
    world = World(entry("cs", interval_minutes=1440))
    day = [world.orchestrator.tick(WHEN + timedelta(minutes=10 * tick)) for tick in range(144)]
    assert sum(day) == 1


def test_a_missing_sitemap_names_its_key_and_how_to_upload_it() -> None:
    world = World()
    world.objects.remove(KEY)
    with pytest.raises(
        Misconfigured, match=rf"^{KEY} is not in the bucket; upload .*`uring config upload"
    ):
        world.orchestrator.tick(WHEN)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"sources": {}}', b"\xff\xfe"])
def test_an_unreadable_sitemap_dispatches_nothing(body: bytes) -> None:
    world = World()
    world.objects.plant(KEY, body)
    with pytest.raises(ConfigInvalid):
        world.orchestrator.tick(WHEN)
    assert world.queue.messages == []


def test_a_sitemap_without_sources_is_no_error() -> None:
    world = World()
    assert world.orchestrator.tick(WHEN) == 0


def test_refused_jobs_fail_the_tick_and_a_repeat_sends_only_them() -> None:
    world = World(entry("cs"), entry("ee"))
    world.work.refuses = lambda job: job.source["id"] == "ee"
    with pytest.raises(Unavailable, match="refused 1 of 2 jobs"):
        world.orchestrator.tick(WHEN)
    world.work.refuses = lambda _: False
    world.orchestrator.tick(WHEN)
    assert {message.group for message in world.queue.messages} == {"cs", "ee"}
