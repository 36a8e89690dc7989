"""The lines of a check that operators see (N13)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import (
    ENTRY,
    MemoryQueue,
    MemorySourceQueue,
    RecordingTelemetry,
    VirtualClock,
    lambda_event,
)

from uring.contracts import CollectNotices
from uring.notices.collect import Check
from uring.notices.worker import NoticeWorker, published_lines
from uring.records.model import Event, Kind

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


def event(notice: str, kind: Kind, *, push: bool, revision: int = 1) -> Event:
    return Event(
        id=notice,
        revision=revision,
        hash="h",
        is_pinned=False,
        first_seen="2026-03-02T01:00:00Z",
        content={},
        event_id=f"e{notice}",
        kind=kind,
        detected_at="2026-03-02T01:00:00Z",
        push=push,
    )


def reported(check: Check) -> RecordingTelemetry:
    """What the worker reports when a check ends like this."""
    clock = VirtualClock(NOW)
    queue, telemetry = MemoryQueue(clock), RecordingTelemetry()
    job = CollectNotices(scheduled_at=NOW, source=ENTRY)
    queue.send("cs", job.job_id, job.body())
    collector: Any = Ended(check)
    worker = NoticeWorker(collector, MemorySourceQueue(queue, MemoryQueue(clock)), telemetry)
    answer = worker.run(lambda_event(queue.receive()), time_left=lambda: 60.0)
    assert answer == {"batchItemFailures": []}
    return telemetry


class Ended:
    """A collector whose check ended as told."""

    def __init__(self, check: Check) -> None:
        self._check = check

    def collect(self, _: CollectNotices) -> Check:
        return self._check


def test_a_change_is_a_line_and_what_is_pushed_another() -> None:
    events = (event("2", "edited", push=True, revision=2), event("1", "pinned", push=False))
    telemetry = RecordingTelemetry()
    published_lines(telemetry)("cs", events)
    assert [name for name, _ in telemetry.events] == ["changed", "published", "changed"]
    assert telemetry.named("published") == [
        {
            "department_id": "cs",
            "notice_id": "2",
            "kind": "edited",
            "revision": 2,
            "event_id": "e2",
        }
    ]


@pytest.mark.parametrize("field", ["events", "recovered"])
def test_a_baseline_is_one_line_with_its_number(field: str) -> None:
    """A board of 25 notices would be 25 lines that say nothing happened."""
    first = tuple(event(str(number), "baseline", push=False) for number in range(25))
    more: dict[str, Any] = {field: first}
    telemetry = reported(Check("cs", "baseline", rows=25, **more))
    ((name, fields),) = telemetry.events
    published_lines(telemetry)("cs", first)
    assert len(telemetry.events) == 1
    assert name == "checked"
    assert fields["new_items_count" if field == "events" else "recovered"] == 25
