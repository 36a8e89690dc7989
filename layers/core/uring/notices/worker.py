"""The notice worker's batch: one job a record, and the lines and counters that N13 asks for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from uring.contracts import CollectNotices
from uring.notices.collect import Check, NoticeCollector
from uring.notices.visit import VISIT_SECONDS
from uring.records.model import Event
from uring.runtime.batches import BatchRunner, Record, Returns
from uring.runtime.telemetry import Telemetry

# One job: a visit and the commit behind it.
SECONDS_PER_JOB = VISIT_SECONDS + 5


class NoticeWorker:
    """Handles batches of the work queue."""

    def __init__(self, collector: NoticeCollector, returns: Returns, telemetry: Telemetry) -> None:
        self._collector = collector
        self._telemetry = telemetry
        self._batch = BatchRunner(self._collect, returns, telemetry)

    def run(self, event: Mapping[str, Any], *, time_left: Callable[[], float]) -> dict[str, Any]:
        """The partial batch response for a Lambda SQS event of `CollectNotices` jobs."""
        return self._batch.run(event, time_left=time_left, needs=SECONDS_PER_JOB)

    def _collect(self, record: Record) -> None:
        check = self._collector.collect(CollectNotices.parse(record.body))
        self._report(check)

    def _report(self, check: Check) -> None:
        emit = self._telemetry.event
        if check.outcome in ("failed", "suspect"):
            emit(
                check.outcome,
                department_id=check.source,
                reason=check.reason,
                detail=check.detail,
            )
        emit(
            "checked",
            department_id=check.source,
            outcome=check.outcome,
            reason=check.reason,
            rows=check.rows,
            skipped_rows=check.skipped_rows,
            new_items_count=sum(event.kind in ("new", "baseline") for event in check.events),
            revision=max((event.revision for event in check.events), default=0),
            recovered=len(check.recovered),
            http_requests=check.http_requests,
        )
        self._telemetry.count("Checks")
        self._telemetry.count(f"Checks{check.outcome.capitalize()}")
        if check.events:
            self._telemetry.count("Changes", len(check.events))


def published_lines(telemetry: Telemetry) -> Callable[[str, Sequence[Event]], None]:
    """For `uring.changes.publisher.Publisher`: a line for each change, another if it is pushed."""

    def report(source: str, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind == "baseline":
                # Nothing changed; ``checked`` has their number, the archive each of them.
                continue
            telemetry.event("changed", **_names(source, event))
            if event.push:
                telemetry.event("published", **_names(source, event))

    return report


def _names(source: str, event: Event) -> dict[str, Any]:
    return {
        "department_id": source,
        "notice_id": event.id,
        "kind": event.kind,
        "revision": event.revision,
        "event_id": event.event_id,
    }
