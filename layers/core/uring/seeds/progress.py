"""Counters of each partition, kept beside the work and read without a scan (S9, S13).

A table of items, `uring.tables`, one partition of it for each dataset partition:

    partitions          sg/news/2026-01-28         epoch, started_at, files that were listed
    sg/news/2026-01-28  file:{epoch}:{number}      what a raw file came to: the checkpoint's figures
    sg/news/2026-01-28  domain:{domain}            what it was counted as
    sg/news/2026-01-28  count:{epoch}:{shard}      sums over the domains

Domains are counted by `uring.seeds.counters`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol

from uring.clock import timestamp
from uring.errors import WriteConflict
from uring.seeds.counters import DomainCounters, numbers
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Item, Table, Write

FIRST: Final = "first"
"""The epoch of a partition that was never forced."""

_PARTITIONS: Final = "partitions"
_MOST_TRIES: Final = 5

Outcome = Literal["collected", "unreachable", "duplicates"]


class FileFigures(Protocol):
    """The figures of a raw file; `uring.seeds.files.checkpoint` has the real ones."""

    @property
    def status(self) -> str:
        """``reading``, ``done`` or ``partial``."""
        ...

    @property
    def index(self) -> int:
        """Records so far."""
        ...

    @property
    def domains(self) -> int:
        """Messages sent."""
        ...

    @property
    def duplicates(self) -> int:
        """Records of a domain that the file had before."""
        ...

    @property
    def refused(self) -> int:
        """Records that cannot be used."""
        ...


@dataclass(frozen=True, slots=True)
class Started:
    """The collection of a partition.

    Attributes:
        epoch: names it; a forced one has another.
        started_at: when it was last asked for.
        files: how many raw files were listed then.
    """

    epoch: str
    started_at: str
    files: int


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a partition's collection.

    Attributes:
        started: see there.
        files: by status: reading, done, partial, failed.
        records: of all files, by what became of them: records, domains, duplicates, refused.
        counts: sums over the domains: collected, unreachable, duplicates, and further ones.
    """

    partition: str
    started: Started
    files: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def sent(self) -> int:
        """Domain messages that were sent."""
        return self.records.get("domains", 0)

    @property
    def settled(self) -> int:
        """Domain messages of which it is known what they came to."""
        return sum(self.counts.get(name, 0) for name in ("collected", "unreachable", "duplicates"))


class Progress:
    """The counters; safe to share between threads."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._counters = DomainCounters(table, self.is_current)

    def start(self, partition: Partition, epoch: str | None, files: int, now: datetime) -> str:
        """Note a collection before any of its messages is sent; return its epoch.

        Args:
            partition: that is collected.
            epoch: of a forced collection; None goes on with the partition's own.
            files: how many raw files it has.
            now: aware UTC.

        Raises:
            WriteConflict: others were in the way.
        """
        for _ in range(_MOST_TRIES):
            stored = self._table.get(_PARTITIONS, partition.name)
            name = epoch or (_started(stored).epoch if stored else FIRST)
            item: Item = {"epoch": name, "started_at": timestamp(now), "files": files}
            # Not over a forced collection that began meanwhile: its epoch would be gone.
            if self._table.transact(_PARTITIONS, [Write(partition.name, item, stored or NOTHING)]):
                return name
        raise WriteConflict(f"{partition.name}: others start it; the next try does")

    def is_current(self, partition: Partition, epoch: str) -> bool:
        """Return whether a partition's newest collection is the one of this epoch."""
        started = self.started(partition)
        return started is not None and started.epoch == epoch

    def started(self, partition: Partition) -> Started | None:
        """Return the collection of a partition; None where there is none."""
        item = self._table.get(_PARTITIONS, partition.name)
        return None if item is None else _started(item)

    def partitions(self, prefix: str = "") -> Iterator[tuple[Partition, Started]]:
        """Yield every partition whose name begins so, and its collection."""
        for key, item in self._table.query(_PARTITIONS, prefix):
            partition = Partition.named(key)
            if partition is not None:
                yield partition, _started(item)

    def file(
        self, partition: Partition, epoch: str, number: int, figures: FileFigures, now: datetime
    ) -> None:
        """Note what a raw file has come to.

        Args:
            partition: of the file.
            epoch: of the message.
            number: of the file.
            figures: of its checkpoint.
            now: when they were: a worker that stalled since then changes nothing.

        Raises:
            WriteConflict: others were in the way.
        """
        item: Item = {
            "status": figures.status,
            "records": figures.index,
            "domains": figures.domains,
            "duplicates": figures.duplicates,
            "refused": figures.refused,
            "at": timestamp(now),
        }
        self._note(partition, _file(epoch, number), item)

    def file_failed(
        self, partition: Partition, epoch: str, number: int, reason: str, now: datetime
    ) -> None:
        """Note that a raw file cannot be read, or no further: what was sent of it still counts."""
        key = _file(epoch, number)
        sent = self._table.get(partition.name, key) or NOTHING
        failed: Item = {"status": "failed", "reason": reason[:500], "at": timestamp(now)}
        self._note(partition, key, {**sent, **failed})

    def domain(
        self,
        partition: Partition,
        epoch: str,
        domain: str,
        domain_hash: str,
        counts: Mapping[str, int],
        by: str = "",
    ) -> str:
        """Count a domain once in an epoch: what it counted as before is taken back.

        It counts for the message that came first; any other of the same epoch is a duplicate.

        Args:
            partition: of the message.
            epoch: of the message.
            domain: registrable.
            domain_hash: spreads domains over the shards.
            counts: names of sums, and what it adds to each: 1, or a number of its own.
            by: names the message.

        Returns:
            The name of the message that it counts for.

        Raises:
            WriteConflict: others were in the way.
        """
        return self._counters.count(partition, epoch, f"domain:{domain}", domain_hash, counts, by)

    def duplicate(
        self, partition: Partition, epoch: str, domain_id: str, domain_hash: str, file_path: str
    ) -> None:
        """Count a message about a domain that another message was about before, once."""
        key = f"duplicate:{domain_id}:{file_path.rpartition('/')[2]}"
        self._counters.count(partition, epoch, key, domain_hash, {"duplicates": 1}, "")

    def status(self, partition: Partition) -> Status | None:
        """Return how far the collection of a partition is; None where there is none."""
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
        """Write a file's item, unless a newer one is there."""
        for _ in range(_MOST_TRIES):
            stored = self._table.get(partition.name, key)
            if stored is not None and str(stored.get("at", "")) > str(item["at"]):
                return
            if self._table.transact(partition.name, [Write(key, item, stored or NOTHING)]):
                return
        raise WriteConflict(f"{partition.name}: {key}: others write it; the next try does")


def _file(epoch: str, number: int) -> str:
    return f"file:{epoch}:{number:06}"


def _started(item: Item) -> Started:
    files = item.get("files")
    return Started(
        str(item.get("epoch", FIRST)),
        str(item.get("started_at", "")),
        files if isinstance(files, int) else 0,
    )
