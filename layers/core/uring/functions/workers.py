"""The common wiring of workers: jobs become checks of a family."""

from typing import Any

from uring.aws.queues import NotifyQueue
from uring.changes.check import Checker
from uring.changes.family import Family
from uring.changes.history.refused import RefusedAnswers
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.state import SourceState
from uring.changes.worker import Worker, announced_lines
from uring.functions.families import named
from uring.functions.parts import Parts
from uring.functions.web import WebSettings
from uring.runtime.invocation import Work
from uring.runtime.settings import Name


class WorkerSettings(WebSettings):
    """The common settings of all workers."""

    data_bucket: Name
    work_queue_url: Name
    work_dlq_url: Name
    notify_queue_url: Name


def worker(
    family: Family[Any, Any],
    state: type[SourceState],
    settings: WorkerSettings,
    parts: Parts,
    *,
    groups: int = 10,
) -> Work:
    """Return the work of a worker: it runs the family's jobs; for ``groups`` see `Worker`."""
    clock, backoff = parts.clock, parts.backoff
    objects = parts.bucket(settings.data_bucket)
    publisher = OutboxPublisher(
        StateRegister(objects, family.name, state, clock=clock, backoff=backoff),
        NotifyQueue(parts.clients.get("sqs"), settings.notify_queue_url),
        clock=clock,
        announced=announced_lines(family.name, parts.telemetry, named),
    )
    return Worker(
        Checker(family, publisher, clock=clock, backoff=backoff, refused=RefusedAnswers(objects)),
        parts.source_queue(settings.work_queue_url, settings.work_dlq_url),
        parts.telemetry,
        named,
        groups=groups,
    ).run
