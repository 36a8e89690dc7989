"""A port that learns of waits, time-outs and lost leases: for metrics and lines."""

from typing import Protocol

from uring.locks.entries import Blocker
from uring.locks.errors import LockTimeoutError
from uring.locks.paths import Path


class WatchesLocks(Protocol):
    """Learns of the locks of one process, from any of its threads. It raises nothing."""

    def waited(self, root: str, path: Path, seconds: float, blocker: Blocker) -> None:
        """Take a wait that ended with the lock, or with another caller's result.

        Args:
            root: the partition of the lock.
            path: the requested path.
            seconds: the length of the wait.
            blocker: the last blocker.
        """
        ...

    def timed_out(self, error: LockTimeoutError, seconds: float) -> None:
        """Take a wait that ended at its deadline."""
        ...

    def lost(self, root: str, path: Path, fence: int) -> None:
        """Take a lease that ended before its holder released it; each is reported once."""
        ...


class Unwatched:
    """Implements `WatchesLocks`: nobody watches."""

    def waited(self, root: str, path: Path, seconds: float, blocker: Blocker) -> None:
        """See `WatchesLocks`."""

    def timed_out(self, error: LockTimeoutError, seconds: float) -> None:
        """See `WatchesLocks`."""

    def lost(self, root: str, path: Path, fence: int) -> None:
        """See `WatchesLocks`."""
