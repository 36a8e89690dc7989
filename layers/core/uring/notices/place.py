"""A visit of a board: its goal, what is known there, and what came of it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.records.model import Known
from uring.sources.site import Validators

Lookup = Callable[[Collection[str]], Mapping[str, Known]]
"""Finds ids in the ``.seen`` object."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of a site that showed something new.

    Attributes:
        items: the notices, each id once.
        recalled: what the ``.seen`` object knows of those that are not in the state.
        listed: how many notices are on page 1.
        rows: how many rows were read.
        skipped: how many of them could not be (N23).
        fingerprint: of the entry and the bytes, for the state.
        validators: for the next conditional request.
        digest: of the rows of page 1, see `NoticeState.rows`.
    """

    items: tuple[NoticeItem, ...]
    recalled: Mapping[str, Known]
    listed: int
    rows: int
    skipped: int
    fingerprint: str
    validators: Validators
    digest: str = ""

    @property
    def read(self) -> dict[str, Any]:
        """The keys of the state that say how its page was read, all of one answer."""
        return {
            "fingerprint": self.fingerprint,
            "validators": self.validators,
            "rows": self.digest,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """A visit's goal, and what is known there."""

    source: Source
    state: NoticeState
    lookup: Lookup
    today: date

    @property
    def knows_board(self) -> bool:
        """True when these rules have read this board before."""
        is_known = self.state.baseline_at is not None
        return is_known and self.state.is_read_by(self.source.reading)

    def recall(self, items: Iterable[NoticeItem], known: Mapping[str, Known]) -> dict[str, Known]:
        """Return ``known`` and what the ``.seen`` object knows of ids unknown so far."""
        unknown = {item.id for item in items} - self.state.known.keys() - known.keys()
        if not self.state.spilled or not unknown:
            return dict(known)
        return {**known, **self.lookup(unknown)}

    def first_seen(self, recalled: Mapping[str, Known]) -> dict[str, date]:
        """Return the days on which notices were first seen, where their dates hang on it."""
        if not self.source.dates_need_first_seen:
            return {}
        zone = ZoneInfo(self.source.zone)
        return {
            key: datetime.fromisoformat(record.first_seen).astimezone(zone).date()
            for key, record in {**self.state.known, **recalled}.items()
        }
