"""A department under faults: the real worker and notifier over the fakes, in virtual time.

    site ─ worker ─► bucket (every version kept) ─► notify queue ─ notifier ─► FCM (every POST kept)

All I/O of both functions and the acknowledgements of their messages are numbered in one row, and
`faulty.Faults` breaks the chosen ones. Whoever dies is followed by a fresh process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final, TypeVar

from fakes import (
    ENTRY,
    Died,
    MemoryLedger,
    MemoryObjects,
    MemoryOutlet,
    MemoryQueue,
    MemoryReturns,
    Message,
    Notice,
    RecordingTelemetry,
    ScriptedFetcher,
    StaleHandle,
    VirtualClock,
    lambda_event,
    page_of,
    visitor,
)
from fakes.sender import Answer
from faulty import (
    Faults,
    FaultyFetcher,
    FaultyLedger,
    FaultyObjects,
    FaultyOutlet,
    FaultyReturns,
    FaultySender,
)

from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.contracts import CollectNotices
from uring.errors import SourceTrouble
from uring.notices.collect import NoticeCollector
from uring.notices.worker import NoticeWorker, published_lines
from uring.push.notifier import Notifier
from uring.push.payload import Push
from uring.push.ports import Accepted, Never

START: Final = datetime(2026, 3, 31, 12, 5, tzinfo=UTC)
TICK: Final = timedelta(minutes=10)
VISIBILITY_SECONDS: Final = 360
# Ticks after the last page: one that finds nothing, and what late faults and FCM's backoff need.
_MOST_EXTRA_TICKS: Final = 12

_REDRIVES: Final = 3

Board = tuple[Notice, ...]
Seen = Board | SourceTrouble
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens around the two functions.

    Attributes:
        pages: what the site shows in turn, the last for good; a trouble is raised by the fetch.
        step: how long each page stays.
        begins: when the first page shows.
        baseline: known before the first fault can happen; none when None.
        down: from the first death to the next process.
        fcm: what FCM answers to the first POSTs of a notice, by its id; then it accepts. A
            refusal for good is one.
        notify_receives: of a message of the notify queue, before it is a dead letter.
        entry: of the sitemap, from the first page on; the baseline is read by `fakes.ENTRY`.
        redriven: whether an operator sends dead letters round again in the end.
    """

    name: str
    pages: tuple[Seen, ...]
    step: timedelta = TICK
    begins: datetime = START
    baseline: Board | None = ()
    down: timedelta = timedelta()
    fcm: Mapping[str, Sequence[Answer]] | None = None
    notify_receives: int = 50
    entry: Mapping[str, Any] = field(default_factory=lambda: ENTRY)
    redriven: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """One POST that FCM took; ``order`` counts with the writes to the bucket."""

    order: int
    data: Mapping[str, str]

    @property
    def key(self) -> str:
        """As in the ledger."""
        return f"{self.data['dept']}#{self.data['id']}#{self.data['revision']}"


class Fcm:
    """Implements `uring.push.ports.Sender` by a scenario's script."""

    def __init__(self, order: "count[int]", script: Mapping[str, Sequence[Answer]]) -> None:
        self.accepted: list[Post] = []
        self._order = order
        self._script = {notice: list(answers) for notice, answers in script.items()}

    def send(self, push: Push) -> Answer:
        post = Post(next(self._order), push.data)
        answers = self._script.get(push.data["id"], [])
        answer = answers[0] if answers else Accepted(f"projects/p/messages/{post.order}")
        if answers and not isinstance(answer, Never):
            del answers[0]
        if isinstance(answer, Accepted):
            self.accepted.append(post)
        return answer


class World:
    """One source with its bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.
    """

    def __init__(self, scenario: Scenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.clock = VirtualClock(scenario.begins - TICK)
        self.faults = Faults(plan, self._others_run)
        order = count(1)
        self.objects = MemoryObjects(self.clock, ticks=order)
        self.dead = MemoryQueue(self.clock)
        self.work = MemoryQueue(self.clock, dead_letters=self.dead)
        self.notify = MemoryQueue(
            self.clock,
            max_receive_count=scenario.notify_receives,
            dead_letters=self.dead,
            ticks=order,
        )
        self.ledger = MemoryLedger()
        self.fcm = Fcm(order, scenario.fcm or {})
        self.redriven: list[Message] = []
        self.telemetry = RecordingTelemetry()
        self._began = False
        self._down = scenario.down
        self._worker = self._new_worker(self.faults)
        self._notifier = self._new_notifier(self.faults)
        self._others = self._new_worker(Faults()), self._new_notifier(Faults())

    def run(self) -> None:
        """From the baseline until every page was seen and all is quiet."""
        if self.scenario.baseline is not None:
            self.faults.counting = False
            self.tick()
            self.poll()
            self.faults.counting = True
        self._began = True
        for number in range(len(self.scenario.pages) + _MOST_EXTRA_TICKS):
            self.clock.now = max(self.clock.now, self.scenario.begins + number * TICK)
            all_shown = self._place() >= len(self.scenario.pages)
            if self.round() and all_shown:
                break
        for _ in range(_REDRIVES if self.scenario.redriven else 0):
            self.redrive()

    def round(self) -> bool:
        """A tick and what comes of it; whether no fault happened and nothing is left in a queue."""
        before = len(self.faults.broken)
        self.tick()
        self.poll()
        self.push()
        self.clock.advance(VISIBILITY_SECONDS + 1)
        self.poll()
        self.push()
        calm = len(self.faults.broken) == before and not self._waits()
        return calm and not (self.work.messages or self.notify.messages)

    def _waits(self) -> bool:
        """Whether the worker leaves the site alone for now: it has not seen the last page yet."""
        checks = [fields for name, fields in self.telemetry.events if name == "checked"]
        return bool(checks) and checks[-1]["outcome"] == "waiting"

    def page(self) -> Seen:
        """What the site shows now."""
        if not self._began:
            return self.scenario.baseline or ()
        return self.scenario.pages[min(self._place(), len(self.scenario.pages) - 1)]

    def last_page(self) -> Board:
        """What the site shows in the end."""
        return next(page for page in reversed(self.scenario.pages) if isinstance(page, tuple))

    def tick(self) -> None:
        """The schedule's next minute: a job."""
        entry = self.scenario.entry if self._began else ENTRY
        job = CollectNotices(scheduled_at=self.clock(), source=dict(entry))
        self.work.send("cs", job.job_id, job.body())

    def poll(self) -> None:
        """The worker takes what there is."""
        while batch := self.work.receive():
            try:
                answer = self._worker.run(lambda_event(batch), time_left=lambda: 3600)
            except Died:
                self._worker = self._after_death(self._new_worker)
            else:
                self._acknowledge(self.work, batch, answer, self.faults)

    def push(self) -> None:
        """The notifier takes what there is."""
        while batch := self.notify.receive():
            try:
                answer = self._notifier.run(lambda_event(batch), time_left=lambda: 57)
            except Died:
                self._notifier = self._after_death(self._new_notifier)
            else:
                self._acknowledge(self.notify, batch, answer, self.faults)

    def redrive(self) -> None:
        """An operator sends the dead letters of the notify queue round again, a day later."""
        self.clock.advance(days=1)
        letters, self.dead.messages = self.dead.messages, []
        self.redriven += letters
        for letter in letters:
            self.notify.send(letter.group, f"again-{letter.message_id}", letter.body)
        for _ in range(_MOST_EXTRA_TICKS):
            self.push()
            self.clock.advance(VISIBILITY_SECONDS + 1)

    def _others_run(self) -> None:
        """The stalled process's messages are delivered to others, and so is the next tick's."""
        worker, notifier = self._others
        faults = Faults()
        self.clock.advance(max(VISIBILITY_SECONDS + 1, self.scenario.down.total_seconds()))
        self.tick()
        for _ in range(3):
            while batch := self.work.receive():
                answer = worker.run(lambda_event(batch), time_left=lambda: 3600)
                self._acknowledge(self.work, batch, answer, faults)
            while batch := self.notify.receive():
                answer = notifier.run(lambda_event(batch), time_left=lambda: 57)
                self._acknowledge(self.notify, batch, answer, faults)
            self.clock.advance(VISIBILITY_SECONDS + 1)

    def _after_death(self, new: Callable[[Faults], F]) -> F:
        self.clock.advance(self._down.total_seconds())
        self._down = timedelta()
        return new(self.faults)

    def _place(self) -> int:
        """How many pages came before the one that shows now."""
        return int((self.clock() - self.scenario.begins) / self.scenario.step)

    def _answer(self) -> str | Exception:
        page = self.page()
        return page if isinstance(page, SourceTrouble) else page_of(page)

    def _new_worker(self, faults: Faults) -> NoticeWorker:
        backoff = Backoff(lambda _: None)
        objects = FaultyObjects(self.objects, faults)
        publisher = Publisher(
            objects,
            FaultyOutlet(MemoryOutlet(self.notify), faults),
            Register(objects, "notices", clock=self.clock, backoff=backoff),
            backoff=backoff,
            published=published_lines(self.telemetry),
        )
        fetcher = FaultyFetcher(ScriptedFetcher(self._answer), faults)
        return NoticeWorker(
            NoticeCollector(visitor(fetcher), publisher, clock=self.clock, backoff=backoff),
            FaultyReturns(MemoryReturns(self.work, self.dead), faults),
            self.telemetry,
        )

    def _new_notifier(self, faults: Faults) -> Notifier:
        return Notifier(
            FaultyLedger(self.ledger, faults),
            FaultySender(self.fcm, faults),
            FaultyReturns(MemoryReturns(self.notify, self.dead), faults),
            self.telemetry,
            clock=self.clock,
            sent_kept_for=timedelta(days=15),
        )

    def _acknowledge(
        self,
        queue: MemoryQueue,
        batch: Sequence[Message],
        answer: dict[str, Any],
        faults: Faults,
    ) -> None:
        """What Lambda does with the answer; it may get lost, and all come back."""
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        done = [message for message in batch if message.message_id not in failed]

        def delete() -> None:
            for message in done:
                try:
                    queue.delete(message.receipt_handle)
                except StaleHandle:
                    continue

        if done:
            faults.call("acknowledge", delete, no_answer=lambda: None)
