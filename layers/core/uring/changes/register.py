"""The compare-and-swap register of a source.

read ─► (state, etag) ─ write(if etag) ─► committed
                           │ refused, or no answer: read again
                           ├─ my writer token is there ─► committed after all
                           ├─ the old etag is there    ─► try again
                           └─ someone else's           ─► Superseded
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from uring.changes.retry import Backoff
from uring.changes.state import SourceState
from uring.clock import Clock
from uring.errors import (
    Contended,
    PreconditionFailed,
    Unavailable,
    UringError,
    WriteConflict,
)
from uring.objects import Objects

JSON: Final = "application/json"


class Superseded(UringError):
    """Another writer committed first: what was read is stale, start again from `read`."""


S = TypeVar("S", bound=SourceState)


@dataclass(frozen=True, slots=True)
class Version(Generic[S]):
    """A state as it is stored; ``etag`` None before the first write."""

    state: S
    etag: str | None


def new_token() -> str:
    """Return a writer token that no other write has."""
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

    def read(self, source: str) -> Version[S] | None:
        """Return the committed state, or None for a source never seen.

        Raises:
            CorruptState: the object is there and is not a state; nothing may be written.
            NewerRelease: a newer release wrote it; nothing may be written.
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
