"""The values of the engine: what was seen, what is known, what happened, and the register.

`SourceState` is the one compare-and-swap register of a source. Everything a reader or a subscriber
gets is derived from it, so it alone decides what happened.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from uring.errors import CorruptState

# Every day that there is, as an expression: a call into Python for each of the several hundred
# times in a state would cost an unchanged check half as much again.
_DAY = (
    r"[12][0-9]{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)"
    r"|(?:0[13578]|1[02])-31)"
    r"|(?:[12][0-9](?:0[48]|[2468][048]|[13579][26])|(?:1[26]|2[048])00)-02-29"
)
Timestamp = Annotated[
    str,
    StringConstraints(pattern=rf"^(?:{_DAY})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"),
]
Kind = Literal["baseline", "new", "edited", "pinned", "unpinned", "returned"]


@dataclass(frozen=True, slots=True)
class Observation:
    """One record as a source shows it now.

    ``content`` is what readers see (JSON values), ``hash`` its fingerprint without the pin.
    """

    id: str
    hash: str
    is_pinned: bool
    content: Mapping[str, str | None]


class Known(NamedTuple):
    """What is remembered of a record: enough to tell new, edited, pinned and unchanged."""

    hash: str
    revision: Annotated[int, Field(ge=1)]
    is_pinned: bool
    first_seen: Timestamp
    last_seen: Timestamp


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Revision(_Stored):
    """One revision of one record; a line of the archive (N8) and an item of hot (N7)."""

    id: str
    revision: int = Field(ge=1)
    hash: str
    is_pinned: bool
    first_seen: Timestamp
    content: dict[str, str | None]


class Event(Revision):
    """A revision that the outbox still has to publish.

    ``detected_at`` fixes the archive's month (N8): a drain after midnight changes nothing.
    ``digest_of`` is 0, or how many pushes of its check this one stands for (N18).
    """

    event_id: str
    kind: Kind
    detected_at: Timestamp
    push: bool
    digest_of: int = Field(default=0, ge=0)

    @property
    def month(self) -> str:
        """``YYYYMM`` in UTC."""
        return self.detected_at[:4] + self.detected_at[5:7]


class Validators(_Stored):
    """What the server offered for a conditional GET of the committed page (N22)."""

    etag: str | None = None
    last_modified: str | None = None


class Health(_Stored):
    """How the last check ended (N25).

    Attributes:
        status: of the last check.
        reason: why, in one word; empty when all is well.
        since: when the status or the class of its reason last changed.
        failures: checks in a row that did not succeed.
        succeeded_at: the last success, known to the hour while nothing changes.
        retry_at: not asked again before; None: at the next tick.
        entry: the fingerprint of the entry that met the trouble.
    """

    status: Literal["ok", "failed", "suspect"] = "ok"
    reason: str = ""
    since: Timestamp
    failures: int = Field(default=0, ge=0)
    succeeded_at: Timestamp | None = None
    retry_at: Timestamp | None = None
    entry: str = ""


class Permission(_Stored):
    """What a site's robots.txt says about one entry's addresses (RFC 9309).

    Attributes:
        entry: the fingerprint of the entry that was judged.
        allowed: whether the list may be asked for.
        paging: whether its further pages may be.
        asked_at: when; it holds for a day.
    """

    entry: str
    allowed: bool
    paging: bool
    asked_at: Timestamp


class SourceState(_Stored):
    """``state/{family}/{source}.json``.

    ``seq`` grows with every write (it is at least the time, in seconds since 1970), ``writer`` is
    fresh for every write, so no two versions ever have the same bytes (no ABA) and a writer
    recognises its own write after a lost answer.
    ``known`` holds the records on the page and the most recent others; older ones move to the
    ``.seen`` object, which exists once ``spilled`` is true.
    ``fingerprint`` names the entry and the bytes that the state was read from, ``reading`` the
    rules that read them. Hashes last seen before ``reread_at`` were made by older rules.
    ``republish`` is true while ``latest.json`` has to be written without any event: the entry's
    own name or address changed.
    """

    schema_version: Literal[1] = Field(default=1, alias="schema")
    source: str
    seq: int = Field(default=0, ge=0)
    writer: str = ""
    baseline_at: Timestamp | None = None
    changed_at: Timestamp | None = None
    known: dict[str, Known] = {}
    spilled: bool = False
    hot: tuple[Revision, ...] = ()
    outbox: tuple[Event, ...] = ()
    republish: bool = False
    validators: Validators = Validators()
    fingerprint: str = ""
    reading: str = ""
    reread_at: Timestamp | None = None
    permission: Permission | None = None
    health: Health

    @classmethod
    def from_json(cls, body: bytes, *, key: str, source: str) -> Self:
        """Read a stored state.

        Raises:
            CorruptState: the object is not a state of this source. It is left as it is.
        """
        try:
            state = cls.model_validate_json(body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the object"
            raise _corrupt(key, source, place, first["msg"]) from error
        # The defaults are for a source never seen; a stored state has every key that it had from
        # the first.
        if missing := sorted(cls.model_fields.keys() - state.model_fields_set - _LATER):
            raise _corrupt(key, source, missing[0], "is missing")
        if state.source != source:
            raise _corrupt(key, source, "source", f"is {state.source!r}, expected {source!r}")
        if twice := _twice([item.id for item in state.hot]):
            raise _corrupt(key, source, "hot", f"has {twice!r} twice")
        if twice := _twice([event.event_id for event in state.outbox]):
            raise _corrupt(key, source, "outbox", f"has the event {twice} twice")
        for number, event in enumerate(state.outbox):
            if event.event_id != event_id(source, event.id, event.revision, event.hash):
                raise _corrupt(
                    key,
                    source,
                    f"outbox.{number}.event_id",
                    "is not that of its id, revision, hash",
                )
        return state

    def to_json(self) -> bytes:
        """Compact JSON, keys in the order of the schema."""
        return self.model_dump_json(by_alias=True).encode()

    def replace(self, **changes: Any) -> Self:
        """A copy with these fields changed; the rest is shared."""
        return self.model_copy(update=changes)


# Keys that states written before them lack; their defaults say nothing wrong.
_LATER = frozenset({"republish", "reading", "reread_at", "permission"})


def _corrupt(key: str, source: str, place: str, what: str) -> CorruptState:
    return CorruptState(
        f"{key}: {place}: {what}; restore an earlier version of the object (the bucket is "
        f"versioned), or rebuild it from what was published: `uring state repair {source}`"
    )


def _twice(names: Sequence[str]) -> str | None:
    """The first name that comes again."""
    return next((name for name, times in Counter(names).items() if times > 1), None)


def event_id(source: str, record_id: str, revision: int, content_hash: str) -> str:
    """Name a revision once and for all: it dedups the queue, the archive and the device."""
    text = f"{source}|{record_id}|{revision}|{content_hash}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]
