"""Errors of locks; all of them are retryable."""

from uring.errors import Retryable
from uring.locks.entries import Blocker
from uring.locks.paths import Path, shown


class LockTimeoutError(Retryable):
    """Raised when a conflicting lock or earlier waiter outlasted the deadline.

    Attributes:
        root: the partition of the lock.
        path: the requested path.
        blocker: the last blocker; None where other writes to the catalogue won each time.
    """

    def __init__(self, root: str, path: Path, blocker: Blocker | None) -> None:
        self.root, self.path, self.blocker = root, path, blocker
        by = f"{blocker}" if blocker else "other writes to its locks came first in every try"
        super().__init__(f"{shown(root, path)}: {by}; try again later")


class LeaseLost(Retryable):
    """Raised when the lease is over: nothing may be written under it, and nothing was."""


class WorkFailed(Retryable):
    """Raised to waiters and newcomers after the leader failed; a later call computes again.

    Attributes:
        error: the name of the leader's error.
        detail: its message for a `UringError`, else empty.
    """

    def __init__(self, place: str, error: str, detail: str) -> None:
        self.error, self.detail = error, detail
        super().__init__(f"{place}: {error}: {detail}".removesuffix(": "))


class WorkInterrupted(Retryable):
    """Raised when work stops for want of time; the next run continues it. Not a failure."""
