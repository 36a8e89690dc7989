"""The shop of the toy family: a world of its own, from the shelf to people who are told."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cloud import MOST_EXTRA_TICKS, Handles
from fakes.toy_family import NAME, Recall, Recalls, Registration, Shelf
from faulty import Faults, FaultyBucket
from verdict import RecordWorld, Shown

from uring.contracts import Job
from uring.errors import FetchFailed
from uring.records.model import RecordState
from uring.watch.monitor import Monitor, WatchedFamily

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
