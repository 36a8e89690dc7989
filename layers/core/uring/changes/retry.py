"""Bounded attempts with full jitter, and the rewriting of an object with them."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Final

from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.objects import Objects, Stored

ATTEMPTS: Final = 5
BASE_SECONDS: Final = 0.05
CAP_SECONDS: Final = 2.0


class Backoff:
    """Waits ``uniform(0, min(cap, base * 2**n))`` between attempts.

    Args:
        sleep: seconds → None; the tests pass a virtual one.
    """

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep

    def attempts(self) -> Iterator[int]:
        """Yield 0 … ATTEMPTS - 1, waiting before each but the first."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._sleep(random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2**attempt)))
            yield attempt


def rewrite(
    objects: Objects,
    key: str,
    revise: Callable[[bytes | None], bytes | None],
    *,
    backoff: Backoff,
    content_type: str,
    cache_control: str | None = None,
    likely_absent: bool = False,
    likely: Stored | None = None,
) -> None:
    """Replace an object's body by the result of ``revise``, unless another run writes meanwhile.

    ``revise`` gets the body, or None for a missing object. It returns the new body, or None to
    leave the object as it is. It is called again after each refusal or lost answer, so it must be
    idempotent. ``likely_absent`` tries to create the object without reading it first, ``likely`` to
    replace this version of it.

    Raises:
        WriteConflict: no clear answer within the bounded attempts; the next run tries again.
    """
    for attempt in backoff.attempts():
        is_tried = attempt == 0 and (likely_absent or likely is not None)
        stored = likely if is_tried else objects.get(key)
        body = revise(stored.body if stored else None)
        if body is None:
            return
        try:
            objects.put(
                key,
                body,
                if_match=stored.etag if stored else None,
                content_type=content_type,
                cache_control=cache_control,
            )
        except (PreconditionFailed, Contended, Unavailable):
            continue
        return
    raise WriteConflict(f"{key}: no clear answer from S3; the next run tries again")
