"""The domains of a file so far: eight bytes each, in a table of at most 32 MB."""

from array import array
from typing import Final

_FIRST_SLOTS: Final = 1 << 12
_MOST_SLOTS: Final = 1 << 22
# At most three of four slots are used, to keep probes short.
_FULL: Final = 0.75


class SeenDomains:
    """A set of domain hashes, by open addressing.

    A Python set takes eight times as much. Beyond three million domains later ones are not stored:
    their repeated messages find the domain already collected.
    """

    def __init__(self, *, most_slots: int = _MOST_SLOTS) -> None:
        self._most_slots = most_slots
        self._slots = array("Q", bytes(8 * min(_FIRST_SLOTS, most_slots)))
        self._count = 0

    def __len__(self) -> int:
        """Return the number of stored domains."""
        return self._count

    def add(self, domain_hash: str) -> bool:
        """Add a domain by its hash in hexadecimal digits; return False if it was stored before."""
        # Zero marks an empty slot.
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
        """Return the slot of a key: its own, or the empty slot for it."""
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
