"""Builds the weather orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring.runtime.bootstrap.orchestrator import orchestrator
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
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
    return orchestrator(NAME, settings, lambda: products(settings), Parts.of(session, telemetry))
