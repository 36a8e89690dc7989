"""The acquisition of locks: it waits in line, and gives up at a deadline."""

import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import count
from typing import Final

from uring.errors import Retryable, WriteConflict
from uring.locks.decide import Granted, LockRequest, decide, without
from uring.locks.entries import Blocker, shortened
from uring.locks.errors import LockTimeoutError
from uring.locks.lease import MILLISECONDS, Lease, LeaseEnd, kept
from uring.locks.operate import HeldLock, Waiting, locks_of, waiting_in, without_fence
from uring.locks.paths import Path, joined
from uring.locks.store import CatalogueChange, CatalogueStore, CatalogueView
from uring.locks.watching import Unwatched, WatchesLocks
from uring.tables import Table

# A waiter looks at least twice while its ticket's second half lasts.
_LOOKS_PER_TICKET: Final = 4
# For the next in line; the tenth in line looks at a tenth of that rate.
_BASE_SECONDS: Final = 0.02
_CAP_PER_PLACE_SECONDS: Final = 0.5
_MOST_DOUBLINGS: Final = 10


def system_ms() -> int:
    """Return the milliseconds since 1970 by this machine's clock."""
    return time.time_ns() // 1_000_000


class Locks:
    """The locks of all roots in one table; safe to share between threads, one a process.

    They are not re-entrant: a holder that asks for a conflicting lock waits for itself.

    Args:
        table: with the locks and the protected items.
        now_ms: this process's clock; no two differ by more than twice ``skew_seconds``.
        monotonic: seconds that no setting of the clock changes.
        sleep: waits for seconds.
        jitter: returns a number between its two arguments.
        name: returns a new owner at each call.
        watch: learns of waits, time-outs and lost leases.
        lease_seconds: the life of a lock that is not renewed.
        skew_seconds: the margin for clocks: a holder stops this long before the lock's end, and
            another may acquire it this long after.

    Raises:
        ValueError: ``lease_seconds`` is not more than three times ``skew_seconds``.
    """

    def __init__(
        self,
        table: Table,
        *,
        now_ms: Callable[[], int] = system_ms,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
        lease_seconds: float = 120,
        skew_seconds: float = 5,
        name: Callable[[], str] = lambda: uuid.uuid4().hex,
        watch: WatchesLocks | None = None,
    ) -> None:
        if lease_seconds <= 3 * skew_seconds:
            raise ValueError(
                f"lease_seconds: more than 3 * skew_seconds ({skew_seconds}) is needed"
            )
        self._store = CatalogueStore(table, now_ms, monotonic, sleep, jitter)
        self._name = name
        self.watch: WatchesLocks = watch or Unwatched()
        self._lease_seconds = lease_seconds
        self._lease_ms = round(lease_seconds * MILLISECONDS)
        self._skew_ms = round(skew_seconds * MILLISECONDS)

    def attempt(self, root: str, path: Path, *, what: str = "") -> Lease | None:
        """Acquire the lock if it is free and nobody waits for it; else return None.

        No ticket is left.

        Raises:
            Unavailable: no answer, or the catalogue is full; a lock granted all the same ends with
                its lease.
            WriteConflict: other writes to the catalogue won each time.
            CorruptState: the root's item is not a catalogue.
            ValueError: the path cannot be stored.
        """
        lease = self.ask(root, path, what=what)
        return lease if isinstance(lease, Lease) else None

    def ask(self, root: str, path: Path, *, what: str = "") -> Lease | Blocker:
        """Do the same as `attempt`, but return the blocker in place of None."""
        request = self._request(root, path, what)
        with self._withdrawn_on_error(request):
            return self._try(request)

    def acquire(self, root: str, path: Path, *, wait_seconds: float, what: str = "") -> Lease:
        """Acquire the lock; waiters for conflicting locks get theirs in the order of their tickets.

        Raises:
            LockTimeoutError: it was not free in time; the ticket is removed.
            Unavailable, WriteConflict, CorruptState, ValueError: as `attempt`.
        """
        request = self._request(root, path, what)
        with self._withdrawn_on_error(request):
            return self._wait(request, wait_seconds)

    def hold(
        self, root: str, path: Path, *, wait_seconds: float, what: str = ""
    ) -> AbstractContextManager[Lease]:
        """Hold the lock for a block: acquired as by `acquire`, renewed at a third, released.

        A lease lost during the block raises at its next `Lease.ensure` or `write`.
        """
        return self._held(root, path, wait_seconds, what)

    def keep(self, lease: Lease) -> AbstractContextManager[Lease]:
        """Renew this lease during a block at a third of its time, and release it."""
        return kept(lease, self._lease_seconds / 3)

    def show(self, root: str) -> tuple[list[HeldLock], list[Waiting]]:
        """Return the root's locks, the oldest first, and the waiters in the order of the line.

        Dead ones are among them until the next request removes them.

        Raises:
            Unavailable: no answer.
            CorruptState: the root's item is not a catalogue.
        """
        catalogue, now_ms = self._store.read(root), self._store.now_ms()
        return locks_of(catalogue, now_ms), waiting_in(catalogue, now_ms)

    def break_lock(self, root: str, fence: int) -> HeldLock | None:
        """Remove the lock with this fence, and no other; None if no lock has it.

        Its holder is not stopped; its next protected write is refused.

        Raises:
            Unavailable: no answer; the lock may be removed.
            WriteConflict: other writes to the catalogue won each time; it was not removed.
            CorruptState: the root's item is not a catalogue.
        """
        broken: HeldLock | None = None

        def step(view: CatalogueView) -> CatalogueChange[HeldLock | None]:
            nonlocal broken
            found = without_fence(view.catalogue, fence, view.now_ms)
            if found is None:
                # An earlier try may have removed it, and its answer was lost.
                return CatalogueChange(None, broken if view.is_repeat else None)
            catalogue, broken = found
            return CatalogueChange(catalogue, broken)

        return self._store.change(root, step)

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 by this process's clock."""
        return self._store.now_ms()

    def monotonic(self) -> float:
        """Return seconds that no setting of the clock changes, since no moment in particular."""
        return self._store.monotonic()

    def pause(self, seconds: float) -> None:
        """Wait for a random part of these seconds."""
        self._store.pause(seconds)

    @contextmanager
    def _held(self, root: str, path: Path, wait_seconds: float, what: str) -> Iterator[Lease]:
        with self.keep(self.acquire(root, path, wait_seconds=wait_seconds, what=what)) as lease:
            yield lease

    def _request(self, root: str, path: Path, what: str) -> LockRequest:
        joined(path)
        return LockRequest(
            root=root,
            path=path,
            owner=self._name(),
            what=shortened(what),
            lease_ms=self._lease_ms,
            skew_ms=self._skew_ms,
        )

    def _wait(self, request: LockRequest, wait_seconds: float) -> Lease:
        began = self._store.monotonic()
        deadline = began + wait_seconds
        rarest = request.ticket_ms / MILLISECONDS / _LOOKS_PER_TICKET
        blocker: Blocker | None = None
        since = 0
        for number in count():
            # A conflict of writes counts as one more look at the last blocker.
            with suppress(WriteConflict):
                found = self._try(replace(request, is_waiting=number > 0))
                if isinstance(found, Lease):
                    if blocker is not None:
                        waited = self._store.monotonic() - began
                        self.watch.waited(request.root, request.path, waited, blocker)
                    return found
                # A new blocker means that the line moves: it may move on soon.
                if blocker is None or found.owner != blocker.owner:
                    since = number
                blocker = found
            left = deadline - self._store.monotonic()
            if left <= 0:
                break
            if number:
                self._store.pause(min(left, rarest, _longest(number - since, blocker)))
        error = LockTimeoutError(request.root, request.path, blocker)
        self.watch.timed_out(error, self._store.monotonic() - began)
        raise error

    def _try(self, request: LockRequest) -> Lease | Blocker:
        def step(view: CatalogueView) -> CatalogueChange[Lease | Blocker]:
            decision = decide(view.catalogue, request, view.now_ms)
            if isinstance(decision, Granted):
                return CatalogueChange(decision.catalogue, self._lease(request, decision, view))
            return CatalogueChange(decision.catalogue, decision.blocker)

        return self._store.change(request.root, step)

    def _lease(self, request: LockRequest, granted: Granted, view: CatalogueView) -> Lease:
        held = granted.held
        return Lease(
            self._store,
            request.root,
            request.path,
            held,
            LeaseEnd.of(held, view, self._lease_ms),
            lease_ms=self._lease_ms,
            skew_ms=self._skew_ms,
            watch=self.watch,
        )

    @contextmanager
    def _withdrawn_on_error(self, request: LockRequest) -> Iterator[None]:
        """Remove the request's ticket and lock if the block fails; a removal may go unanswered."""
        try:
            yield
        except BaseException:
            with suppress(Retryable):
                self._store.change(
                    request.root,
                    lambda view: CatalogueChange(without(view.catalogue, request.owner), None),
                )
            raise


def _longest(number: int, blocker: Blocker | None) -> float:
    """Return the longest pause in seconds after ``number`` looks at one blocker.

    It doubles with each look, up to half a second for each place in line.
    """
    ahead = 1 if blocker is None else blocker.ahead
    doubled = _BASE_SECONDS * float(2 ** min(number, _MOST_DOUBLINGS))
    return ahead * min(_CAP_PER_PLACE_SECONDS, doubled)
