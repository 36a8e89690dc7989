"""The hints of a tick: stored hints whose state has not been written since."""

import threading
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from uring.changes.hint import Hints, hints_key
from uring.changes.shard import WHOLE, Shard
from uring.errors import Unavailable
from uring.objects import Bucket

T = TypeVar("T")

LONGEST_SECONDS: Final = 10
"""A tick waits no longer for its hints: without them each job costs one read."""


def etags_of(objects: Bucket, family: str, shard: Shard = WHOLE) -> dict[str, str]:
    """Return the ETag of each state of a family's shard, by source.

    Raises:
        Unavailable: no answer.
        Misconfigured: no such bucket, or no permission.
    """
    prefix = f"state/{family}/"
    listing = objects.list(prefix, f"{prefix}{shard.begin}." if shard.begin else "")
    etags: dict[str, str] = {}
    for listed in listing:
        name = listed.key.removeprefix(prefix)
        if shard.end and name > f"{shard.end}.":
            break
        if name.endswith(".json") and not name.endswith(".seen.json"):
            etags[name.removesuffix(".json")] = listed.etag
    return etags


class CurrentHints:
    """The hints of a family that are valid now.

    Args:
        objects: the bucket.
        family: of the sources.
        shard: of the family.
        seconds: the longest time for one call.
    """

    def __init__(
        self,
        objects: Bucket,
        family: str,
        shard: Shard = WHOLE,
        *,
        seconds: float = LONGEST_SECONDS,
    ) -> None:
        self._objects = objects
        self._family = family
        self._shard = shard
        self._seconds = seconds

    def __call__(self) -> Mapping[str, dict[str, Any]]:
        """Return the valid hints by source; a state that was written since has none.

        Empty if the stored hints are missing or damaged.

        Raises:
            Unavailable: no answer, or none in time.
            Misconfigured: no such bucket, or no permission.
        """
        return within(self._seconds, self._current)

    def _current(self) -> dict[str, dict[str, Any]]:
        stored = self._objects.get(hints_key(self._family, self._shard))
        kept = Hints.read(stored.body) if stored else None
        if kept is None:
            return {}
        etags = etags_of(self._objects, self._family, self._shard)
        return {
            source: hint.model_dump()
            for source, hint in kept.hints.items()
            if hint.known is not None and etags.get(source) == hint.etag
        }


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return the result of some work, or raise its error.

    Work that takes longer goes on in its thread; its result is discarded.

    Raises:
        Unavailable: it took longer.
    """
    ends: SimpleQueue[Callable[[], T]] = SimpleQueue()

    def run() -> None:
        try:
            value = work()
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            ends.put(_raising(error))
        else:
            ends.put(lambda: value)

    threading.Thread(target=run, daemon=True).start()
    try:
        end = ends.get(timeout=seconds)
    except Empty:
        raise Unavailable(f"no answer within {seconds} s") from None
    return end()


def _raising(error: BaseException) -> Callable[[], Any]:
    def end() -> Any:
        raise error

    return end
