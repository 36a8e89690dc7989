"""Sums over the domains of a collection, each domain counted once.

A domain and its sum are written in one transaction: a message counts once however often it is
delivered, and a domain that is collected at last leaves the sum of the unreachable. The sums are
spread over items, so that hundreds of workers do not wait for one. All items of a dataset partition
have one partition key: a thousand write units a second, some 250 domains, until DynamoDB splits it.
The domains of a collection whose epoch ends with `SPREAD` have eight partition keys, each with the
sums of its domains. The epoch is in every message, so all workers choose the same one.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from uring.errors import WriteConflict
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Add, Item, Part, Table, Write

SHARDS: Final = 32
SPREAD: Final = ".spread"
"""The end of an epoch whose domains are spread over partition keys."""

_PLACES: Final = 8
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
        """Count each item as `count` does; new ones of one partition key in one transaction.

        Args:
            partition: the partition of the items.
            epoch: the epoch of their messages.
            items: fewer than `uring.tables.MOST_WRITES`.

        Raises:
            WriteConflict: concurrent writers won every try; some items may be counted.
        """
        if len({item.key for item in items}) < len(items):
            return [self.count(partition, epoch, item) for item in items]
        together: dict[str, list[DomainCount]] = {}
        for item in items:
            together.setdefault(_place_of(partition, epoch, item), []).append(item)
        first = {
            item.key: by
            for group in together.values()
            for item, by in zip(group, self._count_group(partition, epoch, group), strict=True)
        }
        return [first[item.key] for item in items]

    def _count_group(
        self, partition: Partition, epoch: str, items: Sequence[DomainCount]
    ) -> Sequence[str]:
        sums = Counter[str]()
        for item in items:
            sums.update(item.counts)
        amounts = {name: amount for name, amount in sums.items() if amount}
        if len(items) > 1 and amounts:
            parts: list[Part] = [
                Write(item.key, {"epoch": epoch, "by": item.by, **item.outcome}, NOTHING)
                for item in items
            ]
            parts.append(Add(_shard_of(epoch, items[0]), amounts))
            if self._table.transact(_place_of(partition, epoch, items[0]), parts):
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
        place, shard = _place_of(partition, epoch, item), _shard_of(epoch, item)
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
            if self._table.transact(place, parts):
                return first
            stored = self._table.get(place, key)
        raise WriteConflict(
            f"{partition.name}: {key}: other writes came first in every try; it is tried again"
        )


def places(partition: Partition, epoch: str) -> list[str]:
    """Return the partition keys that have sums of an epoch, in no order that matters."""
    # The release before counts a spread epoch at one key.
    spread = [_place(partition, number) for number in range(_PLACES)]
    return [partition.name, *(spread if epoch.endswith(SPREAD) else ())]


def _place(partition: Partition, number: int) -> str:
    return f"{partition.name}#{number % _PLACES}"


def _place_of(partition: Partition, epoch: str, item: DomainCount) -> str:
    """Return the partition key of an item and its sum."""
    return _place(partition, _number(epoch, item)) if epoch.endswith(SPREAD) else partition.name


def _shard_of(epoch: str, item: DomainCount) -> str:
    return f"count:{epoch}:{_number(epoch, item) % SHARDS:02}"


def _number(epoch: str, item: DomainCount) -> int:
    if not epoch.endswith(SPREAD):
        return int(item.domain_hash[:8], 16)
    # By the item alone: messages with different ids may name one domain.
    return int(sha256(item.key.encode()).hexdigest()[:8], 16)


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
