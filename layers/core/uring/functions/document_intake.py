"""Wires the intake of the document store."""

from uring.documents.intake import Intake
from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name


class Settings(BaseSettings):
    """Settings of the document store's intake."""

    document_queue_url: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the intake's work."""
    queue = parts.fifo(settings.document_queue_url, senders=1)
    intake = Intake(queue, parts.telemetry, clock=parts.clock)
    return lambda event, _time_left: intake.take(event)
