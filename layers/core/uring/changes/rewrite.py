"""Read, revise, write if nobody did meanwhile: for objects that any run may bring up to date."""

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
    """Make an object what ``revise`` says.

    ``revise`` gets the body, or None where there is no object, and returns the new one, or None to
    leave it as it is. It is asked again after each refusal or lost answer, so what it has done once
    it must not do twice. ``likely_absent`` tries to create the object before looking for it.

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
