"""The reports of an operation, and the errors that end it."""

from typing import Protocol

from uring.errors import Permanent


class ReportsProgress(Protocol):
    """Receives the progress of an operation."""

    def __call__(self, activity: str, /, *, needs: float = 0) -> None:
        """Report an activity, before it begins.

        Args:
            activity: the next step, in words.
            needs: the most seconds that its next call takes.

        Raises:
            WorkInterrupted: the time left is too short; another invocation continues.
        """
        ...


class NoSuchAttachment(Permanent):
    """Raised when a page has no attachment of this name."""


class NoText(Permanent):
    """Raised when there is no text to translate or to analyse."""


class PageTooLarge(Permanent):
    """Raised when a page exceeds the limits of one operation."""
