"""Counters of each partition, kept beside the work and read without a scan (S9, S13).

A table of items, `uring.tables`, one partition of it for each dataset partition:

    partitions          sg/news/2026-01-28         epoch, started_at, files that were listed
    sg/news/2026-01-28  file:{epoch}:{number}      what a raw file came to: the checkpoint's figures
    sg/news/2026-01-28  domain:{domain}            what it was counted as
    sg/news/2026-01-28  count:{epoch}:{shard}      sums over the domains

A domain and the sum that it is in are written in one transaction: however often a message is
delivered, it counts once, and one that is collected at last leaves the sum of the unreachable.
The sums are spread over shards, so that hundreds of workers do not wait for one item.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol

from uring.clock import timestamp
from uring.errors import WriteConflict
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Add, Item, Part, Table, Write

SHARDS: Final = 32
FIRST: Final = "first"
"""The epoch of a partition that was never forced."""

_PARTITIONS: Final = "partitions"
_MOST_TRIES: Final = 5
_OUTCOME: Final = "as_"

Outcome = Literal["collected", "unreachable", "duplicates"]


class FileFigures(Protocol):
    """What a raw file came to; `uring.seeds.files.checkpoint` has the real one."""

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
    """How far the collection of a partition is.

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

    def start(self, partition: Partition, epoch: str | None, files: int, now: datetime) -> str:
        """Note a collection before any of its messages is sent; return its epoch.

        Args:
            partition: that is collected.
            epoch: of a forced collection; None goes on with the partition's own.
            files: how many raw files it has.
            now: aware UTC.
        """
        if epoch is None:
            known = self.started(partition)
            epoch = known.epoch if known else FIRST
        item: Item = {"epoch": epoch, "started_at": timestamp(now), "files": files}
        self._table.transact(_PARTITIONS, [Write(partition.name, item)])
        return epoch

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
        """Note what a raw file has come to."""
        item: Item = {
            "status": figures.status,
            "records": figures.index,
            "domains": figures.domains,
            "duplicates": figures.duplicates,
            "refused": figures.refused,
            "at": timestamp(now),
        }
        self._table.transact(partition.name, [Write(_file(epoch, number), item)])

    def file_failed(
        self, partition: Partition, epoch: str, number: int, reason: str, now: datetime
    ) -> None:
        """Note that a raw file cannot be read."""
        item: Item = {"status": "failed", "reason": reason[:500], "at": timestamp(now)}
        self._table.transact(partition.name, [Write(_file(epoch, number), item)])

    def domain(
        self,
        partition: Partition,
        epoch: str,
        domain: str,
        domain_hash: str,
        counts: Mapping[str, int],
    ) -> None:
        """Count a domain once in an epoch: what it counted as before is taken back.

        Args:
            partition: of the message.
            epoch: of the message.
            domain: registrable.
            domain_hash: spreads domains over the shards.
            counts: names of sums, and what it adds to each: 1, or a number of its own.

        Raises:
            WriteConflict: others were in the way.
        """
        self._count(partition, epoch, f"domain:{domain}", domain_hash, counts)

    def duplicate(
        self, partition: Partition, epoch: str, domain: str, domain_hash: str, file_path: str
    ) -> None:
        """Count a message about a domain that another file had before, once."""
        key = f"duplicate:{domain}:{file_path.rpartition('/')[2]}"
        self._count(partition, epoch, key, domain_hash, {"duplicates": 1})

    def status(self, partition: Partition) -> Status | None:
        """Return how far the collection of a partition is; None where there is none."""
        started = self.started(partition)
        if started is None:
            return None
        files: Counter[str] = Counter()
        records: Counter[str] = Counter()
        for _, item in self._table.query(partition.name, f"file:{started.epoch}:"):
            files[str(item.get("status"))] += 1
            records.update(_numbers(item))
        counts: Counter[str] = Counter()
        for _, item in self._table.query(partition.name, f"count:{started.epoch}:"):
            counts.update(_numbers(item))
        return Status(partition.name, started, dict(files), dict(records), dict(counts))

    def _count(
        self,
        partition: Partition,
        epoch: str,
        key: str,
        domain_hash: str,
        counts: Mapping[str, int],
    ) -> None:
        shard = f"count:{epoch}:{int(domain_hash[:8], 16) % SHARDS:02}"
        counted = {f"{_OUTCOME}{name}": amount for name, amount in counts.items() if amount}
        # Most are counted for the first time: a look before would cost as much as the write.
        stored: Item | None = None
        for _ in range(_MOST_TRIES):
            is_known = stored is not None and stored.get("epoch") == epoch
            known = stored if stored is not None and is_known else NOTHING
            before = _counted(known)
            amounts = {
                name: difference
                for name in {**before, **counts}
                if (difference := counts.get(name, 0) - before.get(name, 0))
            }
            if is_known and not amounts:
                return
            after = {**_of_others(known), "epoch": epoch, **counted}
            parts: list[Part] = [Write(key, after, stored or NOTHING)]
            if amounts:
                parts.append(Add(shard, amounts))
            if self._table.transact(partition.name, parts):
                return
            stored = self._table.get(partition.name, key)
        raise WriteConflict(f"{partition.name}: {key}: others count it; the next try does")


def _file(epoch: str, number: int) -> str:
    return f"file:{epoch}:{number:06}"


def _started(item: Item) -> Started:
    files = item.get("files")
    return Started(
        str(item.get("epoch", FIRST)),
        str(item.get("started_at", "")),
        files if isinstance(files, int) else 0,
    )


def _numbers(item: Item) -> dict[str, int]:
    return {name: value for name, value in item.items() if isinstance(value, int)}


def _counted(item: Item) -> dict[str, int]:
    return {
        name.removeprefix(_OUTCOME): value
        for name, value in _numbers(item).items()
        if name.startswith(_OUTCOME)
    }


def _of_others(item: Item) -> dict[str, str | int | None]:
    """Return the attributes that another release has: they are kept."""
    return {name: value for name, value in item.items() if not name.startswith(_OUTCOME)}
