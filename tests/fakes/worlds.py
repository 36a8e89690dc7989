"""One world per family: its real checker and worker over fakes, in virtual time."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from fakes.clock import VirtualClock
from fakes.fetcher import ENTRY, Answer, Notice, ScriptedFetcher, page_of
from fakes.objects import MemoryBucket
from fakes.ports import MemoryOutlet, MemorySourceQueue, MemoryWorkQueue
from fakes.queues import MemoryQueue, lambda_event
from fakes.registry import REGISTRY, RegistrySite, Rule, plain_extract
from fakes.tables import MemoryTable
from fakes.telemetry import RecordingTelemetry
from uring.changes.check import Check, Checker
from uring.changes.family import Family
from uring.changes.history.refused import RefusedAnswers
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.changes.state import Health, SourceState
from uring.changes.worker import Worker, announced_lines
from uring.contracts import ChangePublished, Job
from uring.errors import FetchFailed
from uring.functions.families import named
from uring.notices.family import Notices
from uring.notices.state import NoticeState
from uring.notices.visit import NoticeVisitor
from uring.objects import Listed
from uring.regulations.family import Regulations
from uring.regulations.page import RegistryVisitor
from uring.regulations.state import RegistryState
from uring.regulations.table import RegistryTable
from uring.regulations.texts.family import RegulationTexts
from uring.regulations.texts.read import Extract, TextReader
from uring.regulations.texts.state import TextState
from uring.tables import Item, Table
from uring.weather.family import Weather
from uring.weather.gateway.collect import CollectedReports
from uring.weather.product import Product
from uring.weather.runways import NO_RUNWAYS, Runways
from uring.weather.state import WeatherState

S = TypeVar("S", bound=SourceState)

AIRPORTS = ("RKSI", "RKSS", "RKPC")
PUSH_KINDS = (
    "speci",
    "taf_amended",
    "taf_cancelled",
    "warning_raised",
    "warning_changed",
    "warning_lifted",
)


class FamilyWorld(Generic[S]):
    """A family's checker, its queues and its bucket.

    Args:
        bucket: where the states are; by default one of its own.
        objects: the bucket as the family sees it; by default the fake itself.
        outlet: the notify queue as the family sees it; by default the fake itself.
    """

    model: type[S]
    groups = 10

    def __init__(
        self,
        clock: VirtualClock | None = None,
        *,
        bucket: MemoryBucket | None = None,
        objects: Callable[[MemoryBucket], Any] = lambda objects: objects,
        outlet: Callable[[MemoryOutlet], Any] = lambda outlet: outlet,
    ) -> None:
        self.clock = clock or VirtualClock()
        self.bucket = bucket or MemoryBucket(self.clock)
        self.dead, self.notify = MemoryQueue(self.clock), MemoryQueue(self.clock)
        self.work = MemoryQueue(self.clock, dead_letters=self.dead)
        self.outlet = MemoryOutlet(self.notify)
        self.telemetry = RecordingTelemetry()
        self.announced: list[str] = []
        self.objects = objects(self.bucket)
        self.backoff = Backoff(self.clock.sleep)
        self._outlet = outlet
        self.restart()

    def restart(self) -> None:
        """Build checker and worker anew over what is stored, as a new process does."""
        family = self.family()
        self.name = family.name
        lines = announced_lines(family.name, self.telemetry, named)

        def announced(source: str, events: Sequence[Any]) -> None:
            self.announced.extend(event.id for event in events)
            lines(source, events)

        self.register = StateRegister(
            self.objects, family.name, self.model, clock=self.clock, backoff=self.backoff
        )
        self.publisher = OutboxPublisher(
            self.register, self._outlet(self.outlet), clock=self.clock, announced=announced
        )
        self.checker = Checker(
            family,
            self.publisher,
            clock=self.clock,
            backoff=self.backoff,
            refused=RefusedAnswers(self.objects),
            monotonic=lambda: self.clock().timestamp(),
        )
        self.worker = Worker(
            self.checker,
            MemorySourceQueue(self.work, self.dead),
            self.telemetry,
            named,
            groups=self.groups,
        )
        self.work_queue = MemoryWorkQueue(self.work)

    def family(self) -> Family[S, Any]:
        """Build the family over this world's fakes."""
        raise NotImplementedError

    def job(
        self,
        source: str,
        *,
        age: float = 0,
        interval_minutes: int = 10,
        entry: Mapping[str, Any] | None = None,
    ) -> Job:
        """Return a job that was scheduled ``age`` seconds ago."""
        return Job(
            family=self.name,
            source=source,
            scheduled_at=self.clock() - timedelta(seconds=age),
            interval_minutes=interval_minutes,
            entry=dict(entry or {}),
        )

    def poll(self) -> dict[str, Any]:
        """Hand what is visible on the work queue to the worker, and settle it as Lambda does."""
        batch = self.work.receive(10)
        answer = self.worker.run(lambda_event(batch), time_left=lambda: 900.0)
        failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
        for message in batch:
            if message.message_id not in failed:
                self.work.delete(message.receipt_handle)
        return answer

    def state_of(self, source: str) -> S:
        """Return the committed state of a source."""
        key = f"state/{self.name}/{source}.json"
        return self.model.from_json(self.bucket.body(key), key=key, source=source)

    def stored(self, source: str) -> tuple[list[Listed], S]:
        """Return the objects that readers see, and the state but for what every write renews."""
        state = self.state_of(source)
        still = state.replace(seq=0, writer="", health=Health(since="1970-01-01T00:00:00Z"))
        return list(self.bucket.list("data/")), still

    def document(self, key: str) -> Any:
        """Return a JSON object of the bucket."""
        return json.loads(self.bucket.body(key))

    def messages(self) -> list[ChangePublished]:
        """Return what was sent to the notify queue."""
        return [ChangePublished.parse(message.body) for message in self.notify.messages]


class NoticeWorld(FamilyWorld[NoticeState]):
    """A department; its site answers what `site` says, or another fetcher or visitor does."""

    model = NoticeState

    def __init__(
        self,
        clock: VirtualClock | None = None,
        *,
        fetcher: Any = None,
        visitor: NoticeVisitor | None = None,
        **seams: Any,
    ) -> None:
        self.site: Answer = page_of([Notice("2", "둘"), Notice("1", "하나")])
        self.fetcher = fetcher or ScriptedFetcher(lambda: self.site)
        self.visitor = visitor or NoticeVisitor(self.fetcher)
        super().__init__(clock, **seams)

    def family(self) -> Notices:
        return Notices(self.visitor, self.objects, clock=self.clock, backoff=self.backoff)

    def check(self, *, age: float = 0, **entry: Any) -> Check:
        """Check the department once, with these keys of its entry changed."""
        whole = {**ENTRY, **entry}
        interval = whole.get("interval_minutes", 10)
        return self.checker.check(
            self.job(whole["id"], age=age, interval_minutes=interval, entry=whole)
        )

    def show(self, *notices: Notice, decoration: str = "") -> None:
        """Put another list on the site."""
        self.site = page_of(notices, decoration=decoration)

    @property
    def state(self) -> NoticeState:
        """The department's committed state."""
        return self.state_of("cs")

    @property
    def hot(self) -> list[str]:
        """The ids in ``latest.json``."""
        return [item["id"] for item in self.document("data/cs/latest.json")["items"]]

    def pushes(self) -> list[tuple[str, str]]:
        """Return id and kind of what was sent to the notify queue."""
        return [(change.id, change.kind) for change in self.messages()]


class WeatherWorld(FamilyWorld[WeatherState]):
    """The products; the gateway answers what `collected` says, by default of every airport asked.

    Attributes:
        reports: by airport, what it answers; an airport that is not in it fails.
        collected: the whole answer, in place of what follows from `reports`.
        asked: the products that were asked for.
    """

    model = WeatherState
    # One product after the other.
    groups = 1

    def __init__(
        self,
        clock: VirtualClock | None = None,
        *,
        airports: Sequence[str] = AIRPORTS,
        push_kinds: Sequence[str] = PUSH_KINDS,
        runways: Runways = NO_RUNWAYS,
        **seams: Any,
    ) -> None:
        self.airports, self.push_kinds = tuple(airports), tuple(push_kinds)
        self.runways = runways
        self.reports: dict[str, Mapping[str, Any]] = {}
        self.collected: CollectedReports | None = None
        self.asked: list[str] = []
        super().__init__(clock, **seams)

    def family(self) -> Weather:
        return Weather(
            self,
            self.objects,
            airports=self.airports,
            push_kinds=self.push_kinds,
            backoff=self.backoff,
            runways=self.runways,
        )

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        """Implement `uring.weather.family.CollectsReports`."""
        del now
        self.asked.append(product)
        if self.collected is not None:
            return self.collected
        silent = [icao for icao in airports if icao not in self.reports]
        failed = dict.fromkeys(silent, FetchFailed("timeout", "no answer"))
        return CollectedReports(dict(self.reports), failed)

    def check(
        self, product: Product = "metar", *, age: float = 0, interval_minutes: int = 10
    ) -> Check:
        """Run the product once."""
        return self.checker.check(self.job(product, age=age, interval_minutes=interval_minutes))


class TextWorld(FamilyWorld[TextState]):
    """The texts of a registry's regulations, over a registry's bucket and table."""

    model = TextState
    groups = 1

    def __init__(
        self,
        clock: VirtualClock,
        site: RegistrySite,
        table: Table,
        *,
        extract: Extract = plain_extract,
        **seams: Any,
    ) -> None:
        self.site, self.table, self.extract = site, RegistryTable(table), extract
        super().__init__(clock, **seams)

    def family(self) -> RegulationTexts:
        reader = TextReader(self.site, self.extract, monotonic=lambda: 0.0)
        return RegulationTexts(reader, self.objects, self.table, backoff=self.backoff)


class RegulationWorld(FamilyWorld[RegistryState]):
    """A registry and the texts of its regulations.

    Attributes:
        site: page and files.
        items: the table.
        texts: the texts' own world, whose jobs come from here.
    """

    model = RegistryState

    def __init__(
        self,
        *,
        table: Callable[[MemoryTable], Table] = lambda table: table,
        extract: Extract = plain_extract,
        **seams: Any,
    ) -> None:
        clock = VirtualClock()
        bucket = MemoryBucket(clock)
        self.site, self.items = RegistrySite(), MemoryTable()
        self.seen_table = table(self.items)
        self.table = RegistryTable(self.seen_table)
        self.texts = TextWorld(
            clock, self.site, self.seen_table, extract=extract, bucket=bucket, **seams
        )
        super().__init__(clock, bucket=bucket, **seams)

    def family(self) -> Regulations:
        return Regulations(
            RegistryVisitor(self.site, monotonic=lambda: 0.0),
            self.objects,
            self.table,
            self.texts.work_queue,
            clock=self.clock,
            backoff=self.backoff,
        )

    def check(self, **entry: Any) -> Check:
        """Sync the registry once, with these keys of its entry changed."""
        whole = {**REGISTRY, **entry}
        return self.checker.check(self.job(whole["id"], interval_minutes=1440, entry=whole))

    def read(self) -> None:
        """Read what is to be read."""
        while self.texts.work.messages:
            if not self.texts.poll()["batchItemFailures"] and not self.texts.work.messages:
                return
            self.clock.advance(700)

    def day(self, *rules: Rule, more: str = "", **entry: Any) -> Check:
        """Show these rules, sync, read, and let a day pass."""
        self.site.show(*rules, more=more)
        check = self.check(**entry)
        self.read()
        self.clock.advance(days=1)
        return check

    def item(self, key: str) -> Item | None:
        """Return an item of the registry's."""
        return self.items.get("rules", key)

    def keys(self, prefix: str = "") -> list[str]:
        """Return the keys of the registry's items, without the fence."""
        keys = [key for key, _ in self.items.query("rules", prefix)]
        return [key for key in keys if key != "metadata:sync:seq"]

    def pushes(self) -> list[tuple[str, str]]:
        """Return kind and title of all that was sent to the notify queues."""
        changes = [*self.messages(), *self.texts.messages()]
        return [(change.kind, str(change.content["title"])) for change in changes]
