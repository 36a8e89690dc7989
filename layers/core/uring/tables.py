"""Key-value tables: items by partition and key, transactions, and a fence.

The adapter is `uring.aws.tables`, the fake is in the tests.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from uring.errors import WriteConflict

Item = Mapping[str, str | int | None]
"""The attributes of an item, without its keys."""

MOST_WRITES: Final = 100
"""The most writes of one transaction (DynamoDB's limit)."""

_MOST_TRIES: Final = 3
NOTHING: Final[Item] = {}
"""The ``only_if`` of a write that requires a missing item."""


@dataclass(frozen=True, slots=True)
class Write:
    """The write of one item in a transaction.

    Attributes:
        key: key of the item.
        item: its new attributes; None removes it.
        only_if: attributes that the stored item must have; `NOTHING`: the item must be missing;
            None: no condition.
        partition: its partition; empty for the transaction's.
    """

    key: str
    item: Item | None
    only_if: Item | None = None
    partition: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a transaction: an item, left unchanged, must have these attributes."""

    key: str
    only_if: Item


@dataclass(frozen=True, slots=True)
class Add:
    """Adds amounts to numbers of an item; a missing number or item counts as 0.

    Attributes:
        key: key of the item.
        amounts: the amounts by attribute.
        at_most: the condition of a ceiling: a stored number may be this much before the addition.
        partition: its partition; empty for the transaction's.
    """

    key: str
    amounts: Mapping[str, int]
    at_most: Mapping[str, int] = field(default_factory=dict)
    partition: str = ""


Part: TypeAlias = Write | Condition | Add


class Table(Protocol):
    """Items by partition and key; every read sees all earlier writes."""

    def get(self, partition: str, key: str) -> Item | None:
        """Return an item; None for a missing one.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        """Yield key and item of every key with a prefix, in the order of the keys.

        Args:
            partition: partition of the items.
            prefix: beginning of their keys; empty for all items of the partition.
            after: a key with the prefix, stored or not: only later keys are read.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        """Write all parts or nothing; return whether every condition held.

        Args:
            partition: the partition of all items that name no other.
            parts: at most `MOST_WRITES`, each of another item.

        Raises:
            Unavailable: no answer, or other transactions were under way at every try; all parts
                were written, or nothing.
            Misconfigured: no such table, or no permission.
        """
        ...


class PutTable(Table, Protocol):
    """A table whose items can be replaced one by one."""

    def put(self, partition: str, key: str, item: Item) -> None:
        """Write an item, or replace it without a condition; it costs half of a transaction.

        Raises:
            Unavailable: no answer; the item may have been written.
            Misconfigured: no such table, or no permission.
        """
        ...


def batches(groups: Iterable[Sequence[Write]]) -> Iterator[list[Write]]:
    """Yield batches of whole groups; each fits into a transaction together with a fence."""
    batch: list[Write] = []
    for group in groups:
        if batch and len(batch) + len(group) >= MOST_WRITES:
            yield batch
            batch = []
        batch += group
    if batch:
        yield batch


class Fence:
    """An item with the newest written ``seq``: it prevents writes of an older one.

    Every transaction that must not follow a newer one includes `check`.
    """

    def __init__(self, table: Table, key: str) -> None:
        self._table = table
        self._key = key

    def check(self, seq: int) -> Condition:
        """Return the condition that nothing newer than ``seq`` was written."""
        return Condition(self._key, {"seq": seq})

    def raise_to(self, partition: str, seq: int) -> bool:
        """Prevent writes older than ``seq`` from now on; return False if ``seq`` itself is older.

        Raises:
            WriteConflict: others kept writing the fence.
        """
        for _ in range(_MOST_TRIES):
            stored = self._table.get(partition, self._key)
            said = (stored or {}).get("seq")
            # A manual edit may have left any value here.
            there = said if isinstance(said, int) else 0
            if there >= seq:
                return there == seq
            raised = Write(self._key, {"seq": seq}, stored or NOTHING)
            if self._table.transact(partition, [raised]):
                return True
        raise WriteConflict(
            f"{partition}: other writes came first in every try; the next run tries again"
        )
