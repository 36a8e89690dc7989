"""Builds the weather worker."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.secrets import KeptSecret
from uring.clock import Clock, system_clock
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.bootstrap.worker import fetcher, worker
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.weather.family import Weather
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import Gateway
from uring.weather.gateway.retry import Operations
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
    parts = Parts.of(session, telemetry, clock)
    client = fetcher(settings)
    key = KeptSecret(lambda: parts.clients.get("secretsmanager"), settings.gateway_key_secret)
    operations = Operations(settings.metar_path, settings.taf_path, settings.warning_path)

    def gateway() -> GatewayClient:
        return GatewayClient(
            client,
            settings.gateway_url,
            settings.gateway_key_name,
            key.text(),
            operations=operations,
            sleep=sleep,
            clock=clock,
        )

    weather = Weather(
        Gateway(gateway, key.forget),
        parts.objects(settings.data_bucket),
        airports=settings.airports,
        push_kinds=settings.push_kinds,
        backoff=parts.backoff,
    )
    # One product after the other: the gateway fails under parallel requests.
    return worker(weather, WeatherState, settings, parts, groups=1)
