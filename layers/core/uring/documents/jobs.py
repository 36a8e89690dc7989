"""Jobs: submitted by the API, done by the worker, polled by the client (D6).

    submitted ─► running (activity, …) ─► done | failed ─► read ─► removed ten minutes later

An unread status is removed after a day. The status is written before its message is sent. A crash
in between leaves a status that never changes; the same request again finds it, and sends it.

    open:{hash}     the newest job of a page, operation, source and language that clients share
"""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import StringConstraints

from uring.changes.ports import Sends
from uring.clock import Clock, Timestamp, parse_timestamp, timestamp
from uring.documents.messages import JobMessage, Operation
from uring.documents.names import JOBS, JobId, derived_id
from uring.documents.store.items import StoredItem
from uring.errors import Permanent, WriteConflict
from uring.tables import NOTHING, Item, Table, Write

JobState = Literal["submitted", "running", "done", "failed"]
ENDED: Final[tuple[JobState, ...]] = ("done", "failed")

_KEPT: Final = timedelta(days=1)
# A response may be lost; the client then asks again.
_KEPT_AFTER_READ: Final = timedelta(minutes=10)
# Longer than an invocation: a worker that is at work has told its activity since.
_LOST_AFTER: Final = timedelta(minutes=20)
_MOST_TRIES: Final = 5
_MOST_TRACE: Final = 20


class JobStatus(StoredItem):
    """The status of a job.

    Attributes:
        state: see the module.
        activity: the current step, in words; empty before the first and after the end.
        result: a small summary of a done job; texts are read elsewhere.
        error: code, detail and trace of a failed job.
        cost_micros: the cost so far, in millionths of a dollar.
        by: ARN of the caller who submitted it; empty for uRing itself, or if it is unknown.
        expires_at: when the status may be removed, in seconds since 1970 (the table's TTL).
    """

    packed: ClassVar[frozenset[str]] = frozenset({"result", "error"})

    id: JobId
    page: str
    operation: Operation
    source: str | None = None
    language: str | None = None
    state: JobState = "submitted"
    activity: Annotated[str, StringConstraints(max_length=200)] = ""
    submitted_at: Timestamp
    updated_at: Timestamp
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    cost_micros: int = 0
    by: str = ""
    expires_at: int

    @property
    def has_ended(self) -> bool:
        """True when the job is done or failed."""
        return self.state in ENDED

    def is_of(self, message: JobMessage) -> bool:
        """Return whether this is a job for the work of a message."""
        return (self.page, self.operation, self.source, self.language) == (
            message.page,
            message.operation,
            message.source,
            message.language,
        )


class OtherJob(Permanent):
    """Raised when a job with this id exists, and is for other work."""


class Jobs:
    """The statuses of jobs; safe to share between threads.

    Args:
        queue: the worker's queue.
    """

    def __init__(self, table: Table, queue: Sends, *, clock: Clock) -> None:
        self._table = table
        self._queue = queue
        self._clock = clock

    def submit(self, message: JobMessage, *, by: str = "", is_shared: bool = False) -> JobStatus:
        """Store the status of a job, then send the job; return the stored status.

        An open job with the same id is sent again, unless a worker is at it; an ended one is
        returned as it is.

        Args:
            message: the job.
            by: ARN of the caller.
            is_shared: whether a shared job for the same work that no worker has begun is returned
                instead. One under way may have read what the caller has changed since.

        Raises:
            OtherJob: the job with this id is for other work; nothing was written.
            Unavailable: the job may have been submitted.
            WriteConflict: the status was written by others in every try.
        """
        now = self._clock()
        status = JobStatus(
            id=message.job,
            page=message.page,
            operation=message.operation,
            source=message.source,
            language=message.language,
            submitted_at=timestamp(now),
            updated_at=timestamp(now),
            by=by,
            expires_at=_seconds(now + _KEPT),
        )
        for _ in range(_MOST_TRIES):
            shared = self._table.get(JOBS, _place(message)) if is_shared else None
            there = self._shared(shared, message)
            if there is not None:
                return self._sent_again(there, message)
            item = self._table.get(JOBS, message.job)
            there = None if item is None else self._held(message.job, item)
            if there is not None:
                if not there.is_of(message):
                    raise OtherJob(f"{JOBS}:{message.job}: it is a job for other work")
                return self._sent_again(there, message)
            # DynamoDB removes expired items days later: an expired status is overwritten.
            writes = [Write(message.job, status.item(), item or NOTHING)]
            if is_shared:
                place: Item = {"job": status.id, "expires_at": status.expires_at}
                writes.append(Write(_place(message), place, shared or NOTHING))
            if self._table.transact(JOBS, writes):
                self._queue.send([message])
                return status
        raise WriteConflict(
            f"{JOBS}:{message.job}: other writes came first in every try; submit it again"
        )

    def _shared(self, place: Item | None, message: JobMessage) -> JobStatus | None:
        """Return the job that a stored place names, if it waits for a worker; else None.

        None for a malformed job, too, and for one of a newer release: it refuses no other request.
        """
        job = (place or {}).get("job")
        item = self._table.get(JOBS, job) if isinstance(job, str) else None
        status = None if item is None else JobStatus.readable(f"{JOBS}:{job}", item)
        waits = status and status.state == "submitted" and not self._has_expired(status)
        return status if status and waits and status.is_of(message) else None

    def _sent_again(self, there: JobStatus, message: JobMessage) -> JobStatus:
        """Send an open job whose message may be lost; return its status."""
        is_lost = (
            there.state == "submitted"
            or parse_timestamp(there.updated_at) < self._clock() - _LOST_AFTER
        )
        if is_lost and not there.has_ended:
            self._queue.send([message.model_copy(update={"job": there.id})])
        return there

    def is_open(self, job: str) -> bool:
        """Return whether a job is submitted or running; False for an unknown or expired id."""
        status = self._stored(job)
        return status is not None and not status.has_ended

    def begin(self, job: str, activity: str) -> None:
        """Set a job running, with its current step; do nothing for an ended or unknown job."""
        self._change(job, lambda _: {"state": "running", "activity": activity[:200]})

    def finish(self, job: str, result: dict[str, Any]) -> None:
        """Set a job done, with its result; do nothing for an ended or unknown job."""
        ended = {"state": "done", "activity": "", "result": json.dumps(result)}
        self._change(job, lambda _: ended)

    def fail(self, job: str, code: str, detail: str, trace: list[str]) -> None:
        """Set a job failed; do nothing for an ended or unknown job.

        The detail is cut at 2,000 characters; the last 20 lines of the trace are kept.
        """
        error = {"code": code, "detail": detail[:2000], "trace": trace[-_MOST_TRACE:]}
        ended = {"state": "failed", "activity": "", "error": json.dumps(error)}
        self._change(job, lambda _: ended)

    def spent(self, job: str, micros: int) -> None:
        """Add to the cost of a job; do nothing for an ended or unknown job."""
        if not micros:
            return

        def more(item: Item) -> Item:
            before = item.get("cost_micros")
            return {"cost_micros": micros + (before if isinstance(before, int) else 0)}

        self._change(job, more)

    def read(self, job: str, page: str = "") -> JobStatus | None:
        """Return the status of a job for a client; None for an unknown or expired id.

        The first read of an ended job sets its removal to ten minutes later.

        Args:
            job: its id.
            page: only a job of this page; empty for any page.
        """
        status = self._stored(job)
        if status is None or (page and status.page != page):
            return None
        if not status.has_ended:
            return status
        soon = _seconds(self._clock() + _KEPT_AFTER_READ)
        if status.expires_at > soon:
            # A later read does not extend the ten minutes.
            self._change(job, lambda _: {"expires_at": soon}, has_ended=True)
        return status

    def _stored(self, job: str) -> JobStatus | None:
        item = self._table.get(JOBS, job)
        return None if item is None else self._held(job, item)

    def _held(self, job: str, item: Item) -> JobStatus | None:
        """Return a status; None if it has expired but is not removed yet."""
        status = JobStatus.read(f"{JOBS}:{job}", item)
        return None if self._has_expired(status) else status

    def _has_expired(self, status: JobStatus) -> bool:
        return status.expires_at <= _seconds(self._clock())

    def _change(self, job: str, change: Callable[[Item], Item], *, has_ended: bool = False) -> None:
        for _ in range(_MOST_TRIES):
            item = self._table.get(JOBS, job)
            if item is None or (item.get("state") in ENDED) != has_ended:
                return
            changed = {**item, **change(item)}
            if not has_ended:
                changed["updated_at"] = timestamp(self._clock())
            if self._table.transact(JOBS, [Write(job, changed, item)]):
                return
        raise WriteConflict(
            f"{JOBS}:{job}: other writes came first in every try; it is tried again"
        )


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _place(message: JobMessage) -> str:
    """Return the key under which the newest shared job for the work of a message is noted."""
    named = (message.page, message.operation, message.source or "", message.language or "")
    return f"open:{derived_id(*named)}"
