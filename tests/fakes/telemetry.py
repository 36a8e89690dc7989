"""Telemetry that remembers."""

import logging
import threading
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

# A field of these names makes Python's logging raise, and the line's own keys would be overwritten.
RESERVED = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "level",
    "location",
    "timestamp",
    "service",
}


class RecordingTelemetry:
    """Implements `Telemetry`; refuses field names that the real one cannot log.

    Details are events too; their fields are in ``details`` as well.
    """

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.details: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.warnings: list[tuple[str, dict[str, Any]]] = []
        self.problems: list[tuple[str, dict[str, Any]]] = []
        self.counts: Counter[str] = Counter()
        self.flushed: list[dict[str, Any]] = []
        self.metrics: list[Collection[str] | None] = []
        self._lock = threading.Lock()

    def begin(self, request_id: str) -> None:
        self.requests.append(request_id)

    def detail(self, name: str, /, **fields: Any) -> None:
        self._note(self.events, name, fields)
        self.details.append(fields)

    def event(self, name: str, /, **fields: Any) -> None:
        self._note(self.events, name, fields)

    def warning(self, name: str, /, **fields: Any) -> None:
        self._note(self.warnings, name, fields)

    def problem(self, name: str, /, **fields: Any) -> None:
        self._note(self.problems, name, fields)

    def count(self, metric: str, value: int = 1) -> None:
        with self._lock:
            self.counts[metric] += value

    def flush(self, fields: Mapping[str, Any], metrics: Collection[str] | None = None) -> None:
        self.flushed.append(dict(fields))
        self.metrics.append(metrics)

    def named(self, name: str) -> list[dict[str, Any]]:
        """The fields of all events, warnings and problems of this name."""
        return [
            fields
            for seen, fields in [*self.events, *self.warnings, *self.problems]
            if seen == name
        ]

    def _note(
        self, lines: list[tuple[str, dict[str, Any]]], name: str, fields: dict[str, Any]
    ) -> None:
        clash = RESERVED & fields.keys()
        assert not clash, f"{name}: reserved field names {sorted(clash)}"
        with self._lock:
            lines.append((name, fields))
