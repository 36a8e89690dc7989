"""`uring seeds status`: the progress of collections, read from their counters.

    counters of each partition ─┐
    depths of both queues ──────┴─► Reading ─► rate over the readings of a minute ─► time left

Nothing is scanned: a partition is two queries, whatever the number of its domains.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import boto3

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.seeds.progress import STOPPED, Progress, Status
from uring_local.operate.bucket import resources_with
from uring_local.queues.pairs import depth

# Each queue, and its dead-letter queue.
_QUEUES: Final = {"SeedQueue": "SeedDeadLetterQueue", "DomainQueue": "DomainDeadLetterQueue"}
_WINDOW_SECONDS: Final = 60
# The most partitions in a reading: the newest are shown.
_MOST: Final = 20
_FILES_SETTLED: Final = ("done", "partial", "failed")


@dataclass(frozen=True, slots=True)
class Depth:
    """The depth of a queue: waiting and in-flight messages, and dead letters."""

    queue: str
    live: int
    dead: int


@dataclass(frozen=True, slots=True)
class CounterReading:
    """All counters at one moment.

    Args:
        at: seconds of a monotonic clock.
        partitions: the newest first, at most 20.
        hidden: the number of older partitions that are not shown.
        depths: of the queues.
    """

    at: float
    partitions: tuple[Status, ...]
    hidden: int
    depths: tuple[Depth, ...]

    @property
    def settled(self) -> int:
        """The number of settled domain messages, in all partitions."""
        return sum(each.settled for each in self.partitions)

    @property
    def is_over(self) -> bool:
        """True if every partition is over."""
        return all(is_over(each) for each in self.partitions)


@dataclass(frozen=True, slots=True)
class SettlingRate:
    """The rate at which domains are settled.

    Args:
        per_second: None before the second reading.
        seconds_left: until all sent messages of running partitions are settled; None if the rate is
            unknown or 0, or no partition runs.
        is_stuck: whether for a minute nothing waited and nothing was settled.
    """

    per_second: float | None = None
    seconds_left: float | None = None
    is_stuck: bool = False


class Counters:
    """The counters of a deployed stack.

    Args:
        stack: the deployed stack's name.
        wanted: a partition's name, or a prefix of names; empty for all.

    Raises:
        Misconfigured: the stack has no seed engine.
    """

    def __init__(self, stack: str, wanted: str) -> None:
        self._resources = resources_with(stack, "seeds")
        self._wanted = wanted
        self._sqs: Any = boto3.client("sqs")
        self._progress = _progress(self._resources["SeedTable"])

    def read(self, at: float) -> CounterReading:
        """Return the current counters, with ``at`` as their time.

        Raises:
            Misconfigured: no such table or queue, or no permission.
            Unavailable: AWS did not respond.
        """
        found = [
            (started.started_at, partition)
            for partition, started in self._progress.partitions(self._wanted)
        ]
        newest = sorted(found, key=itemgetter(0), reverse=True)
        statuses = (self._progress.status(partition) for _, partition in newest[:_MOST])
        shown = tuple(each for each in statuses if each is not None)
        depths = tuple(
            Depth(name, self._depth(name), self._depth(dead)) for name, dead in _QUEUES.items()
        )
        return CounterReading(at, shown, max(0, len(newest) - _MOST), depths)

    def _depth(self, queue: str) -> int:
        return depth(self._sqs, self._resources[queue])


def open_progress(stack: str) -> Progress:
    """Return the counters of a stack's partitions.

    Raises:
        Misconfigured: the stack has no seed engine.
    """
    return _progress(resources_with(stack, "seeds")["SeedTable"])


def _progress(table: str) -> Progress:
    client: Any = boto3.client("dynamodb")
    return Progress(DynamoTable(client, table, backoff=Backoff()))


def is_over(status: Status) -> bool:
    """Return whether nothing of a partition is left to do: its domains settled, or it is stopped.

    A file that a run's budget holds is read; a paused partition is not over.
    """
    if status.started.held:
        return status.started.held == STOPPED
    read = sum(status.files.get(name, 0) for name in _FILES_SETTLED) + status.ceilings.get("run", 0)
    return read >= status.started.files and status.settled >= status.sent


def readings(
    read: Callable[[float], CounterReading],
    *,
    every: float,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[CounterReading, SettlingRate]]:
    """Yield readings with the pace until all is over or stuck.

    Args:
        read: returns the counters, given their time.
        every: seconds between two readings.
        monotonic: returns the time, in seconds.
        sleep: waits a number of seconds.
    """
    window: deque[CounterReading] = deque()
    while True:
        reading = read(monotonic())
        window.append(reading)
        # One reading that is a minute old stays: the pace is measured from it.
        while len(window) > 1 and reading.at - window[1].at >= _WINDOW_SECONDS:
            window.popleft()
        pace = pace_of(window)
        yield reading, pace
        if reading.is_over or pace.is_stuck:
            return
        sleep(every)


def pace_of(window: Sequence[CounterReading]) -> SettlingRate:
    """Return the pace from the first reading to the last; unknown for a single reading."""
    first, last = window[0], window[-1]
    seconds = last.at - first.at
    if seconds <= 0:
        return SettlingRate()
    # A forced collection begins at 0 again.
    per_second = max(0, last.settled - first.settled) / seconds
    idle = not any(depth.live for reading in window for depth in reading.depths)
    running = [each for each in last.partitions if not (each.started.held or is_over(each))]
    stuck = idle and bool(running) and not per_second and seconds >= _WINDOW_SECONDS
    left = sum(max(0, each.sent - each.settled) for each in running)
    return SettlingRate(per_second, left / per_second if per_second and running else None, stuck)
