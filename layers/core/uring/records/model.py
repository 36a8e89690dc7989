"""The model of a source that is a list of records: observations, known records, events.

`RecordState` is the one register of such a source. All published documents and pushes are derived
from it, so it alone decides which changes happened.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple, Self

from pydantic import Field

from uring.changes.state import OutboxEvent, SourceState, StatePart, event_id
from uring.clock import Timestamp


@dataclass(frozen=True, slots=True)
class Observation:
    """One record as a source shows it now.

    ``content`` has the published fields (JSON values), ``hash`` is their fingerprint. A record may
    carry one mark that the hash does not cover, such as a pin.
    """

    id: str
    hash: str
    content: Mapping[str, str | None]
    is_marked: bool = False


class Known(NamedTuple):
    """A known record: enough to distinguish new, edited, marked and unchanged.

    The hash is empty for a deleted record and for the old id of a renamed one.
    """

    hash: str
    revision: Annotated[int, Field(ge=1)]
    is_marked: bool
    first_seen: Timestamp
    last_seen: Timestamp


class Revision(StatePart):
    """One revision of one record: a line of the archive (N8), an item of ``latest.json`` (N7).

    Attributes:
        retraction: further published keys of an item whose push was taken back, see
            `uring.records.retract`; empty for all others, and then not stored.
    """

    id: str
    revision: int = Field(ge=1)
    hash: str
    # The stored name is from the time when notices were the only records.
    is_marked: bool = Field(default=False, alias="is_pinned")
    first_seen: Timestamp
    content: dict[str, str | None]
    retraction: dict[str, str] = Field(default_factory=dict, exclude_if=lambda keys: not keys)


class Event(Revision, OutboxEvent):
    """A revision that the outbox still has to publish.

    ``detected_at`` fixes the archive's month (N8): a drain after midnight does not change it.
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
        baseline_at: the time of the first successful check.
        changed_at: the time of the last change of a record.
        known: the records on the page and the most recent others, by id; older ones move to the
            ``.seen`` object, which exists once ``spilled`` is true.
        spilled: whether there is a ``.seen`` object.
        hot: the items of ``latest.json``.
        republish: true while ``latest.json`` has to be written without any event: the source's own
            name or address changed.
        reading: the rules by which the source was read; empty: taken for the present ones.
        reread_at: hashes last seen before this were made by older rules.
        moved_at: ids last seen before this belong to another list: the same id is another record.
        history: the time when this state began, for the event ids; empty in older releases' states.
        rewritten: by field name, since when the site writes the field in its present form; hashes
            last seen before are of the old form.
    """

    later: ClassVar[frozenset[str]] = frozenset(
        {"republish", "reading", "reread_at", "moved_at", "history", "rewritten"}
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
    rewritten: dict[str, Timestamp] = Field(default_factory=dict)

    def is_own(self, known: Known) -> bool:
        """Return whether a known record belongs to the present list, not to an earlier one."""
        return self.moved_at is None or known.last_seen >= self.moved_at

    def is_stale(self, known: Known) -> bool:
        """Return whether a known record's hash was made by older rules."""
        return self.reread_at is not None and known.last_seen < self.reread_at

    def own(self, recalled: Mapping[str, Known]) -> frozenset[str]:
        """Return all known and recalled ids of the present list."""
        return frozenset(self.own_records(recalled))

    def own_records(self, recalled: Mapping[str, Known]) -> dict[str, Known]:
        """Return all known and recalled records of the present list, by id."""
        known = {**recalled, **self.known}
        return {key: record for key, record in known.items() if self.is_own(record)}

    def unread(self) -> Self:
        """Return this state without what recognises the list that it was read from."""
        return self

    def completed(self) -> Self:
        """Return this state with its family's own keys, after it took records from readers."""
        return self

    @property
    def is_published(self) -> bool:
        """True unless ``latest.json`` has to be written without an event."""
        return not self.republish

    @property
    def last_change(self) -> str | None:
        """The time of the last change of a record."""
        return self.changed_at

    @property
    def dates(self) -> tuple[str | None, ...]:
        """The dates of the published records, ``YYYY-MM-DD``; None for a record without one."""
        return tuple(item.content.get("date") for item in self.hot)

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """Return this state marked as published, with ``left`` as its outbox."""
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
            # During a deployment, a release without ``history`` may have added the event.
            if event.event_id not in (event_id(*named, self.history), event_id(*named)):
                return f"outbox.{number}.event_id", "is not that of its id, revision, hash"
        return None
