"""Wires the weather orchestrator."""

from uring.functions.orchestrators import TickSettings, orchestrator
from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.weather.plan import Intervals, products
from uring.weather.registration import NAME


class Settings(Intervals, TickSettings):
    """Settings of the weather orchestrator."""


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the weather orchestrator's work."""
    return orchestrator(NAME, settings, lambda: products(settings), parts)
