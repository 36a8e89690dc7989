"""A source that is a list of records: what was seen, what is known, what happened.

`RecordState` is the one register of such a source. Everything a reader or a subscriber gets is
derived from it, so it alone decides what happened.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple, Self

from pydantic import Field

from uring.changes.state import OutboxEvent, SourceState, Stored, event_id
from uring.clock import Timestamp


@dataclass(frozen=True, slots=True)
class Observation:
    """One record as a source shows it now.

    ``content`` is what readers see (JSON values), ``hash`` its fingerprint. A record may carry one
    mark that is no part of its hash, such as a pin.
    """

    id: str
    hash: str
    content: Mapping[str, str | None]
    is_marked: bool = False


class Known(NamedTuple):
    """The memory of a record: enough to tell new, edited, marked and unchanged.

    The hash of a record that was deleted, or goes on under another id, is empty.
    """

    hash: str
    revision: Annotated[int, Field(ge=1)]
    is_marked: bool
    first_seen: Timestamp
    last_seen: Timestamp


class Revision(Stored):
    """One revision of one record; a line of the archive (N8) and an item of hot (N7)."""

    id: str
    revision: int = Field(ge=1)
    hash: str
    # As it was called while notices were the only records.
    is_marked: bool = Field(default=False, alias="is_pinned")
    first_seen: Timestamp
    content: dict[str, str | None]


class Event(Revision, OutboxEvent):
    """A revision that the outbox still has to publish.

    ``detected_at`` fixes the archive's month (N8): a drain after midnight changes nothing.
    ``renamed_from`` is the old id of a renamed record.
    """

    push: bool
    renamed_from: str = ""

    @property
    def month(self) -> str:
        """``YYYYMM`` in UTC."""
        return self.detected_at[:4] + self.detected_at[5:7]


class RecordState(SourceState):
    """``state/{family}/{source}.json`` of a source of records.

    Attributes:
        baseline_at: when the source was first seen.
        changed_at: when a record last changed.
        known: the records on the page and the most recent others, by id; older ones move to the
            ``.seen`` object, which exists once ``spilled`` is true.
        spilled: whether there is a ``.seen`` object.
        hot: the items of ``latest.json``.
        republish: true while ``latest.json`` has to be written without any event: the source's own
            name or address changed.
        reading: the rules by which the source was read.
        reread_at: hashes last seen before this were made by older rules.
        moved_at: ids last seen before this are those of another list: the same id is another
            record.
        history: when this state began, for the event ids; empty in those of a release before.
    """

    remedy: ClassVar[str] = (
        "delete it, as the last resort: what is listed then counts as known, what was still to be "
        "pushed is not, and an older record that comes back is pushed as new"
    )
    later: ClassVar[frozenset[str]] = frozenset(
        {"republish", "reading", "reread_at", "moved_at", "history"}
    )

    baseline_at: Timestamp | None = None
    changed_at: Timestamp | None = None
    known: dict[str, Known] = Field(default_factory=dict)
    spilled: bool = False
    hot: tuple[Revision, ...] = ()
    outbox: tuple[Event, ...] = ()
    republish: bool = False
    reading: str = ""
    reread_at: Timestamp | None = None
    moved_at: Timestamp | None = None
    history: str = ""

    def is_own(self, known: Known) -> bool:
        """Return whether a known record is of the list as it is now, and not of one before."""
        return self.moved_at is None or known.last_seen >= self.moved_at

    def own(self, recalled: Mapping[str, Known]) -> frozenset[str]:
        """Return the ids that the list as it is now ever showed, as far as they are known."""
        known = {**recalled, **self.known}
        return frozenset(key for key, record in known.items() if self.is_own(record))

    @property
    def is_published(self) -> bool:
        """True when readers see this state, its outbox aside."""
        return not self.republish

    @property
    def last_change(self) -> str | None:
        """The time of the last change of a record."""
        return self.changed_at

    @property
    def dates(self) -> tuple[str | None, ...]:
        """The records' own days, where they have any."""
        return tuple(item.content.get("date") for item in self.hot)

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """Return this state once readers see it, with ``left`` still to be announced."""
        return self.replace(outbox=tuple(left), republish=False)

    def problem(self) -> tuple[str, str] | None:
        """See `SourceState.problem`."""
        names = Counter(item.id for item in self.hot)
        if twice := next((name for name, times in names.items() if times > 1), None):
            return "hot", f"has {twice!r} twice"
        if problem := super().problem():
            return problem
        for number, event in enumerate(self.outbox):
            named = (self.source, event.id, event.revision, event.hash)
            # While a deployment rolls, a release that knows no history may have added it.
            if event.event_id not in (event_id(*named, self.history), event_id(*named)):
                return f"outbox.{number}.event_id", "is not that of its id, revision, hash"
        return None
