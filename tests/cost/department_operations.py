"""A department's operations: its checks, the monitor's runs after them, a push."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cost_bench import Bench, less
from fakes import (
    ENTRY,
    MemoryBucket,
    MemoryLedger,
    MemorySourceQueue,
    Notice,
    RecordingTelemetry,
    ScriptedSender,
    VirtualClock,
    lambda_event,
    page_of,
)
from fakes.registry import REGISTRY
from fakes.worlds import NoticeWorld

from uring.changes.hint import hints_key
from uring.changes.hinting import CurrentHints
from uring.functions.families import FAMILIES, folders_beside, named
from uring.notices.family import Notices
from uring.objects import Listed, Stored
from uring.push.notifier import Notifier
from uring.watch.memory import memory_key
from uring.watch.monitor import Monitor, WatchedFamily
from uring.watch.publish import Publisher
from uring.watch.search import SearchIndexer


def _department(source: str) -> dict[str, Any]:
    return {**ENTRY, "id": source, "name": f"{source} 학과"}


ROWS: Final = 25
BATCH: Final = 10
DEPARTMENTS: Final = ("cs", "ee", "me")
# What the monitor writes for all departments together.
WRITTEN: Final = ("data/index.json", memory_key(Notices.name), hints_key(Notices.name))
WATCH: Final = {"id": "sg-news", "name": "News", "country": "sg", "category": "news"}
WATCHED: Final = {
    "CONFIG_KEY": "config/sitemap.json",
    "REGISTRIES_KEY": "config/registries.json",
    "WATCHES_KEY": "config/watches.json",
    "METAR_MINUTES": "10",
    "TAF_MINUTES": "30",
    "WARNING_MINUTES": "5",
    "AIRPORTS": "RKSI,RKPC",
}
CONFIGURED: Final[Mapping[str, Any]] = {
    "config/registries.json": {"registries": [REGISTRY]},
    "config/watches.json": {"watches": [WATCH]},
}


def board(newest: int, decoration: str = "") -> str:
    """Return a page of so many rows as a board has."""
    rows = (
        Notice(str(number), f"2026학년도 제1학기 수강신청 변경 및 등록금 납부 안내 {number}")
        for number in range(newest, newest - ROWS, -1)
    )
    return page_of([*rows], decoration=decoration)


class _Uncounted:
    """A bucket whose calls are not the worker's."""

    def __init__(self, bucket: MemoryBucket) -> None:
        self._bucket = bucket

    def get(self, key: str) -> Stored | None:
        return MemoryBucket.get(self._bucket, key)

    def put(self, key: str, body: bytes, **more: Any) -> str:
        return MemoryBucket.put(self._bucket, key, body, **more)

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        return MemoryBucket.list(self._bucket, prefix, after)


class Departments(NoticeWorld):
    """Departments, and the monitor of all families."""

    def __init__(self, bench: Bench, ids: Sequence[str] = DEPARTMENTS) -> None:
        super().__init__(VirtualClock(datetime(2026, 3, 2, 1, 5, tzinfo=UTC)))
        self.ids = ids
        bench.tally.bucket(self.bucket)
        bench.tally.sends(self.outlet)
        listed = {"config/sitemap.json": {"sources": [_department(each) for each in ids]}}
        for key, document in {**CONFIGURED, **listed}.items():
            self.bucket.plant(key, json.dumps(document).encode())
        self.monitor = Monitor(
            [_watched(self, family) for family in FAMILIES],
            self.bucket,
            self,
            self.telemetry,
            clock=self.clock,
        )

    def send(self, subject: str, text: str) -> None:
        """Implement `Alerts`: people are told that the weather was never checked."""

    def look(self, sources: Sequence[str]) -> None:
        """Check these departments in one batch, with the hints that an orchestrator has."""
        hints = CurrentHints(_Uncounted(self.bucket), "notices")()
        jobs = [self.job(each, entry=_department(each)) for each in sources]
        self.work_queue.dispatch(
            [job.model_copy(update={"hint": hints.get(job.source)}) for job in jobs]
        )
        self.poll()

    def watch(self) -> None:
        """Run the monitor."""
        self.monitor.run(lambda: 60)

    def begin(self) -> None:
        """Take the baseline and a daily check, and let the monitor see both."""
        self.site = board(ROWS)
        for pause in (timedelta(), Notices.heartbeat):
            self.clock.advance(pause.total_seconds())
            for at in range(0, len(self.ids), BATCH):
                self.look(self.ids[at : at + BATCH])
            for _ in range(2):
                self.watch()

    @property
    def written_bytes(self) -> int:
        """The bytes that the monitor writes in each run that finds a change."""
        return sum(len(self.bucket.body(key)) for key in WRITTEN)


def count_notices(bench: Bench) -> None:
    """Count a department's checks, and what the monitor does after each of them."""
    world = Departments(bench)
    world.site = board(ROWS)
    world.look(DEPARTMENTS)
    for _ in range(2):
        world.watch()
    # Later, as what is written whenever the monitor runs would have another time.
    world.clock.advance(600)
    bench.measure("watch.run", world.telemetry, world.watch)
    for name, views in (("unchanged", ""), ("other_bytes", "1,024 views")):
        world.clock.advance(600)
        world.site = board(ROWS, views)
        bench.measure(f"notices.{name}", world.telemetry, lambda: world.look(DEPARTMENTS[:1]))
    for name, pause, more in (
        ("heartbeat", Notices.heartbeat, 0),
        ("changed", timedelta(minutes=10), 1),
    ):
        _count_checks(bench, world, name, pause, more)
    _count_push(bench, world)
    _count_indexes(bench, world)


def _count_checks(bench: Bench, world: Departments, name: str, pause: timedelta, more: int) -> None:
    """Count such a check, then the monitor's run after one of them and after two."""
    watched = []
    for times in (1, 2):
        world.clock.advance(pause.total_seconds())
        # What the pause alone changes of a source's status is told before.
        world.watch()
        world.site = board(ROWS + times * more)
        bench.measure(f"notices.{name}", world.telemetry, lambda: world.look(DEPARTMENTS[:1]))
        world.look(DEPARTMENTS[1:times])
        watched.append(bench.measure("", world.telemetry, world.watch))
        world.look(DEPARTMENTS)
        world.watch()
    one, two = watched
    each = bench.found[f"watch.{name}"] = less(two, one)
    written = less(less(one, each), bench.found["watch.run"])
    bench.found["watch.written"] = replace(written, stored_bytes=_bytes_of_a_source())


def _count_indexes(bench: Bench, world: Departments) -> None:
    """Count the search index of a department, once its month is over."""
    indexer = SearchIndexer(world.bucket, Publisher(world.bucket, world.telemetry), world.telemetry)
    one, two = (
        bench.measure(
            "",
            world.telemetry,
            lambda book=book, ids=ids: indexer.work(indexer.look(book, ids, "209912"), lambda: 60),
        )
        for book, ids in (("one", DEPARTMENTS[:1]), ("two", DEPARTMENTS[1:]))
    )
    bench.found["watch.indexed"] = less(two, one)


def _bytes_of_a_source() -> int:
    """Return by how much the index, the hints and the monitor's memory grow with a department."""
    few, many = (written_bytes(number) for number in (10, 20))
    return (many - few) // 10


def written_bytes(departments: int) -> int:
    """Return the bytes of index, hints and memory with so many departments."""
    world = Departments(Bench(), [f"campus-{number:03}" for number in range(departments)])
    world.begin()
    return world.written_bytes


def _watched(world: NoticeWorld, family: Any) -> WatchedFamily:
    taken = folders_beside(family.name)
    return WatchedFamily(family, lambda: family.watched(WATCHED, world.bucket, taken))


def _count_push(bench: Bench, world: NoticeWorld) -> None:
    ledger, telemetry = MemoryLedger(), RecordingTelemetry()
    bench.tally.watch(ledger, "claim", "sent", unit=lambda *_: ("table_write", 1))
    notifier = Notifier(
        ledger,
        ScriptedSender(world.clock),
        MemorySourceQueue(world.notify, world.dead),
        telemetry,
        named,
        clock=world.clock,
        sent_kept_for=timedelta(days=40),
    )
    event = lambda_event(world.notify.receive(10)[:1])
    bench.measure("push", telemetry, lambda: notifier.run(event, time_left=lambda: 57))
