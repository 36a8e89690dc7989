"""A hint: the part of a source's state that lets an unchanged check skip reading it. Pure.

    monitor       state and ETag of one GET ─► `hint_of` ─► ``state/monitor/hints/{family}.json``
    orchestrator  ETag listed = ETag of the hint ─► the job carries it
    worker        the site is asked first; the same page ─► unchanged, nothing is read or written
                  └─ anything else ─► the state; the response counts only for the hint's ETag

A hint is valid for exactly one version of a state. A late, duplicate or lost hint costs a read and
never causes an error.
"""

from datetime import datetime, timedelta
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uring.changes.health import written_next
from uring.changes.shard import WHOLE, Shard
from uring.changes.state import SourceState
from uring.clock import Timestamp, parse_timestamp, timestamp

GOOD_FOR: Final = timedelta(minutes=10)
"""Counted from the job's tick; the hint of a job that waited longer is too old."""


class Hint(BaseModel):
    """A summary of one version of a state, enough to recognise an unchanged source.

    Attributes:
        etag: of the version; from the same GET as the bytes of the other fields.
        entry: the fingerprint of the entry that the source was read with.
        until: from then on the state is read even if the source is unchanged.
        known: the family's own values that recognise an unchanged source. None: the state has to be
            read.
        slowness: see `Recognition`.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    etag: str
    entry: str = ""
    until: Timestamp = "1970-01-01T00:00:00Z"
    known: dict[str, Any] | None = None
    slowness: int | None = Field(default=None, exclude_if=lambda known: known is None)

    @classmethod
    def read(cls, value: Any) -> "Hint | None":
        """Return a job's hint; None if it is missing or malformed."""
        if value is None:
            return None
        try:
            return cls.model_validate(value)
        except ValidationError:
            return None

    def holds(self, entry: str, scheduled_at: datetime, now: datetime) -> bool:
        """Return whether the source may be asked before its state is read.

        Args:
            entry: the fingerprint of the job's entry.
            scheduled_at: of the job.
            now: aware UTC.
        """
        if self.known is None or self.entry != entry:
            return False
        return now < parse_timestamp(self.until) and now - scheduled_at <= GOOD_FOR


class Hints(BaseModel):
    """``state/monitor/hints/{family}.json``: by source, the hint of its last known version."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: Literal[1] = 1
    hints: dict[str, Hint] = {}

    @classmethod
    def read(cls, body: bytes) -> "Hints | None":
        """Return stored hints; None if they are damaged or of a newer release."""
        try:
            return cls.model_validate_json(body)
        except ValidationError:
            return None


def hints_key(family: str, shard: Shard = WHOLE) -> str:
    """Return the key of the hints of a family's shard."""
    return shard.key(f"state/monitor/hints/{family}.json")


def hint_of(state: SourceState, etag: str, heartbeat: timedelta) -> Hint:
    """Return the hint of a version of a state. It depends on the arguments only.

    The hint has no ``known`` if the outbox is not empty, the source is in trouble, paused or never
    succeeded, or the family recognises nothing: such a state has to be read.

    Args:
        state: as it was read.
        etag: of the same GET.
        heartbeat: of the family.
    """
    health, recognition = state.health, state.recognition()
    is_calm = state.is_published and not state.outbox and health.retry_at is None
    if health.paused_until is not None:
        # The worker knows of a pause by the state alone.
        is_calm = False
    if recognition is None or not is_calm or health.status != "ok" or health.succeeded_at is None:
        return Hint(etag=etag)
    until = written_next(state.source, parse_timestamp(health.succeeded_at), heartbeat)
    return Hint(
        etag=etag,
        entry=recognition.entry,
        until=timestamp(min(until, recognition.until or until)),
        known=dict(recognition.known),
        slowness=recognition.slowness,
    )
