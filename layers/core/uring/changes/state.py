"""The state of a source: the fields common to all families, and the outbox.

A state outlives releases in both directions: keys unknown to this release are kept and written
back, and a state of a newer schema is not touched until that release is deployed again.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from uring.clock import Timestamp
from uring.errors import CorruptState, NewerRelease

SCHEMA: Final = 1
"""The schema of the states that this release writes. A higher one is of a newer release."""


STATE_LOST: Final = "state_lost"
"""The reason of a known source whose state is gone, without a readable version."""
_LATER: Final = frozenset({"restored_at"})


class StatePart(BaseModel):
    """A part of a state. Unknown keys come from another release and are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class OutboxEvent(StatePart):
    """A change that is committed and not yet announced.

    Attributes:
        event_id: its permanent name.
        kind: the family's word for the kind of change.
        id: of the changed record.
        revision: of the record, from 1.
        detected_at: the time of the check.
        push: whether it is pushed to subscribers.
        digest_of: 0, or the number of pushes of its check that this one replaces (N18).
    """

    event_id: str = Field(pattern=r"^[0-9a-f]{40}$")
    kind: str = Field(min_length=1, max_length=32)
    id: str
    revision: int = Field(default=1, ge=1)
    detected_at: Timestamp
    push: bool = True
    digest_of: int = Field(default=0, ge=0)


class PartTrouble(StatePart):
    """A part of a source in trouble: the reason in one word, and since when."""

    reason: str
    since: Timestamp


Ring = Annotated[str, BeforeValidator(lambda ring: ring if isinstance(ring, str) else "")]
"""The text of a ring. Another shape is another release's: an empty ring, never a broken state."""


class Health(StatePart):
    """The result of the last check (N25).

    Attributes:
        status: of the last check.
        reason: of its failure, in one word; empty after a success.
        is_structural: see `uring.errors.SourceTrouble`.
        since: when the status or the class of its reason last changed.
        failures: unsuccessful checks in a row.
        succeeded_at: the last success, as exact as the family's heartbeat while nothing changes.
        retry_at: the earliest time of the next check; None: the next tick.
        entry: the fingerprint of the entry that met the trouble; empty after a success.
        parts: the number of things that one check asks for, if more than one; else 0.
        failing: the number of parts in trouble: they failed, or are overdue.
        troubles: the parts in trouble, by name.
        beats: the last written checks, see `uring.changes.history.beats`.
        paused_until: an operator has paused the source until then; None: not paused.
    """

    status: Literal["ok", "failed", "suspect"] = "ok"
    reason: str = ""
    is_structural: bool = False
    since: Timestamp
    failures: int = Field(default=0, ge=0)
    succeeded_at: Timestamp | None = None
    retry_at: Timestamp | None = None
    entry: str = ""
    parts: int = Field(default=0, ge=0)
    failing: int = Field(default=0, ge=0)
    troubles: dict[str, PartTrouble] = Field(default_factory=dict)
    beats: Ring = Field(default="", exclude_if=lambda ring: not ring)
    paused_until: Timestamp | None = Field(default=None, exclude_if=lambda at: at is None)


@dataclass(frozen=True, slots=True)
class Recognition:
    """The values that recognise an unchanged source.

    Attributes:
        entry: the fingerprint of the entry that the source was read with.
        known: the family's own values, JSON types only.
        until: when the state has to be read again; None: when its success is written next.
        slowness: sources of one slowness are checked together; None is checked with any.
    """

    entry: str
    known: Mapping[str, Any]
    until: datetime | None = None
    slowness: int | None = None


class SourceState(StatePart):
    """``state/{family}/{source}.json``, the one compare-and-swap register of a source.

    Attributes:
        source: names the object.
        seq: grows with every write; at least the time, in seconds since 1970.
        writer: a new token for every write, so no two versions ever have the same bytes (no ABA)
            and a writer recognises its own write after a lost answer.
        outbox: committed events, not yet published.
        health: the result of the last check.
        restored_at: when a check restored it last, because its object was gone; None: never.
    """

    later: ClassVar[frozenset[str]] = frozenset()
    """Keys that a stored state may lack: they are newer than its release."""
    remedy: ClassVar[str] = "delete it: the next check restores a readable version, if there is one"

    schema_version: int = Field(default=SCHEMA, alias="schema", ge=1)
    source: str
    seq: int = Field(default=0, ge=0)
    writer: str = ""
    outbox: tuple[OutboxEvent, ...] = ()
    health: Health
    restored_at: Timestamp | None = Field(default=None, exclude_if=lambda at: at is None)

    @property
    def is_lost(self) -> bool:
        """True for the mark of a lost state: it has no records, only the trouble."""
        return self.health.reason == STATE_LOST

    @property
    def is_published(self) -> bool:
        """True when the projections show all of this state, apart from its outbox."""
        raise NotImplementedError

    @property
    def is_news(self) -> bool:
        """True when this state replaces what readers see of its records."""
        return bool(self.outbox) or not self.is_published

    @property
    def last_change(self) -> str | None:
        """The time of the last published change; None before the first."""
        raise NotImplementedError

    @property
    def dates(self) -> tuple[str | None, ...]:
        """The dates of its latest records, ``YYYY-MM-DD``, for its publishing rhythm; or none."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What operators should know of a source whose checks succeed; a sentence each."""
        return ()

    def again_after(self, scheduled_at: datetime, now: datetime) -> timedelta | None:  # noqa: ARG002 - a family's own may
        """Return the time until the job of this time looks again; None: it need not."""
        return None

    def recognition(self) -> Recognition | None:
        """Return the values that recognise the unchanged source; None: read the state."""
        return None

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """Return this state marked as published, with ``left`` as its outbox."""
        raise NotImplementedError

    def problem(self) -> tuple[str, str] | None:
        """Return place and message of the first contradiction between fields, or None."""
        names = [event.event_id for event in self.outbox]
        if twice := next((name for name, times in Counter(names).items() if times > 1), None):
            return "outbox", f"has the event {twice} twice"
        return None

    @classmethod
    def from_json(cls, body: bytes, *, key: str, source: str) -> Self:
        """Parse a stored state.

        Raises:
            NewerRelease: a newer release wrote it.
            CorruptState: the object is not a state of this source.
        """
        try:
            state = cls.model_validate_json(body)
        except ValidationError as error:
            if schema_of(body) > SCHEMA:
                raise NewerRelease(f"{key}: schema {schema_of(body)}, {_NEWER}") from error
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the object"
            raise cls._corrupt(key, place, first["msg"]) from error
        if state.schema_version > SCHEMA:
            raise NewerRelease(f"{key}: schema {state.schema_version}, {_NEWER}")
        # The defaults are for a new source; a stored state has every key of its release.
        due = cls.model_fields.keys() - cls.later - _LATER
        if missing := sorted(due - state.model_fields_set):
            raise cls._corrupt(key, missing[0], "is missing")
        if state.source != source:
            raise cls._corrupt(key, "source", f"is {state.source!r}, expected {source!r}")
        if problem := state.problem():
            raise cls._corrupt(key, *problem)
        return state

    def to_json(self) -> bytes:
        """Return compact JSON, keys in the order of the schema."""
        return self.model_dump_json(by_alias=True).encode()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with these fields changed; the rest is shared."""
        return self.model_copy(update=changes)

    @classmethod
    def _corrupt(cls, key: str, place: str, what: str) -> CorruptState:
        return CorruptState(
            f"{key}: {place}: {what}; restore an earlier version of the object: "
            f"`uring state repair`, or {cls.remedy}"
        )


_NEWER: Final = (
    f"this release reads {SCHEMA}; a newer release wrote it: deploy the newer release again"
)


def schema_of(body: bytes) -> int:
    """Return the schema that a stored object names; 0 if it is missing or malformed."""
    try:
        schema = json.loads(body)["schema"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    return schema if isinstance(schema, int) else 0


def event_id(
    source: str, record_id: str, revision: int, content_hash: str, history: str = ""
) -> str:
    """Return the name of a revision, 40 hex digits; queue, archive and device dedup by it.

    ``history`` separates revisions that are counted from 1 again after the state was lost.
    """
    text = f"{source}|{record_id}|{revision}|{content_hash}{history and '|'}{history}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]
