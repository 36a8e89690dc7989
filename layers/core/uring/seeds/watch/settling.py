"""When a difference is a change: the second look, and files that alternate. Pure.

    accepted ── another state ─► pending ── still there after its time ─► accepted
        ▲                           │ ▲
        └────── as it was ──────────┘ └── a third time in a week: it alternates

A change back to the state before, or by turns, is accepted once: the file alternates. From then on
both states are silent, until one of them has stayed for a week.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import Field

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.seeds.watch.understood import ABSENT, is_same

QUIET: Final = timedelta(days=7)
"""An alternating file that stays as it is for this time no longer alternates."""
_TURNS: Final = 3


class Unsettled(StatePart):
    """The memory of a file that changed lately, or may have.

    Attributes:
        pending: the basis of another state that was seen and is not accepted yet; empty: none.
        since: when its present run began.
        runs: when its last runs began, at most three.
        is_away: the accepted state was seen after it.
        before: the basis of the state before the accepted one, for a week; empty: none.
        left: when that was left.
        swapped_at: of an alternating file, when it last changed sides; None: it does not alternate.
        is_other: an alternating file is as ``before``.
    """

    pending: str = Field(default="", exclude_if=lambda text: not text)
    since: Timestamp | None = Field(default=None, exclude_if=lambda at: at is None)
    runs: tuple[Timestamp, ...] = Field(default=(), exclude_if=lambda runs: not runs)
    is_away: bool = Field(default=False, exclude_if=lambda flag: not flag)
    before: str = Field(default="", exclude_if=lambda text: not text)
    left: Timestamp | None = Field(default=None, exclude_if=lambda at: at is None)
    swapped_at: Timestamp | None = Field(default=None, exclude_if=lambda at: at is None)
    is_other: bool = Field(default=False, exclude_if=lambda flag: not flag)

    @classmethod
    def waiting(cls, pending: str, since: str) -> "Unsettled":
        """Return the memory of a file whose first look was then."""
        return cls(pending=pending, since=since, runs=(since,))

    def at(self, now: datetime) -> "Unsettled":
        """Return what is still remembered: nothing that passed by a week ago."""
        changes: dict[str, object] = {}
        if self.is_away and _age(self.runs[-1] if self.runs else None, now) > QUIET:
            changes |= {"pending": "", "since": None, "runs": (), "is_away": False}
        if self.swapped_at is None and _age(self.left, now) > QUIET:
            changes |= {"before": "", "left": None}
        return self.model_copy(update=changes)

    def settled(self) -> "Unsettled":
        """Return this memory without a pending state."""
        return self.model_copy(update={"pending": "", "since": None, "runs": (), "is_away": False})


NONE: Final = Unsettled()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on a file.

    Attributes:
        memory: to be kept; `NONE` for nothing.
        is_change: the seen state is accepted.
        since: of a change, when the state was first seen.
        alternates: of a change, that the file alternates from now on.
    """

    memory: Unsettled
    is_change: bool = False
    since: str = ""
    alternates: bool = False


def settle(
    accepted: str,
    seen: str,
    memory: Unsettled,
    now: datetime,
    *,
    least: timedelta,
    is_sound: bool,
    is_any: bool = False,
) -> Ruling:
    """Return the ruling on a file that was certainly seen.

    Args:
        accepted: the basis of the accepted state.
        seen: the basis of the present one.
        memory: of earlier looks.
        now: aware UTC.
        least: how long a change must have lasted.
        is_sound: False for states that look like faults: they do not alternate.
        is_any: True if every byte of the file counts: any other state is its second look.
    """
    memory, stamp = memory.at(now), timestamp(now)
    is_as_accepted = is_same(seen, accepted)
    if memory.swapped_at is not None and (is_as_accepted or is_same(seen, memory.before)):
        return _alternating(memory.settled(), now, is_other=not is_as_accepted)
    if is_as_accepted:
        is_away = bool(memory.pending)
        return Ruling(memory.model_copy(update={"is_away": is_away}))
    if memory.is_away or not is_same(seen, memory.pending):
        runs = memory.runs if is_same(seen, memory.pending) else ()
        goes_on = is_any and is_sound and not memory.is_away and memory.pending != ABSENT
        began = (memory.since if goes_on else None) or stamp
        known = {"pending": seen, "since": began, "runs": (*runs, stamp)[-_TURNS:]}
        memory = memory.model_copy(update={**known, "is_away": False})
    by_turns = is_sound and len(memory.runs) == _TURNS and _age(memory.runs[0], now) <= QUIET
    if not by_turns and _age(memory.since, now) < least:
        return Ruling(memory)
    alternates = by_turns or is_same(seen, memory.before)
    after = Unsettled(before=accepted, left=stamp, swapped_at=stamp if alternates else None)
    since = memory.runs[0] if by_turns else memory.since
    return Ruling(after, is_change=True, since=since or stamp, alternates=alternates)


def _alternating(memory: Unsettled, now: datetime, *, is_other: bool) -> Ruling:
    """Return the ruling on a file in one of its two states."""
    if is_other != memory.is_other:
        update = {"is_other": is_other, "swapped_at": timestamp(now)}
        return Ruling(memory.model_copy(update=update))
    if _age(memory.swapped_at, now) < QUIET:
        return Ruling(memory)
    # The last push may name the state that it left.
    return Ruling(NONE, is_change=is_other, since=memory.swapped_at or "")


def _age(moment: str | None, now: datetime) -> timedelta:
    """Return the time since a stored moment; zero since a missing or a future one."""
    return max(now - parse_timestamp(moment), timedelta()) if moment else timedelta()
