"""Errors of locks; all of them are retryable."""

from uring.errors import Retryable
from uring.locks.entries import Blocker
from uring.locks.paths import Path, shown


class LockTimeoutError(Retryable):
    """Others held a conflicting lock, or stood before us in line, until the deadline.

    Attributes:
        root: whose locks.
        path: that was asked for.
        blocker: who is in the way; None where others' writes were, again and again.
    """

    def __init__(self, root: str, path: Path, blocker: Blocker | None) -> None:
        self.root, self.path, self.blocker = root, path, blocker
        by = f"{blocker}" if blocker else "others change its locks all the time"
        super().__init__(f"{shown(root, path)}: {by}; try again later")


class LeaseLost(Retryable):
    """The lease is over: nothing may be written under it any more, and nothing was."""


class WorkFailed(Retryable):
    """The leader that others waited for failed a moment ago; a later call computes anew.

    Attributes:
        error: the name of the leader's error.
        detail: its message, where it is one of ours.
    """

    def __init__(self, place: str, error: str, detail: str) -> None:
        self.error, self.detail = error, detail
        super().__init__(f"{place}: {error}: {detail}".removesuffix(": "))


class WorkInterrupted(Retryable):
    """Work stopped in between for want of time, and goes on where it stopped: no failure."""
