"""Three ticks of ten thousand departments in one process: nothing is dropped, every push is right.

See README.md beside this file. Ends with 1 where a job was dropped or failed, or a push is missing
or one too many.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fakes import (
    MemoryLedger,
    MemoryQueue,
    MemorySourceQueue,
    VirtualClock,
    lambda_event,
)
from fakes.worlds import NoticeWorld
from lines import Child
from pages import entry, source_id
from rich.console import Console
from rich.table import Table

from uring.changes.hinting import CurrentHints
from uring.changes.jobs import Orchestrator, Ticks
from uring.changes.shard import Shard, shards_between
from uring.fetch.http import Fetcher
from uring.functions.families import named
from uring.notices.registration import ENTRIES, NAME, WHAT, NoticesRegistration
from uring.notices.source import Source
from uring.push.notifier import Notifier
from uring.push.payload import Push
from uring.push.ports import Sent
from uring.sources.config import SOURCE_LIMIT
from uring.sources.plan import EntriesPlan
from uring.sources.shards import SHARDS
from uring.watch.monitor import Monitor, WatchedFamily

_SITEMAP: Final = "config/sitemap.json"
_BEGAN: Final = datetime(2024, 3, 7, tzinfo=UTC)
_TICKS: Final = 3
_TICK: Final = timedelta(minutes=10)
# One department in so many has a new notice in the second tick, and another in the third.
_EVERY: Final = 20
_PAGE_BYTES: Final = 12_000
Row = tuple[str, ...]


class Departments:
    """Departments on loopback, and the functions that check them.

    Args:
        world: the process that serves the pages.
        count: of the departments.
        most: entries of a shard.
        workers: side by side; this process does the work of all, and the clock goes slower.
    """

    def __init__(self, world: Child, count: int, most: int, workers: int) -> None:
        self._world = world
        self._workers = workers
        self.count = count
        self.clock = VirtualClock(_BEGAN)
        self.show(0)
        hosts = [f"dept{number}.test:{self._port}" for number in range(count)]
        entries = [entry(number, host) for number, host in enumerate(hosts)]
        fetcher = Fetcher(
            user_agent="bench/1",
            allowed_private_hosts=hosts,
            resolver=lambda *_: ["127.0.0.1"],
            abreast=3,
        )
        self.cloud = NoticeWorld(self.clock, fetcher=fetcher)
        entries.sort(key=lambda each: f"{each['id']}.")
        self.shards = shards_between([each["id"] for each in entries[most::most]])
        for place, shard in enumerate(self.shards):
            bounds = {} if place else {SHARDS: [each.begin for each in self.shards[1:]]}
            document = {**bounds, ENTRIES: entries[place * most : (place + 1) * most]}
            self.cloud.bucket.plant(shard.key(_SITEMAP), json.dumps(document).encode())
        self.telemetry = self.cloud.telemetry
        self.posts: list[tuple[str, str]] = []
        self._orchestrators = [_orchestrator(self.cloud, each) for each in self.shards]
        self._notifier, self._monitors = self._built()

    def _built(self) -> tuple[Notifier, list[Monitor]]:
        notices, bucket = NoticesRegistration(), self.cloud.bucket
        notifier = Notifier(
            MemoryLedger(),
            self,
            MemorySourceQueue(self.cloud.notify, MemoryQueue(self.clock)),
            self.telemetry,
            named,
            clock=self.clock,
            sent_kept_for=timedelta(days=15),
        )
        environment = {"CONFIG_KEY": _SITEMAP}

        def watched(shard: Shard) -> WatchedFamily:
            return WatchedFamily(
                notices, lambda: notices.watched_in(shard, environment, bucket, {}), shard
            )

        monitors = [
            Monitor([watched(shard)], bucket, self, self.telemetry, clock=self.clock)
            for shard in self.shards
        ]
        return notifier, monitors

    def show(self, posts: int) -> None:
        """Let every so-many-th department have published so many notices."""
        shown = {"boards": self.count, "posts": posts, "every": _EVERY, "views": 0}
        site = self._world.ask(**shown, size=_PAGE_BYTES, validators=False)["site"]
        self._port = int(site.rpartition(":")[2])

    def send(self, push: Push | str, text: str = "") -> Sent:
        """Take a push as FCM does, or an alert."""
        if isinstance(push, str):
            raise SystemExit(f"an alert: {push}: {text}")
        self.posts.append((push.data["dept"], push.data["id"]))
        return Sent(f"{len(self.posts)}")

    def tick(self, number: int) -> Row:
        """Run a tick to its end; return what it came to."""
        self.clock.now = max(self.clock(), _BEGAN + number * _TICK)
        began, before = self.clock(), len(self.telemetry.events)
        cpu = time.process_time()
        at = _BEGAN + number * _TICK
        shards = len(self.shards)
        jobs = sum(
            self._timed(lambda each=each: each.tick(at), shards) for each in self._orchestrators
        )
        self._drain(self.cloud.work, self.cloud.worker.run)
        checked = (self.clock() - began).total_seconds()
        self._drain(self.cloud.notify, self._notifier.run)
        cpu = time.process_time() - cpu
        outcomes = Counter(
            fields["outcome"]
            for name, fields in self.telemetry.events[before:]
            if name == "checked"
        )
        watched = Counter[str]()
        for monitor in self._monitors:
            watched.update(self._timed(lambda monitor=monitor: monitor.run(lambda: 600.0), shards))
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
        down = ", ".join(f"{count:,} {status}" for status, count in watched.items())
        cells = (f"{jobs:,}", told, f"{len(self.posts):,}", f"{checked:.0f}", f"{cpu:.0f}", down)
        return (f"{number + 1}", *cells)

    def problems(self) -> list[str]:
        """Return what went wrong."""
        expected = Counter(
            (source_id(number), str(1_000 + number + posts))
            for posts in range(1, _TICKS)
            for number in range(0, self.count, _EVERY)
        )
        posted = Counter(self.posts)
        checked = sum(name == "checked" for name, _ in self.telemetry.events)
        left = len(self.cloud.work.messages) + len(self.cloud.notify.messages)
        found = {
            "pushes missing": (expected - posted).total(),
            "pushes too many": (posted - expected).total(),
            "checks missing": self.count * _TICKS - checked,
            "messages left": left,
            "dead letters": len(self.cloud.dead.messages),
            "problems logged": len(self.telemetry.problems),
            "jobs dropped": self.telemetry.counts["ChecksDropped"],
        }
        return [f"{count} {what}" for what, count in found.items() if count]

    def _drain(self, queue: MemoryQueue, run: Callable[..., dict[str, Any]]) -> None:
        while batch := queue.receive():
            event = lambda_event(batch)
            answer = self._timed(
                lambda event=event: run(event, time_left=lambda: 57.0), self._workers
            )
            failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
            for message in batch:
                if message.message_id not in failed:
                    queue.delete(message.receipt_handle)

    def _timed(self, work: Callable[[], Any], at_once: int = 1) -> Any:
        """Do some work, and let the clock go on by its time, divided among as many as do it."""
        began = time.monotonic()
        answer = work()
        self.clock.advance((time.monotonic() - began) / at_once)
        return answer


def main() -> None:
    """Run, print, and judge."""
    parser = argparse.ArgumentParser(prog="ten_thousand", description=__doc__)
    parser.add_argument("--departments", type=int, default=10_000)
    parser.add_argument("--shard", type=int, default=SOURCE_LIMIT, help="entries of a shard")
    parser.add_argument("--workers", type=int, default=1, help="side by side")
    given = parser.parse_args()
    table = Table("tick", "jobs", "checks", "pushes so far", "s", "CPU s", "the monitor says")
    with Child("serve", dict(os.environ)) as world:
        departments = Departments(world, given.departments, given.shard, given.workers)
        for number in range(_TICKS):
            departments.show(number)
            table.add_row(*departments.tick(number))
    Console(width=110).print(table)
    if problems := departments.problems():
        sys.exit("; ".join(problems))


def _orchestrator(cloud: NoticeWorld, shard: Shard) -> Orchestrator:
    plan = EntriesPlan(
        cloud.bucket,
        cloud.telemetry,
        config_key=_SITEMAP,
        model=Source,
        key=ENTRIES,
        what=WHAT,
        taken={},
        shard=shard,
    )
    hints = CurrentHints(cloud.bucket, NAME, shard, seconds=600)
    return Orchestrator(NAME, plan, cloud.work_queue, cloud.telemetry, ticks=Ticks(10), hints=hints)


if __name__ == "__main__":
    main()
