"""Key-value tables: items by partition and key, transactions over them, and a fence.

The adapter is `uring.aws.tables`, the fake in the tests.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from uring.errors import WriteConflict

Item = Mapping[str, str | int | None]
"""The attributes of an item, its keys aside."""

MOST_WRITES: Final = 100
"""The most writes of one transaction (DynamoDB's limit)."""

_MOST_TRIES: Final = 3
NOTHING: Final[Item] = {}
"""The ``only_if`` of a write that must meet no item."""


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


@dataclass(frozen=True, slots=True)
class Add:
    """An item whose numbers grow by these amounts; what is not there counts as 0."""

    key: str
    amounts: Mapping[str, int]


Part: TypeAlias = Write | Check | Add


class Table(Protocol):
    """Items by partition and key; what was written is read at once."""

    def get(self, partition: str, key: str) -> Item | None:
        """Return the item, or None where there is none.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        """Return key and item of every key that begins so, by key.

        Args:
            partition: of the items.
            prefix: of their keys.
            after: a key that begins so, there or not: those behind it alone are read.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
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


def batches(groups: Iterable[Sequence[Write]]) -> Iterator[list[Write]]:
    """Yield whole groups together, as many as fit into a transaction beside a fence."""
    batch: list[Write] = []
    for group in groups:
        if batch and len(batch) + len(group) >= MOST_WRITES:
            yield batch
            batch = []
        batch += group
    if batch:
        yield batch


class Fence:
    """An item with the newest ``seq`` that was written: nothing older is written behind it.

    Every transaction that must not be overtaken carries `check`.
    """

    def __init__(self, table: Table, key: str) -> None:
        self._table = table
        self._key = key

    def check(self, seq: int) -> Check:
        """Return the condition that nothing newer than ``seq`` was here."""
        return Check(self._key, {"seq": seq})

    def raise_to(self, partition: str, seq: int) -> bool:
        """Let nothing older be written from here on; return whether ``seq`` is not older itself.

        Raises:
            WriteConflict: others were in the way.
        """
        for _ in range(_MOST_TRIES):
            stored = self._table.get(partition, self._key)
            said = (stored or {}).get("seq")
            # An edit by hand may have left anything here.
            there = said if isinstance(said, int) else 0
            if there >= seq:
                return there == seq
            raised = Write(self._key, {"seq": seq}, stored or NOTHING)
            if self._table.transact(partition, [raised]):
                return True
        raise WriteConflict(f"{partition}: others write its items; the next run tries again")
