"""Paused and stopped partitions, as the workers see them: read once in a quarter of a minute.

paused     a message waits, for days if need be, and uses up no try
stopped    a message ends: the next orchestration that names the partition sends it again

A message that is newer than a remembered stop is not ended by it: the state is read again.
"""

import threading
from datetime import datetime, timedelta
from typing import Final

from uring.clock import Clock
from uring.runtime.batches import Postponed
from uring.seeds.partition import Partition
from uring.seeds.progress import STOPPED, Progress, Started

PAUSE_SECONDS: Final = 1_800
"""Seconds until a waiting message looks again; a resumed partition moves within that time."""

_REMEMBERED: Final = timedelta(seconds=15)
_MOST_REMEMBERED: Final = 1_000


class Holds:
    """The states of partitions; safe to share between threads."""

    def __init__(self, progress: Progress, *, clock: Clock) -> None:
        self._progress = progress
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[Partition, tuple[datetime, Started | None]] = {}

    def is_held(self, partition: Partition) -> bool:
        """Return True if a partition is paused or stopped.

        Raises:
            Unavailable: the table did not answer.
            Misconfigured: no such table, or no permission.
        """
        started = self._started(partition)
        return started is not None and bool(started.held)

    def is_stopped(self, partition: Partition, epoch: str, lap: int) -> bool:
        """Return True if a partition is stopped, and False if it runs; errors as `is_held`.

        Args:
            partition: the partition of the message.
            epoch: of the message.
            lap: of the message.

        Raises:
            Postponed: it is paused; its message waits.
        """
        started = self._started(partition)
        if started is not None and started.held == STOPPED and not _covers(started, epoch, lap):
            # It was sent again since: ended by an older state, the message would be lost.
            started = self._started(partition, is_fresh=True)
        state = started.held if started else ""
        if state and state != STOPPED:
            raise Postponed(f"{partition.name} is {state}", seconds=PAUSE_SECONDS)
        return bool(state)

    def _started(self, partition: Partition, *, is_fresh: bool = False) -> Started | None:
        now = self._clock()
        # A batch of ten domains reads the item once.
        with self._lock:
            read_at, started = self._known.get(partition, (None, None))
            is_known = read_at is not None and timedelta() <= now - read_at < _REMEMBERED
            if is_fresh or not is_known:
                started = self._progress.started(partition)
                if len(self._known) >= _MOST_REMEMBERED:
                    self._known.clear()
                self._known[partition] = (now, started)
            return started


def _covers(started: Started, epoch: str, lap: int) -> bool:
    """Return True if a message was sent before a collection was in this state."""
    return started.epoch == epoch and lap <= started.lap
