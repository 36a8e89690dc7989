"""A tick: read the sitemap, send one job per department that is due (N1 to N3)."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from uring.changes.ports import Stored
from uring.contracts import CollectNotices
from uring.errors import Misconfigured, Unavailable
from uring.notices.config import Sitemap, Source, load_sitemap
from uring.runtime.telemetry import Telemetry


class Reads(Protocol):
    """The object store, as far as a tick needs it."""

    def get(self, key: str) -> Stored | None:
        """See `uring.changes.ports.ObjectStore.get`."""
        ...


def read_sitemap(objects: Reads, key: str) -> Sitemap:
    """The sitemap in the bucket.

    Raises:
        Misconfigured: there is none.
        ConfigInvalid: it as a whole is unreadable.
    """
    stored = objects.get(key)
    if stored is None:
        raise Misconfigured(
            f"{key} is not in the bucket; upload the sitemap there: "
            "`uring config upload FILE --stack NAME`"
        )
    return load_sitemap(stored.body)


class Dispatches(Protocol):
    """The work queue."""

    def dispatch(self, jobs: Sequence[CollectNotices]) -> int:
        """Enqueue each job; how many were refused.

        A job sent again within five minutes is accepted and not delivered again.
        """
        ...


class NoticeOrchestrator:
    """Turns a tick into jobs.

    Args:
        config_key: the sitemap's key, ``config/sitemap.json``.
        tick_minutes: the schedule's period; longer intervals are multiples of it.
    """

    def __init__(
        self,
        objects: Reads,
        queue: Dispatches,
        telemetry: Telemetry,
        *,
        config_key: str,
        tick_minutes: int,
    ) -> None:
        self._objects = objects
        self._queue = queue
        self._telemetry = telemetry
        self._config_key = config_key
        self._tick_minutes = tick_minutes

    def tick(self, scheduled_at: datetime) -> int:
        """Dispatch the jobs of the tick scheduled for this time; how many.

        A bad entry is reported and skipped (N3). The same tick again makes the same jobs, which
        the queue recognises.

        Raises:
            Misconfigured: there is no sitemap.
            ConfigInvalid: the sitemap as a whole is unreadable.
            Unavailable: some jobs were refused; the schedule's retry sends the tick again.
        """
        sitemap = read_sitemap(self._objects, self._config_key)
        for problem in sitemap.problems:
            self._telemetry.problem(
                "entry_refused", path=problem.path, reason=problem.message, remedy=problem.remedy
            )
        self._telemetry.count("EntriesRefused", len(sitemap.problems))
        jobs = [
            CollectNotices(
                scheduled_at=scheduled_at, source=source.model_dump(mode="json", exclude_unset=True)
            )
            for source in sitemap.sources
            if self._due(source, scheduled_at)
        ]
        # No site is asked at the same second of every tick, none is always the last.
        jobs.sort(key=lambda job: hashlib.sha256(job.job_id.encode()).digest())
        refused = self._queue.dispatch(jobs)
        self._telemetry.event(
            "dispatched", jobs=len(jobs) - refused, entries_refused=len(sitemap.problems)
        )
        if refused:
            raise Unavailable(f"the work queue refused {refused} of {len(jobs)} jobs")
        return len(jobs)

    def _due(self, source: Source, scheduled_at: datetime) -> bool:
        """True on the ticks that start a new interval, counted from 1970."""
        minute = int(scheduled_at.timestamp()) // 60
        into_interval: int = minute % source.interval_minutes
        return into_interval < self._tick_minutes
