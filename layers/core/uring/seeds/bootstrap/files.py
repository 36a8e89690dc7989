"""Builds the seed file worker."""

from collections.abc import Mapping
from typing import Any

from uring.aws.bucket import S3Bucket
from uring.aws.queues import FifoQueue, SqsSourceQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, system_clock
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.raw import assert_fast
from uring.seeds.files.reader import FileReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.progress import Progress
from uring.seeds.settings import SeedFileSettings


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the seed file worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong, or the fast JSON parser is not there.
    """
    assert_fast()
    settings = SeedFileSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    sqs, bucket = clients.get("sqs"), S3Bucket(clients.get("s3"), settings.data_bucket)
    worker = FileWorker(
        bucket,
        FileReader(
            bucket,
            CheckpointRegister(bucket, clock=clock, backoff=backoff),
            FifoQueue(sqs, settings.domain_queue_url, backoff=backoff),
            parts.telemetry,
        ),
        Progress(DynamoTable(clients.get("dynamodb"), settings.seed_table, backoff=backoff)),
        FifoQueue(sqs, settings.work_queue_url, backoff=backoff),
        SqsSourceQueue(
            sqs,
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=parts.telemetry,
        ),
        parts.telemetry,
        clock=clock,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left),
        clients,
        parts.telemetry,
    )
