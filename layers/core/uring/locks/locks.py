"""Acquires locks, waits in line for them, and gives up at a deadline."""

import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import count
from typing import Final

from uring.errors import Retryable, WriteConflict
from uring.locks.decide import Granted, Request, decide, without
from uring.locks.entries import Blocker, Held, shortened
from uring.locks.errors import LockTimeoutError
from uring.locks.lease import MILLISECONDS, Lease
from uring.locks.paths import Path, joined
from uring.locks.renewal import kept
from uring.locks.store import CatalogueStore, Change, View
from uring.tables import Table

_CAP_SECONDS: Final = 5.0
# Of who is next in line; who is tenth looks ten times as seldom.
_BASE_SECONDS: Final = 0.02
_CAP_PER_PLACE_SECONDS: Final = 0.5
_MOST_DOUBLINGS: Final = 10


def system_ms() -> int:
    """Return the milliseconds since 1970 by this machine's clock."""
    return time.time_ns() // 1_000_000


class Locks:
    """The locks of all roots in one table; safe to share between threads, one a process.

    They are not re-entrant: who holds a lock and asks for a conflicting one waits for itself.

    Args:
        table: with the locks and what they protect.
        now_ms: this process's clock; no two differ by more than twice ``skew_seconds``.
        sleep: waits for seconds.
        jitter: returns a number between its two arguments.
        name: returns an owner, another each time.
        lease_seconds: until a lock that is not renewed ends.
        skew_seconds: a holder stops so long before that, another takes it so long after.
    """

    def __init__(
        self,
        table: Table,
        *,
        now_ms: Callable[[], int] = system_ms,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
        lease_seconds: float = 120,
        skew_seconds: float = 5,
        name: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        if lease_seconds <= 3 * skew_seconds:
            raise ValueError(
                f"lease_seconds: more than 3 * skew_seconds ({skew_seconds}) is needed"
            )
        self._store = CatalogueStore(table, now_ms, sleep, jitter)
        self._name = name
        self._lease_seconds = lease_seconds
        self._lease_ms = round(lease_seconds * MILLISECONDS)
        self._skew_ms = round(skew_seconds * MILLISECONDS)

    def attempt(self, root: str, path: Path, *, what: str = "") -> Lease | None:
        """Acquire the lock if it is free and nobody waits for it; leave no ticket.

        Raises:
            Unavailable: no answer, or the catalogue is full; a lock that was given all the same
                ends with its lease.
            WriteConflict: others were in the way again and again.
            CorruptState: the root's item is no catalogue.
            ValueError: no such path can be stored.
        """
        lease = self.ask(root, path, what=what)
        return lease if isinstance(lease, Lease) else None

    def ask(self, root: str, path: Path, *, what: str = "") -> Lease | Blocker:
        """Do the same, and return who is in the way."""
        request = self._request(root, path, what)
        with self._withdrawn_on_error(request):
            return self._try(request)

    def acquire(self, root: str, path: Path, *, wait_seconds: float, what: str = "") -> Lease:
        """Acquire the lock, in the order of the tickets of all who wait for conflicting ones.

        Raises:
            LockTimeoutError: it was not free in time; no ticket is left.
            Unavailable, WriteConflict, CorruptState, ValueError: as `attempt`.
        """
        request = self._request(root, path, what)
        with self._withdrawn_on_error(request):
            return self._wait(request, wait_seconds)

    def hold(
        self, root: str, path: Path, *, wait_seconds: float, what: str = ""
    ) -> AbstractContextManager[Lease]:
        """Hold the lock for a block: acquired as by `acquire`, renewed at a third, released.

        A lease that is lost on the way shows at the block's next `Lease.ensure` or `write`.
        """
        return self._held(root, path, wait_seconds, what)

    def keep(self, lease: Lease) -> AbstractContextManager[Lease]:
        """Renew this lease during a block at a third of its time, and release it."""
        return kept(lease, self._lease_seconds / 3)

    def now_ms(self) -> int:
        """Return the time by this process's clock."""
        return self._store.now_ms()

    def pause(self, seconds: float) -> None:
        """Wait for a random part of these seconds."""
        self._store.pause(seconds)

    @contextmanager
    def _held(self, root: str, path: Path, wait_seconds: float, what: str) -> Iterator[Lease]:
        with self.keep(self.acquire(root, path, wait_seconds=wait_seconds, what=what)) as lease:
            yield lease

    def _request(self, root: str, path: Path, what: str) -> Request:
        joined(path)
        return Request(
            root=root,
            path=path,
            owner=self._name(),
            what=shortened(what),
            lease_ms=self._lease_ms,
            skew_ms=self._skew_ms,
        )

    def _wait(self, request: Request, wait_seconds: float) -> Lease:
        deadline_ms = self._store.now_ms() + round(wait_seconds * MILLISECONDS)
        blocker: Blocker | None = None
        since = 0
        for number in count():
            # Whoever is in the way, others' writes were so before.
            with suppress(WriteConflict):
                found = self._try(replace(request, is_waiting=number > 0))
                if isinstance(found, Lease):
                    return found
                # A line that moves may move on soon.
                if blocker is None or found.owner != blocker.owner:
                    since = number
                blocker = found
            left = (deadline_ms - self._store.now_ms()) / MILLISECONDS
            if left <= 0:
                break
            if number:
                self._store.pause(min(left, _longest(number - since, blocker)))
        raise LockTimeoutError(request.root, request.path, blocker)

    def _try(self, request: Request) -> Lease | Blocker:
        def step(view: View) -> Change[Held | Blocker]:
            decision = decide(view.catalogue, request, view.now_ms)
            if isinstance(decision, Granted):
                return Change(decision.catalogue, decision.held)
            return Change(decision.catalogue, decision.blocker)

        found = self._store.change(request.root, step)
        return self._lease(request, found) if isinstance(found, Held) else found

    def _lease(self, request: Request, held: Held) -> Lease:
        terms = {"lease_ms": self._lease_ms, "skew_ms": self._skew_ms}
        return Lease(self._store, request.root, request.path, held, **terms)

    @contextmanager
    def _withdrawn_on_error(self, request: Request) -> Iterator[None]:
        """Leave neither ticket nor lock behind if the block fails, as far as there is an answer."""
        try:
            yield
        except BaseException:
            with suppress(Retryable):
                self._store.change(
                    request.root, lambda view: Change(without(view.catalogue, request.owner), None)
                )
            raise


def _longest(number: int, blocker: Blocker | None) -> float:
    """Return the longest pause after so many looks at one blocker: it doubles with each."""
    ahead = 1 if blocker is None else blocker.ahead
    doubled = _BASE_SECONDS * float(2 ** min(number, _MOST_DOUBLINGS))
    return min(_CAP_SECONDS, ahead * min(_CAP_PER_PLACE_SECONDS, doubled))
