"""The seed engine under faults: its real orchestrator and both workers, over the fakes.

    raw files ─► orchestrator ─► seed queue ─ file worker ─► domain queue ─ domain worker ─► results

An operator redrives every dead letter in the end, when nothing fails any more; a run of all files
follows, which must find nothing to do.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from cloud import Handles, acknowledge
from fakes import (
    Died,
    MemoryPulls,
    MemoryQueue,
    MemorySourceQueue,
    RecordingTelemetry,
    VirtualClock,
)
from fakes import lambda_event as event_of
from fakes.conditional import ConditionalWeb
from fakes.objects import MemoryBucket, MemoryObject
from fakes.seeds import PARTITION, PLENTY, raw_file, raw_path, record, sitemap_of
from fakes.tables import MemoryTable
from faulty import (
    Faults,
    FaultyBucket,
    FaultyFetcher,
    FaultyPulls,
    FaultySourceQueue,
    FaultySqs,
    FaultyTable,
)

from uring.aws.queues import FifoQueue
from uring.changes.retry import Backoff
from uring.errors import FetchFailed, Retryable
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.domains.store import EvidenceKind
from uring.seeds.domains.worker import DomainWorker
from uring.seeds.files.backlog import DomainBacklog
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.reader import DatasetReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.messages import OrchestrateRequest, PartitionInfo
from uring.seeds.orchestrate import Run, SeedOrchestrator
from uring.seeds.partition import Partition, RawFile
from uring.seeds.progress import PAUSED, STOPPED, Progress, State
from uring.seeds.ranges import ranges_of
from uring.tables import Part

# As in the template.
SEED_VISIBILITY_SECONDS: Final = 330
DOMAIN_VISIBILITY_SECONDS: Final = 330
RECEIVES: Final = 8
DAILY = 1_000_000
STRIDE: Final = 2
OTHER_PARTITION: Final = Partition("sg", "policy", "2026-01-28")
FIRST_RUN: Final = "20260302T010000Z-00000001"
FORCED_RUN: Final = "20260302T020000Z-00000002"
NAMED_RUN: Final = "20260302T023000Z-00000004"

# Longer than any pause of a message.
_PAUSE_SECONDS: Final = 950
_MOST_ROUNDS: Final = 24
_MOST_TRIES: Final = 4
# Two readings that take turns for ever leave messages behind.
_MOST_BATCHES: Final = 60
_REDRIVES: Final = 3
_BACKOFF: Final = Backoff(lambda _: None)
FOR_EVER: Final = 1_000


@dataclass(frozen=True, slots=True)
class Content:
    """A raw file.

    Attributes:
        records: a host each; one that begins with ``!`` is refused, with ``!?`` it is no JSON;
            ``gov/`` before a host is the authority that the record states.
        is_cut: it breaks off in its last record, which does not count.
    """

    records: tuple[str, ...]
    is_cut: bool = False

    @property
    def body(self) -> bytes:
        """The file as it lies in the bucket."""
        body = raw_file(_record(each) for each in self.records).replace(b': "?', b' "?')
        return body[: body.rindex(b"confidence")] if self.is_cut else body

    @property
    def whole(self) -> tuple[str, ...]:
        """The records that can be read."""
        return self.records[:-1] if self.is_cut else self.records


def _record(text: str) -> dict[str, Any]:
    if text.startswith("!"):
        return {"normalized_domain": text[1:]}
    authority, _, host = text.rpartition("/")
    more = {"source_type": authority} if authority else {}
    return record(f"https://www.{host}/news", **more)


Files = Mapping[tuple[Partition, int], Content]


@dataclass(frozen=True, slots=True)
class SeedScenario:
    """A collection and what happens around it.

    Attributes:
        files: by partition and number.
        becomes: the files that are other ones, once the first of them was read to its end.
        before: whether all was collected before the first fault can happen.
        is_forced: whether the collection is.
        forced_after: batches of the seed queue, after which a forced collection begins.
        hands_over: whether an invocation has time for one stride alone.
        hurried: invocations of the domain worker that have no time for a domain.
        down: visits that a domain does not answer at first.
        missing: domains without a robots.txt.
        commands: of an operator, by the invocations of the domain worker before them.
        ranges: whether a message names a range of domains.
        evidence: where bodies go.
        stride: messages between two checkpoints, and the most domains of a range.
        refills: whether the domain worker refills its batches.
        short: invocations of the domain worker with time for one domain of a range.
    """

    name: str
    files: Files
    becomes: Files = field(default_factory=dict)
    before: bool = False
    is_forced: bool = False
    forced_after: int | None = None
    hands_over: bool = False
    hurried: int = 0
    down: Mapping[str, int] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    commands: tuple[tuple[int, str], ...] = ()
    ranges: bool = False
    evidence: EvidenceKind = "objects"
    short: int = 0
    stride: int = STRIDE
    refills: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """A write with metadata."""

    order: int
    key: str
    body: bytes
    metadata: Mapping[str, str]


class _Bucket(MemoryBucket):
    """A bucket that keeps the metadata of every write.

    Attributes:
        at_end: called with the key of an object that was read to its end.
    """

    def __init__(self, clock: VirtualClock, ticks: "count[int]") -> None:
        super().__init__(clock, ticks=ticks)
        self.log: list[Marked] = []
        self.at_end: Callable[[str], None] = lambda _: None

    def open(self, key: str) -> MemoryObject | None:
        reading = super().open(key)
        if reading is not None:
            read = reading.read

            def watched(amount: int) -> bytes:
                data = read(amount)
                if amount and not data:
                    self.at_end(key)
                return data

            reading.read = watched  # type: ignore[method-assign]
        return reading

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        super().write(key, body, content_type, metadata)
        self.log.append(Marked(self.versions[key][-1].order, key, body, dict(metadata or {})))


class _Table(MemoryTable):
    """A table whose transactions are ordered with the writes to the bucket."""

    def __init__(self, ticks: "count[int]") -> None:
        super().__init__()
        self.orders: list[int] = []
        self._ticks = ticks

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        is_written = super().transact(partition, parts)
        if is_written:
            self.orders.append(next(self._ticks))
        return is_written


class _Web(ConditionalWeb):
    """The domains; each visit begins with ``https://{domain}/robots.txt``.

    Attributes:
        visits: by domain.
        is_up: whether every domain answers.
    """

    def __init__(self, scenario: SeedScenario) -> None:
        super().__init__()
        self.visits: dict[str, int] = {}
        self.is_up = False
        self._scenario = scenario

    def fetch(self, request: Request) -> Response:
        host = request.url.split("/")[2].removeprefix("www.")
        if request.url.endswith("/robots.txt"):
            if request.url == f"https://{host}/robots.txt":
                self.visits[host] = self.visits.get(host, 0) + 1
            if not self.is_up and self.visits[host] <= self._scenario.down.get(host, 0):
                raise FetchFailed("timeout", "no answer")
        return super().fetch(request)


def robots_of(domain: str) -> bytes:
    """The robots.txt of a domain."""
    return f"User-agent: *\nAllow: /\nSitemap: https://{domain}/sitemap.xml\n".encode()


class SeedFaultWorld:
    """Bucket, table, queues, the web, and the three functions.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        contents: of every version of a raw file, by its ETag.
        settled: what the queues and the status said before any dead letter was redriven.
        needless: what the last run of all did, though nothing had changed.
    """

    def __init__(self, scenario: SeedScenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.clock = VirtualClock()
        self.faults = Faults(plan, self.others_run)
        self.ticks = count(1)
        self.bucket = _Bucket(self.clock, self.ticks)
        self.bucket.at_end = self._change
        self.table = _Table(self.ticks)
        self.telemetry = RecordingTelemetry()
        self.web = _Web(scenario)
        self.seed_letters, self.domain_letters = MemoryQueue(self.clock), MemoryQueue(self.clock)
        self.seeds = self._queue(self.seed_letters, SEED_VISIBILITY_SECONDS)
        self.domains = self._queue(self.domain_letters, DOMAIN_VISIBILITY_SECONDS)
        self.contents: dict[str, tuple[RawFile, Content]] = {}
        self.epoch = "first"
        self.letters = 0
        self.needless: list[str] = []
        self.forced_runs = 0
        self._batches = self._collections = 0
        self._commands = deque(scenario.commands)
        for (partition, number), content in scenario.files.items():
            self._plant(partition, number, content)
        for domain in {each.rpartition("/")[2] for each in self.all_records()}:
            if domain not in scenario.missing:
                self.web.put(domain, robots_of(domain), sitemap_of(3))
        self._file_worker = self.new_file_worker(self.faults)
        self._domain_worker = self.new_domain_worker(self.faults)

    def _queue(self, letters: MemoryQueue, seconds: int) -> MemoryQueue:
        return MemoryQueue(
            self.clock,
            visibility_seconds=seconds,
            max_receive_count=RECEIVES,
            dead_letters=letters,
            ticks=self.ticks,
        )

    def all_records(self) -> set[str]:
        """Every record that any version of a file has."""
        files = [*self.scenario.files.values(), *self.scenario.becomes.values()]
        return {each for content in files for each in content.records}

    def final_files(self) -> Files:
        """The files as they are in the end."""
        return {**self.scenario.files, **self.scenario.becomes}

    def run(self) -> None:
        """From the orchestrator to the last run, which has nothing to do."""
        if self.scenario.before:
            self.faults.counting, self.web.is_up = False, True
            self.orchestrate()
            self.drain()
            self.clock.advance(days=2)
            self.faults.counting, self.web.is_up = True, False
            self.web.visits.clear()
        self.orchestrate(force=self.scenario.is_forced)
        self.drain()
        while self._commands:
            # A fault may leave fewer invocations than the commands wait for.
            self._operate()
            self.drain()
        self.faults.counting = False
        self.letters = len(self.seed_letters.messages) + len(self.domain_letters.messages)
        self._repair()
        self._last_run()

    def _operate(self) -> None:
        """Give the next command, of a partition alone; one that fails is repeated."""
        _, command = self._commands.popleft()
        # Workers remember a state for a quarter of a minute.
        self.clock.advance(16)
        if command == "orchestrate":
            self.orchestrate(named=True)
            return
        state: State = {"pause": PAUSED, "stop": STOPPED}.get(command, "")  # type: ignore[assignment]
        for _ in range(_MOST_TRIES):
            try:
                Progress(FaultyTable(self.table, self.faults)).hold(PARTITION, state)
            except (Died, Retryable):
                self.clock.advance(60)
            else:
                return

    def orchestrate(self, *, force: bool = False, named: bool = False) -> None:
        """A run of all files; an invocation that fails is repeated, as Lambda does."""
        name = FORCED_RUN if force else NAMED_RUN if named else FIRST_RUN
        if force:
            self.epoch = name
            self.forced_runs += 1
        for _ in range(_MOST_TRIES):
            try:
                self._orchestrated(name, self.faults, force=force, named=named)
            except (Died, Retryable):
                self.clock.advance(60)
            else:
                return

    def _orchestrated(self, name: str, faults: Faults, *, force: bool, named: bool = False) -> None:
        orchestrator = SeedOrchestrator(
            FaultyBucket(self.bucket, faults),
            Progress(FaultyTable(self.table, faults)),
            self._sends(self.seeds, faults),
            self.telemetry,
            clock=self.clock,
            depth=self.domains.depth,
        )
        info = PartitionInfo.of(PARTITION).model_dump() if named else {}
        orchestrator.run(Run(name, OrchestrateRequest(force=force, **info)), lambda: True)

    def drain(self) -> None:
        """Both workers take what there is, until all is quiet."""
        for _ in range(_MOST_ROUNDS):
            self._read_files()
            self._collect()
            if not (self.seeds.messages or self.domains.messages):
                return
            self.clock.advance(_PAUSE_SECONDS)

    def _read_files(self) -> None:
        while (batch := self.seeds.receive(1)) and self._batches < _MOST_BATCHES:
            try:
                answer = self._file_worker.run(event_of(batch), time_left=self._time_left())
            except Died:
                self._file_worker = self.new_file_worker(self.faults)
            else:
                acknowledge(self.seeds, batch, answer, self.faults)
            self._batches += 1
            if self._batches == self.scenario.forced_after:
                self.orchestrate(force=True)

    def _collect(self) -> None:
        while batch := self.domains.receive(self._alike()):
            self._collections += 1
            try:
                answer = self._domain_worker.run(event_of(batch), time_left=self._time_of_batch())
            except Died:
                self._domain_worker = self.new_domain_worker(self.faults)
            else:
                acknowledge(self.domains, batch, answer, self.faults)
            while self._commands and self._commands[0][0] <= self._collections:
                self._operate()
                self._read_files()

    def _time_of_batch(self) -> Callable[[], float]:
        """The time of a batch of domains: enough, none, or enough for the batch and one domain."""
        if self._collections <= self.scenario.hurried:
            return lambda: 1.0
        if self._collections <= self.scenario.short:
            answers = iter([PLENTY] * 2)
            return lambda: next(answers, 1.0)
        return lambda: PLENTY

    def _alike(self) -> int:
        """How many of the next messages are of one group: threads side by side have no order."""
        now = self.clock()
        hidden = {m.group for m in self.domains.messages if m.visible_at and m.visible_at > now}
        waiting = [m for m in self.domains.messages if m.group not in hidden]
        alike = 0
        while (
            alike < len(waiting)
            and waiting[alike].group == waiting[0].group
            and waiting[alike].receive_count < RECEIVES
        ):
            alike += 1
        return max(1, alike)

    def others_run(self) -> None:
        """The stalled process's messages are delivered to others; somebody orchestrates again."""
        calm = Faults()
        self.clock.advance(SEED_VISIBILITY_SECONDS + 1)
        self._orchestrated("20260302T013000Z-00000003", calm, force=False)
        files, domains = self.new_file_worker(calm), self.new_domain_worker(calm)
        for _ in range(3):
            while batch := self.seeds.receive(1):
                answer = files.run(event_of(batch), time_left=self._time_left())
                acknowledge(self.seeds, batch, answer, calm)
            while batch := self.domains.receive(1):
                answer = domains.run(event_of(batch), time_left=lambda: PLENTY)
                acknowledge(self.domains, batch, answer, calm)
            self.clock.advance(_PAUSE_SECONDS)

    def _repair(self) -> None:
        """Every domain answers, and an operator redrives the dead letters."""
        self.web.is_up = True
        for number in range(_REDRIVES):
            self.clock.advance(hours=2)
            for letters, queue in (
                (self.seed_letters, self.seeds),
                (self.domain_letters, self.domains),
            ):
                moved, letters.messages = letters.messages, []
                for letter in moved:
                    queue.send(letter.group, f"again-{number}-{letter.message_id}", letter.body)
            self.drain()

    def _last_run(self) -> None:
        """Nothing has changed: nothing is written, sent or asked."""
        self.clock.advance(hours=1)
        writes = sum(map(len, self.bucket.versions.values()))
        visits, sent = sum(self.web.visits.values()), len(self.domains.accepted)
        transactions = len(self.table.history)
        self.orchestrate()
        self.drain()
        found = sum(map(len, self.bucket.versions.values())) - writes
        self.needless += [f"{found} objects"] * bool(found)
        found = len(self.domains.accepted) - sent
        self.needless += [f"{found} messages"] * bool(found)
        found = sum(self.web.visits.values()) - visits
        self.needless += [f"{found} visits"] * bool(found)
        self.needless += [
            part.key
            for partition, parts in self.table.history[transactions:]
            for part in parts
            if partition != "partitions"
        ]

    def new_file_worker(self, faults: Faults) -> Handles:
        """A fresh process of the file worker, whose I/O these faults break."""
        bucket = FaultyBucket(self.bucket, faults)
        progress = Progress(FaultyTable(self.table, faults))
        return FileWorker(
            bucket,
            DatasetReader(
                bucket,
                CheckpointRegister(bucket, clock=self.clock, backoff=_BACKOFF),
                self._sends(self.domains, faults),
                self.telemetry,
                stride=self.scenario.stride,
                takes=lambda message, domains: progress.take(
                    self.clock().date(), domains, DAILY, run=message.run, most_of_run=message.most
                ),
                pack=ranges_of if self.scenario.ranges else list,
            ),
            progress,
            self._sends(self.seeds, faults),
            FaultySourceQueue(MemorySourceQueue(self.seeds, self.seed_letters), faults),
            self.telemetry,
            clock=self.clock,
            backlog=DomainBacklog(self.domains.depth, 0),
        )

    def new_domain_worker(self, faults: Faults) -> Handles:
        """A fresh process of the domain worker, whose I/O these faults break."""
        collector = Collector(
            FaultyFetcher(self.web, faults),
            clock=self.clock,
            limits=CollectLimits(gap_seconds=0, homepage=False),
            monotonic=lambda: 0.0,
            sleep=lambda _: None,
        )
        table = FaultyTable(self.table, faults)
        return DomainWorker(
            FaultyBucket(self.bucket, faults),
            collector,
            Progress(table),
            table,
            FaultySourceQueue(MemorySourceQueue(self.domains, self.domain_letters), faults),
            self._sends(self.domains, faults),
            self.telemetry,
            clock=self.clock,
            groups=1,
            sockets=1,
            evidence=self.scenario.evidence,
            more=FaultyPulls(MemoryPulls(self.domains), faults) if self.scenario.refills else None,
            at_once=1,
            monotonic=lambda: 0.0,
        )

    def _sends(self, queue: MemoryQueue, faults: Faults) -> FifoQueue:
        return FifoQueue(FaultySqs(queue, faults), "queue", backoff=_BACKOFF, senders=1)

    def _time_left(self) -> Callable[[], float]:
        """The time of an invocation: enough, or enough for one stride."""
        if not self.scenario.hands_over:
            return lambda: PLENTY
        answers = iter([PLENTY])
        return lambda: next(answers, 1.0)

    def _change(self, key: str) -> None:
        """Let a file become another one, if it is the first time that it is read to its end."""
        raw = RawFile.at(key)
        content = self.scenario.becomes.get((raw.partition, raw.number)) if raw else None
        if raw and content and content not in {each for _, each in self.contents.values()}:
            self._plant(raw.partition, raw.number, content)

    def _plant(self, partition: Partition, number: int, content: Content) -> None:
        key = raw_path(number, partition)
        self.bucket.plant(key, content.body)
        head = self.bucket.head(key)
        assert head is not None
        self.contents[head.etag] = RawFile(partition, number), content
