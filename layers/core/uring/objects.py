"""Objects in a bucket, by key: the ports, each within the next.

    Reads ⊂ Objects (compare-and-swap) ⊂ Bucket (listings, large objects, results, removals)

Every method raises `uring.errors.Unavailable` where no answer comes, and
`uring.errors.Misconfigured` where the bucket or a permission is missing. A method names what it
raises besides. The adapter is `uring.aws.objects`, the fake in the tests.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


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


class Reads(Protocol):
    """Objects that can be read."""

    def get(self, key: str) -> Stored | None:
        """Return the object, or None when there is none."""
        ...


class Objects(Reads, Protocol):
    """Objects with compare-and-swap. One key is atomic, two keys never are."""

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
            Unavailable: the write may or may not have taken effect.
        """
        ...


class OpenObject(Protocol):
    """An object whose body is being read; all that is read is of one version."""

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
        """
        ...

    def close(self) -> None:
        """Let the connection go."""
        ...


class Bucket(Objects, Protocol):
    """All objects of a bucket: listings, large objects, results, removals."""

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        """Yield the objects below a prefix, by key.

        Args:
            prefix: of the keys.
            after: a key; those that come behind it.
        """
        ...

    def head(self, key: str) -> Head | None:
        """Return an object without its body; None where there is none."""
        ...

    def open(self, key: str) -> OpenObject | None:
        """Begin to read an object; None where there is none."""
        ...

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        """Write an object whatever is there, with metadata in ASCII.

        For results alone, of which any writer's is as good as another's.

        Raises:
            Unavailable: it may have been written.
        """
        ...

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        """Yield the names right below a prefix that ends in ``/`` and that have objects below them.

        Args:
            prefix: whose folders.
            after: a name; those that come behind it, by UTF-8.
        """
        ...

    def remove(self, key: str) -> None:
        """Remove an object. Deleting a missing key is not an error."""
        ...
