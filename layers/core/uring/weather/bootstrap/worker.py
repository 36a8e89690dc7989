"""Builds the weather worker."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import NotifyQueue, SqsSourceQueue
from uring.aws.secrets import KeptSecret
from uring.changes.check import Checker
from uring.changes.outbox import OutboxPublisher
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.changes.worker import Worker, announced_lines
from uring.clock import Clock, system_clock
from uring.errors import Misconfigured
from uring.fetch import Fetcher, user_agent
from uring.runtime.invocation import Function
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.weather.family import Weather
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import Gateway
from uring.weather.gateway.retry import Operations
from uring.weather.registration import NAME
from uring.weather.settings import WeatherWorkerSettings
from uring.weather.state import WeatherState


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    sleep: Callable[[float], None] = time.sleep,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the weather worker for this environment.

    ``sleep`` waits between two requests; a run on a clock of its own passes one of its own.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = WeatherWorkerSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    objects = S3Objects(clients.get("s3"), settings.data_bucket)
    sqs = clients.get("sqs")
    backoff = Backoff()
    fetcher = Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
    )
    key = KeptSecret(lambda: clients.get("secretsmanager"), settings.gateway_key_secret)
    operations = Operations(settings.metar_path, settings.taf_path, settings.warning_path)

    def gateway() -> GatewayClient:
        try:
            return GatewayClient(
                fetcher,
                settings.gateway_url,
                settings.gateway_key_name,
                key.text(),
                operations=operations,
                sleep=sleep,
                clock=clock,
            )
        except Misconfigured:
            key.forget()
            raise

    weather = Weather(
        Gateway(gateway, key.forget),
        objects,
        airports=settings.airports,
        push_kinds=settings.push_kinds,
        backoff=backoff,
    )
    publisher = OutboxPublisher(
        StateRegister(objects, NAME, WeatherState, clock=clock, backoff=backoff),
        NotifyQueue(sqs, settings.notify_queue_url),
        announced=announced_lines(telemetry, NAME),
    )
    worker = Worker(
        Checker(weather, publisher, clock=clock, backoff=backoff),
        SqsSourceQueue(
            sqs,
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=telemetry,
        ),
        telemetry,
        # One product after the other: the gateway fails under parallel requests.
        groups=1,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left), clients, telemetry
    )
