"""Batches of the domain queue: each domain by one worker at a time (S5), refilled by `refill`.

Or a range of domains, by `feeder`: what a range leaves over is sent back as messages.

An unreachable domain is tried three times. Then its metadata has the outcome, it has no mark, and
its message is a dead letter with the reason: `uring queue redrive` tries again.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.objects import Bucket
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred, Postponed, SourceQueue
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect.collector import Collector
from uring.seeds.domains.domain import NEEDS_SECONDS, DomainUnreachable, DomainWork, TurnAwaited
from uring.seeds.domains.feeder import RangeFeeder
from uring.seeds.domains.pauses import CROWDED_SECONDS, pause_of
from uring.seeds.domains.refill import Pulls, RefilledBatch
from uring.seeds.domains.room import Room
from uring.seeds.domains.store import EvidenceKind
from uring.seeds.messages import MOST_RECEIVES, DomainMessage
from uring.seeds.pace import AT_ONCE, SOCKETS
from uring.seeds.progress import Progress
from uring.seeds.ranges import parse_work
from uring.tables import PutTable

PAUSES_SECONDS: Final = (900, 900)


class DomainWorker:
    """Collects domains.

    Args:
        table: of `progress`, for copies of robots.txt.
        source: the queue that delivers the batches.
        domains: the same queue, for the rest of a range.
        pauses: seconds before the second and the third try of an unreachable domain.
        groups: the number of messages worked on at once.
        sockets: see `RangeFeeder`.
        evidence: see `ResultStore`.
        room: see `DomainWork`.
        more: the same queue, to refill a batch; None takes what Lambda hands over alone.
        at_once: the domains in flight of a batch that is refilled.
    """

    def __init__(
        self,
        bucket: Bucket,
        collector: Collector,
        progress: Progress,
        table: PutTable,
        source: SourceQueue,
        domains: Sends,
        telemetry: Telemetry,
        *,
        clock: Clock,
        pauses: Sequence[int] = PAUSES_SECONDS,
        groups: int = 10,
        sockets: int = SOCKETS,
        evidence: EvidenceKind = "objects",
        room: Room | None = None,
        more: Pulls | None = None,
        at_once: int = AT_ONCE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work = DomainWork(
            bucket,
            collector,
            progress,
            table,
            telemetry,
            clock=clock,
            again_after=timedelta(seconds=min(pauses) / 2),
            evidence=evidence,
            room=room,
            monotonic=monotonic,
        )
        self._feeder = RangeFeeder(
            self._work,
            domains,
            source,
            telemetry,
            clock=clock,
            pauses=pauses,
            sockets=sockets,
        )
        self._source = source
        self._pauses = pauses
        self._time_left: Callable[[], float] = float
        # The domains of a group are collected in any order.
        self._batch = BatchRunner(
            self._handle, source, telemetry, workers=groups, most_receives=MOST_RECEIVES
        )
        self._refilled: RefilledBatch | None = None
        if more is not None:
            self._refilled = RefilledBatch(
                self._batch, more, telemetry, at_once=at_once, needs=NEEDS_SECONDS
            )

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event; a process has one at a time."""
        self._time_left = time_left
        if self._refilled is not None:
            return self._refilled.run(event, time_left)
        return self._batch.run(event, time_left=time_left, needs=NEEDS_SECONDS)

    def _handle(self, record: BatchRecord) -> None:
        message = parse_work(record.body)
        if isinstance(message, DomainMessage):
            self._handle_domain(message, record)
        elif record.receive_count > MOST_RECEIVES:
            # An outage uses up fewer: it killed its workers.
            self._feeder.divide(message)
        else:
            self._feeder.run(message, self._time_left)

    def _handle_domain(self, message: DomainMessage, record: BatchRecord) -> None:
        try:
            result = self._work.collect(
                message,
                is_first=record.receive_count == 1,
                time_left=self._time_left,
                compares=True,
            )
        except TurnAwaited as error:
            raise _postponed(record, str(error)) from error
        if result is None:
            return
        answer = result.collection.robots
        if not answer.is_reachable and record.receive_count < MOST_RECEIVES:
            raise Deferred(
                f"{message.registrable_domain}: {answer.outcome}: {answer.detail}",
                seconds=pause_of(self._pauses, record.receive_count, answer.retry_after),
            )
        self._work.settle([result])
        if not answer.is_reachable:
            self._source.reject(record, DomainUnreachable.of(result))


def _postponed(record: BatchRecord, reason: str) -> Deferred:
    """Return the error of a domain without a turn: from its second receive on a copy replaces it.

    So it has at least two of its tries left when its turn comes.
    """
    if record.receive_count < MOST_RECEIVES - 1:
        return Deferred(reason, seconds=CROWDED_SECONDS)
    return Postponed(reason, seconds=CROWDED_SECONDS)
