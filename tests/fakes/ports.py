"""The library's queue ports over a `MemoryQueue`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fakes.queues import MemoryQueue, StaleHandle, lambda_event
from uring.changes.ports import Sendable
from uring.contracts import ChangePublished, Job
from uring.errors import Permanent
from uring.runtime.batches import RENEWALS, WAITS, BatchRecord


class MemoryOutlet:
    """Implements `uring.changes.ports.Outlet`.

    Args:
        refuses: which changes SQS fails in its answer; they are not enqueued.
    """

    def __init__(
        self, queue: MemoryQueue, refuses: Callable[[ChangePublished], bool] = lambda _: False
    ) -> None:
        self.queue = queue
        self.refuses = refuses
        self.calls = 0

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        accepted: set[str] = set()
        stopped: set[str] = set()
        for change in changes:
            if change.group in stopped:
                continue
            self.calls += 1
            if self.refuses(change):
                stopped.add(change.group)
                continue
            self.queue.send(change.group, change.event_id, change.body())
            accepted.add(change.event_id)
        return frozenset(accepted)


class MemoryWorkQueue:
    """Implements `uring.changes.jobs.WorkQueue`."""

    def __init__(
        self, queue: MemoryQueue, refuses: Callable[[Job], bool] = lambda _: False
    ) -> None:
        self.queue = queue
        self.refuses = refuses

    def dispatch(self, jobs: Sequence[Job]) -> int:
        refused = 0
        for job in jobs:
            if self.refuses(job):
                refused += 1
            else:
                self.queue.send(job.group, job.job_id, job.body())
        return refused


class MemorySourceQueue:
    """Implements `SourceQueue`; a stale handle is passed over, as the adapter does."""

    def __init__(self, queue: MemoryQueue, dead_letters: MemoryQueue) -> None:
        self._queue = queue
        self._dead_letters = dead_letters
        self.stale = 0

    def defer(self, records: Sequence[BatchRecord], seconds: int) -> None:
        for record in records:
            try:
                self._queue.change_visibility(record.receipt_handle, seconds)
            except StaleHandle:
                self.stale += 1

    def reject(self, record: BatchRecord, error: Permanent) -> None:
        self._dead_letters.send(
            record.group, record.message_id, record.body, {"reason": str(error)[:1000]}
        )

    def renew(self, record: BatchRecord, *, waits: bool = False) -> None:
        numbers = {RENEWALS: record.renewals + 1}
        if waits:
            numbers = {RENEWALS: record.renewals, WAITS: 1}
        self._queue.send(
            record.group,
            f"renewed-{record.message_id}",
            record.body,
            {name: str(number) for name, number in numbers.items()},
        )


class MemorySends:
    """Implements `uring.changes.ports.Sends`.

    Args:
        fails: called before each message with what was sent so far; may raise.
    """

    def __init__(self, queue: MemoryQueue, fails: Callable[[int], None] = lambda _: None) -> None:
        self.queue = queue
        self.fails = fails
        self.sent = 0

    def send(self, messages: Sequence[Sendable]) -> None:
        for message in messages:
            self.fails(self.sent)
            self.queue.send(message.group, message.name, message.body())
            self.sent += 1


class MemoryPulls:
    """Implements `uring.seeds.domains.refill.Pulls`."""

    def __init__(self, queue: MemoryQueue) -> None:
        self.queue = queue
        self.calls = 0
        self.deleted = 0

    def receive(self, most: int) -> Sequence[Mapping[str, Any]]:
        self.calls += 1
        found: Sequence[Mapping[str, Any]] = lambda_event(self.queue.receive(most))["Records"]
        return found

    def delete(self, records: Sequence[Mapping[str, Any]]) -> None:
        for record in records:
            try:
                self.queue.delete(record["receiptHandle"])
            except StaleHandle:
                continue
            self.deleted += 1
