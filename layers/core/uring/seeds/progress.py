"""Counters of each partition, kept beside the work and read without a scan (S9, S13).

A table of items, `uring.tables`, one partition of it for each dataset partition:

    partitions          sg/news/2026-01-28         epoch, started_at, number of listed files;
                                                   lap, missing; held: paused or stopped
    sg/news/2026-01-28  file:{epoch}:{number}      outcome of a raw file: its checkpoint's figures
    sg/news/2026-01-28  domain:{domain}            outcome of a domain, as counted
    sg/news/2026-01-28  count:{epoch}:{shard}      sums over the domains
    sg/news/2026-01-28#3                           a share of the domains and sums, if spread
    sent                2026-11-26                 domains that were sent on a day (UTC), all files
    runs                20261126T…-0a1b2c3d        domains that a run with a budget sent

Domains are counted by `uring.seeds.counters`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final, Literal

from uring.clock import timestamp
from uring.errors import WriteConflict
from uring.seeds.counters import SPREAD, DomainCount, DomainCounters, numbers, places
from uring.seeds.partition import Partition
from uring.tables import NOTHING, Add, Item, Part, Table, Write

FIRST: Final = "first"
"""The epoch of a partition that was never forced."""

MOST_AT_ONCE: Final = 25
"""Domains of one count: a transaction waits for every other one that shares an item."""
PAUSED: Final = "paused"
"""Messages of the partition wait. A state that this release does not know counts as paused."""
STOPPED: Final = "stopped"
"""Messages of the partition end, counted and without a mark."""

_PARTITIONS: Final = "partitions"
_SENT: Final = "sent"
_RUNS: Final = "runs"
_HELD: Final = "held"
_MOST_TRIES: Final = 5

Outcome = Literal["collected", "unreachable", "duplicates"]
Ceiling = Literal["day", "run"]
State = Literal["", "paused", "stopped"]


@dataclass(frozen=True, slots=True)
class Started:
    """The collection of a partition.

    Attributes:
        epoch: names the collection; a forced one has a new name.
        started_at: the time of the last request for it.
        files: the number of raw files listed then.
        lap: how often it was sent again within its epoch.
        missing: the domains without an outcome when it was last sent again for them alone.
        held: `PAUSED` or `STOPPED`; empty while it runs.
    """

    epoch: str
    started_at: str
    files: int
    lap: int = 0
    missing: int = 0
    held: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a partition's collection.

    Attributes:
        started: the collection.
        files: the number of files by status: reading, done, partial, held, failed.
        records: the figures of all files: records, domains, duplicates, refused.
        counts: sums over the domains: collected, unreachable, duplicates, stopped and others.
        ceilings: the number of held files by the ceiling that holds them: day, run.
    """

    partition: str
    started: Started
    files: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    ceilings: Mapping[str, int] = field(default_factory=dict)

    @property
    def sent(self) -> int:
        """The number of domain messages sent."""
        return self.records.get("domains", 0)

    @property
    def settled(self) -> int:
        """The number of domain messages with a known outcome."""
        return sum(self.counts.get(name, 0) for name in ("collected", "unreachable", "duplicates"))

    @property
    def stopped(self) -> int:
        """The number of domain messages that ended unasked, because the partition was stopped."""
        return self.counts.get("stopped", 0)

    @property
    def missing(self) -> int:
        """The number of sent messages without an outcome; stopped ones have none."""
        return max(0, self.sent - self.settled)


class Progress:
    """The counters; safe to share between threads.

    Args:
        spreads: spread the domains of collections that start from now on.
    """

    def __init__(self, table: Table, *, spreads: bool = False) -> None:
        self._table = table
        self._spreads = spreads
        self._counters = DomainCounters(table, self.is_current)

    def start(
        self,
        partition: Partition,
        epoch: str | None,
        files: int,
        now: datetime,
        *,
        is_named: bool = False,
        missing: int | None = None,
    ) -> Started:
        """Store a collection before any of its messages is sent; return it.

        A paused one is left as it is, and so is a stopped one unless the request names it: the
        result's ``held`` says so, and nothing is to be sent. A stopped one starts with a new lap,
        and so does one with ``missing`` messages, unless its last lap left as many.

        Args:
            partition: the partition to collect.
            epoch: of a forced collection; None continues the partition's own.
            files: the number of raw files.
            now: aware UTC.
            is_named: whether the request names this partition alone.
            missing: the number of its messages that are lost; None if it is not known.

        Raises:
            WriteConflict: concurrent writers won every try.
        """

        def started(stored: Item | None) -> Item | None:
            known = _started(stored) if stored else Started(FIRST, "", 0)
            if known.held and not (known.held == STOPPED and is_named):
                return None
            name = epoch or known.epoch
            if self._spreads and (epoch or stored is None):
                name += SPREAD
            is_again = bool(known.held) or bool(missing and missing != known.missing)
            kept = {key: value for key, value in (stored or {}).items() if key != _HELD}
            return {
                **kept,
                "epoch": name,
                "started_at": timestamp(now),
                "files": files,
                "lap": known.lap + is_again if name == known.epoch else 0,
                # A stopped one is sent again in any case: its lap is not one for lost messages.
                "missing": known.missing if missing is None or known.held else missing,
            }

        # A forced collection that began meanwhile is not overwritten: its epoch would be lost.
        return _started(self._change(partition, started) or {})

    def hold(self, partition: Partition, state: State) -> Started | None:
        """Pause, stop or resume a partition; return its collection, None if it has none.

        A stopped one stays stopped: its messages have ended, and only `start` sends them again.

        Raises:
            WriteConflict: concurrent writers won every try.
        """

        def held(stored: Item | None) -> Item | None:
            if stored is None or _started(stored).held in (STOPPED, state):
                return None
            kept = {key: value for key, value in stored.items() if key != _HELD}
            return {**kept, _HELD: state} if state else kept

        item = self._change(partition, held)
        return None if item is None else _started(item)

    def _change(
        self, partition: Partition, change: Callable[[Item | None], Item | None]
    ) -> Item | None:
        """Replace a partition's item unless ``change`` returns None; return what is stored then."""
        for _ in range(_MOST_TRIES):
            stored = self._table.get(_PARTITIONS, partition.name)
            item = change(stored)
            if item is None:
                return stored
            if self._table.transact(_PARTITIONS, [Write(partition.name, item, stored or NOTHING)]):
                return item
        raise WriteConflict(
            f"{partition.name}: other writes came first in every try; it is tried again"
        )

    def take(
        self, day: date, domains: int, most: int, *, run: str = "", most_of_run: int = 0
    ) -> Ceiling | None:
        """Add to the domains sent on a day and by a run, if both sums stay within their ceilings.

        Taken before they are sent: a crash in between leaves them on the sums.

        Args:
            day: in UTC.
            domains: the number to add.
            most: the ceiling of the day; 0 for none.
            run: the name of the run.
            most_of_run: the ceiling of the run; 0 for none.

        Returns:
            The ceiling without room for them; None if they were added.
        """
        parts: list[Part] = []
        if most:
            at_most = {"domains": most - domains}
            parts.append(Add(day.isoformat(), {"domains": domains}, at_most))
        if most_of_run:
            at_most = {"domains": most_of_run - domains}
            parts.append(Add(run, {"domains": domains}, at_most, partition=_RUNS))
        if not parts or self._table.transact(_SENT, parts):
            return None
        taken = self._table.get(_RUNS, run) if most_of_run else None
        sent = numbers(taken or {}).get("domains", 0)
        return "run" if most_of_run and sent + domains > most_of_run else "day"

    def is_current(self, partition: Partition, epoch: str, lap: int = 0) -> bool:
        """Return True if this epoch is that of the partition's newest collection.

        And if that is at this lap or beyond: the release before stores a collection without one.
        """
        started = self.started(partition)
        return started is not None and started.epoch == epoch and started.lap >= lap

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

    def stop(self, partition: Partition, epoch: str, domain: str, domain_hash: str, by: str) -> str:
        """Count a domain whose message ended unasked, unless it has an outcome; as `domain`.

        A worker that stalled must not take back what was collected since.
        """
        item = DomainCount(f"domain:{domain}", domain_hash, {"stopped": 1}, by)
        return self._counters.count(partition, epoch, item, yields=True)

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
        ceilings: Counter[str] = Counter()
        records: Counter[str] = Counter()
        for _, item in self._table.query(partition.name, f"file:{started.epoch}:"):
            files[str(item.get("status"))] += 1
            if item.get("status") == "held":
                ceilings[str(item.get("ceiling", "day"))] += 1
            records.update(numbers(item))
        counts: Counter[str] = Counter()
        for place in places(partition, started.epoch):
            for _, item in self._table.query(place, f"count:{started.epoch}:"):
                counts.update(numbers(item))
        figures = map(dict, (files, records, counts, ceilings))
        return Status(partition.name, started, *figures)

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
    figures = numbers(item)
    return Started(
        epoch=str(item.get("epoch", FIRST)),
        started_at=str(item.get("started_at", "")),
        files=figures.get("files", 0),
        lap=figures.get("lap", 0),
        missing=figures.get("missing", 0),
        held=str(item.get(_HELD) or ""),
    )
