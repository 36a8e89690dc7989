"""A lease that a thread renews for the length of a block."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from uring.errors import Retryable
from uring.locks.errors import LeaseLost
from uring.locks.lease import Lease

# After a renewal without an answer.
_SOONER: Final = 4


@contextmanager
def kept(lease: Lease, every_seconds: float) -> Iterator[Lease]:
    """Renew the lease while the block runs, then release it.

    A failed release is not an error of the block: the lock ends with its lease, and the block's
    writes were checked.
    """
    is_over = threading.Event()
    renewing = threading.Thread(
        target=_renew_until, args=(is_over, lease, every_seconds), name="lease", daemon=True
    )
    renewing.start()
    try:
        yield lease
    finally:
        is_over.set()
        with suppress(Retryable):
            lease.release()


def _renew_until(is_over: threading.Event, lease: Lease, every_seconds: float) -> None:
    seconds = every_seconds
    while not is_over.wait(seconds):
        try:
            lease.renew()
        except LeaseLost:
            return
        except Retryable:
            seconds = every_seconds / _SOONER
        else:
            seconds = every_seconds
