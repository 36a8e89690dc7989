"""A worker's batch: one check for each record, with its log lines and counters."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from uring.changes.check import STATE_RESTORED, Check, Checker
from uring.changes.outbox import Announced
from uring.changes.state import OutboxEvent
from uring.contracts import Job
from uring.errors import (
    Contended,
    NewerRelease,
    Permanent,
    Retryable,
    Unavailable,
    WriteConflict,
)
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred, SourceQueue
from uring.runtime.telemetry import Named, Telemetry

# The queue's visibility timeout is for crashes: a job that waited for it would have one more try.
_TRIES_AN_INTERVAL: Final = 3
_LONGEST_PAUSE_SECONDS: Final = 300
_MOST_DOUBLINGS: Final = 6
# Below SQS's limit for all receives of a message, 12 hours.
_LONGEST_WAIT_SECONDS: Final = 36_000
# S3, SQS or DynamoDB gave no clear answer. It passes, and is nobody's fault here.
_OUTAGES: Final = (Unavailable, Contended, WriteConflict)


class TriesUsedUp(Permanent):
    """A job that failed until the end of its interval: the next job is due."""


class Worker:
    """Handles batches of a family's work queue.

    Args:
        queue: the queue of the batches.
        groups: the number of sources checked at once.
        named: see `uring.runtime.telemetry.Named`.
    """

    def __init__(
        self,
        checker: Checker[Any, Any],
        queue: SourceQueue,
        telemetry: Telemetry,
        named: Named,
        *,
        groups: int = 10,
    ) -> None:
        self._checker = checker
        self._telemetry = telemetry
        self._named = named
        self._batch = BatchRunner(self._handle, queue, telemetry, workers=groups)

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event of jobs."""
        return self._batch.run(event, time_left=time_left, needs=self._checker.family.seconds)

    def _handle(self, record: BatchRecord) -> None:
        job = Job.parse(record.body)
        try:
            is_first = record.receive_count == 1 and not record.renewals
            check = self._checker.check(job, is_first=is_first)
        except (Permanent, NewerRelease, Deferred):
            raise
        except Exception as error:  # noqa: BLE001 - raised again, or an outage
            self._telemetry.problem(
                "check_failed",
                **self._names(job.source),
                error=type(error).__name__,
                reason=str(error),
                trace=not isinstance(error, Retryable),
            )
            self._telemetry.count("SourcesFailing")
            self._defer(job, record, error)
        else:
            self._report(check)
            if check.again is not None:
                # The job waits in its queue: nothing else has to remember it.
                seconds = -(-check.again // timedelta(seconds=1))
                raise Deferred("a second look", seconds=min(max(seconds, 1), _LONGEST_WAIT_SECONDS))

    def _defer(self, job: Job, record: BatchRecord, error: Exception) -> None:
        """Raise the error that brings the job back; return for a job that an outage has used up.

        An outage needs nobody: when it is over the next job is due, and an outbox is still in its
        state. So such a job is dropped and counted. Any other error may be ours.

        Raises:
            Deferred: the job comes back within its interval.
            TriesUsedUp: its interval is over, and no outage was the cause.
        """
        seconds = min(job.interval_minutes * 60 // _TRIES_AN_INTERVAL, _LONGEST_PAUSE_SECONDS)
        left = int(self._checker.time_left(job) / timedelta(seconds=1))
        reason = f"last by {type(error).__name__}: {error}"
        if isinstance(error, _OUTAGES):
            if left <= seconds:
                why = {"reason": "outage", "detail": f"its interval is over, {reason}"}
                self._telemetry.warning("dropped", **self._names(job.source), **why)
                self._telemetry.count("ChecksInOutage")
                return
            if seconds == _LONGEST_PAUSE_SECONDS:
                # A daily job has as many receives as one of ten minutes.
                times = min(record.receive_count - 1, _MOST_DOUBLINGS)
                seconds = min(seconds * 2**times, max(seconds, left - seconds))
        elif left <= seconds:
            # A deferred job would be dropped as overdue, and its error never reported.
            raise TriesUsedUp(
                f"{job.source}: failed until its interval was over, {reason}"
            ) from error
        raise Deferred(str(error), seconds=seconds, is_failure=True) from error

    def _names(self, source: str) -> dict[str, Any]:
        family = self._checker.family.name
        return {"family": family, "source": source, **self._named(family, source)}

    def _report(self, check: Check) -> None:
        telemetry, names = self._telemetry, self._names(check.source)
        for line in check.lines:
            emit = telemetry.warning if line.level == "warning" else telemetry.event
            emit(line.name, **names, **line.fields)
            if line.name == STATE_RESTORED:
                telemetry.count("StatesRestored")
        why = {"reason": check.reason, "detail": check.detail}
        if check.outcome == "dropped":
            telemetry.warning("dropped", **names, **why)
        elif check.reason and check.outcome != "waiting":
            telemetry.event("suspect" if check.outcome == "suspect" else "failed", **names, **why)
        # Nearly all checks are unchanged: the batch's own line has their number.
        is_quiet = check.outcome == "unchanged" and not (check.reason or check.failing)
        tell = telemetry.detail if is_quiet and not check.recovered else telemetry.event
        tell(
            "checked",
            **names,
            outcome=check.outcome,
            reason=check.reason,
            **check.fields,
            recovered=len(check.recovered),
            http_requests=check.requests,
        )
        if check.outcome == "dropped":
            # Nothing was read: a job too old is missing work, a superseded one was done by another.
            telemetry.count("ChecksDropped" if check.reason == "overdue" else "ChecksSuperseded")
            return
        telemetry.count("Checks")
        telemetry.count(f"Checks{check.outcome.capitalize()}")
        if check.is_hinted:
            telemetry.count("ChecksHinted")
        if check.is_failing:
            telemetry.count("SourcesFailing")
        if check.failing:
            telemetry.count("PartsFailing", check.failing)
        # Records of a first check (the baseline) are not changes.
        if changes := sum(event.kind != "baseline" for event in check.events):
            telemetry.count("Changes", changes)


def announced_lines(family: str, telemetry: Telemetry, named: Named) -> Announced:
    """Return the callback of `OutboxPublisher`: it logs each change, and each push."""

    def report(source: str, events: Sequence[OutboxEvent]) -> None:
        for event in events:
            if event.kind == "baseline":
                # Not changes; the line ``checked`` has their number, the archive each of them.
                continue
            names = {
                "family": family,
                "source": source,
                **named(family, source),
                "record": event.id,
                "kind": event.kind,
                "revision": event.revision,
                "event_id": event.event_id,
            }
            telemetry.event("changed", **names)
            if event.push:
                telemetry.event("published", **names)

    return report
