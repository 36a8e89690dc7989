"""Counters of each partition, kept beside the work and read without a scan (S9, S13).

A table of items, `uring.tables`, one partition of it for each dataset partition:

    partitions          sg/news/2026-01-28         epoch, started_at, number of listed files
    sg/news/2026-01-28  file:{epoch}:{number}      outcome of a raw file: its checkpoint's figures
    sg/news/2026-01-28  domain:{domain}            outcome of a domain, as counted
    sg/news/2026-01-28  count:{epoch}:{shard}      sums over the domains
    sent                2026-11-26                 domains that were sent on a day (UTC), all files

Domains are counted by `uring.seeds.counters`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final, Literal

from uring.clock import timestamp
from uring.errors import WriteConflict
from uring.seeds.counters import DomainCount, DomainCounters, numbers
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Add, Item, Table, Write

FIRST: Final = "first"
"""The epoch of a partition that was never forced."""

MOST_AT_ONCE: Final = 25
"""Domains of one count: a transaction waits for every other one that shares an item."""

_PARTITIONS: Final = "partitions"
_SENT: Final = "sent"
_MOST_TRIES: Final = 5

Outcome = Literal["collected", "unreachable", "duplicates"]


@dataclass(frozen=True, slots=True)
class Started:
    """The collection of a partition.

    Attributes:
        epoch: names the collection; a forced one has a new name.
        started_at: the time of the last request for it.
        files: the number of raw files listed then.
    """

    epoch: str
    started_at: str
    files: int


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a partition's collection.

    Attributes:
        started: the collection.
        files: the number of files by status: reading, done, partial, held, failed.
        records: the figures of all files: records, domains, duplicates, refused.
        counts: sums over the domains: collected, unreachable, duplicates and others.
    """

    partition: str
    started: Started
    files: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def sent(self) -> int:
        """The number of domain messages sent."""
        return self.records.get("domains", 0)

    @property
    def settled(self) -> int:
        """The number of domain messages with a known outcome."""
        return sum(self.counts.get(name, 0) for name in ("collected", "unreachable", "duplicates"))


class Progress:
    """The counters; safe to share between threads."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._counters = DomainCounters(table, self.is_current)

    def start(self, partition: Partition, epoch: str | None, files: int, now: datetime) -> str:
        """Store a collection before any of its messages is sent; return its epoch.

        Args:
            partition: the partition to collect.
            epoch: of a forced collection; None continues the partition's own.
            files: the number of raw files.
            now: aware UTC.

        Raises:
            WriteConflict: concurrent writers won every try.
        """
        for _ in range(_MOST_TRIES):
            stored = self._table.get(_PARTITIONS, partition.name)
            name = epoch or (_started(stored).epoch if stored else FIRST)
            item: Item = {"epoch": name, "started_at": timestamp(now), "files": files}
            # A forced collection that began meanwhile is not overwritten: its epoch would be lost.
            if self._table.transact(_PARTITIONS, [Write(partition.name, item, stored or NOTHING)]):
                return name
        raise WriteConflict(
            f"{partition.name}: other writes came first in every try; it is tried again"
        )

    def take(self, day: date, domains: int, most: int) -> bool:
        """Add to the domains sent on a day if their sum stays within ``most``; return whether.

        Taken before they are sent: a crash in between leaves them on the day's sum.
        """
        part = Add(day.isoformat(), {"domains": domains}, {"domains": most - domains})
        return self._table.transact(_SENT, [part])

    def is_current(self, partition: Partition, epoch: str) -> bool:
        """Return True if this epoch is that of the partition's newest collection."""
        started = self.started(partition)
        return started is not None and started.epoch == epoch

    def started(self, partition: Partition) -> Started | None:
        """Return the collection of a partition; None if it was never collected."""
        item = self._table.get(_PARTITIONS, partition.name)
        return None if item is None else _started(item)

    def partitions(self, prefix: str = "") -> Iterator[tuple[Partition, Started]]:
        """Yield every partition whose name has this prefix, with its collection."""
        for key, item in self._table.query(_PARTITIONS, prefix):
            partition = Partition.named(key)
            if partition is not None:
                yield partition, _started(item)

    def file(
        self, partition: Partition, epoch: str, number: int, figures: Item, now: datetime
    ) -> None:
        """Store the figures of a raw file.

        Args:
            partition: the partition of the file.
            epoch: the epoch of the message.
            number: the number of the file.
            figures: of its checkpoint, `uring.seeds.files.checkpoint.Checkpoint.figures`.
            now: the time of the figures; figures older than the stored ones are ignored.

        Raises:
            WriteConflict: concurrent writers won every try.
        """
        self._note(partition, _file(epoch, number), {**figures, "at": timestamp(now)})

    def file_failed(
        self, partition: Partition, epoch: str, number: int, reason: str, now: datetime
    ) -> None:
        """Store that a raw file failed, at its start or later: its sent messages still count."""
        key = _file(epoch, number)
        sent = self._table.get(partition.name, key) or NOTHING
        failed: Item = {"status": "failed", "reason": reason[:500], "at": timestamp(now)}
        self._note(partition, key, {**sent, **failed})

    def domains(
        self, partition: Partition, epoch: str, domains: Sequence[DomainCount]
    ) -> Sequence[str]:
        """Count domains, each once in an epoch; an earlier count of a domain is taken back.

        It counts for its first message; any other of the same epoch is a duplicate.

        Args:
            partition: the partition of the messages.
            epoch: the epoch of the messages.
            domains: each with its registrable domain as the key, at most `MOST_AT_ONCE`.

        Returns:
            The names of the messages that they count for.

        Raises:
            WriteConflict: concurrent writers won every try.
        """
        items = [replace(domain, key=f"domain:{domain.key}") for domain in domains]
        return self._counters.count_all(partition, epoch, items)

    def duplicate(
        self, partition: Partition, epoch: str, domain_id: str, domain_hash: str, file_path: str
    ) -> None:
        """Count a message whose domain had another message before, once."""
        key = f"duplicate:{domain_id}:{file_path.rpartition('/')[2]}"
        self._counters.count(partition, epoch, DomainCount(key, domain_hash, {"duplicates": 1}))

    def status(self, partition: Partition) -> Status | None:
        """Return the progress of a partition's collection; None if it was never collected."""
        started = self.started(partition)
        if started is None:
            return None
        files: Counter[str] = Counter()
        records: Counter[str] = Counter()
        for _, item in self._table.query(partition.name, f"file:{started.epoch}:"):
            files[str(item.get("status"))] += 1
            records.update(numbers(item))
        counts: Counter[str] = Counter()
        for _, item in self._table.query(partition.name, f"count:{started.epoch}:"):
            counts.update(numbers(item))
        return Status(partition.name, started, dict(files), dict(records), dict(counts))

    def _note(self, partition: Partition, key: str, item: Item) -> None:
        """Write a file's item, unless a newer one is stored."""
        for _ in range(_MOST_TRIES):
            stored = self._table.get(partition.name, key)
            if stored is not None and str(stored.get("at", "")) > str(item["at"]):
                return
            if self._table.transact(partition.name, [Write(key, item, stored or NOTHING)]):
                return
        raise WriteConflict(
            f"{partition.name}: {key}: other writes came first in every try; it is tried again"
        )


def _file(epoch: str, number: int) -> str:
    return f"file:{epoch}:{number:06}"


def _started(item: Item) -> Started:
    files = item.get("files")
    return Started(
        str(item.get("epoch", FIRST)),
        str(item.get("started_at", "")),
        files if isinstance(files, int) else 0,
    )
