"""Wires the seed file worker."""

from pydantic import Field

from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name
from uring.seeds.files.backlog import DomainBacklog
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.reader import STRIDE, DatasetReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.pace import Way, most_waiting
from uring.seeds.progress import Progress
from uring.seeds.ranges import ranges_of


class Settings(BaseSettings):
    """Settings of the seed file worker.

    ``daily_domains`` is the most that are sent on a day (UTC), in whole strides of the reader; 0
    sets no ceiling. ``seed_work`` is what a message names. ``domain_concurrency`` is that of the
    domain worker: by it the domain queue is full, and files wait; 0 lets them never wait.
    """

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    domain_queue_url: Name
    daily_domains: int = Field(default=1_000_000, ge=0)
    seed_work: Way = "domains"
    domain_concurrency: int = Field(default=0, ge=0)


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
            takes=lambda message, domains: progress.take(
                clock().date(), domains, most, run=message.run, most_of_run=message.most
            ),
            pack=ranges_of if settings.seed_work == "ranges" else list,
        ),
        progress,
        parts.fifo(settings.work_queue_url),
        parts.source_queue(settings.work_queue_url, settings.work_dlq_url),
        parts.telemetry,
        clock=clock,
        backlog=DomainBacklog(
            parts.queue_depth(settings.domain_queue_url),
            most_waiting(settings.domain_concurrency, settings.seed_work),
        ),
    ).run
