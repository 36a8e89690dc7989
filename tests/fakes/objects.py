"""A bucket in memory: compare-and-swap with one winner a write and a fresh ETag each."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from itertools import count
from typing import Any

from fakes.clock import VirtualClock
from uring.errors import PreconditionFailed
from uring.objects import Listed, ObjectHead, Stored


@dataclass(frozen=True, slots=True)
class Written:
    """One version of an object; ``order`` counts the writes to the whole store."""

    order: int
    at: datetime
    body: bytes
    content_type: str
    cache_control: str | None
    etag: str = ""


@dataclass
class MemoryObject:
    """The body of one version."""

    etag: str
    size: int
    body: BytesIO
    is_open: bool = True

    def read(self, amount: int) -> bytes:
        return self.body.read(amount)

    def close(self) -> None:
        self.is_open = False


@dataclass
class Calls:
    """The calls of each kind, in order: the keys."""

    heads: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)


class MemoryBucket:
    """Implements `uring.objects.Bucket` and remembers every version.

    ETags are never repeated, as S3's are for bytes that never repeat. A write with ``if_match`` to
    a key that is not there is refused (S3: 404), as is one without to a key that is (S3: 412).
    ``metadata`` is by key, ``calls`` has those of large objects and results.
    """

    def __init__(
        self, clock: Callable[[], datetime] | None = None, *, ticks: "count[int] | None" = None
    ) -> None:
        self.clock = clock or VirtualClock()
        self.versions: dict[str, list[Written]] = {}
        self.reads = 0
        self.metadata: dict[str, Mapping[str, str]] = {}
        self.calls = Calls()
        self.readings: list[MemoryObject] = []
        self._current: dict[str, Stored] = {}
        self._modified: dict[str, datetime] = {}
        self._etags = count(1)
        self._ticks = ticks or count(1)
        self._lock = threading.Lock()

    def get(self, key: str) -> Stored | None:
        with self._lock:
            self.reads += 1
            return self._current.get(key)

    def put(
        self,
        key: str,
        body: bytes,
        *,
        if_match: str | None,
        content_type: str,
        cache_control: str | None = None,
    ) -> str:
        with self._lock:
            stored = self._current.get(key)
            if (stored.etag if stored else None) != if_match:
                raise PreconditionFailed(key)
            etag = f'"{next(self._etags)}"'
            self._current[key] = Stored(body, etag)
            self._modified[key] = self.clock().replace(microsecond=0)
            self.versions.setdefault(key, []).append(
                Written(next(self._ticks), self.clock(), body, content_type, cache_control, etag)
            )
            return etag

    def past(self, key: str) -> Iterator[bytes]:
        with self._lock:
            bodies = [version.body for version in self.versions.get(key, ())]
        yield from reversed(bodies)

    def head(self, key: str) -> ObjectHead | None:
        with self._lock:
            self.calls.heads.append(key)
            stored = self._current.get(key)
            if stored is None:
                return None
            return ObjectHead(
                stored.etag,
                len(stored.body),
                self.metadata.get(key, {}),
                self._modified.get(key),
            )

    def open(self, key: str) -> MemoryObject | None:
        with self._lock:
            self.calls.opened.append(key)
            stored = self._current.get(key)
            if stored is None:
                return None
            reading = MemoryObject(stored.etag, len(stored.body), BytesIO(stored.body))
            self.readings.append(reading)
            return reading

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        for name, value in (metadata or {}).items():
            # As S3's headers.
            value.encode("ascii")
            if name != name.lower():
                raise ValueError(f"{name}: not in lower case")
        with self._lock:
            self.calls.written.append(key)
            self._current[key] = Stored(body, f'"{next(self._etags)}"')
            self._modified[key] = self.clock().replace(microsecond=0)
            self.metadata[key] = dict(metadata or {})
            self.versions.setdefault(key, []).append(
                Written(next(self._ticks), self.clock(), body, content_type, None)
            )

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        with self._lock:
            found = [
                Listed(key, each.etag, self._modified.get(key))
                for key, each in self._current.items()
            ]
        yield from sorted(
            (each for each in found if each.key.startswith(prefix) and each.key > after),
            key=lambda each: each.key,
        )

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        behind = f"{prefix}{after}0" if after else ""
        names = (each.key.removeprefix(prefix) for each in self.list(prefix) if each.key > behind)
        yield from dict.fromkeys(name.partition("/")[0] for name in names if "/" in name)

    @property
    def writes(self) -> int:
        """How many writes took effect."""
        return sum(len(versions) for versions in self.versions.values())

    def bodies(self) -> dict[str, bytes]:
        """Everything that is there."""
        return {key: stored.body for key, stored in sorted(self._current.items())}

    def body(self, key: str) -> bytes:
        """The bytes that are there; KeyError when there are none."""
        return self._current[key].body

    def plant(self, key: str, body: bytes) -> None:
        """Put an object there as an operator would, without a condition and without a trace."""
        with self._lock:
            self._current[key] = Stored(body, f'"{next(self._etags)}"')
            self._modified[key] = self.clock().replace(microsecond=0)

    def restore(self, key: str, stored: Stored) -> None:
        """Put an earlier version back as an operator would: the same bytes have the same ETag."""
        with self._lock:
            self._current[key] = stored
            self._modified[key] = self.clock().replace(microsecond=0)

    def remove(self, key: str) -> None:
        """Delete an object; one that is not there is gone already."""
        with self._lock:
            self._current.pop(key, None)


class FlakyBucket(MemoryBucket):
    """Raises an error a write: those of `refused` before it takes effect, of `lost` after."""

    def __init__(
        self,
        clock: Callable[[], datetime] | None = None,
        *,
        refused: Sequence[Exception] = (),
        lost: Sequence[Exception] = (),
    ) -> None:
        super().__init__(clock)
        self.refused, self.lost = [*refused], [*lost]

    def put(self, key: str, body: bytes, **more: Any) -> str:
        if self.refused:
            raise self.refused.pop(0)
        etag = super().put(key, body, **more)
        if self.lost:
            raise self.lost.pop(0)
        return etag
