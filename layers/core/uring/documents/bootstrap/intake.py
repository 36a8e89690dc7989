"""Builds the intake of the document store."""

from collections.abc import Mapping
from typing import Any

from uring.aws.queues import FifoQueue
from uring.clock import Clock, system_clock
from uring.documents.intake import Intake
from uring.documents.settings import DocumentIntakeSettings
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the intake for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = DocumentIntakeSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    queue = FifoQueue(
        parts.clients.get("sqs"), settings.document_queue_url, backoff=parts.backoff, senders=1
    )
    intake = Intake(queue, parts.telemetry, clock=clock)
    return Function(lambda event, _: intake.take(event), parts.clients, parts.telemetry)
