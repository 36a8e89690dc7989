"""The compare-and-swap register of a source, and the memory behind it.

read ─► (state, etag) ─ write(if etag) ─► committed
                           │ refused, or no answer: read again
                           ├─ my writer token is there ─► committed after all
                           ├─ the old etag is there    ─► try again
                           └─ someone else's           ─► Superseded
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from uring.changes.ports import ObjectStore
from uring.changes.retry import Backoff
from uring.changes.rewrite import rewrite
from uring.clock import Clock, timestamp
from uring.errors import (
    Contended,
    CorruptState,
    PreconditionFailed,
    Unavailable,
    UringError,
    WriteConflict,
)
from uring.records.diff import FORGET_AFTER
from uring.records.model import Known, SourceState

JSON = "application/json"
_SEEN = TypeAdapter(dict[str, Known])


class Superseded(UringError):
    """Another writer committed first: what was read is stale, start again from `read`."""


class State(Protocol):
    """What a register holds: a source's name, a number that grows, and its bytes."""

    @property
    def source(self) -> str:
        """Names the object."""
        ...

    @property
    def seq(self) -> int:
        """Grows with every write."""
        ...

    @classmethod
    def from_json(cls, body: bytes, *, key: str, source: str) -> Self:
        """Read a stored state; raises CorruptState."""
        ...

    def to_json(self) -> bytes:
        """The bytes to store."""
        ...

    def replace(self, **changes: Any) -> Self:
        """A copy with these fields changed."""
        ...


S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Version(Generic[S]):
    """A state as it is stored; ``etag`` None before the first write."""

    state: S
    etag: str | None


def new_token() -> str:
    """A writer token that no other write has."""
    return uuid.uuid4().hex


class StateRegister(Generic[S]):
    """Reads and conditionally writes ``state/{family}/{source}.json``, states of one model."""

    def __init__(
        self,
        objects: ObjectStore,
        family: str,
        model: type[S],
        *,
        clock: Clock,
        backoff: Backoff,
        token: Callable[[], str] = new_token,
    ) -> None:
        self._objects = objects
        self._family = family
        self._model = model
        self._clock = clock
        self._backoff = backoff
        self._token = token

    def read(self, source: str) -> Version[S] | None:
        """The committed state, or None for a source never seen.

        Raises:
            CorruptState: the object is there and is not a state; nothing may be written.
        """
        key = self._key(source)
        stored = self._objects.get(key)
        if stored is None:
            return None
        return Version(self._model.from_json(stored.body, key=key, source=source), stored.etag)

    def write(self, before: Version[S], state: S) -> Version[S]:
        """Commit ``state`` if nobody committed since ``before`` was read.

        Raises:
            Superseded: somebody did.
            WriteConflict: no clear answer within the bounded attempts. It may have taken effect;
                the next run finds out by reading.
        """
        # At least the time, so that a state taken anew or restored overtakes what was published.
        seq = max(before.state.seq + 1, int(self._clock().timestamp()))
        state = state.replace(seq=seq, writer=self._token())
        body = state.to_json()
        key = self._key(state.source)
        for _ in self._backoff.attempts():
            try:
                etag = self._objects.put(key, body, if_match=before.etag, content_type=JSON)
            except (PreconditionFailed, Contended, Unavailable):
                stored = self._objects.get(key)
                if stored is not None and stored.body == body:
                    return Version(state, stored.etag)
                if (stored.etag if stored else None) != before.etag:
                    raise Superseded(f"{key}: another run committed first") from None
            else:
                return Version(state, etag)
        raise WriteConflict(f"{key}: no clear answer from S3; the next run tries again")

    def _key(self, source: str) -> str:
        return f"state/{self._family}/{source}.json"


class Register(StateRegister[SourceState]):
    """The register of a family of records, with the memory of those that left the state."""

    def __init__(
        self,
        objects: ObjectStore,
        family: str,
        *,
        clock: Clock,
        backoff: Backoff,
        token: Callable[[], str] = new_token,
    ) -> None:
        super().__init__(objects, family, SourceState, clock=clock, backoff=backoff, token=token)

    def recall(self, source: str, ids: frozenset[str]) -> dict[str, Known]:
        """What the ``.seen`` object knows of these ids."""
        key = self._seen_key(source)
        stored = self._objects.get(key)
        known = _read_seen(key, stored.body if stored else None)
        return {record_id: known[record_id] for record_id in ids & known.keys()}

    def remember(self, source: str, spill: Mapping[str, Known]) -> None:
        """Add records to the ``.seen`` object, before they leave the state.

        Records unseen for `FORGET_AFTER` leave it. It is a union in which the higher revision
        wins, so doing it twice, or by a run that never commits, harms nothing.

        Raises:
            WriteConflict: lost to other writers too often.
        """
        oldest = timestamp(self._clock() - FORGET_AFTER)
        key = self._seen_key(source)

        def revise(body: bytes | None) -> bytes | None:
            known = _read_seen(key, body)
            merged = known | {
                record_id: record
                for record_id, record in spill.items()
                if record_id not in known or known[record_id].revision <= record.revision
            }
            if merged == known:
                return None
            return _SEEN.dump_json(
                {i: each for i, each in merged.items() if each.last_seen > oldest}
            )

        rewrite(self._objects, key, revise, backoff=self._backoff, content_type=JSON)

    def _seen_key(self, source: str) -> str:
        return f"state/{self._family}/{source}.seen.json"


def _read_seen(key: str, body: bytes | None) -> dict[str, Known]:
    if body is None:
        return {}
    try:
        return _SEEN.validate_json(body)
    except ValidationError as error:
        raise CorruptState(
            f"{key}: {error.errors(include_url=False, include_input=False)[0]['msg']}; "
            "restore an earlier version of the object (the bucket is versioned), or rebuild it: "
            "`uring state repair`"
        ) from error
