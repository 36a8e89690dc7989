"""All that is known of a page is removed (D3); its attachments, its lock and its account stay."""

from collections.abc import Callable
from itertools import islice
from typing import Final

from uring.documents.names import COST_PREFIX, PAGE_LOCK
from uring.locks import Locks, write
from uring.locks.catalogue import KEY as CATALOGUE
from uring.tables import MOST_WRITES, Table, Write

WAIT_SECONDS: Final = 150


def clear(table: Table, locks: Locks, page: str, still: Callable[[], bool] = lambda: True) -> int:
    """Remove the items of a page, under its lock; return how many.

    A death in the middle leaves some; whoever comes again removes the rest. Texts that no item
    names any more are the janitor's.

    Args:
        table: with the page.
        locks: of the same table.
        page: to clear.
        still: asked once the lock is held, whether it is to be cleared.

    Raises:
        Retryable: it may be done in part.
    """
    removed = 0
    with locks.hold(page, PAGE_LOCK, wait_seconds=WAIT_SECONDS, what="clear") as lease:
        while still():
            keys = (
                key
                for key, _ in table.query(page, "")
                if key != CATALOGUE and not key.startswith(COST_PREFIX)
            )
            batch = [Write(key, None) for key in islice(keys, MOST_WRITES - 1)]
            if not batch:
                return removed
            write(table, lease, batch)
            removed += len(batch)
    return removed
