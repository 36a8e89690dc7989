"""What a third family gets from the engine alone: all of it, in a hundred and thirty lines."""

import json
import random
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "faults"))

from cloud import MOST_EXTRA_TICKS, Handles
from fakes import MemoryWorkQueue
from faulty import KINDS, Faults, FaultyBucket
from toy_family import NAME, Recall, Recalls, Registration, Shelf
from verdict import CAUSES, UNEXPLAINED, RecordWorld, Shown, Verdict, judge

from uring.changes.jobs import Orchestrator, Planned
from uring.contracts import Job
from uring.errors import FetchFailed
from uring.records.model import RecordState
from uring.watch.monitor import Monitor, WatchedFamily

TOY = Path(__file__).with_name("toy_family.py")
TICK = timedelta(minutes=10)
SAW, KETTLE, LAMP = (Recall(name, name[0], "hot") for name in ("saw", "kettle", "lamp"))
# A record is edited, renamed with another reason, deleted; it comes back, and the shop is closed.
SHELVES: tuple[Shelf, ...] = (
    [SAW, KETTLE],
    [SAW, Recall("kettle", "k", "very hot"), LAMP],
    [Recall("chain saw", "s", "sharp"), Recall("kettle", "k", "very hot"), LAMP],
    [Recall("chain saw", "s", "sharp"), LAMP],
    FetchFailed("timeout", "the shop is closed"),
    [Recall("chain saw", "s", "sharp"), LAMP, KETTLE],
)


class Shop(RecordWorld):
    """A shop with its bucket, queues, ledger, FCM and people who are told."""

    family, source, model = NAME, "shop", RecordState
    fields = ("title", "batch", "reason")

    def __init__(
        self, shelves: Sequence[Shelf] = SHELVES, plan: Mapping[int, str] | None = None
    ) -> None:
        self.shelves = shelves
        self.begins = datetime(2026, 3, 31, 23, 5, tzinfo=UTC)
        self.mail: list[tuple[str, str]] = []
        super().__init__(self.begins, plan)
        watched = WatchedFamily(
            Registration(), lambda: Registration().watched({}, self.objects, {})
        )
        self.monitor = Monitor([watched], self.objects, self, self.telemetry, clock=self.clock)

    def send(self, subject: str, text: str) -> None:
        self.mail.append((subject, text))

    def run(self) -> None:
        """From the baseline until every shelf was seen and all is quiet."""
        self.faults.counting = False
        for number in range(len(self.shelves) + MOST_EXTRA_TICKS):
            self.clock.now = max(self.clock.now, self.begins + number * TICK)
            quiet = self.round()
            self.faults.counting = True
            if quiet and self._place() >= len(self.shelves) and not self._waits():
                break

    def tick(self) -> None:
        job = Job(family=NAME, source="shop", scheduled_at=self.clock(), interval_minutes=10)
        self.work.send(job.group, job.job_id, job.body())

    def new_worker(self, faults: Faults) -> Handles:
        objects = FaultyBucket(self.objects, faults)
        recalls = Recalls(self.shelf, objects, backoff=self.backoff)
        return self.worker_of(recalls, RecordState, objects, faults)

    def shelf(self) -> Shelf:
        return self.shelves[min(self._place(), len(self.shelves) - 1)]

    def meta(self) -> dict[str, str]:
        return {"name": "Recalls of shop"}

    def site(self) -> dict[str, Shown]:
        shelf = self.shelves[-1]
        assert not isinstance(shelf, FetchFailed)
        return {each.name: (each.name, each.batch, each.reason) for each in shelf}

    def document(self, key: str) -> Any:
        return json.loads(self.objects.body(key))

    def kinds(self) -> list[tuple[str, str]]:
        return [(post.data["kind"], post.data["id"]) for post in self.fcm.accepted]

    def _place(self) -> int:
        return int((self.clock() - self.begins) / TICK)

    def _waits(self) -> bool:
        checks = [fields for name, fields in self.telemetry.events if name == "checked"]
        return bool(checks) and checks[-1]["outcome"] == "waiting"


def judged(shop: Shop) -> Verdict:
    return judge(shop, hot_items=30)


def test_it_is_small() -> None:
    assert len(TOY.read_text().splitlines()) <= 150


def test_its_changes_are_committed_archived_shown_and_pushed() -> None:
    shop = Shop()
    shop.run()
    assert not judged(shop).wrong, str(judged(shop))
    assert shop.kinds() == [
        ("new", "lamp"),
        ("edited", "kettle"),
        ("renamed", "chain saw"),
        ("deleted", "kettle"),
        ("returned", "kettle"),
    ]
    items = shop.document("data/shop/latest.json")["items"]
    assert [item["id"] for item in items] == ["kettle", "chain saw", "lamp"]
    archive = b"".join(
        body for key, body in sorted(shop.objects.bodies().items()) if "/archive/" in key
    )
    lines = [json.loads(line) for line in archive.splitlines()]
    assert [line["renamed_from"] for line in lines if line["kind"] == "renamed"] == ["saw"]
    pushed = [post.data for post in shop.fcm.accepted if post.data["kind"] == "renamed"]
    assert [data["renamed_from"] for data in pushed] == ["saw"]


def test_its_feed_health_index_and_alerts_come_from_the_monitor() -> None:
    shop = Shop([[SAW], FetchFailed("timeout", "closed")])
    for number in range(4):
        shop.clock.now = shop.begins + number * TICK
        shop.round()
    shop.monitor.run(lambda: 100)
    feed = shop.document("data/shop/feed.json")
    assert [item["title"] for item in feed["items"]] == ["saw"]
    assert b"urn:uring:recalls:shop:saw" in shop.objects.body("data/shop/feed.atom")
    assert shop.document("data/shop/health.json")["status"] == "failed"
    (entry,) = shop.document("data/index.json")["recalls"]
    assert (entry["id"], entry["class"], entry["reason"]) == ("shop", "transient", "timeout")
    ((subject, text),) = shop.mail
    assert subject == "uRing: 1 sources down, 0 up"
    assert text.startswith("DOWN shop (A shop): timeout (transient)")
    shop.shelves = [[SAW]]
    shop.clock.advance(hours=2)
    shop.round()
    shop.monitor.run(lambda: 100)
    assert shop.mail[1:] == [
        ("uRing: 0 sources down, 1 up", "UP shop (A shop): well again, was transient")
    ]


def test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does() -> None:
    shop = Shop()
    shop.run()
    faults = [
        (number, kind) for number, call in enumerate(shop.faults.calls) for kind in KINDS[call]
    ]
    causes = set()
    for number, kind in faults:
        broken = Shop(plan={number: kind})
        broken.run()
        verdict = judged(broken)
        assert not verdict.wrong, f"{number}:{kind}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, f"{number}:{kind}"
        causes |= verdict.doubled.keys()
    assert causes == set(CAUSES.values())


def test_pairs_of_faults_lose_nothing() -> None:
    shop = Shop()
    shop.run()
    chance = random.Random(NAME)
    calls = shop.faults.calls
    for _ in range(60):
        first, second = sorted(chance.sample(range(len(calls)), 2))
        plan = {number: chance.choice(KINDS[calls[number]]) for number in (first, second)}
        broken = Shop(plan=plan)
        broken.run()
        assert not judged(broken).wrong, f"{plan}: {judged(broken)}"


@pytest.mark.parametrize("minutes", [10, 30])
def test_its_jobs_come_from_the_engine_s_orchestrator(minutes: int) -> None:
    shop = Shop()
    orchestrator = Orchestrator(
        NAME,
        lambda: [Planned("shop", minutes)],
        MemoryWorkQueue(shop.work),
        shop.telemetry,
        tick_minutes=10,
    )
    midnight = datetime(2026, 4, 1, tzinfo=UTC)
    due = [orchestrator.tick(midnight + number * TICK) for number in range(6)]
    assert due == [int(number * 10 % minutes == 0) for number in range(6)]
    job = Job.parse(shop.work.messages[0].body)
    assert (job.family, job.source, job.interval_minutes) == (NAME, "shop", minutes)
