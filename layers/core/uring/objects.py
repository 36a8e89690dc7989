"""Objects in a bucket, by key: three ports, each part of the next.

    Reads ⊂ Objects (compare-and-swap) ⊂ Bucket (listings, large objects, results, removals)

Every method raises `uring.errors.Unavailable` without an answer, and `uring.errors.Misconfigured`
for a missing bucket or permission. A method names further errors. The adapter is
`uring.aws.objects`, the fake is in the tests.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Stored:
    """An object that was read; ``etag`` is opaque and identifies exactly these bytes."""

    body: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Listed:
    """An object in a listing.

    Attributes:
        key: its name.
        etag: opaque; identifies exactly its bytes.
        modified: when it was written, aware UTC, to the second; None if unknown.
    """

    key: str
    etag: str
    modified: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ObjectHead:
    """An object without its body.

    Attributes:
        etag: opaque; identifies exactly its bytes.
        size: in bytes.
        metadata: the metadata that it was written with, names in lower case.
        modified: when it was written, aware UTC, to the second; None if unknown.
    """

    etag: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict)
    modified: datetime | None = field(default=None, compare=False)


class Reads(Protocol):
    """Objects that can be read."""

    def get(self, key: str) -> Stored | None:
        """Return an object; None for a missing key."""
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
        """Write if the object still has this ETag (None: if it is missing); return the new ETag.

        Raises:
            PreconditionFailed: the object has changed or was removed. Nothing was written, except
                by an earlier try of this same call whose answer was lost.
            Contended: nothing was written; try again.
            Unavailable: the write may or may not have taken effect.
        """
        ...

    def past(self, key: str) -> Iterator[bytes]:
        """Yield the bodies of an object's versions, newest first, the present one included.

        Nothing is yielded for a key without versions; deletion marks are left out.
        """
        ...


class OpenObject(Protocol):
    """An object whose body is being read; all bytes are of one version."""

    @property
    def etag(self) -> str:
        """Identifies exactly these bytes."""
        ...

    @property
    def size(self) -> int:
        """The size of the whole object in bytes."""
        ...

    def read(self, amount: int) -> bytes:
        """Return up to ``amount`` bytes; empty at the end.

        Raises:
            PreconditionFailed: the object has changed.
        """
        ...

    def close(self) -> None:
        """End the reading and release the connection."""
        ...


class Bucket(Objects, Protocol):
    """All objects of a bucket: listings, large objects, results, removals."""

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        """Yield the objects below a prefix, by key.

        Args:
            prefix: beginning of the keys.
            after: only later keys are listed.
        """
        ...

    def head(self, key: str) -> ObjectHead | None:
        """Return an object without its body; None for a missing key."""
        ...

    def open(self, key: str) -> OpenObject | None:
        """Begin to read an object; None for a missing key."""
        ...

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        """Write an object, or replace it without a condition; metadata must be ASCII.

        Only for results that are equally good from any writer.

        Raises:
            Unavailable: the object may have been written.
        """
        ...

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        """Yield the names of the folders directly below a prefix; a folder has at least one object.

        Args:
            prefix: ends in ``/``.
            after: only later names, in the order of UTF-8, are listed.
        """
        ...

    def remove(self, key: str) -> None:
        """Remove an object. Deleting a missing key is not an error."""
        ...
