"""A registry of regulations under faults: its real worker and parser, and the notifier.

As with the weather, the notifier's own I/O is not broken here.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cloud import MOST_EXTRA_TICKS, Handles, acknowledge
from fakes import Died, MemoryQueue, MemorySourceQueue, lambda_event
from fakes.registry import REGISTRY, RegistrySite, Rule, plain_extract
from fakes.tables import MemoryTable
from faulty import Faults, FaultyBucket, FaultyFetcher, FaultySourceQueue, FaultySqs, FaultyTable
from verdict import RecordWorld, Shown

from uring.aws.queues import NotifyQueue, SqsWorkQueue
from uring.changes.check import Checker
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.worker import Worker, announced_lines
from uring.contracts import Job
from uring.extract.extraction import Extraction
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.functions.families import named
from uring.regulations.family import Regulations
from uring.regulations.page import RegistryVisitor
from uring.regulations.state import RegistryState
from uring.regulations.table import RegistryTable
from uring.regulations.texts.family import RegulationTexts
from uring.regulations.texts.read import TextReader
from uring.regulations.texts.state import TextState

START: Final = datetime(2026, 3, 27, 16, tzinfo=UTC)
# As in the template.
VISIBILITY_SECONDS: Final = 120
PARSE_VISIBILITY_SECONDS: Final = 330
# Longer than a file that failed is left alone.
_PAUSE_SECONDS: Final = 3_700
_TURNS: Final = 8

Rules = tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class RegulationScenario:
    """What a registry shows around its functions.

    Attributes:
        pages: its rules in turn, the last for good.
        told: kind and title of every push of an undisturbed run.
        before: the rules that were synced and read before the first fault can happen.
        files: what a file says, by its number; by default a text with that number.
        replaced: what it says from the first page on, where that differs.
        entry: further keys of the registry's entry; no file is asked for again by default.
        dead: by title, the reason of each dead letter in the end.
        bad: rows that cannot be read, on every page.
        days: without a fault, for which each page stays: a deletion takes two.
        down: from the first death to the next process.
    """

    name: str
    pages: tuple[Rules, ...]
    told: tuple[tuple[str, str], ...] = ()
    before: Rules | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    entry: Mapping[str, Any] = field(default_factory=dict)
    dead: Mapping[str, str] = field(default_factory=dict)
    bad: Rules = ()
    days: int = 1
    down: timedelta = timedelta()


class RegulationWorld(RecordWorld):
    """One registry with its table, bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        parse: the queue of the files that are to be read.
        table: the registry's items, every transaction kept.
        needless: what the last run of all wrote, though nothing had changed.
    """

    family, source, model = "regulations", "rules", RegistryState
    fields = ("title", "fileNo", "fileRevision")

    def __init__(self, scenario: RegulationScenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.table = MemoryTable()
        self.site_now = RegistrySite()
        self.needless: set[str] = set()
        self._earlier: Rules | None = None
        self._page = 0
        super().__init__(START, plan, down=scenario.down, visibility_seconds=VISIBILITY_SECONDS)
        self.dead_parses = MemoryQueue(self.clock)
        self.parse = MemoryQueue(
            self.clock,
            visibility_seconds=PARSE_VISIBILITY_SECONDS,
            max_receive_count=20,
            dead_letters=self.dead_parses,
        )
        self._parser = self.new_parser(self.faults)
        self._other_parser = self.new_parser(Faults())

    def run(self) -> None:
        """From what was before until every page was seen and all is quiet."""
        self.faults.counting = False
        if self.scenario.before is not None:
            self._earlier = self.scenario.before
            self.round()
            self.clock.advance(days=1)
        self._earlier = None
        self.faults.counting = True
        for number in range(len(self.scenario.pages)):
            self._page = number
            for _ in range(self.scenario.days):
                self._calm_day()
        self.faults.counting = False
        before = self._written()
        self.round()
        self.needless = {key for key, _ in before ^ self._written()}

    def _calm_day(self) -> None:
        """Days until one that no fault has touched: two of them cannot hide a page."""
        for _ in range(MOST_EXTRA_TICKS):
            is_calm = self.round()
            self.clock.advance(days=1)
            if is_calm:
                return

    def round(self) -> bool:
        """A day: the sync, and the files to their last try."""
        before = len(self.faults.broken)
        self.tick()
        for _ in range(_TURNS):
            self.poll()
            self.push()
            if not (self.work.messages or self.parse.messages or self.notify.messages):
                break
            self.clock.advance(_PAUSE_SECONDS)
        calm = len(self.faults.broken) == before
        left = self.work.messages or self.parse.messages or self.notify.messages
        return calm and not left

    def poll(self) -> None:
        super().poll()
        while batch := self.parse.receive(1):
            try:
                answer = self._parser.run(lambda_event(batch), time_left=lambda: 3600)
            except Died:
                self._parser = self.after_death(self.new_parser)
            else:
                acknowledge(self.parse, batch, answer, self.faults)

    def others_run(self) -> None:
        super().others_run()
        self.clock.advance(PARSE_VISIBILITY_SECONDS)
        faults = Faults()
        while batch := self.parse.receive(1):
            answer = self._other_parser.run(lambda_event(batch), time_left=lambda: 3600)
            acknowledge(self.parse, batch, answer, faults)
        self.others_push()

    def rules(self) -> Rules:
        """What the registry lists now."""
        if self._earlier is not None:
            return self._earlier
        return self.scenario.pages[self._page]

    def files(self) -> Mapping[str, str]:
        """What the files say now."""
        replaced = {} if self._earlier is not None else self.scenario.replaced
        return {**self.scenario.files, **replaced}

    def meta(self) -> dict[str, str]:
        return {"name": REGISTRY["name"]}

    def site(self) -> dict[str, Shown]:
        return {
            rule.title: (rule.title, rule.file_no, rule.root.partition("rev=")[2] or None)
            for rule in self.scenario.pages[-1]
        }

    def tick(self) -> None:
        self.site_now.files = {**self.files()}
        job = Job(
            family="regulations",
            source="rules",
            scheduled_at=self.clock(),
            interval_minutes=1440,
            entry={**REGISTRY, "recheck_days": 0, **self.scenario.entry},
        )
        self.work.send(job.group, job.job_id, job.body())

    def new_worker(self, faults: Faults) -> Handles:
        objects = FaultyBucket(self.objects, faults)
        regulations = Regulations(
            RegistryVisitor(FaultyFetcher(_Now(self), faults), monotonic=lambda: 0.0),
            objects,
            RegistryTable(FaultyTable(self.table, faults)),
            _Parse(self, faults),
            clock=self.clock,
            backoff=self.backoff,
        )
        return self.worker_of(regulations, RegistryState, objects, faults)

    def new_parser(self, faults: Faults) -> Handles:
        """A fresh process of the parser, whose I/O these faults break."""
        objects = FaultyBucket(self.objects, faults)

        def extract(body: bytes, formats: Collection[str]) -> Extraction:
            return faults.call("extract", lambda: plain_extract(body, formats))

        texts = RegulationTexts(
            TextReader(FaultyFetcher(_Now(self), faults), extract, monotonic=lambda: 0.0),
            objects,
            RegistryTable(FaultyTable(self.table, faults)),
            backoff=self.backoff,
        )
        publisher = OutboxPublisher(
            StateRegister(objects, texts.name, TextState, clock=self.clock, backoff=self.backoff),
            NotifyQueue(FaultySqs(self.notify, faults), "notify"),
            clock=self.clock,
            announced=announced_lines(texts.name, self.telemetry, named),
        )
        return Worker(
            Checker(texts, publisher, clock=self.clock, backoff=self.backoff),
            FaultySourceQueue(MemorySourceQueue(self.parse, self.dead_parses), faults),
            self.telemetry,
            named,
            groups=1,
        )

    def new_notifier(self, faults: Faults) -> Handles:
        del faults
        return super().new_notifier(Faults())

    def _written(self) -> set[tuple[str, int]]:
        """How often each key was written, but for what every run and every recheck writes."""
        own = (f"state/{self.family}/{self.source}.json",)
        if "recheck_days" in self.scenario.entry:
            own = (*own, *(f"state/regulation_texts/{text}.json" for text in self._texts()))
        objects = {
            (key, len(bodies)) for key, bodies in self.objects.versions.items() if key not in own
        }
        items: dict[str, int] = {}
        for _, parts in self.table.history:
            for part in parts:
                if not part.key.startswith(("metadata:", "recheck:")):
                    items[part.key] = items.get(part.key, 0) + 1
        return objects | set(items.items())

    def _texts(self) -> Collection[str]:
        body = self.objects.versions[f"state/{self.family}/{self.source}.json"][-1].body
        return json.loads(body)["texts"].values()


class _Now:
    """The site as it is at the moment of each request."""

    def __init__(self, world: RegulationWorld) -> None:
        self._world = world

    def fetch(self, request: Request) -> Response:
        site = self._world.site_now
        site.show(*self._world.rules(), *self._world.scenario.bad)
        return site.fetch(request)


class _Parse(SqsWorkQueue):
    """The real adapter over the parse queue, which is made after the worker."""

    def __init__(self, world: RegulationWorld, faults: Faults) -> None:
        self._world = world
        self._faults = faults

    def dispatch(self, jobs: Sequence[Job]) -> int:
        client = FaultySqs(self._world.parse, self._faults)
        return SqsWorkQueue(client, "parse").dispatch(jobs)
