"""A department under faults: the real worker and notifier over the fakes, in virtual time."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any

from fakes import (
    ENTRY,
    Died,
    MemoryLedger,
    MemoryObjects,
    MemoryOutlet,
    MemoryQueue,
    MemoryReturns,
    Notice,
    RecordingTelemetry,
    ScriptedFetcher,
    ScriptedSender,
    StaleHandle,
    VirtualClock,
    lambda_event,
    page_of,
)
from faulty import Faults, FaultyFetcher, FaultyObjects, FaultyOutlet

from uring.changes.model import Event, SourceState
from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.contracts import ChangePublished, CollectNotices
from uring.notices.collect import NoticeCollector
from uring.notices.worker import NoticeWorker
from uring.push.notifier import Notifier

# Ticks at 23:35, 23:45, 23:55: what the third commits and a death keeps back is drained in April.
START = datetime(2026, 3, 31, 23, 35, tzinfo=UTC)
TICK = timedelta(minutes=10)
VISIBILITY_SECONDS = 360
QUIET_TICKS = 4
STATE = "state/notices/cs.json"
LATEST = "data/cs/latest.json"
ARCHIVE = "data/cs/archive/"


class Department:
    """One source, its queues, its bucket and FCM.

    Args:
        pages: what the site shows at each tick; the last page stays.
        plan: which I/O of the worker breaks, see `faulty`.
    """

    def __init__(self, pages: Sequence[Sequence[Notice]], plan: Mapping[int, str]) -> None:
        self.clock = VirtualClock(START)
        self.order = count(1)
        self.pages = pages
        self.ticks = 0
        self.objects = MemoryObjects(self.clock, ticks=self.order)
        self.dead = MemoryQueue(self.clock)
        self.work = MemoryQueue(self.clock, dead_letters=self.dead)
        self.notify = MemoryQueue(
            self.clock, max_receive_count=50, dead_letters=self.dead, ticks=self.order
        )
        self.ledger = MemoryLedger()
        self.sender = ScriptedSender(self.clock)
        self.telemetry = RecordingTelemetry()
        self.faults = Faults(plan, self._others_run)
        self._worker = self._new_worker(self.faults)
        self._other = self._new_worker(Faults({}, lambda: None))
        self._notifier = Notifier(
            self.ledger,
            self.sender,
            MemoryReturns(self.notify, self.dead),
            self.telemetry,
            clock=self.clock,
            sent_kept_for=timedelta(days=15),
        )

    def run(self) -> None:
        """Run every tick, and some more until all is quiet."""
        while self.ticks < len(self.pages) + QUIET_TICKS or self._restless():
            self._tick()
            self._worker = self._poll(self._worker)
            self._push()
            self.clock.advance(VISIBILITY_SECONDS + 1)
            self._worker = self._poll(self._worker)
            self._push()

    def _restless(self) -> bool:
        """Whether a late fault left something to do; not for ever, or nothing would fail."""
        return bool(self.work.messages) and self.ticks < len(self.pages) + 3 * QUIET_TICKS

    def _tick(self) -> None:
        """The schedule's next minute comes, and with it a job and perhaps another page."""
        self.clock.now = max(self.clock.now, START + self.ticks * TICK)
        self.ticks += 1
        job = CollectNotices(scheduled_at=self.clock(), source=ENTRY)
        self.work.send("cs", job.job_id, job.body())

    def _page(self) -> str:
        return page_of(self.pages[min(self.ticks, len(self.pages)) - 1])

    def _new_worker(self, faults: Faults) -> NoticeWorker:
        backoff = Backoff(lambda _: None)
        objects = FaultyObjects(self.objects, faults)
        publisher = Publisher(
            objects,
            FaultyOutlet(MemoryOutlet(self.notify), faults),
            Register(objects, "notices", clock=self.clock, backoff=backoff),
            backoff=backoff,
        )
        fetcher = FaultyFetcher(ScriptedFetcher(self._page), faults)
        return NoticeWorker(
            NoticeCollector(fetcher, publisher, clock=self.clock, backoff=backoff),
            MemoryReturns(self.work, self.dead),
            self.telemetry,
        )

    def _poll(self, worker: NoticeWorker) -> NoticeWorker:
        """Deliver what there is; the worker, or a fresh one after a death."""
        while batch := self.work.receive():
            try:
                answer = worker.run(lambda_event(batch), time_left=lambda: 3600)
            except Died:
                worker = self._new_worker(self.faults)
                continue
            _acknowledge(self.work, batch, answer)
        return worker

    def _push(self) -> None:
        while batch := self.notify.receive():
            answer = self._notifier.run(lambda_event(batch), time_left=lambda: 57)
            _acknowledge(self.notify, batch, answer)

    def _others_run(self) -> None:
        """The stalled worker's job is delivered to another, and so is the next tick's."""
        self.clock.advance(VISIBILITY_SECONDS + 1)
        self._poll(self._other)
        self._push()
        self._tick()
        self._poll(self._other)
        self._push()


def _acknowledge(queue: MemoryQueue, batch: Sequence[Any], answer: dict[str, Any]) -> None:
    failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
    for message in batch:
        if message.message_id not in failed:
            try:
                queue.delete(message.receipt_handle)
            except StaleHandle:
                continue


def check(world: Department, *, hot_items: int) -> None:
    """Every promise of the engine, at rest and in the whole history of the bucket."""
    committed = _check_states(world)
    lines = _check_archive(world, committed)
    _check_hot(world, lines, hot_items)
    _check_revisions(world, lines)
    _check_pushes(world, committed)
    assert world.work.messages == []
    assert world.notify.messages == []
    assert world.dead.messages == []


def _check_states(world: Department) -> list[Event]:
    """The sequence only grows, no version repeats, the outbox ends up empty."""
    states = [
        SourceState.from_json(version.body, key=STATE, source="cs")
        for version in world.objects.versions[STATE]
    ]
    sequence = [state.seq for state in states]
    assert sequence == sorted(set(sequence)), "seq does not strictly increase"
    assert len({state.writer for state in states}) == len(states)
    assert states[-1].outbox == (), "something was committed and never published"
    committed: dict[str, Event] = {}
    for state in states:
        for event in state.outbox:
            committed.setdefault(event.event_id, event)
    return list(committed.values())


def _check_archive(world: Department, committed: list[Event]) -> list[dict[str, Any]]:
    """Whole lines, append only, each event exactly once and in its own month."""
    lines = []
    for key in sorted(key for key in world.objects.versions if key.startswith(ARCHIVE)):
        before = b""
        for version in world.objects.versions[key]:
            assert version.body.startswith(before), "an archive was rewritten"
            assert version.body.endswith(b"\n")
            before = version.body
        for text in before.splitlines():
            line = json.loads(text)
            detected = line["detected_at"]
            assert key == f"{ARCHIVE}{detected[:4]}{detected[5:7]}.jsonl", "in another month"
            lines.append(line)
    assert Counter(line["event_id"] for line in lines) == Counter(
        event.event_id for event in committed
    ), "the archive does not hold each committed event exactly once"
    return lines


def _check_hot(world: Department, lines: list[dict[str, Any]], hot_items: int) -> None:
    """Hot is what the archive adds up to, and never went back in time."""
    model: list[dict[str, Any]] = []
    for line in lines:
        model = [line, *(old for old in model if old["id"] != line["id"])][:hot_items]
    versions = [json.loads(version.body) for version in world.objects.versions[LATEST]]
    sequence = [document["meta"]["seq"] for document in versions]
    assert sequence == sorted(set(sequence)), "an older projection replaced a newer one"
    apart = ("event_id", "kind", "detected_at")
    expected = [{k: v for k, v in line.items() if k not in apart} for line in model]
    assert versions[-1]["items"] == expected, "hot is not what the archive adds up to"


def _check_revisions(world: Department, lines: list[dict[str, Any]]) -> None:
    """Each record's revisions count from 1, each differs from the last, the last is the page's."""
    history: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        history.setdefault(line["id"], []).append(line)
    for record in history.values():
        assert [line["revision"] for line in record] == list(range(1, len(record) + 1))
        shown = [(line["title"], line["is_pinned"]) for line in record]
        assert all(a != b for a, b in pairwise(shown)), "no change, an event"
    for notice in world.pages[-1]:
        last = history[notice.id][-1]
        assert (last["title"], last["is_pinned"]) == (notice.title, notice.is_pinned)


def _check_pushes(world: Department, committed: list[Event]) -> None:
    """What is visible is announced, never before it is visible, and pushed once and in order."""
    visible: dict[tuple[str, int], int] = {}
    for version in world.objects.versions[LATEST]:
        for item in json.loads(version.body)["items"]:
            visible.setdefault((item["id"], item["revision"]), version.order)
    sent = [
        (order, ChangePublished.parse(message.body)) for order, message in world.notify.accepted
    ]
    for order, change in sent:
        seen = visible.get((change.id, change.revision))
        assert seen is not None, "announced, and never visible"
        assert seen < order, "announced before it was visible"
    announced = [event for event in committed if event.push]
    assert {change.event_id for _, change in sent} == {event.event_id for event in announced}
    assert world.sender.event_ids == [event.event_id for event in announced]
