"""The engine's ports to its queues. The adapters are in `uring.aws`, the fakes in the tests."""

from collections.abc import Sequence
from typing import Protocol

from uring.contracts import ChangePublished


class Outlet(Protocol):
    """The queue that carries changes to the notifier, in order within a topic."""

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        """Enqueue in order; the event ids that were accepted.

        The same event sent again within five minutes is accepted and not delivered again; later it
        is delivered again, and the notifier's ledger holds it back. Behind a change that is
        refused no other of its topic is sent, so that none overtakes it.

        Raises:
            Unavailable: no answer; any of them may have been enqueued.
            Misconfigured: no such queue, or no permission.
        """
        ...


class Sendable(Protocol):
    """A message that knows its place on a FIFO queue."""

    @property
    def group(self) -> str:
        """One message of a group is under way at a time."""
        ...

    @property
    def name(self) -> str:
        """Dedups for five minutes."""
        ...

    def body(self) -> str:
        """Return the message as text."""
        ...


class Sends(Protocol):
    """A FIFO queue of messages without any order between them."""

    def send(self, messages: Sequence[Sendable]) -> None:
        """Enqueue all of them; refused ones are sent again.

        Raises:
            Unavailable: some were refused to the end, or no answer; any may have been enqueued.
            Misconfigured: no such queue, or no permission.
        """
        ...
