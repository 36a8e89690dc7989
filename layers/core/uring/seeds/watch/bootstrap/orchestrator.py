"""Builds the watch's orchestrator."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from uring import families
from uring.aws.queues import WorkQueue
from uring.changes.jobs import Orchestrator
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.schedule import ticking
from uring.runtime.telemetry import Telemetry
from uring.seeds.registration import NAME
from uring.seeds.watch.plan import WatchPlan
from uring.seeds.watch.settings import SeedWatchTickSettings


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """Return the watch's orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = SeedWatchTickSettings.read(environment)
    parts = Parts.of(session, telemetry)
    plan = WatchPlan(
        parts.objects(settings.data_bucket),
        parts.telemetry,
        config_key=settings.config_key,
        taken=families.folders_beside(NAME),
        tick_minutes=settings.tick_minutes,
    )
    queue = WorkQueue(parts.clients.get("sqs"), settings.work_queue_url)

    def tick(scheduled_at: datetime) -> int:
        # The domains are listed where a watch is due, and at no other tick.
        return Orchestrator(
            NAME,
            lambda: plan.due(scheduled_at),
            queue,
            parts.telemetry,
            tick_minutes=settings.tick_minutes,
        ).tick(scheduled_at)

    return Function(ticking(tick), parts.clients, parts.telemetry)
