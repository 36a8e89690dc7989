"""Wires the seed file worker."""

from typing import Literal

from pydantic import Field

from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.reader import STRIDE, DatasetReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.progress import Progress
from uring.seeds.ranges import ranges_of


class Settings(BaseSettings):
    """Settings of the seed file worker.

    ``daily_domains`` is the most that are sent on a day (UTC), in whole strides of the reader; 0
    sets no ceiling. ``seed_work`` is what a message names.
    """

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    domain_queue_url: Name
    daily_domains: int = Field(default=1_000_000, ge=0)
    seed_work: Literal["domains", "ranges"] = "domains"


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the seed file worker's work."""
    bucket, clock, most = parts.bucket(settings.data_bucket), parts.clock, settings.daily_domains
    progress = Progress(parts.table(settings.seed_table))
    return FileWorker(
        bucket,
        DatasetReader(
            bucket,
            CheckpointRegister(bucket, clock=clock, backoff=parts.backoff),
            parts.fifo(settings.domain_queue_url),
            parts.telemetry,
            # A ceiling below a stride would let nothing pass.
            stride=min(STRIDE, most or STRIDE),
            takes=lambda domains: not most or progress.take(clock().date(), domains, most),
            pack=ranges_of if settings.seed_work == "ranges" else list,
        ),
        progress,
        parts.fifo(settings.work_queue_url),
        parts.source_queue(settings.work_queue_url, settings.work_dlq_url),
        parts.telemetry,
        clock=clock,
    ).run
