"""Batches of the seed queue: one raw file after the other (S3).

    .success? ─► paused, stopped, queue deep? ─► read ─► hand over the rest, or: hold it,
                                                         or: counters ─► .success

The mark is written last: after a crash before it the checkpoint shows that all is sent. A file that
ends early gets none, so the next orchestration reads it again.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from uring.changes.ports import Sends
from uring.clock import Clock, parse_timestamp
from uring.errors import Permanent
from uring.objects import Bucket
from uring.runtime.batches import BatchRecord, BatchRunner, SourceQueue
from uring.runtime.telemetry import Telemetry
from uring.seeds.files.backlog import DomainBacklog
from uring.seeds.files.checkpoint import Checkpoint
from uring.seeds.files.reader import CeilingReached, DatasetReader, ReadingSuperseded
from uring.seeds.holds import Holds
from uring.seeds.messages import MOST_RECEIVES, SeedMessage
from uring.seeds.partition import SUCCESS
from uring.seeds.progress import Progress

# Kept for the current batch, the checkpoint and the handover message.
_MARGIN_SECONDS: Final = 20
_NEEDS_SECONDS: Final = 30


class FileWorker:
    """Reads raw files and sends their domains.

    Args:
        seeds: the same queue, for the rest of a file.
        source: the queue that delivers the batches.
        backlog: of the domain queue.
    """

    def __init__(
        self,
        bucket: Bucket,
        reader: DatasetReader,
        progress: Progress,
        seeds: Sends,
        source: SourceQueue,
        telemetry: Telemetry,
        *,
        clock: Clock,
        backlog: DomainBacklog,
    ) -> None:
        self._bucket = bucket
        self._reader = reader
        self._progress = progress
        self._seeds = seeds
        self._source = source
        self._telemetry = telemetry
        self._clock = clock
        self._backlog = backlog
        self._holds = Holds(progress, clock=clock)

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event."""

        def handle(record: BatchRecord) -> None:
            self._handle(SeedMessage.parse(record.body), time_left)

        # Files are read one after the other: they would share one processor.
        batch = BatchRunner(
            handle, self._source, self._telemetry, workers=1, most_receives=MOST_RECEIVES
        )
        return batch.run(event, time_left=time_left, needs=_NEEDS_SECONDS)

    def _handle(self, message: SeedMessage, time_left: Callable[[], float]) -> None:
        path, raw = message.file_path, message.raw
        mark = self._bucket.head(path + SUCCESS)
        if mark is not None and _is_of(message, mark.metadata):
            self._telemetry.event("file_already_processed", file_path=path)
            return
        if self._holds.is_stopped(raw.partition, message.epoch, message.lap):
            self._telemetry.event("file_stopped", file_path=path)
            return
        self._backlog.wait_for_room()
        self._telemetry.event("file_processing_start", file_path=path, part=message.part)

        def note(checkpoint: Checkpoint) -> None:
            at = parse_timestamp(checkpoint.at) if checkpoint.at else self._clock()
            self._progress.file(raw.partition, message.epoch, raw.number, checkpoint.figures, at)

        try:
            checkpoint = self._reader.read(
                message,
                lambda: time_left() > _MARGIN_SECONDS,
                goes_on=lambda: not (self._holds.is_held(raw.partition) or self._backlog.is_full),
                saved=note,
                is_newer=lambda epoch, lap: self._progress.is_current(raw.partition, epoch, lap),
            )
        except ReadingSuperseded as error:
            self._telemetry.event("file_superseded", file_path=path, reason=str(error))
            return
        except CeilingReached as error:
            self._hold(message, error)
            return
        except Permanent as error:
            self._progress.file_failed(
                raw.partition, message.epoch, raw.number, str(error), self._clock()
            )
            self._telemetry.count("FilesFailed")
            raise
        if not checkpoint.is_done:
            self._hand_over(message, checkpoint)
            return
        # Again, in case of a crash right after the checkpoint.
        note(checkpoint)
        if not checkpoint.problem:
            self._bucket.write(path + SUCCESS, b"", "text/plain", _mark(message, checkpoint))
        self._report(checkpoint)

    def _hold(self, message: SeedMessage, error: CeilingReached) -> None:
        """Leave the rest of a file, without a mark, to the next orchestration."""
        raw, held = message.raw, {"status": "held", "ceiling": error.ceiling}
        figures = {**error.checkpoint.figures, **held}
        self._progress.file(raw.partition, message.epoch, raw.number, figures, self._clock())
        if error.ceiling == "run":
            # As it was asked for.
            self._telemetry.event("file_held", file_path=message.file_path, reason=str(error))
            return
        self._telemetry.warning("file_held", file_path=message.file_path, reason=str(error))
        self._telemetry.count("FilesHeld")

    def _hand_over(self, message: SeedMessage, checkpoint: Checkpoint) -> None:
        self._seeds.send([message.next_part()])
        self._telemetry.event(
            "file_handed_over",
            file_path=message.file_path,
            part=message.part,
            records=checkpoint.index,
        )

    def _report(self, checkpoint: Checkpoint) -> None:
        emit = self._telemetry.warning if checkpoint.problem else self._telemetry.event
        emit(
            "file_processing_complete",
            file_path=checkpoint.file_path,
            status=checkpoint.status,
            records=checkpoint.index,
            domains=checkpoint.domains,
            duplicates=checkpoint.duplicates,
            refused=checkpoint.refused,
            problem=checkpoint.problem,
        )
        self._telemetry.count("FilesProcessed")
        self._telemetry.count("DomainsSent", checkpoint.domains)
        if checkpoint.problem:
            self._telemetry.count("FilesPartial")


def _is_of(message: SeedMessage, mark: Mapping[str, str]) -> bool:
    """Return True if a mark shows that the message is done."""
    if message.force and mark.get("epoch") != message.epoch:
        return False
    # The domains of an earlier lap were dropped, or lost.
    if int(mark.get("lap", "0")) < message.lap:
        return False
    # Earlier releases marked a file that ended early, or had a bad record.
    if mark.get("status") == "partial":
        return False
    # The listing's ETag reveals a file that was replaced since.
    return not message.etag or mark.get("etag", message.etag) == message.etag


def _mark(message: SeedMessage, checkpoint: Checkpoint) -> dict[str, str]:
    return {
        "epoch": message.epoch,
        "lap": str(message.lap),
        "etag": checkpoint.etag,
        "status": checkpoint.status,
        "records": str(checkpoint.index),
        "domains": str(checkpoint.domains),
    }
