"""Builds the domain worker."""

from collections.abc import Mapping, Sequence
from typing import Any

from uring.aws.bucket import S3Bucket
from uring.aws.queues import SqsSourceQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, system_clock
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect import Collector, Limits
from uring.seeds.domains.worker import PAUSES_SECONDS, DomainWorker
from uring.seeds.progress import Progress
from uring.seeds.settings import DomainWorkerSettings


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
    pauses: Sequence[int] = PAUSES_SECONDS,
    limits: Limits | None = None,
) -> Function:
    """Return the domain worker for this environment.

    A run that is played has other ``pauses`` and ``limits``.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = DomainWorkerSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    if limits is None:
        limits = Limits(gap_seconds=settings.spacing_seconds, homepage=settings.homepage)
    worker = DomainWorker(
        S3Bucket(clients.get("s3"), settings.data_bucket),
        Collector(_fetcher(settings), clock=clock, limits=limits),
        Progress(DynamoTable(clients.get("dynamodb"), settings.seed_table, backoff=backoff)),
        SqsSourceQueue(
            clients.get("sqs"),
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=parts.telemetry,
        ),
        parts.telemetry,
        clock=clock,
        pauses=pauses,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left),
        clients,
        parts.telemetry,
    )


def _fetcher(settings: DomainWorkerSettings) -> Fetcher:
    return Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
        stand_in=settings.web_stand_in,
    )
