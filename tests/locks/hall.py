"""Threads in virtual time: one runs at a time, a sleep costs nothing, a call a few milliseconds."""

import heapq
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from fakes.tables import MemoryTable

from uring.locks import Locks
from uring.tables import Item, Part, Table

CALL_SECONDS = 0.005
ROOT = "page"


class Hall(Table):
    """A table, its clock, and the threads that wait for it."""

    def __init__(self) -> None:
        self.table = MemoryTable()
        self.ms = 1_700_000_000_000
        self.began = self.ms
        self.lease_seconds: float = 120
        self.skew_seconds: float = 5
        self.errors: list[BaseException] = []
        self._chance = random.Random(15)
        self._asleep: list[tuple[int, int, threading.Semaphore]] = []
        self._order = count()
        self._parked = threading.Semaphore(0)

    def locks(self) -> Locks:
        """Return a process's locks."""
        return Locks(
            self,
            now_ms=lambda: self.ms,
            monotonic=self.monotonic,
            sleep=self.sleep,
            jitter=self._chance.uniform,
            lease_seconds=self.lease_seconds,
            skew_seconds=self.skew_seconds,
        )

    def monotonic(self) -> float:
        """Return the hall's clock in seconds."""
        return self.ms / 1000

    @property
    def seconds(self) -> float:
        """Return the time since the hall opened."""
        return (self.ms - self.began) / 1000

    def run(self, programs: Sequence[Callable[[], None]]) -> None:
        """Run all to their ends."""
        for program in programs:
            threading.Thread(target=self._run, args=(program,), daemon=True).start()
            self._parked.acquire()
        while self._asleep:
            due, _, turn = heapq.heappop(self._asleep)
            self.ms = max(self.ms, due)
            turn.release()
            self._parked.acquire()
        if self.errors:
            raise self.errors[0]

    def sleep(self, seconds: float) -> None:
        turn = threading.Semaphore(0)
        due = self.ms + round(seconds * 1000)
        heapq.heappush(self._asleep, (due, next(self._order), turn))
        self._parked.release()
        turn.acquire()

    def get(self, partition: str, key: str) -> Item | None:
        self.sleep(CALL_SECONDS)
        return self.table.get(partition, key)

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        self.sleep(CALL_SECONDS)
        return self.table.query(partition, prefix, after)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        self.sleep(CALL_SECONDS)
        return self.table.transact(partition, parts)

    def _run(self, program: Callable[[], None]) -> None:
        self.sleep(0)
        try:
            program()
        except BaseException as error:  # noqa: BLE001 - `run` raises it
            self.errors.append(error)
        self._parked.release()
