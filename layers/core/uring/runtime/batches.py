"""A batch of SQS FIFO records: groups side by side, one group in order, partial answers.

    batch ─ by group ─► thread per group: handle, handle, … until one fails
                                             └─ it and the rest of its group are answered as failed

A failure costs its own group only. The rest of a failed group is not tried, or it would overtake.

The threads are there to wait for ten sites at once; they compute one at a time, on one core.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

from uring.errors import (
    Contended,
    MalformedMessage,
    Misconfigured,
    NewerRelease,
    Permanent,
    Retryable,
    Unavailable,
    WriteConflict,
)
from uring.runtime.telemetry import Telemetry

# Twice as long each time, as for a refusal of FCM: 50 receives last for eleven hours.
_FIRST_PAUSE_SECONDS: Final = 60
_LONGEST_PAUSE_SECONDS: Final = 900
# A quarter of an hour at first, then so seldom that 50 receives last for nine of the ten days that
# the notify queue retains: it becomes a dead letter just before it would be gone.
_ROLLING_SECONDS: Final = 900
_ROLLED_BACK_SECONDS: Final = 18_000
# No fault of the message, and over after a while.
_OUTAGES: Final = (Unavailable, Contended, WriteConflict, NewerRelease, Misconfigured)
RENEWALS: Final = "renewals"
"""The attribute of a copy that says how many were made before it."""
# With two receives each: a day of an outage, three weeks of a newer release.
_MOST_RENEWALS: Final = 100


@dataclass(frozen=True, slots=True)
class Record:
    """One received message; ``renewals`` counts the copies that it comes of."""

    message_id: str
    receipt_handle: str
    group: str
    body: str
    receive_count: int
    renewals: int = 0

    @classmethod
    def from_event(cls, record: Mapping[str, Any]) -> "Record":
        """Read a record of a Lambda SQS event."""
        attributes = record["attributes"]
        return cls(
            message_id=record["messageId"],
            receipt_handle=record["receiptHandle"],
            group=attributes["MessageGroupId"],
            body=record["body"],
            receive_count=int(attributes["ApproximateReceiveCount"]),
            renewals=_number(record.get("messageAttributes", {}).get(RENEWALS, {})),
        )


class Deferred(Retryable):
    """Not now: deliver the record, and the rest of its group, again after ``seconds``.

    ``is_failure`` says that something failed, and did not just have to wait.
    """

    def __init__(self, message: str, *, seconds: int, is_failure: bool = False) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.is_failure = is_failure


class SourceQueue(Protocol):
    """The queue that a batch came from: how a record leaves it other than by success."""

    def defer(self, records: Sequence[Record], seconds: int) -> None:
        """Make the records visible again after ``seconds`` instead of the queue's own time-out."""
        ...

    def reject(self, record: Record, error: Permanent) -> None:
        """Put a record that can never succeed on the dead-letter queue, with the reason."""
        ...

    def renew(self, record: Record) -> None:
        """Send a copy of the record to its queue, with all its receives before it.

        Raises:
            Retryable: there may be no copy; the record must not be acknowledged.
        """
        ...


class BatchRunner:
    """Runs one handler over a batch. Every record that fails is counted, as ``RecordsFailed``.

    Args:
        handle: does the work of one record; returns, or raises an error of `uring.errors`.
        returns: the queue that the batch came from.
        workers: how many groups run at once.
        most_receives: of a record, where a group has no order: one that failed so often is a dead
            letter with its reason. What an outage of ours or want of time would make one goes on as
            a copy, from its last receive but one on: where the copy is refused there is another
            try. The queue's own limit leaves room for deaths. 0 where the order counts.
    """

    def __init__(
        self,
        handle: Callable[[Record], None],
        returns: SourceQueue,
        telemetry: Telemetry,
        *,
        workers: int = 10,
        most_receives: int = 0,
    ) -> None:
        self._handle = handle
        self._returns = returns
        self._most_receives = most_receives
        self._telemetry = telemetry
        self._pool = ThreadPoolExecutor(
            workers, thread_name_prefix="group", initializer=_stay_on_one_core
        )

    def run(
        self, event: Mapping[str, Any], *, time_left: Callable[[], float], needs: float
    ) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event.

        Raises:
            MalformedMessage: the event is no batch of an SQS FIFO queue.

        Args:
            event: as Lambda delivers it, records in queue order.
            time_left: seconds until this invocation is ended.
            needs: seconds that one record may take; with less left it is given back untouched.
        """
        groups: dict[str, list[Record]] = {}
        for record in _records(event):
            groups.setdefault(record.group, []).append(record)
        # One group has nobody to wait beside, so it takes no thread.
        in_turn = map if len(groups) == 1 else self._pool.map
        failed = in_turn(lambda group: self._run(group, time_left, needs), groups.values())
        return {
            "batchItemFailures": [
                {"itemIdentifier": record.message_id} for group in failed for record in group
            ]
        }

    def _run(
        self, group: Sequence[Record], time_left: Callable[[], float], needs: float
    ) -> Sequence[Record]:
        for position, record in enumerate(group):
            rest = group[position:]
            if time_left() < needs:
                return self._give_back(rest, 0)
            try:
                self._handle(record)
            except Permanent as error:
                try:
                    self._returns.reject(record, error)
                except Retryable as refused:
                    return self._keep(rest, refused)
                self._problem(record, error)
            except Exception as error:  # noqa: BLE001 - a bug costs its own group, not the batch
                if not self._is_given_up(record, error):
                    return self._keep(rest, error)
        return ()

    def _is_given_up(self, record: Record, error: Exception) -> bool:
        """Put a record whose last try failed on the dead-letter queue; return whether."""
        if isinstance(error, (Deferred, *_OUTAGES)) or not self._most_receives:
            return False
        if record.receive_count < self._most_receives:
            return False
        told = Permanent(f"{record.receive_count} tries, the last: {type(error).__name__}: {error}")
        try:
            self._returns.reject(record, told)
        except Retryable:
            return False
        self._problem(record, error, trace=not isinstance(error, Retryable))
        return True

    def _keep(self, rest: Sequence[Record], error: Exception) -> Sequence[Record]:
        """Leave the first record, and the rest of its group, for another try."""
        record = rest[0]
        if isinstance(error, Deferred):
            self._telemetry.event(
                "deferred", group=record.group, seconds=error.seconds, reason=str(error)
            )
            if error.is_failure:
                self._telemetry.count("RecordsFailed")
            # Those behind it have the same receives before them, and its tries are theirs.
            self._returns.defer(rest, error.seconds)
            return rest
        self._problem(record, error, trace=not isinstance(error, Retryable))
        first, longest = _FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS
        if isinstance(error, NewerRelease):
            # A deployment that rolls, or was rolled back: it may take the operator days.
            first, longest = _ROLLING_SECONDS, _ROLLED_BACK_SECONDS
        tries = min(record.receive_count - 1 + record.renewals, 10)
        own_fault = not isinstance(error, _OUTAGES)
        return self._give_back(rest, min(first * 2**tries, longest), own_fault=own_fault)

    def _give_back(
        self, rest: Sequence[Record], seconds: int, *, own_fault: bool = False
    ) -> Sequence[Record]:
        """Make records visible again after ``seconds``; return those that no copy stands for."""
        kept = [
            record
            for position, record in enumerate(rest)
            if (own_fault and position == 0) or not self._is_renewed(record)
        ]
        if kept:
            self._returns.defer(kept, seconds)
        return kept

    def _is_renewed(self, record: Record) -> bool:
        """Put a copy in the place of a record that has few receives left; return whether."""
        if not self._most_receives or record.receive_count < self._most_receives - 1:
            return False
        if record.renewals >= _MOST_RENEWALS:
            return False
        try:
            self._returns.renew(record)
        except Retryable as refused:
            self._problem(record, refused)
            return False
        return True

    def _problem(self, record: Record, error: Exception, *, trace: bool = False) -> None:
        self._telemetry.count("RecordsFailed")
        self._telemetry.problem(
            "record_failed",
            group=record.group,
            message_id=record.message_id,
            receive_count=record.receive_count,
            error=type(error).__name__,
            reason=str(error),
            trace=trace,
        )


def _stay_on_one_core() -> None:
    """Keep the calling thread on the core of its fellows, where the system lets it.

    Around every read and write a thread gives the interpreter's lock away and takes it back.
    Between cores that costs a fifth of all CPU of a check, and a second core gains nothing: a
    function has less than one below 1,769 MB.
    """
    if sys.platform == "linux":
        # By the process, so that several on one machine spread. A sandbox may refuse: as before.
        with suppress(OSError):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})


def _number(attribute: Mapping[str, Any]) -> int:
    """Return an attribute's number; 0 for one that is none of ours."""
    text = str(attribute.get("stringValue", ""))
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else 0


def _records(event: Mapping[str, Any]) -> list[Record]:
    try:
        return [Record.from_event(record) for record in event["Records"]]
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedMessage(
            f"event: {error!r}: not a batch of an SQS FIFO queue; events/ has samples"
        ) from error
