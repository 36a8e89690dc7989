"""The engine's ports to the world. The adapters are in `uring.aws`, the fakes in the tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from uring.contracts import ChangePublished


@dataclass(frozen=True, slots=True)
class Stored:
    """An object as it was read; ``etag`` is opaque and names exactly these bytes."""

    body: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Listed:
    """An object of a listing.

    Attributes:
        key: its name.
        etag: opaque; names exactly its bytes.
        modified: when it was written, aware UTC, to the second; None where that was not told.
    """

    key: str
    etag: str
    modified: datetime | None = field(default=None, compare=False)


class Reads(Protocol):
    """The object store, as far as it is read."""

    def get(self, key: str) -> Stored | None:
        """Return the object, or None when there is none.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...


class ObjectStore(Reads, Protocol):
    """Objects by key, with compare-and-swap. One key is atomic, two keys never are."""

    def put(
        self,
        key: str,
        body: bytes,
        *,
        if_match: str | None,
        content_type: str,
        cache_control: str | None = None,
    ) -> str:
        """Write if the object still has this ETag (None: if there is no object); its new ETag.

        Raises:
            PreconditionFailed: it is another object by now, or gone. Nothing was written, unless
                an earlier try of this very call was, whose answer was lost.
            Contended: nothing was written; try again.
            Unavailable: no answer; the write may or may not have taken effect.
            Misconfigured: no such bucket, or no permission.
        """
        ...


class Listing(ObjectStore, Protocol):
    """The object store, with listings."""

    def list(self, prefix: str) -> Iterator[Listed]:
        """Return every object below a prefix, by key.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...


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
