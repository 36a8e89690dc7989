"""One reading of a raw file, until its time is up.

    open (one version) ─► skip to the checkpoint ─► record ─► domain ─► queue … ─► checkpoint
                                                    └ no use ─► .rejected, before the last one

Records before the checkpoint are parsed again, for their domains; sending takes many times as long.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from uring.changes.ports import Sendable, Sends
from uring.errors import Permanent, PreconditionFailed, Retryable, UringError
from uring.objects import Bucket, OpenObject
from uring.runtime.telemetry import Telemetry
from uring.seeds.files.checkpoint import Checkpoint, CheckpointRegister
from uring.seeds.files.parts import as_record
from uring.seeds.files.raw import NoDataset, RawRecords
from uring.seeds.files.rejected import RejectedRecords
from uring.seeds.files.seen import SeenDomains
from uring.seeds.messages import DomainMessage, SeedMessage
from uring.seeds.names import InvalidDomain, NormalizedDomain, generate_domain_hash
from uring.seeds.normalize import extract_domain
from uring.seeds.progress import Ceiling

# Messages between two checkpoints: the most that a crash sends again.
STRIDE: Final = 2_000
# Records between two looks at the clock, for files with few messages.
_LOOK: Final = 10_000
_MOST_WARNINGS: Final = 20


class NoRawFile(Permanent):
    """A message about a raw file that does not exist."""


class RawFileTooLarge(Permanent):
    """A file whose sent part alone takes a whole invocation to parse."""


class RawFileChanged(Retryable):
    """The file changed while it was read: the next try, of three, starts from the beginning."""


_REMEDIES: Final[Mapping[Ceiling, str]] = {
    "day": "orchestrate again after 00:00 UTC, or raise the parameter SeedDailyDomains",
    "run": "orchestrate again, with another budget or none",
}


class CeilingReached(UringError):
    """A day's or run's ceiling has no room for the next messages: reading stops at `checkpoint`."""

    def __init__(self, checkpoint: Checkpoint, ceiling: Ceiling) -> None:
        self.checkpoint = checkpoint
        self.ceiling = ceiling
        super().__init__(
            f"{checkpoint.file_path}: the ceiling of domains a {ceiling} is reached at record "
            f"{checkpoint.index}; {_REMEDIES[ceiling]}"
        )


class ReadingSuperseded(UringError):
    """A newer collection reads the file: this one has nothing left to do."""


@dataclass
class _Run:
    """A reading in progress: the figures so far, and the unsent messages."""

    message: SeedMessage
    checkpoint: Checkpoint
    etag: str | None
    stride: int
    seen: SeenDomains = field(default_factory=SeenDomains)
    waiting: list[DomainMessage] = field(default_factory=list)
    rejected: RejectedRecords = field(default_factory=RejectedRecords)
    duplicates: int = 0
    refused: int = 0


class DatasetReader:
    """Reads the files of one bucket; safe to share between threads.

    Args:
        stride: the number of messages between two checkpoints.
        look: the number of records between two looks at the clock.
        takes: called with the file's message and a number of messages before they are sent;
            returns the ceiling without room for them.
        pack: returns what is sent for the messages of a stride.
    """

    def __init__(
        self,
        bucket: Bucket,
        checkpoints: CheckpointRegister,
        domains: Sends,
        telemetry: Telemetry,
        *,
        stride: int = STRIDE,
        look: int = _LOOK,
        takes: Callable[[SeedMessage, int], Ceiling | None] = lambda *_: None,
        pack: Callable[[Sequence[DomainMessage]], Sequence[Sendable]] = lambda messages: messages,
    ) -> None:
        self._bucket = bucket
        self._checkpoints = checkpoints
        self._domains = domains
        self._telemetry = telemetry
        self._stride = stride
        self._look = look
        self._takes = takes
        self._pack = pack

    def read(
        self,
        message: SeedMessage,
        has_time: Callable[[], bool],
        *,
        goes_on: Callable[[], bool] = lambda: True,
        saved: Callable[[Checkpoint], None] = lambda _: None,
        is_newer: Callable[[str, int], bool] = lambda *_: False,
    ) -> Checkpoint:
        """Send the rest of a file; return the checkpoint, whose ``is_done`` says if it is complete.

        Args:
            message: names the file.
            has_time: returns True to go on; called after each checkpoint.
            goes_on: as `has_time`, for other reasons to leave the rest to a later message.
            saved: called after each checkpoint.
            is_newer: returns True if the collection of this epoch, which wrote the checkpoint, is
                newer than the message's.

        Raises:
            NoRawFile: the file does not exist.
            NoDataset: the file has no readable record.
            RawFileTooLarge: time ended before the last checkpoint was reached again.
            RawFileChanged: the file changed meanwhile.
            ReadingSuperseded: a newer collection reads it.
            CeilingReached: no more domains are sent today.
            Retryable: the next try continues from the checkpoint.
        """
        reading = self._bucket.open(message.file_path)
        if reading is None:
            raise NoRawFile(
                f"file_path: {message.file_path} does not exist; upload it and orchestrate again"
            )
        try:
            run = self._begun(message, reading, is_newer)
            if not run.checkpoint.is_done:
                self._read(run, reading, has_time, goes_on, saved)
        except PreconditionFailed as error:
            raise _changed(message.file_path) from error
        finally:
            reading.close()
        return run.checkpoint

    def _begun(
        self, message: SeedMessage, reading: OpenObject, is_newer: Callable[[str, int], bool]
    ) -> _Run:
        """Return the reading at its checkpoint."""
        known = self._checkpoints.read(message.raw)
        fresh = Checkpoint(
            file_path=message.file_path,
            epoch=message.epoch,
            etag=reading.etag,
            lap=message.lap,
        )
        start, etag = known or (fresh, None)
        # A handed-over message is queued behind a forced collection's. If each of the two started
        # from the beginning, they would alternate for ever.
        is_lap = start.epoch == message.epoch and start.lap > message.lap
        is_other = start.epoch != message.epoch
        if (is_lap or is_other) and is_newer(start.epoch, start.lap if is_lap else 0):
            raise ReadingSuperseded(
                f"{message.file_path}: {start.epoch}, lap {start.lap} reads it, not "
                f"{message.epoch}, lap {message.lap}"
            )
        if is_lap:
            # The release before stored the collection without its lap: this reading goes on in it.
            message = message.model_copy(update={"lap": start.lap})
        if start.etag != reading.etag:
            # A stalled worker may have opened the older version.
            self._refuse_changed(message.file_path, reading.etag)
        if (start.epoch, start.etag, start.lap) != (message.epoch, reading.etag, message.lap):
            # Another collection or lap, or a new file of that name, starts from the beginning.
            start = fresh
        if start.problem:
            # It ended early, perhaps for an earlier release alone: the rest is still to send.
            start = start.moved(is_done=False, problem="")
        return _Run(message, start, etag, self._stride_of(message))

    def _stride_of(self, message: SeedMessage) -> int:
        """Return the messages between two checkpoints: a run's budget holds a number of them."""
        strides = math.ceil(message.most / self._stride)
        return message.most // strides if strides else self._stride

    def _read(
        self,
        run: _Run,
        reading: OpenObject,
        has_time: Callable[[], bool],
        goes_on: Callable[[], bool],
        saved: Callable[[Checkpoint], None],
    ) -> None:
        start, records = run.checkpoint, RawRecords(reading.read)
        index = -1
        for index, value in enumerate(self._of(run, records)):
            self._take(run, index, value, records, is_new=index >= start.index)
            is_due = len(run.waiting) >= run.stride or (index + 1) % self._look == 0
            if is_due and index >= start.index:
                self._save(run, index + 1)
                saved(run.checkpoint)
                if not (has_time() and goes_on()):
                    return
            elif is_due and not has_time():
                raise RawFileTooLarge(
                    f"{start.file_path}: an invocation ends before record {start.index}, where "
                    "the one before it stopped; split the file"
                )
        self._finish(run, index + 1, records)
        saved(run.checkpoint)

    def _of(self, run: _Run, records: RawRecords) -> Iterator[Any]:
        """Yield the records; of a file without a good one the bad ones are kept, too."""
        try:
            yield from records
        except NoDataset:
            self._refuse_changed(run.message.file_path, run.checkpoint.etag)
            run.rejected.store(self._bucket, run.message.file_path)
            raise

    def _take(
        self, run: _Run, index: int, value: Any, records: RawRecords, *, is_new: bool
    ) -> None:
        """Turn a record into a message; before the checkpoint only note its domain as seen."""
        try:
            record = as_record(value)
            domain = extract_domain(record, run.message.partition_info.country.upper())
        except (ValueError, InvalidDomain) as error:
            run.rejected.add(index, str(error), records.text)
            if is_new:
                run.refused += 1
                self._warn(run, index, error)
            return
        is_first = run.seen.add(domain.domain_hash)
        if is_new and is_first:
            run.waiting.append(_message(run.message, domain, index))
        elif is_new:
            run.duplicates += 1

    def _save(self, run: _Run, index: int, *, is_done: bool = False, problem: str = "") -> None:
        """Send the waiting messages, and only then move the checkpoint past them."""
        if run.waiting:
            if ceiling := self._takes(run.message, len(run.waiting)):
                raise CeilingReached(run.checkpoint, ceiling)
            # Domains of one hoster stand together in a list, and are asked far apart.
            run.waiting.sort(key=_digest)
            self._domains.send(self._pack(run.waiting))
        before = run.checkpoint
        checkpoint = before.moved(
            index=index,
            domains=before.domains + len(run.waiting),
            duplicates=before.duplicates + run.duplicates,
            refused=before.refused + run.refused,
            is_done=is_done,
            problem=problem,
        )
        run.checkpoint, run.etag = self._checkpoints.write(run.message.raw, checkpoint, run.etag)
        run.waiting, run.duplicates, run.refused = [], 0, 0

    def _finish(self, run: _Run, count: int, records: RawRecords) -> None:
        path = run.message.file_path
        self._refuse_changed(path, run.checkpoint.etag)
        # The file was parsed from its beginning: those before the checkpoint are known, too.
        run.rejected.store(self._bucket, path)
        self._save(run, count, is_done=True, problem=records.problem)
        self._compare(run.message, count, records.meta)

    def _compare(self, message: SeedMessage, count: int, meta: Mapping[str, Any]) -> None:
        """Warn if a file says other things of itself than it has; nothing else depends on them."""
        info = message.partition_info
        read = {"record_count": count, "country": info.country, "category": info.category}
        # The document writes countries in capitals.
        wrong = {
            name: f"{str(meta[name])[:80]}, not {value}"
            for name, value in read.items()
            if name in meta and str(meta[name]).lower() != str(value)
        }
        if wrong:
            self._telemetry.warning("file_mismatched", file_path=message.file_path, **wrong)
            self._telemetry.count("FilesMismatched")

    def _refuse_changed(self, path: str, etag: str) -> None:
        """Raise `RawFileChanged` if the file is missing or has another ETag."""
        head = self._bucket.head(path)
        if head is None or head.etag != etag:
            raise _changed(path)

    def _warn(self, run: _Run, index: int, error: Exception) -> None:
        """Log the first refused records of a reading; later ones are only counted."""
        self._telemetry.count("RecordsRefused")
        if run.checkpoint.refused + run.refused <= _MOST_WARNINGS:
            self._telemetry.warning(
                "domain_extraction_failed",
                file_path=run.message.file_path,
                record_index=index,
                reason=str(error)[:200],
            )


def _changed(path: str) -> RawFileChanged:
    return RawFileChanged(
        f"{path}: changed while it was read; the next try reads it from its beginning"
    )


def _digest(message: DomainMessage) -> str:
    return generate_domain_hash(message.domain_id)


def _message(seed: SeedMessage, domain: NormalizedDomain, index: int) -> DomainMessage:
    return DomainMessage(
        domain_id=domain.domain_id,
        domain_url=domain.input_url,
        registrable_domain=domain.registrable_domain,
        authority=domain.authority,
        partition_info=seed.partition_info,
        source_file_path=seed.file_path,
        record_index=index,
        force=seed.force,
        epoch=seed.epoch,
        lap=seed.lap,
    )
