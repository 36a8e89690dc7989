"""The reports of an operation, and the errors that end it."""

from typing import Protocol

from uring.errors import Permanent


class Report(Protocol):
    """Takes what is being done."""

    def __call__(self, activity: str, /, *, needs: float = 0) -> None:
        """Note an activity, before it begins.

        Args:
            activity: in words.
            needs: seconds that its next call may take.

        Raises:
            WorkInterrupted: there is no time for it; another invocation goes on.
        """
        ...


class NoSuchAttachment(Permanent):
    """A page has no attachment of this name."""


class NoText(Permanent):
    """There is nothing to translate, or to analyse."""


class PageTooLarge(Permanent):
    """A page has more than can be done at once."""
