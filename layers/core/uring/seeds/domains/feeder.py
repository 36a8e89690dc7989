"""The domains of a range: hundreds in flight, so that a slow one holds up no other.

    range ─► collect, 200 at once ─┬─► settled, 25 at a time
                                   ├─► no answer ─► a range for the next try; at last a dead letter
                                   ├─► no turn ─► a range a minute later
                                   ├─► a bug ─► a message of its own, with that way's tries
                                   └─► no time left ─► the rest, as a range
    An outage of AWS, or a pause ─► the range again: marks say what is done

Messages are sent last. A range that dies before is delivered again, and asks only for what has no
mark.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil
from typing import Final, Literal

from uring.changes.ports import Sendable, Sends
from uring.clock import Clock, parse_timestamp
from uring.errors import Retryable
from uring.runtime.batches import BatchRecord, Deferred, SourceQueue, stay_on_one_core
from uring.runtime.telemetry import Telemetry
from uring.seeds.domains.domain import NEEDS_SECONDS, DomainUnreachable, DomainWork, TurnAwaited
from uring.seeds.domains.pauses import CROWDED_SECONDS, LONGEST_PAUSE_SECONDS, pause_of
from uring.seeds.domains.store import Result, body_bytes
from uring.seeds.messages import MOST_RECEIVES, DomainMessage
from uring.seeds.pace import SOCKETS
from uring.seeds.progress import MOST_AT_ONCE
from uring.seeds.ranges import RangeMessage

# Of the bodies that wait for a group to be full.
_MOST_GROUP_BYTES: Final = 2 * 1024 * 1024

_Late = Literal["late"]
Found = Result | Exception | _Late | None
"""What became of a domain: its collection, an error, no time, or None for a mark."""


@dataclass(slots=True)
class _Run:
    """A range under way.

    Attributes:
        message: the range.
        alone: the domains that get messages of their own.
        silent: the ids of domains that did not answer, by the seconds until their next try.
        crowded: the ids of domains that had no turn.
        late: the ids of domains that were not begun.
        group: collections that are settled together.
        outage: the first error of AWS, or of a deployment; or that the partition is paused.
    """

    message: RangeMessage
    alone: list[DomainMessage]
    silent: dict[int, list[str]] = field(default_factory=dict)
    crowded: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    outage: Retryable | None = None
    group: list[Result] = field(default_factory=list)
    settled: int = 0


class RangeFeeder:
    """Collects the domains of ranges; safe to share between threads.

    Args:
        domains: the domain queue.
        source: the same queue, for dead letters.
        pauses: seconds before the second and the third try of an unreachable domain.
        sockets: the number of domains in flight, of all ranges of the process.
    """

    def __init__(
        self,
        work: DomainWork,
        domains: Sends,
        source: SourceQueue,
        telemetry: Telemetry,
        *,
        clock: Clock,
        pauses: Sequence[int],
        sockets: int = SOCKETS,
    ) -> None:
        self._work = work
        self._domains = domains
        self._source = source
        self._telemetry = telemetry
        self._clock = clock
        self._pauses = pauses
        self._sockets = sockets
        self._pool = ThreadPoolExecutor(
            sockets, thread_name_prefix="domain", initializer=stay_on_one_core
        )

    def run(self, message: RangeMessage, time_left: Callable[[], float]) -> None:
        """Collect the domains of a range, and hand on the rest.

        Args:
            message: the range.
            time_left: returns the seconds until the invocation is ended.

        Raises:
            Deferred: its time has not come, or its partition is paused.
            Retryable: S3, DynamoDB or SQS failed; the next try does what is left.
        """
        self._wait(message)
        due, others = _distinct(message.messages())
        # One look for all: a paused range asks for no mark.
        self._work.look(due[0])
        run = _Run(message, others)
        for domain, found in self._collected(due, message.tries, time_left):
            self._take(run, domain, found)
            if len(run.group) == MOST_AT_ONCE or _is_full(run.group):
                self._settle(run)
        self._settle(run)
        if run.outage is not None:
            raise run.outage
        self._hand_on(run)

    def divide(self, message: RangeMessage) -> None:
        """Send each domain of a range by itself: one of them may be what killed its workers.

        Raises:
            Retryable: SQS failed.
        """
        self._domains.send([*message.messages()])
        self._telemetry.warning("range_divided", **_named(message))

    def _collected(
        self, domains: Sequence[DomainMessage], tries: int, time_left: Callable[[], float]
    ) -> Iterator[tuple[DomainMessage, Found]]:
        """Yield what became of each domain, in the order of their ends."""
        if self._sockets == 1:
            yield from ((domain, self._one(domain, tries, time_left)) for domain in domains)
            return
        futures = {self._pool.submit(self._one, each, tries, time_left): each for each in domains}
        try:
            for future in as_completed(futures):
                # A result has bodies: it is not kept.
                yield futures.pop(future), future.result()
        finally:
            for future in futures:
                future.cancel()

    def _one(self, domain: DomainMessage, tries: int, time_left: Callable[[], float]) -> Found:
        if time_left() < NEEDS_SECONDS:
            return "late"
        try:
            return self._work.collect(domain, is_first=tries == 0, time_left=time_left)
        except Exception as error:  # noqa: BLE001 - a bug costs its own domain, not the range
            return error

    def _take(self, run: _Run, domain: DomainMessage, found: Found) -> None:
        """Note what became of a domain."""
        if found == "late":
            run.late.append(domain.domain_id)
        elif isinstance(found, TurnAwaited):
            run.crowded.append(domain.domain_id)
        elif isinstance(found, Exception):
            self._fail(run, [domain], found)
        elif found is not None and (found.is_reachable or run.message.tries >= MOST_RECEIVES - 1):
            run.group.append(found)
        elif found is not None:
            tries, retry_after = run.message.tries + 1, found.collection.robots.retry_after
            pause = _rounded(pause_of(self._pauses, tries, retry_after), self._pauses)
            run.silent.setdefault(pause, []).append(domain.domain_id)

    def _fail(self, run: _Run, domains: Sequence[DomainMessage], error: Exception) -> None:
        if isinstance(error, Retryable):
            run.outage = run.outage or error
        else:
            # A bug costs its own domains; their messages have the reason in the end.
            run.alone += domains

    def _settle(self, run: _Run) -> None:
        """Settle the collections of a group, and put the silent ones on the dead-letter queue."""
        group, run.group = run.group, []
        if not group:
            return
        try:
            self._work.settle(group)
            for result in group:
                if not result.is_reachable:
                    self._source.reject(_record_of(result.message), DomainUnreachable.of(result))
        except Exception as error:  # noqa: BLE001 - a bug costs its group, not the range
            self._fail(run, [result.message for result in group], error)
        else:
            run.settled += len(group)

    def _hand_on(self, run: _Run) -> None:
        message, messages = run.message, list[Sendable](run.alone)
        if run.late:
            messages.append(message.rest(run.late))
        now = self._clock()
        if run.crowded:
            at = now + timedelta(seconds=CROWDED_SECONDS)
            messages.append(message.later(run.crowded, at))
        for pause, silent in run.silent.items():
            messages.append(message.next_try(silent, now + timedelta(seconds=pause)))
        if messages:
            self._domains.send(messages)
        self._telemetry.event(
            "range_processing_complete",
            **_named(message),
            settled=run.settled,
            silent=sum(map(len, run.silent.values())),
            crowded=len(run.crowded),
            late=len(run.late),
            alone=len(run.alone),
        )

    def _wait(self, message: RangeMessage) -> None:
        if message.due_at is None:
            return
        seconds = (parse_timestamp(message.due_at) - self._clock()).total_seconds()
        if seconds > 0:
            # A wait that was made elsewhere, by another clock, is no longer than ours.
            pause = min(ceil(seconds), LONGEST_PAUSE_SECONDS)
            raise Deferred("the time of a range's silent or crowded domains", seconds=pause)


def _rounded(seconds: int, pauses: Sequence[int]) -> int:
    """Return whole pauses: domains that ask for about the same wait are tried again together."""
    least = max(1, pauses[0])
    return min(ceil(seconds / least) * least, LONGEST_PAUSE_SECONDS)


def _is_full(group: Sequence[Result]) -> bool:
    """Return True if bodies take much memory."""
    size = sum(body_bytes(result.collection) for result in group)
    return size > _MOST_GROUP_BYTES or any(result.is_large for result in group)


def _record_of(domain: DomainMessage) -> BatchRecord:
    """Return the record of a domain's own message, for the dead-letter queue."""
    return BatchRecord(domain.name, "", domain.group, domain.body(), MOST_RECEIVES)


def _distinct(
    messages: Iterable[DomainMessage],
) -> tuple[list[DomainMessage], list[DomainMessage]]:
    """Return the first message of each domain, and the others: two workers never ask one domain."""
    first: dict[str, DomainMessage] = {}
    others = [
        message
        for message in messages
        if first.setdefault(message.registrable_domain, message) is not message
    ]
    return [*first.values()], others


def _named(message: RangeMessage) -> dict[str, str | int]:
    return {
        "file_path": message.source_file_path,
        "first": message.first,
        "part": message.part,
        "domains": len(message.domains),
    }
