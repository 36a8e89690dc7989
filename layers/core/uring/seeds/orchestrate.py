"""Lists the raw files of datasets and sends a message for each to the seed queue (S1, S2).

    list ─► partition by partition: store the collection, then one message a file ─► next partition

Nothing is looked up before: the file worker skips finished files at once. When time runs out, a new
invocation continues after the last partition that was sent whole.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.messages import OrchestrateRequest, PartitionInfo, SeedMessage
from uring.seeds.partition import RawFile, dataset_prefix, is_misnamed
from uring.seeds.progress import FIRST, Progress

# Messages in one call of the queue's adapter: several batches in parallel.
_AT_ONCE: Final = 200
_MOST_NAMED: Final = 3


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
    """

    files: int
    partitions: tuple[str, ...]
    after: str | None
    skipped: int = 0
    misnamed: tuple[str, ...] = ()


@dataclass(slots=True)
class _Skipped:
    """The listed objects that miss the layout: their number, and the first three."""

    count: int = 0
    names: list[str] = field(default_factory=list)

    def add(self, key: str) -> None:
        self.count += 1
        if len(self.names) < _MOST_NAMED:
            self.names.append(key)


class SeedOrchestrator:
    """Sends the messages of a run."""

    def __init__(
        self,
        bucket: Bucket,
        progress: Progress,
        seeds: Sends,
        telemetry: Telemetry,
        *,
        clock: Clock,
    ) -> None:
        self._bucket = bucket
        self._progress = progress
        self._seeds = seeds
        self._telemetry = telemetry
        self._clock = clock

    def run(self, run: Run, has_time: Callable[[], bool]) -> Orchestrated:
        """Send the rest of a run until time is up, at least one partition.

        Raises:
            Unavailable: S3, the table or the queue failed; the same run may be sent again.
            Misconfigured: one of them does not exist, or access is denied.
        """
        self._telemetry.event("orchestrator_start", run=run.name, after=run.after)
        files, last, skipped = 0, run.after, _Skipped()
        partitions: list[str] = []
        listed = groupby(self._files(run, skipped), key=lambda found: found[0].partition)
        for partition, group in listed:
            if partitions and not has_time():
                return self._ended(run, files, partitions, last, skipped)
            found = sorted(group)
            last = max(raw.path for raw, _ in found)
            forced = run.name if run.request.force else None
            epoch = self._progress.start(partition, forced, len(found), self._clock())
            messages = [
                SeedMessage(
                    file_path=raw.path,
                    partition_info=PartitionInfo.of(partition),
                    # An invocation that continues a forced collection may be the first to send the
                    # file.
                    force=epoch != FIRST,
                    epoch=epoch,
                    etag=etag,
                )
                for raw, etag in found
            ]
            for start in range(0, len(messages), _AT_ONCE):
                self._seeds.send(messages[start : start + _AT_ONCE])
            files += len(messages)
            partitions.append(partition.name)
        return self._ended(run, files, partitions, None, skipped)

    def _files(self, run: Run, skipped: _Skipped) -> Iterator[tuple[RawFile, str]]:
        request = run.request
        prefix = dataset_prefix(request.country, request.category, request.date)
        for listed in self._bucket.list(prefix, run.after):
            raw = RawFile.at(listed.key)
            if raw is not None and _is_wanted(raw, run):
                yield raw, listed.etag
            elif is_misnamed(listed.key):
                skipped.add(listed.key)

    def _ended(
        self, run: Run, files: int, partitions: list[str], after: str | None, skipped: _Skipped
    ) -> Orchestrated:
        names = tuple(skipped.names)
        done = Orchestrated(files, tuple(partitions), after, skipped.count, names)
        emit = self._telemetry.warning if skipped.count else self._telemetry.event
        emit(
            "queue_messages_sent",
            run=run.name,
            count=done.files,
            partitions=len(done.partitions),
            is_complete=done.after is None,
            skipped=done.skipped,
            misnamed=[*names],
        )
        self._telemetry.count("FilesListed", done.files)
        return done


def _is_wanted(raw: RawFile, run: Run) -> bool:
    partition, request = raw.partition, run.request
    return (
        request.country in (None, partition.country)
        and request.category in (None, partition.category)
        and request.date in (None, partition.date)
        and (run.since is None or date.fromisoformat(partition.date) >= run.since)
    )


def first_day(today: date, days: int) -> date:
    """Return the first of the last ``days`` days, today included."""
    return today - timedelta(days=days - 1)
