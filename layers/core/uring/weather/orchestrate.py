"""A tick: one job for each product that is due (W1)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from uring.contracts import CollectWeather
from uring.errors import Unavailable
from uring.runtime.telemetry import Telemetry
from uring.weather.product import Product


class Dispatches(Protocol):
    """The work queue."""

    def dispatch(self, jobs: Sequence[CollectWeather]) -> int:
        """Enqueue each job; how many were refused.

        A job sent again within five minutes is accepted and not delivered again.
        """
        ...


class WeatherOrchestrator:
    """Turns a tick into jobs.

    Args:
        intervals: minutes between two runs of a product, in the order in which they are sent:
            what is urgent first.
        tick_minutes: the schedule's period; the intervals are multiples of it.
    """

    def __init__(
        self,
        queue: Dispatches,
        telemetry: Telemetry,
        *,
        intervals: Mapping[Product, int],
        tick_minutes: int,
    ) -> None:
        self._queue = queue
        self._telemetry = telemetry
        self._intervals = intervals
        self._tick_minutes = tick_minutes

    def tick(self, scheduled_at: datetime) -> int:
        """Dispatch the jobs of the tick scheduled for this time; how many.

        Raises:
            Unavailable: some jobs were refused; the schedule's retry sends the tick again.
        """
        minute = int(scheduled_at.timestamp()) // 60
        jobs = [
            CollectWeather(scheduled_at=scheduled_at, product=product, interval_minutes=interval)
            for product, interval in self._intervals.items()
            if minute % interval < self._tick_minutes
        ]
        refused = self._queue.dispatch(jobs)
        self._telemetry.event("dispatched", jobs=len(jobs) - refused)
        if refused:
            raise Unavailable(f"the work queue refused {refused} of {len(jobs)} jobs")
        return len(jobs)
