"""A bucket in memory with what large objects and results need; see `uring.bucket.Bucket`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from itertools import count  # noqa: TC003 - as in MemoryObjects

from fakes.objects import MemoryObjects, Written
from uring.bucket import Head
from uring.changes.ports import Listed, Stored


@dataclass
class MemoryReading:
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


class MemoryBucket(MemoryObjects):
    """Implements `uring.bucket.Bucket`; ``metadata`` is by key, ``calls`` counts."""

    def __init__(
        self, clock: Callable[[], datetime] | None = None, *, ticks: "count[int] | None" = None
    ) -> None:
        super().__init__(clock, ticks=ticks)
        self.metadata: dict[str, Mapping[str, str]] = {}
        self.calls = Calls()
        self.readings: list[MemoryReading] = []

    def head(self, key: str) -> Head | None:
        with self._lock:
            self.calls.heads.append(key)
            stored = self._current.get(key)
            if stored is None:
                return None
            return Head(
                stored.etag,
                len(stored.body),
                self.metadata.get(key, {}),
                self._modified.get(key),
            )

    def open(self, key: str) -> MemoryReading | None:
        with self._lock:
            self.calls.opened.append(key)
            stored = self._current.get(key)
            if stored is None:
                return None
            reading = MemoryReading(stored.etag, len(stored.body), BytesIO(stored.body))
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

    def list_after(self, prefix: str, after: str) -> Iterator[Listed]:
        return (listed for listed in self.list(prefix) if listed.key > after)
