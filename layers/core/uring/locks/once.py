"""Get-or-compute: work that is done once, for any number of callers.

read ─► fresh ─► value
  └ none, or stale ─► lock ─► leader: read again ─► compute ─► publish with the lease's check
                        │                                └ failed ─► failure, for seconds
                        └ others: stale value, if allowed; else wait, read again
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Final, Generic, Protocol, TypeVar

from uring.errors import Retryable, Unavailable, UringError, WriteConflict
from uring.locks.entries import Blocker
from uring.locks.errors import LeaseLost, LockTimeoutError, WorkFailed, WorkInterrupted
from uring.locks.lease import MILLISECONDS, Lease, write
from uring.locks.locks import Locks
from uring.locks.paths import Path, joined, shown
from uring.tables import Item, Part, Table, Write

V = TypeVar("V")

FAILURE_SECONDS: Final = 5
"""The time for which a failure answers newcomers."""

_MOST_FAILURE_MS: Final = 3 * FAILURE_SECONDS * MILLISECONDS
# Kept longer for waiters whose clocks differ; then the table's TTL removes it.
_KEPT_SECONDS: Final = 3_600
_FAILED: Final = "failed:"
_MOST_DETAIL: Final = 1000
_MOST_PUBLICATIONS: Final = 3
_BASE_SECONDS: Final = 0.05
_CAP_SECONDS: Final = 2.0
_MOST_DOUBLINGS: Final = 10


@dataclass(frozen=True, slots=True)
class FoundValue(Generic[V]):
    """A stored value; some callers take a stale one."""

    value: V
    is_fresh: bool


class Work(Protocol[V]):
    """Work under a lock, and its result."""

    def read(self) -> FoundValue[V] | None:
        """Return the stored result, by a consistent read; None where no result is stored."""
        ...

    def compute(self, lease: Lease) -> V:
        """Do the work, which may be slow; `Lease.ensure` between steps ends it with the lease."""
        ...

    def parts(self, value: V, lease: Lease) -> Sequence[Part]:
        """Return the writes that publish the value; after them `read` returns it as fresh."""
        ...


class Once:
    """Work of all paths in one table; safe to share between threads.

    Args:
        locks: of the same table.
        table: with the locks and the results.
    """

    def __init__(self, locks: Locks, table: Table) -> None:
        self._locks = locks
        self._table = table

    def get_or_compute(
        self,
        root: str,
        path: Path,
        work: Work[V],
        *,
        wait_seconds: float,
        allow_stale: bool = False,
        what: str = "",
    ) -> V:
        """Return the fresh value: read, or computed by the caller that gets the path's lock.

        Waiters take no ticket: once the value exists, none of them needs the lock.

        Args:
            root: the partition of the lock and of the work's parts.
            path: of the lock.
            work: the same for all callers with this path.
            wait_seconds: the limit for another caller's work; this call's own work has none.
            allow_stale: return a stale value while another caller computes, or after its failure.
            what: a description of the work, shown to waiters.

        Raises:
            WorkFailed: the leader that this call waited for failed, or a leader did seconds ago.
            LockTimeoutError: no value was published in time.
            LeaseLost: this call's work outlasted its lease, and another caller has the lock.
            WriteConflict: a condition of the work's parts did not hold.
            Unavailable: no answer.
            Exception: the error of this call's work.
        """
        call = _Call(self._table, self._locks, root, path, work, what, self._locks.monotonic())
        deadline = call.began + wait_seconds
        for number in count():
            found = work.read()
            if found is not None and found.is_fresh:
                call.report_wait()
                return found.value
            try:
                led = call.lead()
            except WorkFailed:
                if found is not None and allow_stale:
                    return found.value
                raise
            if led is not None:
                return led.value
            if found is not None and allow_stale:
                return found.value
            left = deadline - self._locks.monotonic()
            if left <= 0:
                break
            longest = _BASE_SECONDS * 2 ** min(number, _MOST_DOUBLINGS)
            self._locks.pause(min(left, _CAP_SECONDS, longest))
        error = LockTimeoutError(root, path, call.blocker)
        self._locks.watch.timed_out(error, self._locks.monotonic() - call.began)
        raise error


@dataclass
class _Call(Generic[V]):
    """One caller's tries.

    Attributes:
        began: by the monotonic clock.
        blocker: the last blocker.
        awaited: the first blocker's fence: a failure with this fence or a higher one came while
            this call waited, whatever the clocks say, unless the first look saw it.
        first_seen: the fence of the failure that the first look saw, 0 without one; None before
            that look. A dead leader that failed may keep its lock for minutes.
    """

    table: Table
    locks: Locks
    root: str
    path: Path
    work: Work[V]
    what: str
    began: float
    blocker: Blocker | None = None
    awaited: int | None = None
    first_seen: int | None = None

    def lead(self) -> FoundValue[V] | None:
        """Do the work if the lock is free; else return None and set `blocker`.

        None without a blocker means that other writes to the catalogue won each time.

        Raises:
            WorkFailed: the awaited leader failed, or a leader did a moment ago.
        """
        self._raise_failure()
        try:
            asked = self.locks.ask(self.root, self.path, what=self.what)
        except WriteConflict:
            return None
        if isinstance(asked, Lease):
            self.report_wait()
            with self.locks.keep(asked) as lease:
                return FoundValue(self._lead(lease), is_fresh=True)
        self.blocker = asked
        if self.awaited is None:
            self.awaited = asked.fence
        return None

    def report_wait(self) -> None:
        """Report the wait that is over, if there was one."""
        if self.blocker is not None:
            waited = self.locks.monotonic() - self.began
            self.locks.watch.waited(self.root, self.path, waited, self.blocker)

    def _lead(self, lease: Lease) -> V:
        # The last leader may have ended between the read and the lock.
        found = self.work.read()
        if found is not None and found.is_fresh:
            return found.value
        has_failed = self._raise_failure()
        try:
            value = self.work.compute(lease)
        except (LeaseLost, WorkInterrupted):
            raise
        except Exception as error:
            self._share(error, lease)
            raise
        forgotten = [Write(self._key, None)] if has_failed else []
        self._publish([*self.work.parts(value, lease), *forgotten], lease)
        return value

    def _publish(self, parts: Sequence[Part], lease: Lease) -> None:
        for number in range(1, _MOST_PUBLICATIONS + 1):
            try:
                if write(self.table, lease, parts):
                    return
            except Unavailable:
                if number == _MOST_PUBLICATIONS:
                    raise
            # The value may exist: an answer was lost, or another call published it.
            found = self.work.read()
            if found is not None and found.is_fresh:
                return
        place = shown(self.root, self.path)
        raise WriteConflict(f"{place}: the input of the work has changed; the next run repeats it")

    @property
    def _key(self) -> str:
        return _FAILED + joined(self.path)

    def _share(self, error: Exception, lease: Lease) -> None:
        """Store the failure for waiters; of an error that is not a `UringError` only the name.

        Its message might show a secret.
        """
        detail = str(error)[:_MOST_DETAIL] if isinstance(error, UringError) else ""
        now_ms = self.locks.now_ms()
        failure: Item = {
            "fence": lease.fence,
            "until_ms": now_ms + FAILURE_SECONDS * MILLISECONDS,
            "expires_at": now_ms // MILLISECONDS + _KEPT_SECONDS,
            "error": type(error).__name__,
            "message": detail,
        }
        # Without the failure each waiter tries for itself.
        with suppress(Retryable):
            write(self.table, lease, [Write(self._key, failure)])

    def _raise_failure(self) -> bool:
        """Raise a failure that concerns this call; return whether an older one is stored."""
        failure = self.table.get(self.root, self._key) or {}
        told = failure.get("fence")
        fence = told if isinstance(told, int) else 0
        if self.first_seen is None:
            self.first_seen = fence
        if not failure:
            return False
        until_ms = failure.get("until_ms")
        is_new = fence > self.first_seen
        came_since = is_new and self.awaited is not None and fence >= self.awaited
        # An end in the far future is an error of a clock, and does not count.
        left_ms = until_ms - self.locks.now_ms() if isinstance(until_ms, int) else 0
        if came_since or 0 < left_ms <= _MOST_FAILURE_MS:
            place = shown(self.root, self.path)
            raise WorkFailed(place, f"{failure.get('error')}", f"{failure.get('message')}")
        return True
