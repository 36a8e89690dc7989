"""Builds the weather worker."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.aws.queues import NotifyQueue, ReceivedFrom
from uring.aws.secrets import KeptSecret
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.errors import Misconfigured
from uring.fetch import Fetcher
from uring.runtime.invocation import Function
from uring.runtime.settings import WeatherWorkerSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.weather.collect import WeatherCollector
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import Gateway
from uring.weather.gateway.retry import Operations
from uring.weather.publisher import WeatherPublisher
from uring.weather.state import WeatherState
from uring.weather.worker import WeatherWorker


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    sleep: Callable[[float], None] = time.sleep,
    telemetry: Telemetry | None = None,
) -> Function:
    """The weather worker for this environment.

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
    user_agent = f"uRing/1 (+{settings.contact})" if settings.contact else "uRing/1"
    fetcher = Fetcher(user_agent=user_agent, allowed_private_hosts=settings.allowed_private_hosts)
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

    collector = WeatherCollector(
        Gateway(gateway, key.forget),
        WeatherPublisher(
            objects,
            NotifyQueue(sqs, settings.notify_queue_url),
            StateRegister(objects, "weather", WeatherState, clock=clock, backoff=backoff),
            backoff=backoff,
        ),
        airports=settings.airports,
        push_kinds=settings.push_kinds,
        clock=clock,
        backoff=backoff,
    )
    worker = WeatherWorker(
        collector,
        ReceivedFrom(
            sqs,
            queue_url=settings.work_queue_url,
            dead_letter_url=settings.work_dlq_url,
            telemetry=telemetry,
        ),
        telemetry,
    )
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left), clients, telemetry
    )
