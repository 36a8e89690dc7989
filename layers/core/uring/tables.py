"""The port to a key-value table: items by partition and key, and transactions over them.

The adapter is `uring.aws.tables`, the fake in the tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

Item = Mapping[str, str | int | None]
"""The attributes of an item, its keys aside."""

MOST_WRITES: Final = 100
"""Of one transaction (DynamoDB's limit)."""

NOTHING: Final[Item] = {}
"""As ``only_if``: there must be no item."""


@dataclass(frozen=True, slots=True)
class Write:
    """One item's part in a transaction.

    Attributes:
        key: of the item.
        item: its new attributes; None removes it.
        only_if: attributes that the stored item must have; `NOTHING`: there must be none; None:
            whatever is there.
    """

    key: str
    item: Item | None
    only_if: Item | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """An item that a transaction leaves as it is, and that must have these attributes."""

    key: str
    only_if: Item


class Table(Protocol):
    """Items by partition and key; what was written is read at once."""

    def get(self, partition: str, key: str) -> Item | None:
        """Return the item, or None where there is none.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def query(self, partition: str, prefix: str) -> Iterator[tuple[str, Item]]:
        """Return key and item of every key that begins so, by key.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def transact(self, partition: str, parts: Sequence[Write | Check]) -> bool:
        """Write all, or nothing; return whether every condition held.

        Args:
            partition: of all items.
            parts: each key once, at most `MOST_WRITES`.

        Raises:
            Unavailable: no answer, or other transactions were in the way again and again; all of
                it was written, or nothing.
            Misconfigured: no such table, or no permission.
        """
        ...
