"""The records that a process works on: hidden from all others for as long as it does.

hold ─► extend, extend, … ─► let_go        its message was deleted, or its time-out applies
                          └► defer         the batch code's own pause
                          └► give_back     the process ends: visible at once
"""

import threading
import time
from collections.abc import Callable, Sequence

from uring.errors import Permanent
from uring.runtime.batches import BatchRecord, SourceQueue


class HeldRecords:
    """Records of a queue at work; safe to share between threads. Implements `SourceQueue`.

    Args:
        queue: the queue that they come from.
        hidden_seconds: the queue's visibility time-out.
        monotonic: returns the time, in seconds.
    """

    def __init__(
        self,
        queue: SourceQueue,
        *,
        hidden_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._hidden_seconds = hidden_seconds
        self._monotonic = monotonic
        self._lock = threading.Lock()
        # By receipt handle, with the time from which they are hidden.
        self._held: dict[str, tuple[BatchRecord, float]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, records: Sequence[BatchRecord]) -> None:
        """Note records that were received just now."""
        now = self._monotonic()
        with self._lock:
            self._held.update({each.receipt_handle: (each, now) for each in records})

    def let_go(self, records: Sequence[BatchRecord]) -> None:
        """Extend the time of these records no more."""
        with self._lock:
            self._forget(records)

    def extend(self) -> None:
        """Hide each record again for the whole time-out, once a third of it is over.

        A call that fails is made again after another third, before anybody else gets the record.
        """
        with self._lock:
            now = self._monotonic()
            due = [
                record
                for record, since in self._held.values()
                if now - since >= self._hidden_seconds / 3
            ]
            if due:
                self._held.update({each.receipt_handle: (each, now) for each in due})
                # A deferral waits for this call: it must have the last word on its record.
                self._queue.defer(due, round(self._hidden_seconds))

    def give_back(self) -> None:
        """Make all records visible at once."""
        with self._lock:
            left = [record for record, _ in self._held.values()]
            self._forget(left)
            self._queue.defer(left, 0)

    def defer(self, records: Sequence[BatchRecord], seconds: int) -> None:
        """See `SourceQueue.defer`."""
        with self._lock:
            self._forget(records)
            self._queue.defer(records, seconds)

    def reject(self, record: BatchRecord, error: Permanent) -> None:
        """See `SourceQueue.reject`."""
        self._queue.reject(record, error)

    def renew(self, record: BatchRecord, *, waits: bool = False) -> None:
        """See `SourceQueue.renew`."""
        self._queue.renew(record, waits=waits)

    def _forget(self, records: Sequence[BatchRecord]) -> None:
        for record in records:
            self._held.pop(record.receipt_handle, None)
