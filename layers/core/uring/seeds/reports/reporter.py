"""Makes the due reports: first the JSON, which decides, then its Markdown.

A tick that is delivered twice finds the JSON and writes its Markdown again: both have the same
figures, wherever a crash happens.
"""

from datetime import date, datetime, timedelta
from typing import Final

from pydantic import ValidationError

from uring.changes.retry import Backoff, rewrite
from uring.clock import parse_timestamp
from uring.errors import CorruptState
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.progress import Progress, Status
from uring.seeds.reports.markdown import markdown
from uring.seeds.reports.report import Kind, SeedReport, days_before, due, report_key

_JSON: Final = "application/json"
# Older collections no longer change.
_RECENT: Final = timedelta(days=35)


class SeedReporter:
    """Makes and reads the reports of one bucket."""

    def __init__(
        self, bucket: Bucket, progress: Progress, telemetry: Telemetry, *, backoff: Backoff
    ) -> None:
        self._bucket = bucket
        self._progress = progress
        self._telemetry = telemetry
        self._backoff = backoff

    def make_due(self, now: datetime) -> list[SeedReport]:
        """Make the reports due on this day; none if no recent collection exists.

        Raises:
            CorruptState: a stored report is malformed.
            Retryable: the same tick makes the missing reports.
        """
        statuses = self.statuses(now)
        if not statuses:
            return []
        return [self._make(kind, day, statuses, now) for kind, day in due(now.date())]

    def statuses(self, now: datetime) -> list[Status]:
        """Return the statuses of the recently requested partitions, by name."""
        statuses = (
            self._progress.status(partition)
            for partition, started in self._progress.partitions()
            if now - parse_timestamp(started.started_at) < _RECENT
        )
        return [status for status in statuses if status is not None]

    def read(self, kind: Kind, day: date) -> SeedReport | None:
        """Return the stored report of a day, or of its week; None without one.

        Raises:
            CorruptState: the stored report is malformed.
        """
        key = f"{report_key(kind, day)}.json"
        stored = self._bucket.get(key)
        if stored is None:
            return None
        try:
            return SeedReport.model_validate_json(stored.body)
        except ValidationError as error:
            raise CorruptState(
                f"{key}: not a report; delete it, the next run makes it again"
            ) from error

    def _make(self, kind: Kind, day: date, statuses: list[Status], now: datetime) -> SeedReport:
        earlier = (self.read(kind, before) for before in days_before(kind, day))
        before = next((report for report in earlier if report is not None), None)
        report = SeedReport.of(kind, day, statuses, before, now)
        body = report.model_dump_json(indent=2).encode()
        rewrite(
            self._bucket,
            f"{report.key}.json",
            lambda there: body if there is None else None,
            backoff=self._backoff,
            content_type=_JSON,
            likely_absent=True,
        )
        stored = self.read(kind, day) or report
        text = markdown(stored).encode()
        self._bucket.write(f"{stored.key}.md", text, "text/markdown; charset=utf-8")
        self._telemetry.event(
            "report_made",
            kind=kind,
            day=stored.day,
            collected=stored.since.get("collected", 0),
            unreachable=stored.since.get("unreachable", 0),
        )
        return stored
