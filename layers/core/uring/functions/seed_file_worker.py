"""Wires the seed file worker."""

from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.raw import assert_fast
from uring.seeds.files.reader import DatasetReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.progress import Progress


class Settings(BaseSettings):
    """Settings of the seed file worker."""

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    domain_queue_url: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the seed file worker's work.

    Raises:
        Misconfigured: the fast JSON parser is not installed.
    """
    assert_fast()
    bucket = parts.bucket(settings.data_bucket)
    return FileWorker(
        bucket,
        DatasetReader(
            bucket,
            CheckpointRegister(bucket, clock=parts.clock, backoff=parts.backoff),
            parts.fifo(settings.domain_queue_url),
            parts.telemetry,
        ),
        Progress(parts.table(settings.seed_table)),
        parts.fifo(settings.work_queue_url),
        parts.source_queue(settings.work_queue_url, settings.work_dlq_url),
        parts.telemetry,
        clock=parts.clock,
    ).run
