"""Builds a family's worker."""

from typing import Any

from uring.aws.queues import NotifyQueue, SqsSourceQueue
from uring.changes.check import Checker
from uring.changes.family import Family
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.state import SourceState
from uring.changes.worker import Worker, announced_lines
from uring.families import named
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.settings import WorkerSettings


def fetcher(settings: WorkerSettings, *, abreast: int = 1) -> Fetcher:
    """Return the guarded HTTP client of a worker; for ``abreast`` see `Fetcher`."""
    return Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
        abreast=abreast,
    )


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
        clock=clock,
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
