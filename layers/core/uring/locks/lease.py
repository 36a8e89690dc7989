"""A held lock, the writes that it protects, and the thread that renews it."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final, Self

from uring.errors import Retryable
from uring.locks.catalogue import Catalogue, fence_check
from uring.locks.entries import Held
from uring.locks.errors import LeaseLost
from uring.locks.paths import Path, shown
from uring.locks.store import CatalogueChange, CatalogueStore, CatalogueView
from uring.locks.watching import WatchesLocks
from uring.tables import Condition, Part, Table

MILLISECONDS: Final = 1000
# After a renewal without an answer.
_SOONER: Final = 4


@dataclass(frozen=True, order=True, slots=True)
class LeaseEnd:
    """The end of a lease by both clocks of its process; the earlier one counts.

    The monotonic clock stands while a machine is suspended, as Lambda suspends it between two
    invocations; the other one may be set back. Later is what ends later by the first.
    """

    monotonic: float
    wall_ms: int

    @classmethod
    def of(cls, held: Held, view: CatalogueView, lease_ms: int) -> Self:
        """Return the end of an entry that this view's step granted, renewed, or found again."""
        # An end beyond a whole lease is of a clock that was set back since.
        left_ms = min(lease_ms, held.expires_at_ms - view.now_ms)
        return cls(view.monotonic + left_ms / MILLISECONDS, held.expires_at_ms)


class Lease:
    """A lock of one acquisition; safe to share between threads.

    Attributes:
        root: the partition of the lock.
        path: the locked path; all paths below are locked with it.
        owner: unique for each acquisition.
        fence: higher than that of every earlier lock of the root.
    """

    def __init__(
        self,
        store: CatalogueStore,
        root: str,
        path: Path,
        held: Held,
        end: LeaseEnd,
        *,
        lease_ms: int,
        skew_ms: int,
        watch: WatchesLocks,
    ) -> None:
        self.root, self.path = root, path
        self.owner, self.fence = held.owner, held.fence
        self._store = store
        self._lease_ms, self._skew_ms = lease_ms, skew_ms
        self._watch = watch
        self._guard = threading.Lock()
        self._end = end
        self._is_lost = self._is_told = False

    @property
    def seconds_left(self) -> float:
        """Return the seconds for which `ensure` still passes; 0 when it raises."""
        with self._guard:
            by_wall = (self._end.wall_ms - self._store.now_ms()) / MILLISECONDS
            usable = min(by_wall, self._end.monotonic - self._store.monotonic())
            return 0.0 if self._is_lost else max(0.0, usable - self._skew_ms / MILLISECONDS)

    def ensure(self) -> None:
        """Check that the lock is surely held: by both clocks here, less the margin for clocks.

        Raises:
            LeaseLost: the lease is lost, or ends within the margin.
        """
        if not self.seconds_left:
            raise self._lost()

    def check(self) -> Condition:
        """Return the condition that every protected write carries in its transaction.

        The table itself judges it: it fails once the lock is released, or removed by another
        request. So a paused holder writes nothing after a newer one. Protected items carry
        ``fence`` as an attribute.
        """
        return fence_check(self.path, self.fence)

    def renew(self) -> None:
        """Extend the lease to its full length from now.

        Raises:
            LeaseLost: the lock is free, or another owner has it.
            Unavailable: no answer; the lease may keep its old end.
            WriteConflict: other writes to the catalogue won each time; the lease keeps its old end.
        """

        def step(view: CatalogueView) -> CatalogueChange[LeaseEnd]:
            mine = self._mine(view.catalogue)
            if mine is None:
                raise self._lose()
            until = mine.until(view.now_ms + self._lease_ms)
            held = {**view.catalogue.held, self.path: until}
            end = LeaseEnd.of(until, view, self._lease_ms)
            return CatalogueChange(replace(view.catalogue, held=held), end)

        end = self._store.change(self.root, step)
        with self._guard:
            self._end = max(self._end, end)

    def release(self) -> None:
        """Free the lock; the lease is over in any case.

        Raises:
            LeaseLost: the lock is free already, or another owner has it; nothing was changed.
            Unavailable: no answer; the lock ends with its lease.
            WriteConflict: other writes won each time; the lock ends with its lease.
        """

        def step(view: CatalogueView) -> CatalogueChange[None]:
            if self._mine(view.catalogue) is not None:
                others = {at: held for at, held in view.catalogue.held.items() if at != self.path}
                return CatalogueChange(replace(view.catalogue, held=others), None)
            if view.is_repeat:
                return CatalogueChange(None, None)
            with self._guard:
                self._is_told = was_told
            raise self._lost()

        with self._guard:
            # A renewal behind the write finds no lock: it was not lost.
            was_told, self._is_lost, self._is_told = self._is_told, True, True
        self._store.change(self.root, step)

    def is_held(self) -> bool:
        """Read the catalogue and return whether it holds this lock; if not, the lease is lost.

        Raises:
            Unavailable: no answer.
            CorruptState: the item is not a catalogue.
        """
        is_held = self._mine(self._store.read(self.root)) is not None
        if not is_held:
            self._lose()
        return is_held

    def _mine(self, catalogue: Catalogue) -> Held | None:
        held = catalogue.held.get(self.path)
        is_mine = held is not None and (held.owner, held.fence) == (self.owner, self.fence)
        return held if is_mine else None

    def _lose(self) -> LeaseLost:
        with self._guard:
            self._is_lost = True
        return self._lost()

    def _lost(self) -> LeaseLost:
        with self._guard:
            is_news, self._is_told = not self._is_told, True
        if is_news:
            self._watch.lost(self.root, self.path, self.fence)
        place = shown(self.root, self.path)
        return LeaseLost(f"{place}: the lease with fence {self.fence} is over; start again")


def write(table: Table, lease: Lease, parts: Sequence[Part]) -> bool:
    """Write all parts under the lease, or none; return whether the caller's conditions held.

    Args:
        table: with the locks and the protected items.
        lease: of the partition to write to.
        parts: at most one fewer than a transaction takes.

    Raises:
        LeaseLost: the lease is over; nothing was written.
        Unavailable: no answer; all parts were written, or none.
    """
    lease.ensure()
    if table.transact(lease.root, [*parts, lease.check()]):
        return True
    if not lease.is_held():
        lease.ensure()
    return False


@contextmanager
def kept(lease: Lease, every_seconds: float) -> Iterator[Lease]:
    """Renew the lease while the block runs, then release it.

    A failed release is not an error of the block: the lock ends with its lease, and the block's
    writes were checked.
    """
    is_over = threading.Event()
    renewing = threading.Thread(
        target=_renew_until, args=(is_over, lease, every_seconds), name="lease", daemon=True
    )
    renewing.start()
    try:
        yield lease
    finally:
        is_over.set()
        with suppress(Retryable):
            lease.release()


def _renew_until(is_over: threading.Event, lease: Lease, every_seconds: float) -> None:
    seconds = every_seconds
    while not is_over.wait(seconds):
        try:
            lease.renew()
        except LeaseLost:
            return
        except Retryable:
            seconds = every_seconds / _SOONER
        else:
            seconds = every_seconds
