"""Wires the orchestrator of the seed watch."""

from datetime import datetime

from uring.changes.jobs import Orchestrator
from uring.functions import families
from uring.functions.orchestrators import EntriesTickSettings
from uring.functions.parts import Parts
from uring.runtime.invocation import Work, ticking
from uring.seeds.registration import NAME
from uring.seeds.watch.plan import WatchPlan


class Settings(EntriesTickSettings):
    """Settings of the seed watch's orchestrator."""


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the work of the seed watch's orchestrator."""
    plan = WatchPlan(
        parts.bucket(settings.data_bucket),
        parts.telemetry,
        config_key=settings.config_key,
        taken=families.folders_beside(NAME),
        tick_minutes=settings.tick_minutes,
    )
    queue = parts.work_queue(settings.work_queue_url)

    def tick(scheduled_at: datetime) -> int:
        # The domains are listed only at ticks with a due watch.
        return Orchestrator(
            NAME,
            lambda: plan.due(scheduled_at),
            queue,
            parts.telemetry,
            ticks=settings.ticks,
        ).tick(scheduled_at)

    return ticking(tick)
