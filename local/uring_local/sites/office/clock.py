"""The office's clock, and the objects' times on it.

Ticks are hours apart and take seconds. The store gives objects times on the real clock. They are
translated for the functions, so that a text of yesterday is a day old.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import boto3

from uring_local.sites.office.diary import Diary
from uring_local.sites.stage.clock import SimulatedClock

# A tick that begins again is later than all actions of its killed process.
_AGAIN: Final = timedelta(minutes=10)
# The store's times have no fractions: an object written after a move must not be older than it.
_RESOLUTION: Final = timedelta(seconds=1)
_TIMED: Final = ("HeadObject", "GetObject", "ListObjectsV2")


def system_now() -> datetime:
    """Return the real time, aware UTC."""
    return datetime.now(UTC)


class OfficeClock:
    """The clock of a run; it continues from the last move in the diary.

    Args:
        opened: the time before the first tick.
        diary: notes its moves.
        real: the store's clock.
    """

    def __init__(
        self, opened: datetime, diary: Diary, *, real: Callable[[], datetime] = system_now
    ) -> None:
        self._diary = diary
        self._real = real
        self._clock = SimulatedClock(diary.moves[-1].simulated if diary.moves else opened)

    def __call__(self) -> datetime:
        """Return the time; it runs between moves."""
        return self._clock.running()

    def move(self, tick: int, at: datetime) -> None:
        """Move to a tick; each repeat of a tick is ten minutes later than the time before."""
        before = sum(moved.tick == tick for moved in self._diary.moves)
        to = at + before * _AGAIN
        self._diary.note(moved=tick, real=self._real().isoformat(), simulated=to.isoformat())
        self._clock.move(to)

    def translated(self, real: datetime) -> datetime:
        """Return an object's time, translated to this clock; unchanged before the first move."""
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
