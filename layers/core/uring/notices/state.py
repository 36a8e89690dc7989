"""``state/notices/{department}.json``: a list of records, and how its page was last read."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uring.changes.state import Recognition
from uring.fetch.robots import RobotsDecision, holds_until
from uring.records.model import RecordState
from uring.sources.site import Validators


class LastPage(BaseModel):
    """The page that a state was read from, as a hint carries it.

    Attributes:
        fingerprint: see `NoticeState`.
        rows: see there.
        validators: of the same answer.
        is_allowed: whether robots.txt was asked for the entry, and allows it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    fingerprint: str
    rows: str = ""
    validators: Validators = Validators()
    is_allowed: bool = False

    @classmethod
    def read(cls, known: Mapping[str, Any]) -> "LastPage | None":
        """Return what a hint knows; None where it cannot be read."""
        try:
            return cls.model_validate(known)
        except ValidationError:
            return None


class NoticeState(RecordState):
    """The state of a department.

    Attributes:
        validators: see there.
        fingerprint: names the entry and the bytes that the state was read from, or was last found
            to agree with.
        rows: a digest of that page's rows with the fingerprint; empty where rows alone do not tell
            whether it changed.
        permission: robots.txt's last word.
        listed: how many notices the committed page 1 has; 0 where a release did not tell.
        board: the board whose ids the state holds, see `Source.board`; empty in a state of a
            release that did not tell.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {
        "permission",
        "board",
        "listed",
        "rows",
    }

    validators: Validators = Validators()
    fingerprint: str = ""
    rows: str = ""
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

    def recognition(self) -> Recognition | None:
        """See `SourceState.recognition`."""
        entry, _, page = self.fingerprint.partition(":")
        # One of another entry was asked for another address, or by an entry that did not care.
        asked = self.permission if self.permission and self.permission.entry == entry else None
        if self.baseline_at is None or not page or (asked and not asked.allowed):
            return None
        last = LastPage(
            fingerprint=self.fingerprint,
            rows=self.rows,
            validators=self.validators,
            is_allowed=asked is not None,
        )
        return Recognition(entry, last.model_dump(), holds_until(asked) if asked else None)
