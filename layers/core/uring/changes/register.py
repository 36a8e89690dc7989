"""The compare-and-swap register of a source.

read ─► (state, etag) ─ write(if etag) ─► committed
                           │ refused, or no answer: read again
                           ├─ it has my writer token ─► committed after all
                           ├─ it has the old etag    ─► try again
                           └─ neither                ─► Superseded
"""

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from uring.changes.retry import Backoff
from uring.changes.state import SourceState
from uring.clock import Clock
from uring.errors import (
    Contended,
    CorruptState,
    PreconditionFailed,
    Unavailable,
    UringError,
    WriteConflict,
)
from uring.objects import Objects

JSON: Final = "application/json"


class Superseded(UringError):
    """Another writer committed first: the version is stale, start again from `read`."""


S = TypeVar("S", bound=SourceState)


@dataclass(frozen=True, slots=True)
class StateVersion(Generic[S]):
    """A stored state; ``etag`` is None before the first write."""

    state: S
    etag: str | None


def new_token() -> str:
    """Return a writer token, unique to one write."""
    return uuid.uuid4().hex


class StateRegister(Generic[S]):
    """Reads and conditionally writes ``state/{family}/{source}.json``, states of one model."""

    def __init__(
        self,
        objects: Objects,
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

    def read(self, source: str) -> StateVersion[S] | None:
        """Return the committed state, or None for a source without one.

        Raises:
            CorruptState: the object is not a state of this source; nothing may be written.
            NewerRelease: a newer release wrote it; nothing may be written.
        """
        key = self._key(source)
        stored = self._objects.get(key)
        if stored is None:
            return None
        return StateVersion(self._model.from_json(stored.body, key=key, source=source), stored.etag)

    def newest(self, source: str) -> S | None:
        """Return the newest readable version of a state that is gone; None without one.

        Raises:
            NewerRelease: a newer release wrote it.
        """
        key = self._key(source)
        for body in self._objects.past(key):
            with suppress(CorruptState):
                state = self._model.from_json(body, key=key, source=source)
                if not state.is_lost:
                    return state
        return None

    def write(self, before: StateVersion[S], state: S) -> StateVersion[S]:
        """Commit ``state`` if no other run committed since ``before`` was read.

        Raises:
            Superseded: another run committed.
            WriteConflict: no clear answer within the bounded attempts. The write may have taken
                effect; the next run finds out by reading.
        """
        # At least the time, so that a new or restored state overtakes the published documents.
        seq = max(before.state.seq + 1, state.seq + 1, int(self._clock().timestamp()))
        state = state.replace(seq=seq, writer=self._token())
        body = state.to_json()
        key = self._key(state.source)
        for _ in self._backoff.attempts():
            try:
                etag = self._objects.put(key, body, if_match=before.etag, content_type=JSON)
            except (PreconditionFailed, Contended, Unavailable):
                stored = self._objects.get(key)
                if stored is not None and stored.body == body:
                    return StateVersion(state, stored.etag)
                if (stored.etag if stored else None) != before.etag:
                    raise Superseded(f"{key}: another run committed first") from None
            else:
                return StateVersion(state, etag)
        raise WriteConflict(f"{key}: no clear answer from S3; the next run tries again")

    def _key(self, source: str) -> str:
        return f"state/{self._family}/{source}.json"
