"""Builds the weather orchestrator."""

from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.clients import Clients
from uring.aws.queues import WorkQueue
from uring.runtime.invocation import Function
from uring.runtime.schedule import scheduled_at
from uring.runtime.settings import WeatherOrchestratorSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.weather.orchestrate import WeatherOrchestrator


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """The weather orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = WeatherOrchestratorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    orchestrator = WeatherOrchestrator(
        WorkQueue(clients.get("sqs"), settings.work_queue_url),
        telemetry,
        intervals={
            "warning": settings.warning_minutes,
            "metar": settings.metar_minutes,
            "taf": settings.taf_minutes,
        },
        tick_minutes=settings.tick_minutes,
    )

    def work(event: dict[str, Any], _: Callable[[], float]) -> dict[str, int]:
        return {"jobs": orchestrator.tick(scheduled_at(event))}

    return Function(work, clients, telemetry)
