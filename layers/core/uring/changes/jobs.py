"""A tick: one job for each source that is due."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from uring.contracts import Job
from uring.errors import Unavailable
from uring.runtime.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class Planned:
    """A source that is checked every ``interval_minutes``; ``entry`` travels in its jobs."""

    source: str
    interval_minutes: int
    entry: Mapping[str, Any] = field(default_factory=dict)


class WorkQueue(Protocol):
    """The queue of one family's jobs."""

    def dispatch(self, jobs: Sequence[Job]) -> int:
        """Enqueue each job; return the number of refused jobs.

        A job sent again within five minutes is accepted and not delivered again.
        """
        ...


def is_due(interval_minutes: int, scheduled_at: datetime, tick_minutes: int) -> bool:
    """Return whether the tick of this time starts a new interval, counted from 1970."""
    return int(scheduled_at.timestamp()) // 60 % interval_minutes < tick_minutes


Hinting = Callable[[], Mapping[str, dict[str, Any]]]
"""Returns each source's hint, see `uring.changes.hinting`."""


class Orchestrator:
    """Turns a tick into jobs.

    Args:
        family: of the jobs.
        plan: returns the sources; called at each tick.
        tick_minutes: the schedule's period; intervals are multiples of it.
        hints: returns each source's hint; None for a family without hints.
    """

    def __init__(
        self,
        family: str,
        plan: Callable[[], Sequence[Planned]],
        queue: WorkQueue,
        telemetry: Telemetry,
        *,
        tick_minutes: int,
        hints: Hinting | None = None,
    ) -> None:
        self._family = family
        self._plan = plan
        self._queue = queue
        self._telemetry = telemetry
        self._tick_minutes = tick_minutes
        self._hints = hints

    def tick(self, scheduled_at: datetime) -> int:
        """Dispatch the jobs of the tick scheduled for this time; return their number.

        A repeated tick makes the same jobs, and the queue drops the duplicates.

        Raises:
            Misconfigured: the plan's configuration is missing.
            ConfigInvalid: the plan's configuration is unreadable.
            Unavailable: some jobs were refused; the schedule's retry sends the tick again.
        """
        due = [
            planned
            for planned in self._plan()
            if is_due(planned.interval_minutes, scheduled_at, self._tick_minutes)
        ]
        hints = self._current_hints() if due else {}
        jobs = [
            Job(
                family=self._family,
                source=planned.source,
                scheduled_at=scheduled_at,
                interval_minutes=planned.interval_minutes,
                entry=dict(planned.entry),
                hint=hints.get(planned.source),
            )
            for planned in due
        ]
        # Short intervals are more urgent. Within one interval the order changes from tick to tick:
        # no source is always the last, and no site is asked at the same second of every tick.
        jobs.sort(
            key=lambda job: (job.interval_minutes, hashlib.sha256(job.job_id.encode()).digest())
        )
        refused = self._queue.dispatch(jobs)
        hinted = (
            {} if self._hints is None else {"hinted": sum(job.hint is not None for job in jobs)}
        )
        self._telemetry.event("dispatched", family=self._family, jobs=len(jobs) - refused, **hinted)
        if refused:
            raise Unavailable(f"the work queue refused {refused} of {len(jobs)} jobs")
        return len(jobs)

    def _current_hints(self) -> Mapping[str, dict[str, Any]]:
        """Return the hints by source; empty after any error, so that the jobs are still sent."""
        if self._hints is None:
            return {}
        try:
            return self._hints()
        except Exception as error:  # noqa: BLE001 - whatever it is, a state can be read instead
            self._telemetry.warning(
                "no_hints",
                family=self._family,
                error=type(error).__name__,
                reason=str(error),
                remedy="nothing to do: this tick's checks read their states",
            )
            return {}
