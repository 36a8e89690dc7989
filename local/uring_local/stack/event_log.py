"""The events of a run: the functions' reports in one stream, for the view and the judge."""

import queue
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

# The functions' event names that a run passes on; the others are for operators.
PASSED_ON: Final = frozenset(
    {
        "checked",
        "changed",
        "published",
        "pushed",
        "push_deferred",
        "push_refused",
        "suspect",
        "failed",
        "deferred",
        "entry_refused",
        "record_failed",
        "airports_failed",
        "check_failed",
        "report_changed",
        "report_older",
        "odd_answer",
        "text_unreadable",
        "file_processing_complete",
        "domain_processing_complete",
        "evidence_not_saved",
        "dropped",
        "job_done",
        "job_failed",
        "job_handed_over",
        "attachment_ignored",
        "swept",
        "sweep_failed",
    }
)


def source_of(event: Mapping[str, Any]) -> str:
    """Return the source id of an event; empty without one.

    For a partition it is the name without the day, for a document the page.
    """
    name = event.get("page") or event.get("source")
    return str(name or str(event.get("partition", "")).rpartition("/")[0])


def outcome_of(event: Mapping[str, Any]) -> str:
    """Return the outcome of a check, or the operation of a job."""
    return str(event.get("outcome") or event.get("operation", ""))


def record_of(event: Mapping[str, Any]) -> str:
    """Return the record id of an event; empty without one."""
    return str(event.get("record", ""))


class EventLog:
    """Collects a family's events from any thread; the main thread takes them in order.

    Args:
        family: the family named in each event.
    """

    def __init__(self, family: str) -> None:
        self._family = family
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._calls: dict[str, Counter[str]] = {}

    def put(self, name: str, fields: Mapping[str, Any]) -> None:
        """Store an event of a function with the time, if a run passes it on."""
        if name in PASSED_ON:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            own = {"event": name, "family": self._family, "at": at}
            # A regulation's text is a family of states, in a family of a run.
            self._events.put({**own, **fields, "family": self._family})

    def add_calls(self, function: str, calls: Mapping[str, int]) -> None:
        """Add the AWS calls of one invocation."""
        with self._lock:
            self._calls.setdefault(function, Counter()).update(calls)

    def take(self) -> Iterator[dict[str, Any]]:
        """Yield the events since the last call."""
        while True:
            try:
                yield self._events.get_nowait()
            except queue.Empty:
                return

    def aws_calls(self) -> dict[str, Counter[str]]:
        """Return the calls so far, by function and operation."""
        with self._lock:
            return {function: calls.copy() for function, calls in self._calls.items()}


class Reporter:
    """A `uring.runtime.telemetry.Telemetry` for a function in this process."""

    def __init__(self, log: EventLog, function: str) -> None:
        self._log = log
        self._function = function

    def begin(self, request_id: str) -> None:
        """Ignore the invocation: a run has none to look up."""

    def detail(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.detail`."""
        self._log.put(name, fields)

    def event(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.event`."""
        self._log.put(name, fields)

    def warning(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.warning`."""
        self._log.put(name, fields)

    def problem(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.problem`."""
        fields.pop("trace", None)
        self._log.put(name, fields)

    def count(self, metric: str, value: int = 1) -> None:
        """Ignore counters, which are for CloudWatch; a run counts events."""

    def flush(self, fields: Mapping[str, Any], metrics: Collection[str] | None = None) -> None:  # noqa: ARG002
        """See `Telemetry.flush`."""
        self._log.add_calls(self._function, fields.get("aws_calls", {}))
