"""Builds the seed orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring.aws.bucket import S3Bucket
from uring.aws.invoker import Invoker
from uring.aws.queues import FifoQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, system_clock
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.seeds.api import SeedTriggers
from uring.seeds.orchestrate import SeedOrchestrator
from uring.seeds.progress import Progress
from uring.seeds.reports.reporter import Reporter
from uring.seeds.settings import SeedOrchestratorSettings


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the seed orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = SeedOrchestratorSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    bucket = S3Bucket(clients.get("s3"), settings.data_bucket)
    progress = Progress(DynamoTable(clients.get("dynamodb"), settings.seed_table, backoff=backoff))
    orchestrator = SeedOrchestrator(
        bucket,
        progress,
        FifoQueue(clients.get("sqs"), settings.seed_queue_url, backoff=backoff),
        parts.telemetry,
        clock=clock,
    )
    triggers = SeedTriggers(
        orchestrator,
        Reporter(bucket, progress, parts.telemetry, backoff=backoff),
        Invoker(clients.get("lambda"), settings.own_name),
        parts.telemetry,
        days=settings.schedule_days,
    )
    return Function(triggers.work, clients, parts.telemetry)
