"""Builds the notice worker."""

from collections.abc import Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import NotifyQueue, ReceivedFrom
from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.fetch import Fetcher
from uring.notices.collect import NoticeCollector
from uring.notices.visit import Visitor
from uring.notices.worker import NoticeWorker, published_lines
from uring.runtime.invocation import Function
from uring.runtime.settings import NoticeWorkerSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """The notice worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = NoticeWorkerSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    objects = S3Objects(clients.get("s3"), settings.data_bucket)
    sqs = clients.get("sqs")
    backoff = Backoff()
    register = Register(objects, "notices", clock=clock, backoff=backoff)
    publisher = Publisher(
        objects,
        NotifyQueue(sqs, settings.notify_queue_url),
        register,
        backoff=backoff,
        published=published_lines(telemetry),
    )
    user_agent = f"uRing/1 (+{settings.contact})" if settings.contact else "uRing/1"
    fetcher = Fetcher(user_agent=user_agent, allowed_private_hosts=settings.allowed_private_hosts)
    worker = NoticeWorker(
        NoticeCollector(Visitor(fetcher), publisher, clock=clock, backoff=backoff),
        ReceivedFrom(
            sqs, queue_url=None, dead_letter_url=settings.work_dlq_url, telemetry=telemetry
        ),
        telemetry,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left), clients, telemetry
    )
