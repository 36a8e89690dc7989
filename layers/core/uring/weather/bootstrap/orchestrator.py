"""Builds the weather orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.queues import WorkQueue
from uring.changes.jobs import Orchestrator
from uring.runtime.invocation import Function
from uring.runtime.schedule import ticking
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.weather.plan import products
from uring.weather.registration import NAME
from uring.weather.settings import WeatherOrchestratorSettings


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """Return the weather orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = WeatherOrchestratorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    orchestrator = Orchestrator(
        NAME,
        lambda: products(settings),
        WorkQueue(clients.get("sqs"), settings.work_queue_url),
        telemetry,
        tick_minutes=settings.tick_minutes,
    )
    return Function(ticking(orchestrator.tick), clients, telemetry)
