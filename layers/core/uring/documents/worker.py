"""Batches of the document queue: one job of a page at a time.

    message ─► status: ended? ─► operation ─► status: done | failed ─► acknowledged

A permanent error fails the job. The client reads the reason, and the message is acknowledged: it
does not become a dead letter. A retryable error is tried again for an hour; then the job fails too.
A job whose worker dies repeatedly fails as well. When the time of an invocation ends, the job
continues in another invocation; paid answers are not paid for again.
"""

import traceback
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.documents.jobs import Jobs
from uring.documents.messages import MOST_PARTS, JobMessage
from uring.documents.operations.operations import Operations
from uring.errors import (
    MalformedMessage,
    Misconfigured,
    NewerRelease,
    Permanent,
    Retryable,
    Unavailable,
)
from uring.locks import WorkFailed, WorkInterrupted
from uring.runtime.batches import BatchRecord, BatchRunner, SourceQueue
from uring.runtime.telemetry import Telemetry

MOST_RECEIVES: Final = 4
# A job that starts with less time would be handed over at its first call.
_NEEDS_SECONDS: Final = 400
# Kept for the writes after the last call.
_MARGIN_SECONDS: Final = 45
_GIVEN_UP: Final = timedelta(hours=1)
# A client polls every few seconds; a text has hundreds of pieces, and kept answers take no time.
_TOLD_EVERY: Final = timedelta(seconds=3)
_OPERATORS: Final = (Misconfigured, NewerRelease)


class OutOfTime(WorkInterrupted):
    """Raised when the time of the invocation ends; another invocation continues."""


class WorkerDied(Permanent):
    """Raised when every try of a job died without an error: it took too much time or memory."""


class DocumentWorker:
    """Does jobs.

    Args:
        queue: the worker's own queue, for the rest of an unfinished job.
        source: the queue that the batches come from.
    """

    def __init__(
        self,
        operations: Operations,
        jobs: Jobs,
        queue: Sends,
        source: SourceQueue,
        telemetry: Telemetry,
        *,
        clock: Clock,
    ) -> None:
        self._operations = operations
        self._jobs = jobs
        self._queue = queue
        self._source = source
        self._telemetry = telemetry
        self._clock = clock

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event."""

        def handle(record: BatchRecord) -> None:
            self._handle(JobMessage.parse(record.body), record, time_left)

        batch = BatchRunner(handle, self._source, self._telemetry, most_receives=MOST_RECEIVES)
        return batch.run(event, time_left=time_left, needs=_NEEDS_SECONDS)

    def _handle(
        self, message: JobMessage, record: BatchRecord, time_left: Callable[[], float]
    ) -> None:
        # A refresh has no status: no client waits for it.
        if message.operation != "refresh" and not self._jobs.is_open(message.job):
            self._telemetry.event("job_already_ended", job=message.job, page=message.page)
            return

        self._refuse_deadly(message, record)

        report = _Activities(message.job, self._jobs, time_left, self._clock)
        try:
            # From here on a request for the same work is another job: this one reads its input.
            report("starting")
            result = self._operations.run(message, report)
        except WorkInterrupted as error:
            self._go_on(message, error)
        except Permanent as error:
            self._fail(message, error)
        except Exception as error:
            if self._is_over(message, record, error):
                return
            if _is_others(error):
                # Unavailable is tried more often than a bug.
                raise Unavailable(f"{type(error).__name__}: {error}") from error
            raise
        else:
            self._jobs.finish(message.job, result)
            self._telemetry.event(
                "job_done", job=message.job, page=message.page, operation=message.operation
            )
            self._telemetry.count("JobsDone")

    def _refuse_deadly(self, message: JobMessage, record: BatchRecord) -> None:
        """Fail a job when every try of it died without an error.

        Raises:
            WorkerDied: no try is left; the message becomes a dead letter, and an alarm rings.
        """
        if record.receive_count > MOST_RECEIVES:
            died = f"its worker died {record.receive_count - 1} times; take smaller attachments"
            error = WorkerDied(died)
            self._fail(message, error)
            raise error

    def _is_over(self, message: JobMessage, record: BatchRecord, error: Exception) -> bool:
        """Fail a job that has no try left; return whether its message is to be acknowledged.

        False where another try follows, and for a bug: the caller raises the error again.
        """
        is_bug = record.receive_count >= MOST_RECEIVES and not isinstance(error, Retryable)
        if is_bug or self._clock() - message.submitted_at > _GIVEN_UP:
            self._fail(message, error)
            # The message of a bug becomes a dead letter, and an alarm rings.
            return not is_bug
        self._jobs.begin(message.job, f"waits for another try: {_told(error)}")
        return False

    def _go_on(self, message: JobMessage, error: Exception) -> None:
        if message.part + 1 == MOST_PARTS:
            self._fail(message, error)
            return
        self._queue.send([message.next_part()])
        self._telemetry.event(
            "job_handed_over", job=message.job, page=message.page, part=message.part
        )

    def _fail(self, message: JobMessage, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        trace = [f"{frame.name}:{frame.lineno}" for frame in frames]
        self._jobs.fail(message.job, _code(error), _told(error), trace)
        self._telemetry.problem(
            "job_failed",
            job=message.job,
            page=message.page,
            operation=message.operation,
            error=_code(error),
            reason=str(error),
            trace=not isinstance(error, (Permanent, Retryable)),
        )
        self._telemetry.count("JobsFailed")


class _Activities:
    """Implements `Report`: a new activity is stored at once, its progress every few seconds."""

    def __init__(self, job: str, jobs: Jobs, time_left: Callable[[], float], clock: Clock) -> None:
        self._job = job
        self._jobs = jobs
        self._time_left = time_left
        self._clock = clock
        self._noted: tuple[str, datetime] | None = None

    def __call__(self, activity: str, /, *, needs: float = 0) -> None:
        """See `Report`."""
        if self._time_left() < _MARGIN_SECONDS + needs:
            raise OutOfTime(f"{self._job}: {activity}")
        # ``translating rules into en: 3 of 40``
        name, now = activity.partition(":")[0], self._clock()
        if self._noted and self._noted[0] == name and now - self._noted[1] < _TOLD_EVERY:
            return
        self._jobs.begin(self._job, activity)
        self._noted = name, now


def _is_others(error: Exception) -> bool:
    """Return whether the cause is outside the job: a held lock, or a service that failed."""
    return isinstance(error, Retryable) and not isinstance(error, _OPERATORS)


def _code(error: Exception) -> str:
    return error.error if isinstance(error, WorkFailed) else type(error).__name__


def _told(error: Exception) -> str:
    """Return the error message for the client; an unexpected error is given without details."""
    if isinstance(error, MalformedMessage) or not isinstance(error, (Permanent, Retryable)):
        return "a fault of this service; its log has the job's id"
    return str(error)
