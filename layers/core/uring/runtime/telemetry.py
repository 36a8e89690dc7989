"""The operators' view: one JSON line per event, counters in the embedded metric format.

Line names are stable words (``checked``, ``changed``, ``published``, ``pushed``, …); N13 requires
their fields. Lines cost money: counters share the one line of an invocation, ``invoked``, and lines
about unchanged things are written at level DEBUG only. The counters of alarms and dashboards are
metrics too; each is billed, so the template names them by function. Their one dimension is the
service: a metric per source would cost more than the source.
"""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit


class Telemetry(Protocol):
    """A sink of events and counters."""

    def begin(self, request_id: str) -> None:
        """Begin an invocation: later warnings and problems have its request id."""
        ...

    def detail(self, name: str, /, **fields: Any) -> None:
        """Write a line at level DEBUG."""
        ...

    def event(self, name: str, /, **fields: Any) -> None:
        """Write a line about an event, for people and machines."""
        ...

    def warning(self, name: str, /, **fields: Any) -> None:
        """Write a line about trouble that passes by itself."""
        ...

    def problem(self, name: str, /, **fields: Any) -> None:
        """Write a line about trouble for a person to look at; ``trace=True`` adds the traceback."""
        ...

    def count(self, metric: str, value: int = 1) -> None:
        """Add to a counter of this invocation."""
        ...

    def flush(self, fields: Mapping[str, Any], metrics: Collection[str] | None = None) -> None:
        """End an invocation: write one line with ``fields``, the request and the counters.

        The counters in ``metrics`` are metrics too; None means all.
        """
        ...


Named = Callable[[str, str], Mapping[str, str]]
"""Returns the fields that lines of a source have beside ``family`` and ``source``.

`uring.functions.families.named` is the real one.
"""


class LambdaTelemetry:
    """Powertools' logger and metrics; safe to use from the threads of one invocation."""

    def __init__(self) -> None:
        # Powertools would report this module as the location of every event.
        self._logger = Logger(location=None)
        self._metrics = Metrics()
        self._counts: Counter[str] = Counter()
        self._request: dict[str, str] = {}
        self._lock = threading.Lock()

    def begin(self, request_id: str) -> None:
        """See `Telemetry.begin`."""
        # A process runs one invocation at a time.
        self._request = {"request_id": request_id} if request_id else {}

    def detail(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.detail`."""
        self._logger.debug(name, extra=fields)

    def event(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.event`."""
        self._logger.info(name, extra=fields)

    def warning(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.warning`."""
        self._logger.warning(name, extra=fields | self._request)

    def problem(self, name: str, /, **fields: Any) -> None:
        """See `Telemetry.problem`."""
        trace = bool(fields.pop("trace", False))
        self._logger.error(name, extra=fields | self._request, exc_info=trace)

    def count(self, metric: str, value: int = 1) -> None:
        """See `Telemetry.count`."""
        with self._lock:
            self._counts[metric] += value

    def flush(self, fields: Mapping[str, Any], metrics: Collection[str] | None = None) -> None:
        """See `Telemetry.flush`."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        kept = [name for name in counts if metrics is None or name in metrics]
        for name in kept:
            self._metrics.add_metric(name=name, unit=MetricUnit.Count, value=counts[name])
        written: Mapping[str, Any] = self._metrics.serialize_metric_set() if kept else {}
        self._metrics.clear_metrics()
        self._logger.info("invoked", extra={**fields, **self._request, **counts, **written})
