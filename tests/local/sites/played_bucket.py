"""The bucket of a world in memory, as a played site's judge reads it."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from fakes import MemoryBucket

from uring_local.sites.stage.published import Published

_WRITTEN: Final = datetime(2026, 11, 1, tzinfo=UTC)


class PlayedBucket(Published):
    """The objects of a world; all of them were written at one time."""

    def __init__(self, bucket: MemoryBucket) -> None:
        super().__init__(None, "")
        self._bucket = bucket

    def _listed(self, prefix: str) -> Iterator[Mapping[str, Any]]:
        for key, body in sorted(self._bucket.bodies().items()):
            if key.startswith(prefix):
                digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
                yield {"Key": key, "LastModified": _WRITTEN, "ETag": digest}

    def body(self, key: str) -> bytes:
        return self._bucket.body(key)
