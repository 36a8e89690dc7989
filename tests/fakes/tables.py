"""A key-value table in memory, with DynamoDB's semantics of transactions."""

import threading
from collections.abc import Iterator, Sequence

from uring.tables import MOST_WRITES, Add, Condition, Item, Part, Write

# DynamoDB's limits, of an item and of a transaction; it counts names and values in UTF-8.
_ITEM_BYTES = 400 * 1024
_TRANSACTION_BYTES = 4 * 1024 * 1024


def _size(part: Part) -> int:
    item = part.item if isinstance(part, Write) else None
    return sum(len(f"{name}{value}".encode()) for name, value in (item or {}).items())


def _owner(partition: str, part: Part) -> str:
    return partition if isinstance(part, Condition) else part.partition or partition


class MemoryTable:
    """Implements `uring.tables.PutTable`; `history` has every transaction that was written."""

    def __init__(self) -> None:
        self.items: dict[tuple[str, str], Item] = {}
        self.history: list[tuple[str, tuple[Part, ...]]] = []
        self._lock = threading.Lock()

    def get(self, partition: str, key: str) -> Item | None:
        return self.items.get((partition, key))

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        found = [
            (key, item)
            for (owner, key), item in self.items.items()
            if owner == partition and key.startswith(prefix) and key > after
        ]
        return iter(sorted(found, key=lambda pair: pair[0].encode()))

    def put(self, partition: str, key: str, item: Item) -> None:
        with self._lock:
            self.items[partition, key] = dict(item)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        keys = [(_owner(partition, part), part.key) for part in parts]
        if not 1 <= len(keys) <= MOST_WRITES or len(set(keys)) != len(keys):
            raise ValueError(f"a transaction of 1 to {MOST_WRITES} items, each once: {keys}")
        sizes = [_size(part) for part in parts]
        if max(sizes) > _ITEM_BYTES or sum(sizes) > _TRANSACTION_BYTES:
            raise ValueError(f"{keys}: {max(sizes)} bytes in an item, {sum(sizes)} in all")
        with self._lock:
            if not all(self._holds(partition, part) for part in parts):
                return False
            for part in parts:
                if isinstance(part, Condition):
                    continue
                if isinstance(part, Add):
                    self._add(partition, part)
                elif part.item is None:
                    self.items.pop((_owner(partition, part), part.key), None)
                else:
                    self.items[_owner(partition, part), part.key] = dict(part.item)
            self.history.append((partition, tuple(parts)))
            return True

    def _add(self, partition: str, part: Add) -> None:
        place = _owner(partition, part), part.key
        item = dict(self.items.get(place, {}))
        for name, amount in part.amounts.items():
            before = item.get(name, 0)
            if not isinstance(before, int):
                raise TypeError(f"{part.key}: {name} is no number: {before!r}")
            item[name] = before + amount
        self.items[place] = item

    def _holds(self, partition: str, part: Part) -> bool:
        stored = self.items.get((_owner(partition, part), part.key))
        if isinstance(part, Add):
            return all(
                isinstance(number := (stored or {}).get(name, 0), int) and number <= most
                for name, most in part.at_most.items()
            )
        if part.only_if is None:
            return True
        if not part.only_if:
            return stored is None
        return stored is not None and all(
            name in stored and stored[name] == value for name, value in part.only_if.items()
        )
