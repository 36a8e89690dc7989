"""A missing object, stored again from the bucket's versions."""

from collections.abc import Callable
from contextlib import suppress

from uring.errors import CorruptState, PreconditionFailed
from uring.objects import Objects


def restored(
    objects: Objects, key: str, read: Callable[[bytes], object], content_type: str
) -> bytes | None:
    """Store the newest readable version of a missing object again; None without one.

    Args:
        objects: the bucket.
        key: of the missing object.
        read: raises CorruptState for a version that cannot be read.
        content_type: of the object.

    Returns:
        The version's body. If another run stored the object first, its version stays.
    """
    for body in objects.past(key):
        with suppress(CorruptState):
            read(body)
            with suppress(PreconditionFailed):
                objects.put(key, body, if_match=None, content_type=content_type)
            return body
    return None
