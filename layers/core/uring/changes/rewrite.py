"""Read, revise and write an object unless another run wrote it meanwhile. Any run may do it."""

from collections.abc import Callable

from uring.changes.retry import Backoff
from uring.errors import Contended, PreconditionFailed, Unavailable, WriteConflict
from uring.objects import Objects


def rewrite(
    objects: Objects,
    key: str,
    revise: Callable[[bytes | None], bytes | None],
    *,
    backoff: Backoff,
    content_type: str,
    cache_control: str | None = None,
    likely_absent: bool = False,
) -> None:
    """Replace an object's body by the result of ``revise``.

    ``revise`` gets the body, or None for a missing object. It returns the new body, or None to
    leave the object as it is. It is called again after each refusal or lost answer, so it must be
    idempotent. ``likely_absent`` tries to create the object without reading it first.

    Raises:
        WriteConflict: no clear answer within the bounded attempts; the next run tries again.
    """
    for attempt in backoff.attempts():
        stored = None if likely_absent and attempt == 0 else objects.get(key)
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
