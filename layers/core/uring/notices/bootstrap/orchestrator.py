"""Builds the notice orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring import families
from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import WorkQueue
from uring.changes.jobs import Orchestrator
from uring.notices.plan import SitemapPlan
from uring.notices.registration import NAME
from uring.notices.settings import NoticeOrchestratorSettings
from uring.runtime.invocation import Function
from uring.runtime.schedule import ticking
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """Return the notice orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = NoticeOrchestratorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    plan = SitemapPlan(
        S3Objects(clients.get("s3"), settings.data_bucket),
        telemetry,
        config_key=settings.config_key,
        taken=families.folders_beside(NAME),
    )
    orchestrator = Orchestrator(
        NAME,
        plan,
        WorkQueue(clients.get("sqs"), settings.work_queue_url),
        telemetry,
        tick_minutes=settings.tick_minutes,
    )
    return Function(ticking(orchestrator.tick), clients, telemetry)
