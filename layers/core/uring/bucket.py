"""Large objects and results: heads, streams, writes without a condition. A port.

The adapter is `uring.aws.bucket`, the fake in the tests.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from uring.changes.ports import Listed, Listing


@dataclass(frozen=True, slots=True)
class Head:
    """An object without its body.

    Attributes:
        etag: opaque; names exactly its bytes.
        size: in bytes.
        metadata: that it was written with, names in lower case.
        modified: when it was written, aware UTC, to the second; None where that was not told.
    """

    etag: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict)
    modified: datetime | None = field(default=None, compare=False)


class Reading(Protocol):
    """The body of an object under way; all that is read is of one version."""

    @property
    def etag(self) -> str:
        """Names exactly these bytes."""
        ...

    @property
    def size(self) -> int:
        """Bytes of the whole."""
        ...

    def read(self, amount: int) -> bytes:
        """Return up to that many bytes, none at the end.

        Raises:
            PreconditionFailed: the object is another one by now.
            Unavailable: no answer.
        """
        ...

    def close(self) -> None:
        """Let the connection go."""
        ...


class Bucket(Listing, Protocol):
    """Objects by key, with what large ones and results need."""

    def head(self, key: str) -> Head | None:
        """Return an object without its body; None where there is none.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...

    def open(self, key: str) -> Reading | None:
        """Begin to read an object; None where there is none.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        """Write an object whatever is there, with metadata in ASCII.

        For results alone, of which any writer's is as good as another's.

        Raises:
            Unavailable: no answer; it may have been written.
            Misconfigured: no such bucket, or no permission.
        """
        ...

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        """Yield the names right below a prefix that ends in ``/`` and that have objects below them.

        Args:
            prefix: whose folders.
            after: a name; those that come behind it, by UTF-8.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...

    def remove(self, key: str) -> None:
        """Remove an object; one that is not there is none already.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...

    def list_after(self, prefix: str, after: str) -> Iterator[Listed]:
        """Yield the objects below a prefix whose keys come behind ``after``, by key.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...
