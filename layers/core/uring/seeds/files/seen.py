"""The domains of a file so far: eight bytes each, in a table that never grows beyond 32 MB."""

from array import array
from typing import Final

_FIRST_SLOTS: Final = 1 << 12
_MOST_SLOTS: Final = 1 << 22
# Of four slots three are used at the most: then probes are short.
_FULL: Final = 0.75


class SeenDomains:
    """A set of domain hashes, by open addressing.

    A Python set takes eight times as much. Of more than three million domains the later ones are
    not remembered: what is sent twice then, the domain worker finds collected.
    """

    def __init__(self, *, most_slots: int = _MOST_SLOTS) -> None:
        self._most_slots = most_slots
        self._slots = array("Q", bytes(8 * min(_FIRST_SLOTS, most_slots)))
        self._count = 0

    def __len__(self) -> int:
        """Return how many are remembered."""
        return self._count

    def add(self, domain_hash: str) -> bool:
        """Remember a domain by its hash in hexadecimal digits; return whether it is new."""
        # Zero stands for an empty slot.
        key = int(domain_hash[:16], 16) or 1
        slot = self._find(key)
        if self._slots[slot] == key:
            return False
        if self._count < len(self._slots) * _FULL:
            self._slots[slot] = key
            self._count += 1
        elif len(self._slots) < self._most_slots:
            self._grow()
            return self.add(domain_hash)
        return True

    def _find(self, key: int) -> int:
        """Return the slot of a key: its own, or the empty one where it belongs."""
        slots, mask = self._slots, len(self._slots) - 1
        slot = key & mask
        while slots[slot] and slots[slot] != key:
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        before = self._slots
        self._slots = array("Q", bytes(16 * len(before)))
        for key in before:
            if key:
                self._slots[self._find(key)] = key
