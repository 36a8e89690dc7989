"""The decision on a request for a lock: granted, queued or refused. Pure.

catalogue ─► without the expired ─► conflicting locks, earlier conflicting tickets
                                      ├ none ─► granted: next fence, its ticket removed
                                      └ some ─► queued if it is to wait, else refused
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from uring.errors import Unavailable
from uring.locks.catalogue import MOST_ENTRIES, Catalogue
from uring.locks.entries import Blocker, Held, Waiter
from uring.locks.paths import Path, conflicts, joined, parse_path

K = TypeVar("K")
E = TypeVar("E", Held, Waiter)

# A waiter with a slow answer keeps its place.
_LEAST_TICKET_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class LockRequest:
    """A request for a lock.

    Attributes:
        owner: unique for each acquisition, the same in all its tries.
        what: a description of the work, shown to waiters.
        lease_ms: until the lock ends.
        skew_ms: the margin for clocks; another owner's entry counts for this much longer.
        is_waiting: whether a refusal leaves a ticket.
    """

    root: str
    path: Path
    owner: str
    what: str
    lease_ms: int
    skew_ms: int
    is_waiting: bool = False

    @property
    def ticket_ms(self) -> int:
        """A ticket's life, a sixth of the lease's, at least a second; refreshed at half of it."""
        return max(_LEAST_TICKET_MS, self.lease_ms // 6)


@dataclass(frozen=True, slots=True)
class Granted:
    """A grant: the owner has the lock once ``catalogue`` is written; None: it has it already."""

    catalogue: Catalogue | None
    held: Held


@dataclass(frozen=True, slots=True)
class LockRefused:
    """A refusal with its blocker; ``catalogue``, if any, holds the owner's ticket to be written."""

    catalogue: Catalogue | None
    blocker: Blocker


Decision: TypeAlias = Granted | LockRefused


def decide(catalogue: Catalogue, request: LockRequest, now_ms: int) -> Decision:
    """Return a grant, or a refusal with the blocker.

    A request whose owner already has the lock is granted again: an answer was lost.

    Raises:
        Unavailable: the catalogue has no room for the lock or the ticket.
    """
    mine = catalogue.held.get(request.path)
    if mine is not None and mine.owner == request.owner:
        # The write was done, and its answer was lost.
        return _renewed(catalogue, request, mine, now_ms)
    live = without_expired(catalogue, now_ms, request.skew_ms)
    number = _ticket_of(live, request.owner)
    blocker = _blocker(live, request, number, now_ms)
    if blocker is None:
        return _granted(live, request, number, now_ms)
    return LockRefused(_queued(live, request, number, now_ms), blocker)


def without_expired(catalogue: Catalogue, now_ms: int, skew_ms: int) -> Catalogue:
    """Return the catalogue without locks and tickets that ended ``skew_ms`` ago or earlier."""
    return replace(
        catalogue,
        held=_live(catalogue.held, now_ms - skew_ms),
        waiting=_live(catalogue.waiting, now_ms - skew_ms),
    )


def without(catalogue: Catalogue, owner: str) -> Catalogue | None:
    """Return the catalogue without the owner's lock and ticket; None where it has neither."""
    held = {path: entry for path, entry in catalogue.held.items() if entry.owner != owner}
    waiting = {n: waiter for n, waiter in catalogue.waiting.items() if waiter.owner != owner}
    if len(held) + len(waiting) == len(catalogue.held) + len(catalogue.waiting):
        return None
    return replace(catalogue, held=held, waiting=waiting)


def _renewed(catalogue: Catalogue, request: LockRequest, mine: Held, now_ms: int) -> Granted:
    if mine.expires_at_ms - now_ms > request.lease_ms // 2:
        return Granted(None, mine)
    mine = mine.until(now_ms + request.lease_ms)
    return Granted(replace(catalogue, held={**catalogue.held, request.path: mine}), mine)


def _live(entries: Mapping[K, E], ended_ms: int) -> dict[K, E]:
    return {key: entry for key, entry in entries.items() if entry.expires_at_ms > ended_ms}


def _ticket_of(catalogue: Catalogue, owner: str) -> int | None:
    return next((n for n, waiter in catalogue.waiting.items() if waiter.owner == owner), None)


def _less(catalogue: Catalogue, number: int | None) -> dict[int, Waiter]:
    return {n: waiter for n, waiter in catalogue.waiting.items() if n != number}


def _blocker(
    catalogue: Catalogue, request: LockRequest, number: int | None, now_ms: int
) -> Blocker | None:
    """Return a conflicting lock, else the earliest conflicting waiter; None where neither exists.

    A request with a ticket waits only for lower tickets, a request without one for all.
    """
    ahead: list[tuple[Path, Held | Waiter]] = [
        (path, held) for path, held in catalogue.held.items() if conflicts(path, request.path)
    ]
    for ticket, waiter in sorted(catalogue.waiting.items()):
        path = parse_path(waiter.path)
        if (number is None or ticket < number) and conflicts(path, request.path):
            ahead.append((path, waiter))
    if not ahead:
        return None
    path, entry = ahead[0]
    return Blocker(
        root=request.root,
        path=path,
        owner=entry.owner,
        what=entry.what if isinstance(entry, Held) else "",
        age_ms=max(0, now_ms - entry.since_ms),
        free_in_ms=max(0, entry.expires_at_ms + request.skew_ms - now_ms),
        fence=entry.fence if isinstance(entry, Held) else None,
        ahead=len(ahead),
    )


def _granted(
    catalogue: Catalogue, request: LockRequest, number: int | None, now_ms: int
) -> Granted:
    if number is None:
        _require_room(catalogue, request)
    held = Held(
        owner=request.owner,
        fence=catalogue.fence + 1,
        expires_at_ms=now_ms + request.lease_ms,
        since_ms=now_ms,
        what=request.what,
    )
    granted = replace(
        catalogue,
        fence=held.fence,
        held={**catalogue.held, request.path: held},
        waiting=_less(catalogue, number),
    )
    return Granted(granted, held)


def _queued(
    catalogue: Catalogue, request: LockRequest, number: int | None, now_ms: int
) -> Catalogue | None:
    """Return the catalogue with a new or refreshed ticket of the owner.

    None where nothing is to be written: the request does not wait, or its ticket is fresh.
    """
    if not request.is_waiting:
        return None
    until = now_ms + request.ticket_ms
    if number is not None:
        ticket = catalogue.waiting[number]
        if ticket.expires_at_ms - now_ms > request.ticket_ms // 2:
            return None
        return replace(catalogue, waiting={**catalogue.waiting, number: ticket.until(until)})
    _require_room(catalogue, request)
    ticket = Waiter(
        owner=request.owner, path=joined(request.path), expires_at_ms=until, since_ms=now_ms
    )
    number = catalogue.ticket + 1
    return replace(catalogue, ticket=number, waiting={**catalogue.waiting, number: ticket})


def _require_room(catalogue: Catalogue, request: LockRequest) -> None:
    if catalogue.is_full:
        raise Unavailable(
            f"{request.root}: the limit of {MOST_ENTRIES} locks and waiters is reached; "
            "try again once some have ended"
        )
