"""Builds the notice worker."""

from collections.abc import Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import NotifyQueue, SqsSourceQueue
from uring.changes.check import Checker
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.changes.worker import Worker, announced_lines
from uring.clock import Clock, system_clock
from uring.fetch import Fetcher, user_agent
from uring.notices.family import Notices, named
from uring.notices.registration import NAME
from uring.notices.settings import NoticeWorkerSettings
from uring.notices.state import NoticeState
from uring.notices.visit import Visitor
from uring.runtime.invocation import Function
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the notice worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = NoticeWorkerSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    objects = S3Objects(clients.get("s3"), settings.data_bucket)
    sqs = clients.get("sqs")
    backoff = Backoff()
    publisher = OutboxPublisher(
        StateRegister(objects, NAME, NoticeState, clock=clock, backoff=backoff),
        NotifyQueue(sqs, settings.notify_queue_url),
        announced=announced_lines(telemetry, NAME, named),
    )
    fetcher = Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
    )
    notices = Notices(Visitor(fetcher), objects, clock=clock, backoff=backoff)
    worker = Worker(
        Checker(notices, publisher, clock=clock, backoff=backoff),
        SqsSourceQueue(
            sqs,
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=telemetry,
        ),
        telemetry,
        named=named,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left), clients, telemetry
    )
