"""Paused and stopped partitions, as the workers see them: read once in a quarter of a minute.

paused     a message waits, for days if need be, and uses up no try
stopped    a message ends: the next orchestration that names the partition sends it again
"""

import threading
from datetime import datetime, timedelta
from typing import Final

from uring.clock import Clock
from uring.runtime.batches import Postponed
from uring.seeds.partition import Partition
from uring.seeds.progress import STOPPED, Progress

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
        self._known: dict[Partition, tuple[datetime, str]] = {}

    def is_held(self, partition: Partition) -> bool:
        """Return True if a partition is paused or stopped.

        Raises:
            Unavailable: the table did not answer.
            Misconfigured: no such table, or no permission.
        """
        return bool(self._state(partition))

    def is_stopped(self, partition: Partition) -> bool:
        """Return True if a partition is stopped, and False if it runs; errors as `is_held`.

        Raises:
            Postponed: it is paused; its message waits.
        """
        state = self._state(partition)
        if state and state != STOPPED:
            raise Postponed(f"{partition.name} is {state}", seconds=PAUSE_SECONDS)
        return bool(state)

    def _state(self, partition: Partition) -> str:
        now = self._clock()
        # A batch of ten domains reads the item once.
        with self._lock:
            read_at, state = self._known.get(partition, (None, ""))
            if read_at is None or not timedelta() <= now - read_at < _REMEMBERED:
                state = self._progress.held(partition)
                if len(self._known) >= _MOST_REMEMBERED:
                    self._known.clear()
                self._known[partition] = (now, state)
            return state
