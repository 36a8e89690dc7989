"""The bucket of a world in memory, as a played site's judge reads it."""

from datetime import UTC, datetime

from fakes import MemoryBucket

from uring_local.sites.stage.published import Published


class PlayedBucket(Published):
    """The objects of a world; all of them were written at one time."""

    def __init__(self, bucket: MemoryBucket) -> None:
        super().__init__(None, "")
        self._bucket = bucket

    def written(self, prefix: str) -> dict[str, datetime]:
        keys = sorted(key for key in self._bucket.bodies() if key.startswith(prefix))
        return dict.fromkeys(keys, datetime(2026, 11, 1, tzinfo=UTC))

    def body(self, key: str) -> bytes:
        return self._bucket.body(key)
