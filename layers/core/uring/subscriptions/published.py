"""The topics of the published index and of its shards, read at most once a minute."""

import json
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from uring.clock import Clock
from uring.errors import Misconfigured, Unavailable
from uring.objects import Reads
from uring.segments import is_segment

INDEX_KEY: Final = "data/index.json"
_KEPT_FOR: Final = timedelta(minutes=1)
# S3 may be unavailable for this long; after it the known topics are too old.
_KEPT_WITHOUT_ANSWER: Final = timedelta(minutes=10)
_REMEDY: Final = "the monitor's next run writes it again"


class PublishedTopics:
    """The published topics; safe to share between threads.

    Args:
        objects: the bucket.
        clock: the time, aware UTC.
    """

    def __init__(self, objects: Reads, *, clock: Clock) -> None:
        self._objects = objects
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at: datetime | None = None
        self._topics: frozenset[str] = frozenset()
        self._shards: dict[str, frozenset[str]] = {}

    def topics(self) -> frozenset[str]:
        """Return every topic of the indexes, read within the last minute.

        If the index cannot be read, the topics of the last ten minutes are returned.

        Raises:
            Unavailable: the index is missing or malformed, or S3 gave no answer.
            Misconfigured: the bucket is missing, or access is denied. To a role that may not list,
                S3 also denies access to a missing index.
        """
        with self._lock:
            now = self._clock()
            if not self._is_younger(_KEPT_FOR, now):
                try:
                    self._read()
                    self._read_at = now
                except Unavailable:
                    if not self._is_younger(_KEPT_WITHOUT_ANSWER, now):
                        raise
            return self._topics

    def _is_younger(self, age: timedelta, now: datetime) -> bool:
        """Return whether the index was read within this time; False if the clock was set back."""
        return self._read_at is not None and age > now - self._read_at >= timedelta()

    def _read(self) -> None:
        stored = self._objects.get(INDEX_KEY)
        if stored is None:
            raise Unavailable(f"{INDEX_KEY}: is missing; {_REMEDY}")
        index = _parsed(stored.body, INDEX_KEY)
        # Shard by shard: the indexes of a hundred thousand sources are fifty megabytes.
        shards = {path: self._of_shard(path) for path in _shards_in(index)}
        self._shards = shards
        self._topics = frozenset(_topics_in(index)).union(*shards.values())

    def _of_shard(self, path: str) -> frozenset[str]:
        """Return the topics of a shard's index; those known before if it is not there yet."""
        key = f"data/{path}"
        try:
            stored = self._objects.get(key)
        except Misconfigured:
            # S3 denies access to a missing object: the index of a new shard follows in minutes.
            stored = None
        if stored is None:
            return self._shards.get(path, frozenset())
        return frozenset(_topics_in(_parsed(stored.body, key)))


def _parsed(body: bytes, key: str) -> dict[str, Any]:
    try:
        index = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unavailable(f"{key}: is not JSON; {_REMEDY}") from error
    if not isinstance(index, dict):
        raise Unavailable(f"{key}: is not a JSON object; {_REMEDY}")
    return index


def _shards_in(index: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of each further shard's index, below ``data/``; other values are ignored."""
    families = index.get("families")
    for family in families.values() if isinstance(families, dict) else ():
        shards = family.get("shards") if isinstance(family, dict) else None
        for shard in shards if isinstance(shards, list) else ():
            path = shard.get("path") if isinstance(shard, dict) else None
            if isinstance(path, str) and is_segment(path):
                yield path


def _topics_in(index: Mapping[str, Any]) -> Iterator[str]:
    """Yield ``topic`` and ``topics`` of each entry of each list; other values are ignored."""
    lists = (each for each in index.values() if isinstance(each, list))
    for entry in (entry for each in lists for entry in each if isinstance(entry, dict)):
        several = entry.get("topics")
        for topic in [entry.get("topic"), *(several if isinstance(several, list) else [])]:
            if isinstance(topic, str):
                yield topic
