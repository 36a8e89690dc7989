"""Builds what a family's functions have alike: its orchestrator and its worker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import NotifyQueue, SqsSourceQueue, WorkQueue
from uring.changes.check import Checker, Family
from uring.changes.jobs import Orchestrator, Planned
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.changes.state import SourceState
from uring.changes.worker import Worker, announced_lines
from uring.clock import Clock, system_clock
from uring.families import named
from uring.runtime.invocation import Function
from uring.runtime.schedule import ticking
from uring.runtime.settings import TickSettings, WorkerSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that every function of a family is built from.

    Attributes:
        clients: of AWS.
        telemetry: for lines and counters.
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    clients: Clients
    telemetry: Telemetry
    clock: Clock
    backoff: Backoff = field(default_factory=Backoff)

    @classmethod
    def of(cls, session: Any, telemetry: Telemetry | None, clock: Clock = system_clock) -> "Parts":
        """Return the parts; None stands for what Lambda has."""
        return cls(Clients(session), telemetry or LambdaTelemetry(), clock)

    def objects(self, bucket: str) -> S3Objects:
        """Return the objects of a bucket."""
        return S3Objects(self.clients.get("s3"), bucket)


def orchestrator(
    name: str, settings: TickSettings, plan: Callable[[], Sequence[Planned]], parts: Parts
) -> Function:
    """Return the function that turns a schedule's ticks into the family's jobs."""
    tick = Orchestrator(
        name,
        plan,
        WorkQueue(parts.clients.get("sqs"), settings.work_queue_url),
        parts.telemetry,
        tick_minutes=settings.tick_minutes,
    ).tick
    return Function(ticking(tick), parts.clients, parts.telemetry)


def worker(
    family: Family[Any, Any],
    state: type[SourceState],
    settings: WorkerSettings,
    parts: Parts,
    *,
    groups: int = 10,
) -> Function:
    """Return the function that runs the family's jobs; for the rest see `Worker`."""
    sqs, clock, backoff = parts.clients.get("sqs"), parts.clock, parts.backoff
    objects = parts.objects(settings.data_bucket)
    publisher = OutboxPublisher(
        StateRegister(objects, family.name, state, clock=clock, backoff=backoff),
        NotifyQueue(sqs, settings.notify_queue_url),
        announced=announced_lines(family.name, parts.telemetry, named),
    )
    work = Worker(
        Checker(family, publisher, clock=clock, backoff=backoff),
        SqsSourceQueue(
            sqs,
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=parts.telemetry,
        ),
        parts.telemetry,
        named,
        groups=groups,
    )
    return Function(
        lambda event, time_left: work.run(event, time_left=time_left),
        parts.clients,
        parts.telemetry,
    )
