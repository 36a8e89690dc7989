"""Builds a family's orchestrator."""

from collections.abc import Callable, Sequence

from uring.aws.queues import WorkQueue
from uring.changes.jobs import Hinting, Orchestrator, Planned
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.schedule import ticking
from uring.runtime.settings import TickSettings


def orchestrator(
    name: str,
    settings: TickSettings,
    plan: Callable[[], Sequence[Planned]],
    parts: Parts,
    hints: Hinting | None = None,
) -> Function:
    """Return the function that turns a schedule's ticks into the family's jobs."""
    tick = Orchestrator(
        name,
        plan,
        WorkQueue(parts.clients.get("sqs"), settings.work_queue_url),
        parts.telemetry,
        tick_minutes=settings.tick_minutes,
        hints=hints,
    ).tick
    return Function(ticking(tick), parts.clients, parts.telemetry)
