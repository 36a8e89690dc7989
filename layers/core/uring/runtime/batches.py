"""A batch of SQS FIFO records: groups in parallel, each group in order, partial answers.

    batch ─ by group ─► thread per group: handle, handle, … until one fails
                                             └─ it and the rest of its group are answered as failed

A failure affects its own group only. The rest of a failed group is not tried: it would overtake.

The threads wait for ten sites at once. They compute one at a time, on one core.
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

# The pause doubles, as for a refusal of FCM: 50 receives last for eleven hours.
_FIRST_PAUSE_SECONDS: Final = 60
_LONGEST_PAUSE_SECONDS: Final = 900
# A quarter of an hour at first. At the longest pause 50 receives last for nine of the ten days of
# the notify queue's retention: the record becomes a dead letter just before it would expire.
_ROLLING_SECONDS: Final = 900
_ROLLED_BACK_SECONDS: Final = 18_000
# Errors that are not the message's fault, and pass.
_OUTAGES: Final = (Unavailable, Contended, WriteConflict, NewerRelease, Misconfigured)
RENEWALS: Final = "renewals"
"""The message attribute with the number of renewals that a copy comes from."""
WAITS: Final = "waits"
"""The message attribute of a copy that waits: its first receive is not a try."""
# With two receives for each: a day of an outage, three weeks of a newer release.
_MOST_RENEWALS: Final = 100


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """One received message.

    Attributes:
        receive_count: its receives, this one included; the first of a waiting copy does not count.
        renewals: the number of renewals that led to this copy.
        is_new_wait: True at the first receive of a waiting copy.
    """

    message_id: str
    receipt_handle: str
    group: str
    body: str
    receive_count: int
    renewals: int = 0
    is_new_wait: bool = False

    @classmethod
    def from_event(cls, record: Mapping[str, Any]) -> "BatchRecord":
        """Parse a record of a Lambda SQS event.

        Raises:
            KeyError, TypeError, ValueError: it is not a record of a FIFO queue.
        """
        attributes, own = record["attributes"], record.get("messageAttributes", {})
        receives, waits = int(attributes["ApproximateReceiveCount"]), _number(own.get(WAITS, {}))
        return cls(
            message_id=record["messageId"],
            receipt_handle=record["receiptHandle"],
            group=attributes["MessageGroupId"],
            body=record["body"],
            receive_count=max(1, receives - 1) if waits else receives,
            renewals=_number(own.get(RENEWALS, {})),
            is_new_wait=bool(waits) and receives == 1,
        )


class Deferred(Retryable):
    """Raised to have the record and the rest of its group delivered again after ``seconds``.

    ``is_failure`` distinguishes a failure from a mere wait.
    """

    def __init__(self, message: str, *, seconds: int, is_failure: bool = False) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.is_failure = is_failure


class Postponed(Deferred):
    """A `Deferred` that is not a try, for groups without order: the record waits for days.

    Every other receive puts a copy in its place, so no try is used up and retention begins again.
    The other records of its group go on.
    """


class SourceQueue(Protocol):
    """The queue of a batch, for records that did not succeed."""

    def defer(self, records: Sequence[BatchRecord], seconds: int) -> None:
        """Make the records visible again after ``seconds``, not after the visibility timeout."""
        ...

    def reject(self, record: BatchRecord, error: Permanent) -> None:
        """Put a record that can never succeed on the dead-letter queue, with the reason."""
        ...

    def renew(self, record: BatchRecord, *, waits: bool = False) -> None:
        """Send a copy of the record to its queue; its receives count from zero.

        A copy that ``waits`` does not count as a renewal, nor its first receive as a try.

        Raises:
            Retryable: there may be no copy; the record must not be acknowledged.
        """
        ...


class BatchRunner:
    """Runs one handler over a batch. Every failed record is counted, as ``RecordsFailed``.

    Args:
        handle: does the work of one record; returns, or raises an error of `uring.errors`.
        returns: the queue of the batch.
        workers: the number of groups run at once.
        most_receives: the receives after which a failing record is put on the dead-letter queue
            with its reason; only for groups without order, else 0. During an outage, or without
            enough time, a record is replaced by a copy from its last receive but one on, so that a
            refused copy can be tried once more. The queue's own limit is higher, to leave room for
            crashes.
    """

    def __init__(
        self,
        handle: Callable[[BatchRecord], None],
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
            workers, thread_name_prefix="group", initializer=stay_on_one_core
        )

    def run(
        self, event: Mapping[str, Any], *, time_left: Callable[[], float], needs: float
    ) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event.

        Args:
            event: as Lambda delivers it, records in queue order.
            time_left: returns the seconds until this invocation is ended.
            needs: the seconds that one record may take; with less time left the record goes back to
                the queue untouched.

        Raises:
            MalformedMessage: the event is not a batch of an SQS FIFO queue.
        """
        groups: dict[str, list[BatchRecord]] = {}
        for record in _records(event):
            groups.setdefault(record.group, []).append(record)
        # A single group needs no thread.
        in_turn = map if len(groups) == 1 else self._pool.map
        failed = in_turn(lambda group: self._run(group, time_left, needs), groups.values())
        return {
            "batchItemFailures": [
                {"itemIdentifier": record.message_id} for group in failed for record in group
            ]
        }

    def _run(
        self, group: Sequence[BatchRecord], time_left: Callable[[], float], needs: float
    ) -> Sequence[BatchRecord]:
        for position, record in enumerate(group):
            rest = group[position:]
            if time_left() < needs:
                return self._give_back(rest, 0)
            try:
                self._handle(record)
            except Postponed as error:
                is_last = position == len(group) - 1
                # The last of a group hides it: otherwise copies would follow each other at once.
                if (record.is_new_wait and is_last) or not self._is_copied(record, waits=True):
                    return self._keep(rest, error)
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

    def _is_given_up(self, record: BatchRecord, error: Exception) -> bool:
        """Put a record whose last try failed on the dead-letter queue.

        Return False for a record with tries left, or if the queue refused.
        """
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

    def _keep(self, rest: Sequence[BatchRecord], error: Exception) -> Sequence[BatchRecord]:
        """Leave the first record and the rest of its group for another try; return those kept."""
        record = rest[0]
        if isinstance(error, Deferred):
            self._telemetry.event(
                "deferred", group=record.group, seconds=error.seconds, reason=str(error)
            )
            if error.is_failure:
                self._telemetry.count("RecordsFailed")
            # The records behind it are received as often, and share its tries.
            self._returns.defer(rest, error.seconds)
            return rest
        self._problem(record, error, trace=not isinstance(error, Retryable))
        first, longest = _FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS
        if isinstance(error, NewerRelease):
            # A deployment is rolling, or was rolled back: the operator may need days.
            first, longest = _ROLLING_SECONDS, _ROLLED_BACK_SECONDS
        tries = min(record.receive_count - 1 + record.renewals, 10)
        own_fault = not isinstance(error, _OUTAGES)
        return self._give_back(rest, min(first * 2**tries, longest), own_fault=own_fault)

    def _give_back(
        self, rest: Sequence[BatchRecord], seconds: int, *, own_fault: bool = False
    ) -> Sequence[BatchRecord]:
        """Make records visible again after ``seconds``; return those not replaced by a copy."""
        kept = [
            record
            for position, record in enumerate(rest)
            if (own_fault and position == 0) or not self._is_renewed(record)
        ]
        if kept:
            self._returns.defer(kept, seconds)
        return kept

    def _is_renewed(self, record: BatchRecord) -> bool:
        """Replace a record with few receives left by a copy; return False if it stays."""
        if not self._most_receives or record.receive_count < self._most_receives - 1:
            return False
        return record.renewals < _MOST_RENEWALS and self._is_copied(record)

    def _is_copied(self, record: BatchRecord, *, waits: bool = False) -> bool:
        """Send a copy of a record; return False if the queue refused."""
        try:
            self._returns.renew(record, waits=waits)
        except Retryable as refused:
            self._problem(record, refused)
            return False
        return True

    def _problem(self, record: BatchRecord, error: Exception, *, trace: bool = False) -> None:
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


def stay_on_one_core() -> None:
    """Keep the calling thread on the same core as the other threads, if the system allows it.

    Around every read and write a thread releases the interpreter's lock and takes it again. Between
    cores that costs a fifth of all CPU of a check. A second core gains nothing: below 1,769 MB a
    function has less than one.
    """
    if sys.platform == "linux":
        # The process id spreads several processes over the cores. A sandbox may refuse.
        with suppress(OSError):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})


def _number(attribute: Mapping[str, Any]) -> int:
    """Return an attribute's number; 0 if it is missing or not 1 to 4 digits."""
    text = str(attribute.get("stringValue", ""))
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else 0


def _records(event: Mapping[str, Any]) -> list[BatchRecord]:
    try:
        return [BatchRecord.from_event(record) for record in event["Records"]]
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedMessage(
            f"event: {error!r}: not a batch of an SQS FIFO queue; events/ has samples"
        ) from error
