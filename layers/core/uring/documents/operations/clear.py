"""Removes the items of a page (D3); its attachments, its locks and its accounts stay."""

from collections.abc import Callable
from itertools import islice
from typing import Final

from uring.documents.names import COST_PREFIX, PAGE_LOCK
from uring.locks import Locks, write
from uring.locks.catalogue import KEY as CATALOGUE
from uring.tables import MOST_WRITES, Table, Write

WAIT_SECONDS: Final = 150


def clear(table: Table, locks: Locks, page: str, still: Callable[[], bool] = lambda: True) -> int:
    """Remove the items of a page, under its lock; return their number.

    A crash in the middle leaves some items; the next call removes them. The janitor removes the
    texts that no item names.

    Args:
        table: the table with the page.
        locks: the locks of the same table.
        page: the page to clear.
        still: called under the lock, before each batch; False stops the removal.

    Raises:
        Retryable: the page may be cleared in part.
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
