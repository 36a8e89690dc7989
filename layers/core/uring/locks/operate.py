"""The locks of a root as an operator sees them, and the lock that an operator breaks. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from uring.locks.catalogue import Catalogue
from uring.locks.entries import Held, Waiter
from uring.locks.paths import Path, parse_path

_MILLISECONDS: Final = 1000


@dataclass(frozen=True, slots=True)
class HeldLock:
    """A lock.

    Attributes:
        path: the locked path; ``()`` is all of the root.
        what: the description of its work.
        fence: tells it from all others of the root.
        owner: of the acquisition.
        age_seconds: since it was acquired.
        seconds_left: until its lease ends, if it is not renewed; 0 for a dead holder's.
    """

    path: Path
    what: str
    fence: int
    owner: str
    age_seconds: int
    seconds_left: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ticket of the line.

    Attributes:
        path: the path that it waits for.
        owner: of the acquisition.
        age_seconds: since it waits.
        seconds_left: until its ticket ends, if it is not renewed; 0 for a dead waiter's.
    """

    path: Path
    owner: str
    age_seconds: int
    seconds_left: int


def locks_of(catalogue: Catalogue, now_ms: int) -> list[HeldLock]:
    """Return the locks, the oldest first."""
    fences = sorted((held.fence, path) for path, held in catalogue.held.items())
    return [_lock(path, catalogue.held[path], now_ms) for _, path in fences]


def waiting_in(catalogue: Catalogue, now_ms: int) -> list[Waiting]:
    """Return the tickets in the order of the line."""
    return [
        Waiting(parse_path(waiter.path), waiter.owner, *_times(waiter, now_ms))
        for _, waiter in sorted(catalogue.waiting.items())
    ]


def without_fence(
    catalogue: Catalogue, fence: int, now_ms: int
) -> tuple[Catalogue, HeldLock] | None:
    """Return the catalogue without the lock of this fence, and the lock; None without one."""
    for path, held in catalogue.held.items():
        if held.fence == fence:
            others = {at: entry for at, entry in catalogue.held.items() if at != path}
            return replace(catalogue, held=others), _lock(path, held, now_ms)
    return None


def _lock(path: Path, held: Held, now_ms: int) -> HeldLock:
    return HeldLock(path, held.what, held.fence, held.owner, *_times(held, now_ms))


def _times(entry: Held | Waiter, now_ms: int) -> tuple[int, int]:
    age, left = now_ms - entry.since_ms, entry.expires_at_ms - now_ms
    return max(0, age) // _MILLISECONDS, max(0, left) // _MILLISECONDS
