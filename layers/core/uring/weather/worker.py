"""The weather worker's batch: one run a record, and the lines and counters of each."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from uring.contracts import CollectWeather
from uring.errors import Permanent, Retryable
from uring.runtime.batches import BatchRunner, Deferred, Record, Returns
from uring.runtime.telemetry import Telemetry
from uring.weather.collect import Run, WeatherCollector
from uring.weather.gateway.retry import RATE_LIMIT

SECONDS_PER_RUN: Final = RATE_LIMIT.longest_run_seconds + 10
"""Of one record: the calls, and the commit behind them."""

# Three tries within the interval.
_SECONDS_OF_A_MINUTE: Final = 20


class WeatherWorker:
    """Handles batches of the weather queue."""

    def __init__(self, collector: WeatherCollector, returns: Returns, telemetry: Telemetry) -> None:
        self._collector = collector
        self._telemetry = telemetry
        # One product after the other: the gateway fails under parallel requests.
        self._batch = BatchRunner(self._collect, returns, telemetry, workers=1)

    def run(self, event: Mapping[str, Any], *, time_left: Callable[[], float]) -> dict[str, Any]:
        """The partial batch response for a Lambda SQS event of `CollectWeather` jobs."""
        return self._batch.run(event, time_left=time_left, needs=SECONDS_PER_RUN)

    def _collect(self, record: Record) -> None:
        job = CollectWeather.parse(record.body)
        try:
            run = self._collector.collect(job)
        except Permanent:
            raise
        except Exception as error:
            # The queue's own time-out is longer than the interval: the job would come back too old.
            self._telemetry.problem(
                "run_failed",
                product=job.product,
                error=type(error).__name__,
                reason=str(error),
                trace=not isinstance(error, Retryable),
            )
            self._telemetry.count("RunsFailed")
            seconds = job.interval_minutes * _SECONDS_OF_A_MINUTE
            raise Deferred(str(error), seconds=seconds) from error
        if run.outcome == "dropped":
            self._telemetry.warning(
                "run_skipped",
                product=run.product,
                scheduled_at=job.scheduled_at.isoformat(),
                reason="older than its interval: the run before it took that long, or this one was "
                "refused; the next is due",
            )
        self._report(run)

    def _report(self, run: Run) -> None:
        telemetry = self._telemetry
        alike: dict[str, list[str]] = {}
        for icao, reason in run.failed.items():
            alike.setdefault(reason, []).append(icao)
        for reason, airports in alike.items():
            telemetry.warning(
                "airports_failed", product=run.product, airports=airports, reason=reason
            )
        for icao in run.older:
            reason = f"{icao}: older than what is stored, which stays"
            telemetry.warning("report_older", product=run.product, icao=icao, reason=reason)
        for note in run.notes:
            telemetry.warning("odd_answer", product=run.product, reason=note)
        for line in run.differences:
            telemetry.event("changed", product=run.product, difference=line)
        telemetry.event(
            "checked",
            product=run.product,
            outcome=run.outcome,
            failed=len(run.failed),
            older=len(run.older),
            pushes=run.told,
            http_requests=run.requests,
        )
        telemetry.count("Runs")
        telemetry.count("RunsFailed", int(len(run.failed) > run.answered))
        telemetry.count("RunsSkipped", int(run.outcome == "dropped"))
        telemetry.count("AirportsFailed", len(run.failed))
