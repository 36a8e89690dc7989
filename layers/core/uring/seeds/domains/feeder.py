"""The domains of a range: hundreds in flight, so that a slow one holds up no other.

    range ─► collect, 200 at once ─┬─► settled, in groups
                                   ├─► no answer, or a bug ─► a message of its own, as the other way
                                   └─► no time left ─► the rest, as a range
    An outage of ours ─► the range again: marks say what is done

Messages are sent last. A range that dies before is delivered again, and asks only for what has no
mark.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Final, Literal

from uring.changes.ports import Sends
from uring.errors import Retryable
from uring.runtime.batches import stay_on_one_core
from uring.runtime.telemetry import Telemetry
from uring.seeds.domains.domain import NEEDS_SECONDS, DomainWork
from uring.seeds.domains.store import Result
from uring.seeds.messages import DomainMessage
from uring.seeds.ranges import RangeMessage

SOCKETS: Final = 200

_Late = Literal["late"]
Found = Result | Exception | _Late | None
"""What became of a domain: its collection, an error, no time, or None for a mark."""


@dataclass(slots=True)
class _Run:
    """A range under way.

    Attributes:
        again: the domains that get messages of their own.
        late: the ids of those that were not begun.
        outage: the first error that is no domain's fault.
    """

    again: list[DomainMessage] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    outage: Retryable | None = None
    settled: int = 0


class RangeFeeder:
    """Collects the domains of ranges; safe to share between threads.

    Args:
        domains: the domain queue.
        sockets: the number of domains in flight, of all ranges of the process.
    """

    def __init__(
        self,
        work: DomainWork,
        domains: Sends,
        telemetry: Telemetry,
        *,
        sockets: int = SOCKETS,
    ) -> None:
        self._work = work
        self._domains = domains
        self._telemetry = telemetry
        self._sockets = sockets
        self._pool = ThreadPoolExecutor(
            sockets, thread_name_prefix="domain", initializer=stay_on_one_core
        )

    def run(self, message: RangeMessage, time_left: Callable[[], float]) -> None:
        """Collect the domains of a range, and hand on those that are left.

        Args:
            message: the range.
            time_left: returns the seconds until the invocation is ended.

        Raises:
            Retryable: S3, DynamoDB or SQS failed; the next try does what is left.
        """
        due, again = _distinct(message.messages())
        run = _Run(again)
        for domain, found in self._collected(due, time_left):
            if found == "late":
                run.late.append(domain.domain_id)
            elif isinstance(found, Result) and found.is_reachable:
                self._settle(run, found)
            elif isinstance(found, Retryable):
                run.outage = run.outage or found
            elif found is not None:
                run.again.append(domain)
        if run.outage is not None:
            raise run.outage
        self._hand_on(message, run)

    def divide(self, message: RangeMessage) -> None:
        """Send each domain of a range by itself: one of them may be what killed its workers.

        Raises:
            Retryable: SQS failed.
        """
        self._domains.send([*message.messages()])
        self._telemetry.warning("range_divided", **_named(message))

    def _collected(
        self, domains: Sequence[DomainMessage], time_left: Callable[[], float]
    ) -> Iterator[tuple[DomainMessage, Found]]:
        """Yield what became of each domain, in the order of their ends."""
        if self._sockets == 1:
            yield from ((domain, self._one(domain, time_left)) for domain in domains)
            return
        futures = {self._pool.submit(self._one, each, time_left): each for each in domains}
        try:
            for future in as_completed(futures):
                # A result has bodies: it is not kept.
                yield futures.pop(future), future.result()
        finally:
            for future in futures:
                future.cancel()

    def _one(self, domain: DomainMessage, time_left: Callable[[], float]) -> Found:
        if time_left() < NEEDS_SECONDS:
            return "late"
        try:
            return self._work.collect(domain, is_first=True)
        except Exception as error:  # noqa: BLE001 - a bug costs its own domain, not the range
            return error

    def _settle(self, run: _Run, result: Result) -> None:
        try:
            self._work.settle(result)
        except Retryable as error:
            run.outage = run.outage or error
        except Exception:  # noqa: BLE001 - as in `_one`; its own message tells
            run.again.append(result.message)
        else:
            run.settled += 1

    def _hand_on(self, message: RangeMessage, run: _Run) -> None:
        if run.again:
            self._domains.send(run.again)
        if run.late:
            self._domains.send([message.rest(run.late)])
        self._telemetry.event(
            "range_processing_complete",
            **_named(message),
            collected=run.settled,
            again=len(run.again),
            late=len(run.late),
        )


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
