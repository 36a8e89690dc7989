"""A tick: one job for each source that is due."""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

from uring.contracts import Job
from uring.errors import Unavailable
from uring.runtime.telemetry import Telemetry

# Off the full hour, when everybody else's schedules run.
_CALM: Final = 5


class Cadence(Protocol):
    """A source's intervals, where they change with the time; times are aware."""

    def __call__(self, at: datetime) -> int:
        """Return the minutes between two checks at a time."""
        ...

    def turn(self, at: datetime, shift: int) -> Hashable:
        """Return the interval that a time lies in, in any form; another one is not equal.

        Args:
            at: the time.
            shift: any number; it gives a source its own minute of the interval.
        """
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """A source to check.

    Attributes:
        source: its name.
        interval_minutes: between two checks, without a rhythm.
        entry: travels in its jobs.
        rhythm: its intervals by time; None for one at all times.
    """

    source: str
    interval_minutes: int
    entry: Mapping[str, Any] = field(default_factory=dict)
    rhythm: Cadence | None = None

    def due(self, scheduled_at: datetime, minutes: int) -> int | None:
        """Return the minutes until its next check if it is due at this tick, else None.

        Args:
            scheduled_at: of the tick.
            minutes: since the tick before.

        With a rhythm each source has its own minute of the interval, so ten thousand are not due
        at once.
        """
        if self.rhythm is None:
            interval = self.interval_minutes
            return interval if is_due(interval, scheduled_at, minutes) else None
        shift = int.from_bytes(hashlib.sha256(self.source.encode()).digest()[:8], "big")
        before = self.rhythm.turn(scheduled_at - timedelta(minutes=minutes), shift)
        if self.rhythm.turn(scheduled_at, shift) == before:
            return None
        return max(self.rhythm(scheduled_at), minutes)


class WorkQueue(Protocol):
    """The queue of one family's jobs."""

    def dispatch(self, jobs: Sequence[Job]) -> int:
        """Enqueue each job; return the number of refused jobs.

        A job sent again within five minutes is accepted and not delivered again.
        """
        ...


@dataclass(frozen=True, slots=True)
class Ticks:
    """The schedule of an orchestrator.

    Attributes:
        minutes: between two ticks.
        busy_hours: hours of a day, UTC, with a tick in each odd minute; the others are at minutes
            5, 15, 25 …
    """

    minutes: int
    busy_hours: frozenset[int] = frozenset()

    def since(self, at: datetime) -> int:
        """Return the minutes between a tick and the one before it."""
        if not self.busy_hours:
            return self.minutes
        begin = at.astimezone(UTC).replace(second=0, microsecond=0)
        back = range(1, self.minutes)
        return next((n for n in back if self._has(begin - timedelta(minutes=n))), self.minutes)

    def _has(self, at: datetime) -> bool:
        return at.minute % 2 == 1 if at.hour in self.busy_hours else at.minute % 10 == _CALM


def is_due(interval_minutes: int, scheduled_at: datetime, tick_minutes: int) -> bool:
    """Return whether the tick of this time starts a new interval, counted from 1970."""
    return int(scheduled_at.timestamp()) // 60 % interval_minutes < tick_minutes


Hinting = Callable[[], Mapping[str, dict[str, Any]]]
"""Returns each source's hint, see `uring.changes.hinting`."""


def _in_order(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs of a tick as they are sent.

    Short intervals are more urgent. Then sources of one slowness stand together, because a batch
    takes as long as its slowest site; the others are spread among them. Both orders change from
    tick to tick: no source is always the last, and no site is asked at the same second of every
    tick.
    """
    kinds = [kind for job in jobs if (kind := _slowness(job)) is not None] or [0]

    def place(job: Job) -> tuple[int, bytes, bytes]:
        own, kind = _digest(job.job_id), _slowness(job)
        if kind is None:
            kind = kinds[int.from_bytes(own[:8], "big") % len(kinds)]
        return job.interval_minutes, _digest(f"{job.scheduled_at.isoformat()} {kind}"), own

    return sorted(jobs, key=place)


def _slowness(job: Job) -> Any:
    return (job.hint or {}).get("slowness")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


class Orchestrator:
    """Turns a tick into jobs.

    Args:
        family: of the jobs.
        plan: returns the sources; called at each tick.
        ticks: the schedule; intervals without a rhythm are multiples of its minutes.
        hints: returns each source's hint; None for a family without hints.
    """

    def __init__(
        self,
        family: str,
        plan: Callable[[], Sequence[Planned]],
        queue: WorkQueue,
        telemetry: Telemetry,
        *,
        ticks: Ticks,
        hints: Hinting | None = None,
    ) -> None:
        self._family = family
        self._plan = plan
        self._queue = queue
        self._telemetry = telemetry
        self._ticks = ticks
        self._hints = hints

    def tick(self, scheduled_at: datetime) -> int:
        """Dispatch the jobs of the tick scheduled for this time; return their number.

        A repeated tick makes the same jobs, and the queue drops the duplicates.

        Raises:
            Misconfigured: the plan's configuration is missing.
            ConfigInvalid: the plan's configuration is unreadable.
            Unavailable: some jobs were refused; the schedule's retry sends the tick again.
        """
        minutes = self._ticks.since(scheduled_at)
        intervals = [(planned, planned.due(scheduled_at, minutes)) for planned in self._plan()]
        due = [(planned, interval) for planned, interval in intervals if interval is not None]
        hints = self._current_hints() if due else {}
        jobs = [
            Job(
                family=self._family,
                source=planned.source,
                scheduled_at=scheduled_at,
                interval_minutes=interval,
                entry=dict(planned.entry),
                hint=hints.get(planned.source),
            )
            for planned, interval in due
        ]
        jobs = _in_order(jobs)
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
