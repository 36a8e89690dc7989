"""A function and the notifier under faults, over the fakes, in virtual time.

    worker ─► bucket (every version kept) ─► notify queue ─ notifier ─► FCM (every POST kept)

The I/O of the functions and the acknowledgements of their messages are numbered in one row, and
`faulty.Faults` breaks the chosen ones. Whoever dies is followed by a fresh process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final, Protocol, TypeVar

from fakes import (
    Died,
    MemoryBucket,
    MemoryLedger,
    MemoryQueue,
    MemorySourceQueue,
    Message,
    RecordingTelemetry,
    StaleHandle,
    VirtualClock,
    lambda_event,
)
from faulty import (
    Faults,
    FaultyLedger,
    FaultySender,
    FaultySourceQueue,
    FaultySqs,
)

from uring.aws.queues import NotifyQueue
from uring.changes.check import Checker
from uring.changes.family import Family
from uring.changes.history.refused import RefusedAnswers
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.changes.state import SourceState
from uring.changes.worker import Worker, announced_lines
from uring.clock import Clock
from uring.functions.families import named
from uring.objects import Bucket
from uring.push.notifier import Notifier
from uring.push.payload import Push
from uring.push.ports import Rejected, SendResult, Sent

# As in the template.
VISIBILITY_SECONDS: Final = 90
# Ticks after the last page: one that finds nothing, and what late faults and FCM's backoff need.
MOST_EXTRA_TICKS: Final = 12

F = TypeVar("F")


class Handles(Protocol):
    """A function behind a queue."""

    def run(self, event: Mapping[str, Any], *, time_left: Callable[[], float]) -> dict[str, Any]:
        """The partial batch response."""
        ...


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

    def __init__(self, order: "count[int]", script: Mapping[str, Sequence[SendResult]]) -> None:
        self.accepted: list[Post] = []
        self._order = order
        self._script = {notice: list(answers) for notice, answers in script.items()}

    def send(self, push: Push) -> SendResult:
        post = Post(next(self._order), push.data)
        answers = self._script.get(push.data["id"], [])
        answer = answers[0] if answers else Sent(f"projects/p/messages/{post.order}")
        if answers and not isinstance(answer, Rejected):
            del answers[0]
        if isinstance(answer, Sent):
            self.accepted.append(post)
        return answer


class Cloud:
    """Bucket, queues, ledger and FCM, a worker and the notifier.

    Args:
        now: the first time of all, aware UTC.
        plan: which I/O breaks, and how; see `faulty`.
        down: from the first death to the next process.
        visibility_seconds: of the work queue.
        work_receives: of a message of the work queue, before it is a dead letter.
        notify_receives: of a message of the notify queue, before it is a dead letter.
        fcm: what FCM answers to the first POSTs of a record, by its id; then it accepts.

    Attributes:
        most: messages of a batch.
    """

    most = 10

    def __init__(
        self,
        now: datetime,
        plan: Mapping[int, str] | None = None,
        *,
        down: timedelta = timedelta(),
        visibility_seconds: int = VISIBILITY_SECONDS,
        work_receives: int = 20,
        notify_receives: int = 50,
        fcm: Mapping[str, Sequence[SendResult]] | None = None,
    ) -> None:
        self.clock = VirtualClock(now)
        self.faults = Faults(plan, self.others_run)
        order = count(1)
        self.objects = MemoryBucket(self.clock, ticks=order)
        self.dead, self.dead_jobs = MemoryQueue(self.clock), MemoryQueue(self.clock)
        self.work = MemoryQueue(
            self.clock,
            visibility_seconds=visibility_seconds,
            max_receive_count=work_receives,
            dead_letters=self.dead_jobs,
        )
        self.notify = MemoryQueue(
            self.clock, max_receive_count=notify_receives, dead_letters=self.dead, ticks=order
        )
        self.ledger = MemoryLedger()
        self.fcm = Fcm(order, fcm or {})
        self.telemetry = RecordingTelemetry()
        self.backoff = Backoff(lambda _: None)
        self._hidden_seconds = visibility_seconds + 1
        self._stalled_seconds = max(self._hidden_seconds, down.total_seconds())
        self._down = down
        self._worker = self.new_worker(self.faults)
        self._notifier = self.new_notifier(self.faults)
        self._others = self.new_worker(Faults()), self.new_notifier(Faults())

    def tick(self) -> None:
        """The schedule's next minute: a job."""
        raise NotImplementedError

    def new_worker(self, faults: Faults) -> Handles:
        """A fresh process of the worker, whose I/O these faults break."""
        raise NotImplementedError

    def worker_of(
        self,
        family: Family[Any, Any],
        model: type[SourceState],
        objects: Bucket,
        faults: Faults,
        outlet: type[NotifyQueue] = NotifyQueue,
        clock: Clock | None = None,
    ) -> Worker:
        """A family's real worker over this cloud."""
        clock = clock or self.clock
        register: StateRegister[Any] = StateRegister(
            objects, family.name, model, clock=clock, backoff=self.backoff
        )
        publisher = OutboxPublisher(
            register,
            outlet(FaultySqs(self.notify, faults), "notify"),
            clock=clock,
            announced=announced_lines(family.name, self.telemetry, named),
        )
        return Worker(
            Checker(
                family,
                publisher,
                clock=clock,
                backoff=self.backoff,
                refused=RefusedAnswers(objects),
                monotonic=lambda: clock().timestamp(),
            ),
            FaultySourceQueue(MemorySourceQueue(self.work, self.dead_jobs), faults),
            self.telemetry,
            named,
        )

    def new_notifier(self, faults: Faults) -> Handles:
        """A fresh process of the notifier, whose I/O these faults break."""
        return Notifier(
            FaultyLedger(self.ledger, faults),
            FaultySender(self.fcm, faults),
            FaultySourceQueue(MemorySourceQueue(self.notify, self.dead), faults),
            self.telemetry,
            named,
            clock=self.clock,
            sent_kept_for=timedelta(days=15),
        )

    def round(self) -> bool:
        """A tick and what comes of it; whether no fault happened and nothing is left in a queue."""
        before = len(self.faults.broken)
        self.tick()
        self.poll()
        self.push()
        self.clock.advance(self._hidden_seconds)
        self.poll()
        self.push()
        calm = len(self.faults.broken) == before
        return calm and not (self.work.messages or self.notify.messages)

    def worker(self) -> Handles:
        """The process that takes the next batch."""
        return self._worker

    def poll(self) -> None:
        """The worker takes what there is."""
        while batch := self.work.receive(self.most):
            try:
                answer = self.worker().run(lambda_event(batch), time_left=lambda: 3600)
            except Died:
                self._worker = self.after_death(self.new_worker)
            else:
                acknowledge(self.work, batch, answer, self.faults)

    def push(self) -> None:
        """The notifier takes what there is."""
        while batch := self.notify.receive(self.most):
            try:
                answer = self._notifier.run(lambda_event(batch), time_left=lambda: 57)
            except Died:
                self._notifier = self.after_death(self.new_notifier)
            else:
                acknowledge(self.notify, batch, answer, self.faults)

    def others_run(self) -> None:
        """The stalled process's messages are delivered to others, and so is the next tick's."""
        worker = self._others[0]
        self.clock.advance(self._stalled_seconds)
        self.tick()
        for _ in range(3):
            while batch := self.work.receive(self.most):
                answer = worker.run(lambda_event(batch), time_left=lambda: 3600)
                acknowledge(self.work, batch, answer, Faults())
            self.others_push()
            self.clock.advance(VISIBILITY_SECONDS + 1)

    def others_push(self) -> None:
        """Another notifier takes what there is."""
        while batch := self.notify.receive(self.most):
            answer = self._others[1].run(lambda_event(batch), time_left=lambda: 57)
            acknowledge(self.notify, batch, answer, Faults())

    def after_death(self, new: Callable[[Faults], F]) -> F:
        self.clock.advance(self._down.total_seconds())
        self._down = timedelta()
        return new(self.faults)


def acknowledge(
    queue: MemoryQueue, batch: Sequence[Message], answer: dict[str, Any], faults: Faults
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
