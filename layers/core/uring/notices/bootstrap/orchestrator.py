"""Builds the orchestrator."""

from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import WorkQueue
from uring.notices.orchestrate import NoticeOrchestrator
from uring.runtime.invocation import Function
from uring.runtime.schedule import scheduled_at
from uring.runtime.settings import OrchestratorSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """The orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = OrchestratorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    orchestrator = NoticeOrchestrator(
        S3Objects(clients.get("s3"), settings.data_bucket),
        WorkQueue(clients.get("sqs"), settings.work_queue_url),
        telemetry,
        config_key=settings.config_key,
        tick_minutes=settings.tick_minutes,
    )

    def work(event: dict[str, Any], _: Callable[[], float]) -> dict[str, int]:
        return {"jobs": orchestrator.tick(scheduled_at(event))}

    return Function(work, clients, telemetry)
