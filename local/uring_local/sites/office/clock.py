"""The office's clock, and the objects' times on it.

Ticks are hours apart and take seconds. An object's time is the store's own, on the real clock: what
the functions are told of it is translated, so that a text of yesterday is a day old.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import boto3

from uring_local.sites.office.diary import Diary
from uring_local.sites.stage.clock import SimulatedClock

# A tick that was begun again is later than all that its killed process did.
_AGAIN: Final = timedelta(minutes=10)
# The store's times have no fractions: what is written behind a move is no older than the move.
_RESOLUTION: Final = timedelta(seconds=1)
_TIMED: Final = ("HeadObject", "GetObject", "ListObjectsV2")


def system_now() -> datetime:
    """Return the real time, aware UTC."""
    return datetime.now(UTC)


class OfficeClock:
    """The clock of one run; goes on from its diary's last move.

    Args:
        opened: where it stands before the first tick.
        diary: notes its moves.
        real: the clock that the store has.
    """

    def __init__(
        self, opened: datetime, diary: Diary, *, real: Callable[[], datetime] = system_now
    ) -> None:
        self._diary = diary
        self._real = real
        self._clock = SimulatedClock(diary.moves[-1].simulated if diary.moves else opened)

    def __call__(self) -> datetime:
        """Return the time; it runs on between two moves."""
        return self._clock.running()

    def move(self, tick: int, at: datetime) -> None:
        """Move to a tick; to one that was begun before ten minutes later than the last time."""
        before = sum(moved.tick == tick for moved in self._diary.moves)
        to = at + before * _AGAIN
        self._diary.note(moved=tick, real=self._real().isoformat(), simulated=to.isoformat())
        self._clock.move(to)

    def translated(self, real: datetime) -> datetime:
        """Return the time on this clock of an object's own time."""
        latest = real + _RESOLUTION
        moves = [moved for moved in self._diary.moves if moved.real <= latest]
        if not moves:
            return real
        translated = moves[-1].simulated + max(latest - moves[-1].real, timedelta())
        return translated.replace(microsecond=0)

    def session(self) -> Any:
        """Return a boto3 session whose objects have times on this clock."""
        session = boto3.Session()
        for operation in _TIMED:
            session.events.register(f"after-call.s3.{operation}", self._translate)
        return session

    def _translate(self, parsed: dict[str, Any], **_: Any) -> None:
        for answer in (parsed, *parsed.get("Contents", ())):
            if isinstance(modified := answer.get("LastModified"), datetime):
                answer["LastModified"] = self.translated(modified)
