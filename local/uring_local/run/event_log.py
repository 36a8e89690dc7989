"""The events of a run: what the functions report, in one stream for the view and the judge."""

import queue
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

# The functions' line names that a run passes on; the others are for operators.
PASSED_ON = frozenset(
    {
        "checked",
        "changed",
        "published",
        "pushed",
        "push_deferred",
        "push_refused",
        "suspect",
        "failed",
        "entry_refused",
        "record_failed",
        "airports_failed",
        "report_older",
        "odd_answer",
        "run_skipped",
    }
)


class Sink:
    """Collects events from any thread; the main thread takes them in order."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._calls: dict[str, Counter[str]] = {}

    def put(self, name: str, fields: Mapping[str, Any]) -> None:
        """Keep an event of a function, if it is one that a run passes on."""
        if name in PASSED_ON:
            self._events.put({"event": name, **fields})

    def add_calls(self, function: str, calls: Mapping[str, int]) -> None:
        """Add the AWS calls of one invocation."""
        with self._lock:
            self._calls.setdefault(function, Counter()).update(calls)

    def take(self) -> Iterator[dict[str, Any]]:
        """The events that have come in since the last time."""
        while True:
            try:
                yield self._events.get_nowait()
            except queue.Empty:
                return

    def aws_calls(self) -> dict[str, Counter[str]]:
        """Calls so far, by function and operation."""
        with self._lock:
            return {function: calls.copy() for function, calls in self._calls.items()}


class Reporter:
    """A `uring.runtime.telemetry.Telemetry` for a function in this process."""

    def __init__(self, sink: Sink, function: str) -> None:
        self._sink = sink
        self._function = function

    def event(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.event`."""
        self._sink.put(name, fields)

    def warning(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.warning`."""
        self._sink.put(name, fields)

    def problem(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.problem`."""
        fields.pop("trace", None)
        self._sink.put(name, fields)

    def count(self, metric: str, value: int = 1) -> None:
        """Counters are for CloudWatch; a run counts events."""

    def flush(self, fields: Mapping[str, Any]) -> None:
        """See `Telemetry.flush`."""
        self._sink.add_calls(self._function, fields.get("aws_calls", {}))
