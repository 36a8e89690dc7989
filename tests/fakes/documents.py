"""A document store in memory: table, bucket, queue, locks in virtual time, services that answer."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakes.clock import VirtualClock
from fakes.objects import MemoryBucket
from fakes.tables import MemoryTable
from fakes.telemetry import RecordingTelemetry
from uring.changes.ports import Sendable
from uring.documents.costs import DailyBudget
from uring.documents.janitor.janitor import Janitor
from uring.documents.janitor.pages import PageSweeper
from uring.documents.jobs import Jobs
from uring.documents.lock_telemetry import LockTelemetry
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment
from uring.documents.operations.analyses import Analyses
from uring.documents.operations.findings import IssueWriter
from uring.documents.operations.operations import Operations
from uring.documents.operations.policies import Policies
from uring.documents.store.issues import IssueReference
from uring.documents.work.findings import Analysis, Finding
from uring.documents.work.ports import GoOn, Spend, TranslatedDocument
from uring.documents.worker import DocumentWorker
from uring.extract.extraction import Extraction
from uring.locks import Locks, Once

PIECE_MICROS = 100


@dataclass
class TextReader:
    """Extracts plain text; a file that begins with a word of `outcomes` comes to that."""

    calls: int = 0

    def __call__(self, body: bytes, formats: Collection[str]) -> Extraction:
        del formats
        self.calls += 1
        source = hashlib.sha256(body).hexdigest()
        if body.startswith(b"SCAN"):
            reason = "a scan; upload one with text"
            return Extraction(outcome="no_text", reason=reason, format="pdf", source_sha256=source)
        text = body.decode()
        sha = hashlib.sha256(body).hexdigest()
        return Extraction(
            outcome="text", format="text", text=text, source_sha256=source, text_sha256=sha
        )


@dataclass
class Translator:
    """Translates by a mark; a paragraph costs one call, whose answer is kept like the real one."""

    calls: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)

    def translate(self, text: str, *, target: str, spend: Spend, go_on: GoOn) -> TranslatedDocument:
        pieces = text.split("\n\n")
        for number, piece in enumerate(pieces):
            go_on(number, len(pieces))
            key = f"{target}:{piece}"
            if key not in self.kept:
                spend.reserve(PIECE_MICROS)
                self.calls.append(key)
                self.kept[key] = f"[{target}] {piece}"
                spend.settle(PIECE_MICROS, PIECE_MICROS)
        translated = "\n\n".join(self.kept[f"{target}:{piece}"] for piece in pieces)
        return TranslatedDocument(translated, "ko", target)


@dataclass
class Analyst:
    """Finds every ``ISSUE(...)`` that stands in a text."""

    version: str = "model:1"
    calls: list[Mapping[str, str]] = field(default_factory=list)
    kept: dict[str, list[Finding]] = field(default_factory=dict)

    def analyse(
        self, texts: Mapping[str, str], *, untrusted: Collection[str], spend: Spend, go_on: GoOn
    ) -> Analysis:
        del untrusted
        go_on(0, 1)
        key = repr(sorted(texts.items()))
        if key not in self.kept:
            spend.reserve(PIECE_MICROS)
            self.calls.append(texts)
            self.kept[key] = [
                Finding(
                    title=match[1],
                    description=f"in {source}",
                    severity="medium",
                    references=(
                        IssueReference(
                            source=source, start=match.start(), end=match.end(), quote=match[0]
                        ),
                    ),
                )
                for source, text in sorted(texts.items())
                for match in re.finditer(r"ISSUE\(([^)]*)\)", text)
            ]
            spend.settle(PIECE_MICROS, PIECE_MICROS)
        return Analysis(tuple(self.kept[key]))


@dataclass
class Outbox:
    """A queue that dedups by name for ever."""

    sent: dict[str, Sendable] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def send(self, messages: Sequence[Sendable]) -> None:
        for message in messages:
            self.sent.setdefault(message.name, message)

    def take(self) -> list[Sendable]:
        """Return what was not taken yet."""
        waiting = [each for name, each in self.sent.items() if name not in self.taken]
        self.taken |= self.sent.keys()
        return waiting


@dataclass
class Returned:
    """Where records go that failed."""

    deferred: list[Any] = field(default_factory=list)
    rejected: list[Any] = field(default_factory=list)
    renewed: list[Any] = field(default_factory=list)

    def defer(self, records: Sequence[Any], seconds: int) -> None:
        self.deferred.append((list(records), seconds))

    def reject(self, record: Any, error: Exception) -> None:
        self.rejected.append((record, error))

    def renew(self, record: Any, *, waits: bool = False) -> None:
        assert not waits, "no job of documents is postponed"
        self.renewed.append(record)


class Office:
    """The document store, its services and its clock; jobs run when they are told to."""

    def __init__(self, *, cap_micros: int = 1_000_000, stack_micros: int = 10_000_000) -> None:
        self.clock = VirtualClock()
        self.table, self.bucket = MemoryTable(), MemoryBucket(self.clock)
        self.queue, self.returned = Outbox(), Returned()
        self.telemetry = RecordingTelemetry()
        self.reader, self.translator, self.analyst = TextReader(), Translator(), Analyst()
        self.extract: Callable[[bytes, Collection[str]], Extraction] = self.reader
        # What others do during the next waits.
        self.waiting: list[Callable[[], None]] = []
        self.continued: list[Mapping[str, Any]] = []
        self.locks = Locks(
            self.table,
            now_ms=self.now_ms,
            monotonic=lambda: self.now_ms() / 1000,
            sleep=self.sleep,
            jitter=lambda _, most: most,
            watch=LockTelemetry(self.telemetry),
        )
        once = Once(self.locks, self.table)
        self.jobs = Jobs(self.table, self.queue, clock=self.clock)
        self.policies = Policies(
            self.table,
            self.bucket,
            self.locks,
            self._extracted,
            self.translator,
            clock=self.clock,
            once=once,
        )
        self.analyses = Analyses(
            self.table,
            self.bucket,
            self.policies.store,
            self.analyst,
            clock=self.clock,
            once=once,
        )
        self.issues = IssueWriter(self.table, self.locks, self.analyses, clock=self.clock)
        self.budget = DailyBudget(
            self.table, cap_micros=cap_micros, stack_micros=stack_micros, clock=self.clock
        )
        self.operations = Operations(
            self.table,
            self.locks,
            self.policies,
            self.analyses,
            self.issues,
            self.jobs,
            self.budget,
            clock=self.clock,
        )
        self.worker = DocumentWorker(
            self.operations,
            self.jobs,
            self.queue,
            self.returned,
            self.telemetry,
            clock=self.clock,
        )
        self.sweeper = PageSweeper(
            self.table, self.bucket, self.locks, self.queue, clock=self.clock
        )
        self.janitor = Janitor(
            self.table,
            self.bucket,
            self.sweeper,
            self.continued.append,
            self.telemetry,
            clock=self.clock,
        )

    def _extracted(self, body: bytes, formats: Collection[str]) -> Extraction:
        return self.extract(body, formats)

    def now_ms(self) -> int:
        return int(self.clock().timestamp() * 1000)

    def sleep(self, seconds: float) -> None:
        self.clock.advance(seconds)
        if self.waiting:
            self.waiting.pop(0)()

    def upload(self, page: str, source: str, text: str, **metadata: str) -> None:
        """Put an attachment there as its owner does."""
        key = Attachment(page, source).key
        self.bucket.plant(key, text.encode())
        self.bucket.metadata[key] = metadata

    def job(self, number: int, page: str, operation: Any, **more: Any) -> JobMessage:
        return JobMessage(
            job=f"00000000-0000-4000-8000-{number:012d}",
            page=page,
            operation=operation,
            submitted_at=self.clock(),
            **more,
        )

    def submit(self, number: int, page: str, operation: Any, **more: Any) -> str:
        """Submit a job and run the worker until its queue is empty; return the job's id."""
        message = self.job(number, page, operation, **more)
        self.jobs.submit(message)
        self.work()
        return message.job

    def work(self, *, seconds: float = 900, receive_count: int = 1) -> list[Any]:
        """Run the worker until its queue is empty; return what failed."""
        failed: list[Any] = []
        while waiting := self.queue.take():
            event = {"Records": [record(each, receive_count) for each in waiting]}
            answer = self.worker.run(event, time_left=lambda: seconds)
            failed += answer["batchItemFailures"]
        return failed


def record(message: Sendable, receive_count: int = 1) -> dict[str, Any]:
    """A record of a Lambda SQS event."""
    return {
        "messageId": message.name,
        "receiptHandle": message.name,
        "body": message.body(),
        "attributes": {
            "MessageGroupId": message.group,
            "ApproximateReceiveCount": str(receive_count),
        },
    }
