"""A visit of a board: its goal with the known notices, and its result."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from uring.errors import SuspectPage
from uring.fetch.request import Validators
from uring.notices.identity import Identity
from uring.notices.item import NoticeItem
from uring.notices.noise.memory import marks_of, masked, same_notice
from uring.notices.page import Sights
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.records.model import Known

_UNCHANGED: Final = Identity()
# The longest time that a pinned notice stays on a board.
_YEARS: Final = 10
# One or two notices are deleted and posted again, which is news.
_RENUMBERED: Final = 3

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
        known = self.state.own_records(recalled)
        days = {
            key: datetime.fromisoformat(record.first_seen).astimezone(zone).date()
            for key, record in known.items()
        }
        if not self.source.has_relative_dates:
            return days
        return Sights(days, {key: record.hash for key, record in known.items()})

    def with_stored_years(
        self, items: tuple[NoticeItem, ...], recalled: Mapping[str, Known]
    ) -> tuple[NoticeItem, ...]:
        """Return the notices; of renumbered ones without a year in their dates with the stored one.

        The date of an unknown id was read near today. Its year is an earlier one where the page
        lost a notice of the same title on the same day of that year.
        """
        if not (self.source.lacks_years and self.knows_board):
            return items
        named = {key for key, record in self.state.own_records(recalled).items() if record.hash}
        shown = {item.id for item in items}
        lost = {
            same_notice(marks)
            for key, marks in self.state.page.items()
            if key in named and key not in shown
        }
        if not lost:
            return items
        stored = {
            item.id: day
            for item in masked(items, self.state.noise)
            if item.id not in named and (day := _stored_day(item, lost))
        }
        if len(stored) < _RENUMBERED:
            return items
        return tuple(replace(item, date=stored.get(item.id, item.date)) for item in items)


def is_moved(source: Source, state: NoticeState, items: Collection[NoticeItem]) -> bool:
    """Return whether the board is another one, whose ids name other notices than the last one's.

    The ids stay where most shared ones name the same titles.
    """
    if state.is_on(source.board):
        return False
    titles = {item.id: item.content.get("title") for item in state.hot}
    both = [item for item in items if item.id in titles]
    return sum(item.title == titles[item.id] for item in both) * 2 <= len(both)


def _stored_day(item: NoticeItem, lost: Collection[str]) -> str | None:
    """Return the day of the item, or the same one of an earlier year, whose marks are there."""
    if item.date is None:
        return None
    year, rest = int(item.date[:4]), item.date[4:]
    days = (f"{year - back:04d}{rest}" for back in range(_YEARS))
    return next((d for d in days if same_notice(marks_of(replace(item, date=d))) in lost), None)
