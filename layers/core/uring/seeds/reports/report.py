"""The figures of every partition, and their increase since the previous report: pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from uring.clock import Timestamp, timestamp
from uring.seeds.progress import Status

Kind = Literal["daily", "weekly"]
FOLDER: Final = "processing/reports/"
_MONDAY: Final = 0
_MOST_MISSED: Final = 7


class PartitionReport(BaseModel):
    """One partition.

    Attributes:
        files: by status.
        records: the figures of its files: records, domains, duplicates, refused.
        counts: sums over its domains.
        since: the increase of ``counts`` since the previous report; of a new collection all.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    partition: str
    epoch: str
    started_at: str
    files: dict[str, int] = Field(default_factory=dict)
    records: dict[str, int] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    since: dict[str, int] = Field(default_factory=dict)


class SeedReport(BaseModel):
    """A report of a day or a week.

    Attributes:
        day: its last day, in UTC.
        before: the day of the previous report; empty for the first.
        totals: ``counts`` of all partitions.
        since: the increase of all partitions since the previous report.
        partitions: the changed ones, by name.
        known: ``counts`` of every partition, for the next report.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Kind
    day: str
    made_at: Timestamp
    before: str = ""
    totals: dict[str, int] = Field(default_factory=dict)
    since: dict[str, int] = Field(default_factory=dict)
    partitions: tuple[PartitionReport, ...] = ()
    known: dict[str, tuple[str, dict[str, int]]] = Field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of the report, without an extension."""
        return report_key(self.kind, date.fromisoformat(self.day))

    @classmethod
    def of(
        cls,
        kind: Kind,
        day: date,
        statuses: Iterable[Status],
        before: Self | None,
        now: datetime,
    ) -> Self:
        """Return the report of these statuses, compared with the previous one."""
        known = before.known if before else {}
        partitions = [_partition(status, known) for status in statuses]
        return cls(
            kind=kind,
            day=day.isoformat(),
            made_at=timestamp(now),
            before=before.day if before else "",
            totals=_sum(each.counts for each in partitions),
            since=_sum(each.since for each in partitions),
            partitions=tuple(each for each in partitions if each.since),
            known={each.partition: (each.epoch, each.counts) for each in partitions},
        )


def report_key(kind: Kind, day: date) -> str:
    """Return the key, ``processing/reports/daily/2026-01-28`` or ``…/weekly/2026-W05``."""
    year, week, _ = day.isocalendar()
    name = day.isoformat() if kind == "daily" else f"{year}-W{week:02}"
    return f"{FOLDER}{kind}/{name}"


def due(today: date) -> list[tuple[Kind, date]]:
    """Return the reports due on a day: yesterday's, and on Mondays the week's."""
    yesterday = today - timedelta(days=1)
    reports: list[tuple[Kind, date]] = [("daily", yesterday)]
    if today.weekday() == _MONDAY:
        reports.append(("weekly", yesterday))
    return reports


def days_before(kind: Kind, day: date) -> list[date]:
    """Return the days of earlier reports, newest first: a tick may have been missed."""
    step = timedelta(days=1 if kind == "daily" else 7)
    return [day - number * step for number in range(1, _MOST_MISSED + 1)]


def success_ratio(counts: Mapping[str, int]) -> float | None:
    """Return the share of the domains that answered; None if none has an outcome."""
    settled = counts.get("collected", 0) + counts.get("unreachable", 0)
    return counts.get("collected", 0) / settled if settled else None


def mean_milliseconds(counts: Mapping[str, int]) -> float | None:
    """Return the mean time of a domain; None if none has an outcome."""
    settled = counts.get("collected", 0) + counts.get("unreachable", 0)
    return counts.get("milliseconds", 0) / settled if settled else None


def _partition(status: Status, known: Mapping[str, tuple[str, dict[str, int]]]) -> PartitionReport:
    epoch, before = known.get(status.partition, ("", {}))
    if epoch != status.started.epoch:
        before = {}
    since = {
        name: amount - before.get(name, 0)
        for name, amount in status.counts.items()
        if amount != before.get(name, 0)
    }
    return PartitionReport(
        partition=status.partition,
        epoch=status.started.epoch,
        started_at=status.started.started_at,
        files=dict(status.files),
        records=dict(status.records),
        counts=dict(status.counts),
        since=since,
    )


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))
