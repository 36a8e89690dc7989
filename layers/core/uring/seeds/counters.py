"""Sums over the domains of a collection, each domain counted once.

A domain and its sum are written in one transaction: a message counts once however often it is
delivered, and a domain that is collected at last leaves the sum of the unreachable. The sums are
spread over items, so that hundreds of workers do not wait for one. All items of a dataset partition
have one partition key: a thousand write units a second, some 250 domains, until DynamoDB splits it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from uring.errors import WriteConflict
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Add, Item, Part, Table, Write

SHARDS: Final = 32

_MOST_TRIES: Final = 5
_OUTCOME: Final = "as_"


@dataclass(frozen=True, slots=True)
class DomainCount:
    """An item to count.

    Attributes:
        key: the key of the item.
        domain_hash: spreads items over the shards.
        counts: the increment of each sum, by name.
        by: the name of the message.
    """

    key: str
    domain_hash: str
    counts: Mapping[str, int]
    by: str = ""

    @property
    def outcome(self) -> Item:
        """The attributes that hold the increments."""
        return {f"{_OUTCOME}{name}": amount for name, amount in self.counts.items() if amount}


class DomainCounters:
    """The sums of every collection; safe to share between threads.

    Args:
        is_current: returns True if an epoch is that of a partition's newest collection.
    """

    def __init__(self, table: Table, is_current: Callable[[Partition, str], bool]) -> None:
        self._table = table
        self._is_current = is_current

    def count_all(
        self, partition: Partition, epoch: str, items: Sequence[DomainCount]
    ) -> Sequence[str]:
        """Count each item as `count` does; new ones in one transaction, with one sum.

        Args:
            partition: the partition of the items.
            epoch: the epoch of their messages.
            items: fewer than `uring.tables.MOST_WRITES`.

        Raises:
            WriteConflict: concurrent writers won every try; some items may be counted.
        """
        if len(items) > 1 and len({item.key for item in items}) == len(items):
            sums = Counter[str]()
            for item in items:
                sums.update(item.counts)
            parts: list[Part] = [
                Write(item.key, {"epoch": epoch, "by": item.by, **item.outcome}, NOTHING)
                for item in items
            ]
            amounts = {name: amount for name, amount in sums.items() if amount}
            parts.append(Add(_shard(epoch, items[0].domain_hash), amounts))
            if amounts and self._table.transact(partition.name, parts):
                return [item.by for item in items]
        return [self.count(partition, epoch, item) for item in items]

    def count(
        self, partition: Partition, epoch: str, item: DomainCount, *, yields: bool = False
    ) -> str:
        """Count an item with this outcome in its epoch; its earlier count is taken back.

        Args:
            partition: the partition of the item.
            epoch: the epoch of the message.
            item: what is counted.
            yields: keep an outcome that the item has in its epoch.

        Returns:
            The name of the message that counted it first in this epoch.

        Raises:
            WriteConflict: concurrent writers won every try.
        """
        key, counts, by = item.key, item.counts, item.by
        shard = _shard(epoch, item.domain_hash)
        # Most items are counted for the first time: a read before costs as much as the write.
        stored: Item | None = None
        for _ in range(_MOST_TRIES):
            known = stored if stored is not None and stored.get("epoch") == epoch else None
            if stored and not known and self._is_current(partition, str(stored.get("epoch"))):
                # The item belongs to a newer collection, and records its part of those sums.
                return by
            before = _counted(known or {})
            first = str((known or {}).get("by", by))
            amounts = {
                name: difference
                for name in {**before, **counts}
                if (difference := counts.get(name, 0) - before.get(name, 0))
            }
            if known and (yields or not amounts):
                return first
            after: Item = {**_of_others(known or {}), "epoch": epoch, "by": first, **item.outcome}
            parts: list[Part] = [Write(key, after, stored or NOTHING)]
            if amounts:
                parts.append(Add(shard, amounts))
            if self._table.transact(partition.name, parts):
                return first
            stored = self._table.get(partition.name, key)
        raise WriteConflict(
            f"{partition.name}: {key}: other writes came first in every try; it is tried again"
        )


def _shard(epoch: str, domain_hash: str) -> str:
    return f"count:{epoch}:{int(domain_hash[:8], 16) % SHARDS:02}"


def numbers(item: Item) -> dict[str, int]:
    """Return the numeric attributes of an item."""
    return {name: value for name, value in item.items() if isinstance(value, int)}


def _counted(item: Item) -> dict[str, int]:
    return {
        name.removeprefix(_OUTCOME): value
        for name, value in numbers(item).items()
        if name.startswith(_OUTCOME)
    }


def _of_others(item: Item) -> dict[str, str | int | None]:
    """Return the attributes that are not outcomes, such as another release's: they are kept."""
    return {name: value for name, value in item.items() if not name.startswith(_OUTCOME)}
