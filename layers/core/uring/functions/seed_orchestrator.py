"""Wires the seed orchestrator."""

from pydantic import Field

from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name
from uring.seeds.api import SeedTriggers
from uring.seeds.orchestrate import SeedOrchestrator
from uring.seeds.progress import Progress
from uring.seeds.reports.reporter import SeedReporter


class Settings(BaseSettings):
    """Settings of the seed orchestrator.

    ``own_name`` is the function's name, to invoke itself again when its time is over. A scheduled
    run takes the partitions of the last ``schedule_days``; 0 for none. With ``spread`` the domains
    of new collections have several partition keys, see `Progress`.
    """

    data_bucket: Name
    seed_table: Name
    seed_queue_url: Name
    domain_queue_url: Name
    own_name: Name
    schedule_days: int = Field(ge=0, le=36_500)
    spread: bool = False


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the seed orchestrator's work."""
    bucket = parts.bucket(settings.data_bucket)
    progress = Progress(parts.table(settings.seed_table), spreads=settings.spread)
    orchestrator = SeedOrchestrator(
        bucket,
        progress,
        parts.fifo(settings.seed_queue_url),
        parts.telemetry,
        clock=parts.clock,
        depth=parts.queue_depth(settings.domain_queue_url),
    )
    return SeedTriggers(
        orchestrator,
        SeedReporter(bucket, progress, parts.telemetry, backoff=parts.backoff),
        parts.invoker(settings.own_name),
        parts.telemetry,
        days=settings.schedule_days,
    ).work
