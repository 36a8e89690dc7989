"""A visit of a board: its goal with the known notices, and its result."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from uring.errors import SuspectPage
from uring.notices.identity import Identity
from uring.notices.item import NoticeItem
from uring.notices.page import Sights
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.records.model import Known
from uring.sources.site import Validators

_UNCHANGED: Final = Identity()

Lookup = Callable[[Collection[str]], Mapping[str, Known]]
"""A function that looks up ids in the ``.seen`` object; unknown ids are left out."""


@dataclass(frozen=True, slots=True)
class NoticeVisit:
    """The result of a visit whose page differs from the last one.

    Attributes:
        items: the notices, each id once.
        recalled: records of the ``.seen`` object for notices that the state does not hold.
        listed: the number of notices on page 1.
        rows: the number of rows, unreadable ones included.
        skipped: the number of unreadable rows (N23).
        fingerprint: of the entry and the bytes, for the state.
        validators: for the next conditional request.
        digest: of the rows of page 1, see `NoticeState.rows`.
        charset: see `NoticeState.charset`.
        identity: its notices beside the known ones.
        doubt: why the ids are not believed; None if they are.
    """

    items: tuple[NoticeItem, ...]
    recalled: Mapping[str, Known]
    listed: int
    rows: int
    skipped: int
    fingerprint: str
    validators: Validators
    digest: str = ""
    charset: str = ""
    identity: Identity = _UNCHANGED
    doubt: SuspectPage | None = None

    @property
    def read(self) -> dict[str, Any]:
        """The state's keys on its last page, all from one response."""
        return {
            "fingerprint": self.fingerprint,
            "validators": self.validators,
            "rows": self.digest,
            "charset": self.charset,
            "doubt": None,
            "decision": "",
        }


@dataclass(frozen=True, slots=True)
class VisitGoal:
    """A visit's goal, and the known notices."""

    source: Source
    state: NoticeState
    lookup: Lookup
    now: datetime

    @property
    def today(self) -> date:
        """The current time in the source's zone."""
        return self.now.astimezone(ZoneInfo(self.source.zone))

    @property
    def knows_board(self) -> bool:
        """True when the state has a baseline, read by these rules."""
        is_known = self.state.baseline_at is not None
        return is_known and self.state.is_read_by(self.source.reading)

    def recall(self, items: Iterable[NoticeItem], known: Mapping[str, Known]) -> dict[str, Known]:
        """Return ``known`` with the ``.seen`` object's records of ids unknown so far.

        The object is read only for unknown ids, and only if the state has evicted records.
        """
        unknown = {item.id for item in items} - self.state.known.keys() - known.keys()
        if not self.state.spilled or not unknown:
            return dict(known)
        return {**known, **self.lookup(unknown)}

    def first_seen(self, recalled: Mapping[str, Known]) -> dict[str, date]:
        """Return by id the day, in the source's zone, on which a notice was first seen.

        Empty where the source's dates do not need it.
        """
        if not self.source.dates_need_first_seen:
            return {}
        zone = ZoneInfo(self.source.zone)
        known = {**self.state.known, **recalled}
        days = {
            key: datetime.fromisoformat(record.first_seen).astimezone(zone).date()
            for key, record in known.items()
        }
        if not self.source.has_relative_dates:
            return days
        return Sights(days, {key: record.hash for key, record in known.items()})
