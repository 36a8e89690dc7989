"""Lists the raw files of datasets and sends a message for each to the seed queue (S1, S2).

    list ─► partition by partition: store the collection, then one message a file ─► next partition

The file worker skips finished files at once. A partition whose messages were lost, for the queue
keeps them for ten days alone, begins a new lap: its files are read again, and `.success` of each
domain makes that cheap. A paused partition is passed over, and a stopped one unless the request
names it. When time runs out, a new invocation continues after the last partition that was sent
whole.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Final

from uring.changes.ports import Sends
from uring.clock import Clock, parse_timestamp
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.counters import SPREAD
from uring.seeds.messages import OrchestrateRequest, PartitionInfo, SeedMessage
from uring.seeds.partition import Partition, RawFile, dataset_prefix, is_misnamed
from uring.seeds.progress import FIRST, Progress

# Messages in one call of the queue's adapter: several batches in parallel.
_AT_ONCE: Final = 200
_MOST_NAMED: Final = 3
# A queue's depth is minutes old at worst; a file that was sent is read, or under way, by then.
_SETTLES: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Run:
    """One orchestration, which may take several invocations.

    Attributes:
        name: of the run; also the epoch if it is forced.
        request: the filter.
        since: the first day that counts; None for all.
        after: the last finished key; empty at first.
    """

    name: str
    request: OrchestrateRequest
    since: date | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Orchestrated:
    """The outcome of an invocation.

    Attributes:
        files: the number of messages sent.
        partitions: the names of their partitions.
        after: the start of the next invocation; None when all is sent.
        skipped: the number of listed objects that miss the layout: nobody reads them.
        misnamed: the first three of them.
        held: the state of each partition that was passed over, paused or stopped, by its name.
    """

    files: int
    partitions: tuple[str, ...]
    after: str | None
    skipped: int = 0
    misnamed: tuple[str, ...] = ()
    held: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Sent:
    """What an invocation did so far: sent files, passed partitions, misnamed objects."""

    last: str
    files: int = 0
    partitions: list[str] = field(default_factory=list)
    held: dict[str, str] = field(default_factory=dict)
    count: int = 0
    names: list[str] = field(default_factory=list)

    def add(self, key: str) -> None:
        self.count += 1
        if len(self.names) < _MOST_NAMED:
            self.names.append(key)


class SeedOrchestrator:
    """Sends the messages of a run.

    Args:
        depth: returns the number of messages on the domain queue, those in flight included.
    """

    def __init__(
        self,
        bucket: Bucket,
        progress: Progress,
        seeds: Sends,
        telemetry: Telemetry,
        *,
        clock: Clock,
        depth: Callable[[], int],
    ) -> None:
        self._bucket = bucket
        self._progress = progress
        self._seeds = seeds
        self._telemetry = telemetry
        self._clock = clock
        self._depth = depth

    def run(self, run: Run, has_time: Callable[[], bool]) -> Orchestrated:
        """Send the rest of a run until time is up, at least one partition.

        Raises:
            Unavailable: S3, the table or the queue failed; the same run may be sent again.
            Misconfigured: one of them does not exist, or access is denied.
        """
        self._telemetry.event("orchestrator_start", run=run.name, after=run.after)
        done = _Sent(run.after)
        for partition, group in groupby(self._files(run, done), key=lambda each: each[0].partition):
            if done.last != run.after and not has_time():
                return self._ended(run, done, done.last)
            found = sorted(group)
            done.last = max(raw.path for raw, _ in found)
            self._send(run, partition, found, done)
        return self._ended(run, done, None)

    def _send(
        self, run: Run, partition: Partition, found: Sequence[tuple[RawFile, str]], done: _Sent
    ) -> None:
        """Send the files of a partition, unless it is held."""
        now, is_forced = self._clock(), run.request.force
        started = self._progress.start(
            partition,
            run.name if is_forced else None,
            len(found),
            now,
            is_named=run.request.names(partition),
            missing=None if is_forced else self._missing(partition, now),
        )
        if started.held:
            done.held[partition.name] = started.held
            return
        messages = [
            SeedMessage(
                file_path=raw.path,
                partition_info=PartitionInfo.of(partition),
                # An invocation that continues a forced collection may be the first to send the
                # file.
                force=started.epoch.removesuffix(SPREAD) != FIRST,
                epoch=started.epoch,
                etag=etag,
                lap=started.lap,
                run=run.name,
                most=run.request.most or 0,
            )
            for raw, etag in found
        ]
        for start in range(0, len(messages), _AT_ONCE):
            self._seeds.send(messages[start : start + _AT_ONCE])
        done.files += len(messages)
        done.partitions.append(partition.name)

    def _missing(self, partition: Partition, now: datetime) -> int | None:
        """Return how many messages of a partition are lost; None while that is not known."""
        started = self._progress.started(partition)
        if started is None or not _is_before(started.started_at, now - _SETTLES) or self._depth():
            return None
        status = self._progress.status(partition)
        return None if status is None or status.files.get("reading") else status.missing

    def _files(self, run: Run, done: _Sent) -> Iterator[tuple[RawFile, str]]:
        request = run.request
        prefix = dataset_prefix(request.country, request.category, request.date)
        for listed in self._bucket.list(prefix, run.after):
            raw = RawFile.at(listed.key)
            if raw is not None and _is_wanted(raw, run):
                yield raw, listed.etag
            elif is_misnamed(listed.key):
                done.add(listed.key)

    def _ended(self, run: Run, sent: _Sent, after: str | None) -> Orchestrated:
        done = Orchestrated(
            sent.files, tuple(sent.partitions), after, sent.count, tuple(sent.names), sent.held
        )
        emit = self._telemetry.warning if done.skipped or done.held else self._telemetry.event
        emit(
            "queue_messages_sent",
            run=run.name,
            count=done.files,
            partitions=len(done.partitions),
            is_complete=done.after is None,
            skipped=done.skipped,
            misnamed=[*done.misnamed],
            held=[*done.held],
        )
        self._telemetry.count("FilesListed", done.files)
        return done


def _is_wanted(raw: RawFile, run: Run) -> bool:
    day = date.fromisoformat(raw.partition.date)
    return run.request.takes(raw.partition) and (run.since is None or day >= run.since)


def _is_before(text: str, at: datetime) -> bool:
    """Return True if a stored timestamp is before a time; a malformed one is."""
    try:
        return parse_timestamp(text) < at
    except ValueError:
        return True


def first_day(today: date, days: int) -> date:
    """Return the first of the last ``days`` days, today included."""
    return today - timedelta(days=days - 1)
