"""All locks of a root, and the item that keeps them.

version         of the item: each write is conditional on the version that was read
fence           the last fence given
ticket          the last ticket number given
expires_at      a week after the last write, in seconds since 1970 (the table's TTL)
held:{path}     a lock, in JSON
fence:{path}    the lock's fence alone, for the condition of a protected write
waiting:{n}     a ticket, in JSON
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from uring.errors import CorruptState
from uring.locks.entries import Held, Waiter
from uring.locks.paths import Path, joined, parse_path
from uring.tables import NOTHING, Condition, Item, Write

E = TypeVar("E", bound=BaseModel)

KEY: Final = "locks"
MOST_ENTRIES: Final = 500
"""The most locks and tickets of one root."""

_HELD: Final = "held:"
_FENCE: Final = "fence:"
_WAITING: Final = "waiting:"
_COUNTERS: Final = ("version", "fence", "ticket")
_EXPIRES: Final = "expires_at"
# Far longer than any lock. The item of an unused or mistyped root goes away by itself.
_KEPT_SECONDS: Final = 7 * 86_400
_MOST_COUNT: Final = 2**53
# A counter that is set by hand is above all that were given: they began at a clock, and rise by far
# less than one a millisecond.
_AHEAD_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The locks and tickets of one root at one version.

    Attributes:
        version: of the item that was read; None where the root has no item.
        fence: the last fence given; it never goes back.
        ticket: the last ticket number given.
        held: the locks by path.
        waiting: the tickets by number; the lowest number came first.
        others: another release's attributes, kept unchanged.
    """

    version: int | None
    fence: int
    ticket: int = 0
    held: Mapping[Path, Held] = field(default_factory=dict)
    waiting: Mapping[int, Waiter] = field(default_factory=dict)
    others: Item = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """Return whether the catalogue has no room for another entry."""
        return len(self.held) + len(self.waiting) >= MOST_ENTRIES

    def is_unused(self, before_ms: int) -> bool:
        """Return whether the item may be removed: no entry lived at ``before_ms`` or later.

        And a new catalogue, which begins at a clock, has higher fences.
        """
        entries = [*self.held.values(), *self.waiting.values()]
        return self.fence < before_ms and all(each.expires_at_ms < before_ms for each in entries)


def fence_check(path: Path, fence: int) -> Condition:
    """Return the condition that the path is still locked with this fence."""
    return Condition(KEY, {_FENCE + joined(path): fence})


def parse_catalogue(root: str, item: Item | None, now_ms: int) -> Catalogue:
    """Return the catalogue of an item; a root without an item has no locks.

    The counters of a new catalogue start at ``now_ms``. So they are higher than those of an earlier
    catalogue, which was removed when its fence was behind all clocks: see `Catalogue.is_unused`.

    Raises:
        CorruptState: an attribute is malformed; the message names it.
    """
    if item is None:
        return Catalogue(None, now_ms)
    version, fence, ticket = (_count(root, item, name, now_ms) for name in _COUNTERS)
    held: dict[Path, Held] = {}
    waiting: dict[int, Waiter] = {}
    others: dict[str, str | int | None] = {}
    for name, value in item.items():
        if name.startswith(_HELD):
            held[_path(root, name, name.removeprefix(_HELD))] = _entry(root, name, value, Held)
        elif name.startswith(_WAITING):
            waiter = _entry(root, name, value, Waiter)
            _path(root, name, waiter.path)
            waiting[_number(root, name)] = waiter
        elif name not in (*_COUNTERS, _EXPIRES) and not name.startswith(_FENCE):
            others[name] = value
    # An edit by hand must not make the counter give a fence twice.
    fence = max([fence, *(entry.fence for entry in held.values())])
    return Catalogue(version, fence, max([ticket, *waiting]), held, waiting, others)


def replacement(catalogue: Catalogue, now_ms: int) -> Write:
    """Return the write of this catalogue over the version that it was made from.

    The write is conditional on that version; a catalogue without one must be new.
    """
    version = catalogue.version
    item: dict[str, str | int | None] = {
        **catalogue.others,
        "version": now_ms if version is None else version + 1,
        "fence": catalogue.fence,
        "ticket": catalogue.ticket,
        _EXPIRES: now_ms // 1000 + _KEPT_SECONDS,
    }
    for path, entry in catalogue.held.items():
        item[_HELD + joined(path)] = entry.model_dump_json()
        item[_FENCE + joined(path)] = entry.fence
    for number, waiter in catalogue.waiting.items():
        item[f"{_WAITING}{number}"] = waiter.model_dump_json()
    return Write(KEY, item, NOTHING if version is None else {"version": version})


def _count(root: str, item: Item, name: str, now_ms: int) -> int:
    value = item.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_COUNT:
        # A new item would count from some clock, and perhaps from a slower one.
        raise _corrupt(root, name, f"set it to {now_ms + _AHEAD_MS}, above all earlier numbers")
    return value


def _number(root: str, name: str) -> int:
    digits = name.removeprefix(_WAITING)
    if not (digits.isascii() and digits.isdigit() and str(int(digits[:16])) == digits):
        raise _corrupt(root, name)
    return int(digits)


def _path(root: str, name: str, text: str) -> Path:
    try:
        return parse_path(text)
    except ValueError as error:
        raise _corrupt(root, name) from error


def _entry(root: str, name: str, value: str | int | None, model: type[E]) -> E:
    try:
        return model.model_validate_json(value if isinstance(value, str) else "")
    except ValidationError as error:
        raise _corrupt(root, name) from error


def _corrupt(
    root: str,
    name: str,
    remedy: str = "remove the attribute, and leave the item: its fence never goes back",
) -> CorruptState:
    return CorruptState(
        f"{root}: {KEY}: {name[:80]!r} is not a valid attribute of a catalogue of locks; {remedy}"
    )
