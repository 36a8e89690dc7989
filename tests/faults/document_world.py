"""The document store under faults: people, its queue, and its functions over the fakes.

    people ─► bucket ─ intake ─┐
       └─► jobs ───────────────┴─► queue ─ worker ─► table, bodies, paid services
       └─► edits of issues                 janitor, a round a day

Whoever dies is followed by a fresh process, whoever is not answered tries again. Then nothing fails
any more, and the janitor comes for some days: what is dead by then has to be gone.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, TypeVar

from cloud import Handles, acknowledge
from document_services import (
    Change,
    FaultyModel,
    FaultyTranslator,
    LoggedBucket,
    LoggedTable,
    Paid,
)
from document_steps import (
    PAGE,
    DocumentScenario,
    Edit,
    Remove,
    Round,
    Step,
    Submit,
    Upload,
    Wait,
    Work,
)
from fakes import Died, MemoryQueue, MemorySourceQueue, RecordingTelemetry, VirtualClock
from fakes import lambda_event as event_of
from fakes.documents import TextReader
from fakes.tables import MemoryTable
from faulty import Faults, FaultyBucket, FaultySourceQueue, FaultySqs, FaultyTable, Mortal

from uring.aws.queues import FifoQueue
from uring.changes.retry import Backoff
from uring.clock import timestamp
from uring.documents.costs import DailyBudget
from uring.documents.edits import EditSuperseded, IssueEditor, NoSuchIssue
from uring.documents.intake import Intake
from uring.documents.janitor.janitor import Janitor
from uring.documents.janitor.pages import PageSweeper
from uring.documents.jobs import Jobs
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment
from uring.documents.operations.analyses import Analyses
from uring.documents.operations.findings import IssueWriter
from uring.documents.operations.operations import Operations
from uring.documents.operations.policies import Policies
from uring.documents.store.issues import IssueStore, StoredIssue
from uring.documents.store.policies import PolicyStore
from uring.documents.work.analysis import PolicyAnalyst
from uring.documents.work.answers import Answers
from uring.documents.work.translation import DocumentTranslator
from uring.documents.worker import DocumentWorker
from uring.errors import Retryable
from uring.locks import Lease, Locks, Once
from uring.tables import Table

WINDOW_CHARACTERS: Final = 30
RECEIVES: Final = 8
DAYS_AFTER: Final = 4
_MOST_TRIES: Final = 5
_MOST_ROUNDS: Final = 12
_PAUSE_SECONDS: Final = 961
_BACKOFF: Final = Backoff(lambda _: None)

R = TypeVar("R")


@dataclass(slots=True)
class Asked:
    """A job that somebody was told of, or may have been."""

    message: JobMessage
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit that somebody was told of; ``at``: how many changes there were."""

    at: int
    issue: str
    attribute: str
    value: str


class _Locks(Locks):
    """Locks without threads that renew: in virtual time none would come to it."""

    @contextmanager
    def keep(self, lease: Lease) -> Iterator[Lease]:
        try:
            yield lease
        finally:
            with suppress(Retryable):
                lease.release()


@dataclass
class Process:
    """A process: its ports, which break, and what it shares."""

    world: "DocumentFaultWorld"
    author: str
    faults: Faults
    table: Table = field(init=False)
    bucket: FaultyBucket = field(init=False)
    locks: Locks = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        self.faults = Mortal(self.faults)
        self.table = FaultyTable(
            LoggedTable(world.table, self.author, world.log),  # type: ignore[arg-type]
            self.faults,
        )
        self.bucket = FaultyBucket(world.bucket, self.faults)
        self.locks = _Locks(
            self.table,
            now_ms=lambda: int(world.clock().timestamp() * 1000),
            monotonic=lambda: world.clock().timestamp(),
            sleep=world.clock.sleep,
            jitter=lambda _, most: most,
        )

    @property
    def queue(self) -> FifoQueue:
        """The outlet to the worker."""
        client = FaultySqs(self.world.queue, self.faults)
        return FifoQueue(client, "documents", backoff=_BACKOFF, senders=1)

    def jobs(self) -> Jobs:
        """The jobs."""
        return Jobs(self.table, self.queue, clock=self.world.clock)


class DocumentFaultWorld:
    """Bucket, table, queue, services, and all functions.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        log: every change of the table and of the bucket, in order.
        asked: the jobs.
        edited: the edits.
        missed: attachments that no event made known before the janitor came.
    """

    def __init__(self, scenario: DocumentScenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.clock = VirtualClock()
        self.faults = Faults(plan, self.others_run)
        self.log: list[Change] = []
        self.bucket = LoggedBucket(self.clock, self.log)
        self.table = MemoryTable()
        self.telemetry = RecordingTelemetry()
        self.letters = MemoryQueue(self.clock)
        self.queue = MemoryQueue(
            self.clock,
            visibility_seconds=scenario.visibility_seconds,
            max_receive_count=RECEIVES,
            dead_letters=self.letters,
        )
        self.paid = Paid(self.log)
        self.asked: list[Asked] = []
        self.edited: list[Edited] = []
        self.missed: list[str] = []
        self._numbers = count(1)
        self._worker = self.new_worker(self.faults)
        self._rounds = 0

    def run(self) -> None:
        """The story, then days on which nothing fails."""
        self.faults.counting = False
        self._play(self.scenario.before, self.faults)
        self.faults.counting = True
        self._play((*self.scenario.steps, Work()), self.faults)
        self.faults.counting = False
        self._play((Work(),), self.faults)
        self.missed = [*self._missed()]
        for _ in range(DAYS_AFTER):
            self._play((Round(), Work()), self.faults)

    def _missed(self) -> Iterator[str]:
        """Yield the attachments without an entry of theirs, where nobody cleared the page."""
        store = PolicyStore(self.table, self.bucket)
        if any(asked.message.operation == "clear" for asked in self.asked):
            return
        for listed in self.bucket.list("pages/"):
            attachment = Attachment.at(listed.key)
            if attachment is not None:
                entry = store.get(attachment.page, attachment.source)
                if entry is None or not entry.is_of(listed):
                    yield attachment.source

    def once_more(self) -> int:
        """Submit each job again; return how many calls that paid for."""
        self.faults.counting = False
        calls = len(self.paid.calls)
        asked = [each.message for each in self.asked]
        for operation, source, language in dict.fromkeys(
            (each.operation, each.source, each.language) for each in asked
        ):
            if operation != "clear":
                self._play((Submit(operation, source, language), Work()), self.faults)
        return len(self.paid.calls) - calls

    def others_run(self) -> None:
        """The stalled process's message is delivered to others; somebody does something else."""
        calm = Faults()
        hidden = self.scenario.visibility_seconds + 1
        stalled = self.scenario.stalled_seconds
        self.clock.advance(hidden if stalled is None else stalled)
        self._play((*self.scenario.beside, Work()), calm)

    def _play(self, steps: tuple[Step, ...], faults: Faults) -> None:
        for step in steps:
            self.clock.advance(1)
            if isinstance(step, Upload):
                self.bucket.plant(Attachment(step.page, step.source).key, step.text.encode())
                self._event("ObjectCreated:Put", step, faults)
            elif isinstance(step, Remove):
                self.bucket.remove(Attachment(step.page, step.source).key)
                self._event("ObjectRemoved:Delete", step, faults)
            elif isinstance(step, Submit):
                self._submit(step, faults)
            elif isinstance(step, Edit):
                self._edit(step, faults)
            elif isinstance(step, Round):
                self.clock.advance(hours=step.hours)
                self._sweep(faults)
            elif isinstance(step, Wait):
                self.clock.advance(hours=step.hours)
            else:
                self._work(faults)

    def _event(self, kind: str, step: Upload | Remove, faults: Faults) -> None:
        key = Attachment(step.page, step.source).key
        told = {"key": key, "sequencer": f"event-{next(self._numbers)}"}
        event = {"Records": [{"eventName": kind, "s3": {"object": told}}]}

        def take() -> None:
            process = Process(self, "intake", faults)
            Intake(process.queue, self.telemetry, clock=self.clock).take(event)

        self._repeated(take)

    def _submit(self, step: Submit, faults: Faults) -> None:
        def submit() -> None:
            # Whoever is not answered submits another one: that one may be done or not.
            if not step.again:
                message = JobMessage(
                    job=f"00000000-0000-4000-8000-{next(self._numbers):012d}",
                    page=step.page,
                    operation=step.operation,  # type: ignore[arg-type]
                    source=step.source,
                    language=step.language,
                    submitted_at=self.clock(),
                )
                self.asked.append(Asked(message))
            asked = self.asked[-1]
            Process(self, "api", faults).jobs().submit(asked.message)
            asked.is_told = True

        self._repeated(submit)

    def _edit(self, step: Edit, faults: Faults) -> None:
        def edit() -> None:
            process = Process(self, "editor", faults)
            found = [
                issue for issue in IssueStore(process.table).all(PAGE) if issue.title == step.title
            ]
            for issue in found:
                self._edit_one(process, issue, step)

        self._repeated(edit)

    def _edit_one(self, process: Process, issue: StoredIssue, step: Edit) -> None:
        editor = IssueEditor(process.table, process.locks, clock=self.clock)
        edits: Mapping[str, Callable[..., StoredIssue]] = {
            "severity": editor.classify,
            "notes": editor.annotate,
            "state": editor.transition,
        }
        if getattr(issue, step.attribute) == step.value:
            # An earlier try whose answer was lost.
            self.edited.append(Edited(len(self.log), issue.id, step.attribute, step.value))
            return
        try:
            edits[step.attribute](
                PAGE, issue.id, step.value, lambda there: there.version == issue.version
            )
        except NoSuchIssue:
            return
        except EditSuperseded as error:
            raise Retryable("edited by another") from error
        self.edited.append(Edited(len(self.log), issue.id, step.attribute, step.value))

    def _sweep(self, faults: Faults) -> None:
        self._rounds += 1
        events: list[Mapping[str, Any]] = [
            {"id": f"{self._rounds}", "source": "aws.scheduler", "time": timestamp(self.clock())}
        ]
        while events:
            event = events.pop(0)

            def sweep(event: Mapping[str, Any] = event) -> None:
                process = Process(self, "janitor", faults)
                sweeper = PageSweeper(
                    process.table, process.bucket, process.locks, process.queue, clock=self.clock
                )
                janitor = Janitor(
                    process.table,
                    process.bucket,
                    sweeper,
                    lambda more: process.faults.call("invoke", lambda: events.append(more)),
                    self.telemetry,
                    clock=self.clock,
                )
                janitor.work(dict(event), self._time_left(900, 1, 0))

            self._repeated(sweep)

    def _work(self, faults: Faults) -> None:
        worker = self._worker if faults is self.faults else self.new_worker(faults)
        for _ in range(_MOST_ROUNDS):
            while batch := self.queue.receive(1):
                try:
                    answer = worker.run(event_of(batch), time_left=self._time_left(900, 6, 30))
                except Died:
                    worker = self.new_worker(faults)
                else:
                    acknowledge(self.queue, batch, answer, faults)
            # While a process stalls for seconds, others do not wait for its message.
            is_brief = faults is not self.faults and self.scenario.stalled_seconds is not None
            if is_brief or not self.queue.messages:
                break
            self.clock.advance(self.scenario.visibility_seconds)
        if faults is self.faults:
            self._worker = worker

    def _time_left(self, seconds: float, looks: int, then: float) -> Callable[[], float]:
        if not self.scenario.hurried:
            return lambda: seconds
        answers = iter([seconds] * looks)
        return lambda: next(answers, then)

    def _repeated(self, action: Callable[[], R]) -> R | None:
        """Do it as Lambda or a person does: again when it failed."""
        for _ in range(_MOST_TRIES):
            try:
                return action()
            except (Died, Retryable):
                self.clock.advance(60)
        raise AssertionError("it failed again and again")

    def new_worker(self, faults: Faults) -> Handles:
        """A fresh process of the worker, whose I/O these faults break."""
        process = Process(self, "worker", faults)
        table, bucket, clock = process.table, process.bucket, self.clock
        once, answers, reader = Once(process.locks, table), Answers(bucket), TextReader()
        policies = Policies(
            table,
            bucket,
            process.locks,
            lambda body, formats: process.faults.call("extract", lambda: reader(body, formats)),
            DocumentTranslator(FaultyTranslator(self.paid, process.faults), answers),
            clock=clock,
            once=once,
        )
        model = FaultyModel(self.paid, process.faults)
        analyst = PolicyAnalyst(model, answers, window_characters=WINDOW_CHARACTERS)
        analyses = Analyses(table, bucket, policies.store, analyst, clock=clock, once=once)
        issues = IssueWriter(table, process.locks, analyses, clock=clock)
        operations = Operations(
            table,
            process.locks,
            policies,
            analyses,
            issues,
            process.jobs(),
            DailyBudget(table, cap_micros=10_000_000, stack_micros=10**9, clock=clock),
            clock=clock,
        )
        source = FaultySourceQueue(MemorySourceQueue(self.queue, self.letters), process.faults)
        return DocumentWorker(
            operations, process.jobs(), process.queue, source, self.telemetry, clock=clock
        )
