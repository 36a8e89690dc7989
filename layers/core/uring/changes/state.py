"""The state of a source: what every family keeps of it, and what it still has to publish.

A state outlives releases in both directions: keys that this release does not know are kept and
written back, and a state of a newer schema is left alone until that release is back.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uring.clock import Timestamp
from uring.errors import CorruptState, NewerRelease

SCHEMA: Final = 1
"""The schema of the states that this release writes; a higher one is a newer release's."""


class Stored(BaseModel):
    """A part of a state. Unknown keys are another release's: they are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class OutboxEvent(Stored):
    """A change that is committed and not yet announced.

    Attributes:
        event_id: names it once and for all.
        kind: the family's word for what happened.
        id: of the record that changed.
        revision: of the record, from 1.
        detected_at: the time of the check.
        push: whether subscribers are to hear of it.
        digest_of: 0, or how many pushes of its check this one stands for (N18).
    """

    event_id: str = Field(pattern=r"^[0-9a-f]{40}$")
    kind: str = Field(min_length=1, max_length=32)
    id: str
    revision: int = Field(default=1, ge=1)
    detected_at: Timestamp
    push: bool = True
    digest_of: int = Field(default=0, ge=0)


class PartTrouble(Stored):
    """A part of a source that fails: why, in one word, and since when."""

    reason: str
    since: Timestamp


class Health(Stored):
    """The end of the last check (N25).

    Attributes:
        status: of the last check.
        reason: why, in one word; empty when all is well.
        is_structural: see `uring.errors.SourceTrouble`.
        since: when the status or the class of its reason last changed.
        failures: checks in a row that did not succeed.
        succeeded_at: the last success, as exact as the family's heartbeat while nothing changes.
        retry_at: not asked again before; None: at the next tick.
        entry: the fingerprint of the entry that met the trouble.
        parts: how many things one check asks for, where that is more than one.
        failing: how many of them the last check did not get.
        troubles: those, by name.
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


@dataclass(frozen=True, slots=True)
class Recognition:
    """By what an unchanged source is recognised.

    Attributes:
        entry: the fingerprint of the entry that it was read by.
        known: the family's own words, as JSON values.
        until: when it has to be read again; None: whenever its success is written next.
    """

    entry: str
    known: Mapping[str, Any]
    until: datetime | None = None


class SourceState(Stored):
    """``state/{family}/{source}.json``, the one compare-and-swap register of a source.

    Attributes:
        source: names the object.
        seq: grows with every write; at least the time, in seconds since 1970.
        writer: fresh for every write, so no two versions ever have the same bytes (no ABA) and a
            writer recognises its own write after a lost answer.
        outbox: what is committed and not yet published.
        health: how the last check ended.
    """

    later: ClassVar[frozenset[str]] = frozenset()
    """Keys that a stored state may lack: they came after its release."""
    remedy: ClassVar[str] = "delete it: the next check stores the source anew, in silence"

    schema_version: int = Field(default=SCHEMA, alias="schema", ge=1)
    source: str
    seq: int = Field(default=0, ge=0)
    writer: str = ""
    outbox: tuple[OutboxEvent, ...] = ()
    health: Health

    @property
    def is_published(self) -> bool:
        """True when readers see all of this state, its outbox aside."""
        raise NotImplementedError

    @property
    def last_change(self) -> str | None:
        """The time of the last change that readers see."""
        raise NotImplementedError

    @property
    def dates(self) -> tuple[str | None, ...]:
        """The days of what it showed last, ``YYYY-MM-DD``: they tell its rhythm, if it has one."""
        return ()

    def recognition(self) -> Recognition | None:
        """Return by what an unchanged source is recognised; None where the state has to be read."""
        return None

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """Return this state once readers see it, with ``left`` still to be announced."""
        raise NotImplementedError

    def problem(self) -> tuple[str, str] | None:
        """Return the place and the words of what no single field can tell, or None."""
        names = [event.event_id for event in self.outbox]
        if twice := next((name for name, times in Counter(names).items() if times > 1), None):
            return "outbox", f"has the event {twice} twice"
        return None

    @classmethod
    def from_json(cls, body: bytes, *, key: str, source: str) -> Self:
        """Read a stored state.

        Raises:
            NewerRelease: a newer release wrote it. It is left as it is.
            CorruptState: the object is not a state of this source. It is left as it is.
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
        # The defaults are for a source never seen; a stored state has every key of its release.
        if missing := sorted(cls.model_fields.keys() - state.model_fields_set - cls.later):
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
            f"{key}: {place}: {what}; put back an earlier version of the object: "
            f"`uring state repair`, or {cls.remedy}"
        )


_NEWER: Final = f"this release reads {SCHEMA}; a newer release wrote it: deploy that one again"


def schema_of(body: bytes) -> int:
    """Return the schema that a stored object names; 0 where it names none."""
    try:
        schema = json.loads(body)["schema"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    return schema if isinstance(schema, int) else 0


def event_id(
    source: str, record_id: str, revision: int, content_hash: str, history: str = ""
) -> str:
    """Return the name of a revision: it dedups the queue, the archive and the device.

    ``history`` tells apart what is counted from 1 again, after the state was lost.
    """
    text = f"{source}|{record_id}|{revision}|{content_hash}{history and '|'}{history}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]
