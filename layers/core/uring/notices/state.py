"""``state/notices/{department}.json``: a list of records, and how its page was last read."""

from typing import ClassVar

from pydantic import Field

from uring.fetch.robots import RobotsDecision
from uring.records.model import RecordState
from uring.sources.site import Validators


class NoticeState(RecordState):
    """The state of a department.

    Attributes:
        validators: see there.
        fingerprint: names the entry and the bytes that the state was read from.
        permission: robots.txt's last word.
        listed: how many notices the committed page 1 has; 0 where a release did not tell.
        board: the board whose ids the state holds, see `Source.board`; empty in a state of a
            release that did not tell.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {"permission", "board", "listed"}

    validators: Validators = Validators()
    fingerprint: str = ""
    permission: RobotsDecision | None = None
    board: str = ""
    # More than any page is read: one of millions would make every later list a cut one.
    listed: int = Field(default=0, ge=0, le=10_000)

    def is_read_by(self, reading: str) -> bool:
        """Return whether these rules read what the state holds."""
        return self.reading in ("", reading)

    def is_on(self, board: str) -> bool:
        """Return whether the state's ids are those of this board."""
        return self.board in ("", board)

    def is_of(self, entry: str) -> bool:
        """Return whether the state was read by the entry of this fingerprint."""
        return self.fingerprint.startswith(f"{entry}:")
