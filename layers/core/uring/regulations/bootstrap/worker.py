"""Builds the regulation worker."""

from collections.abc import Mapping
from typing import Any

from uring.aws.queues import WorkQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, system_clock
from uring.regulations.family import Regulations
from uring.regulations.page import Visitor
from uring.regulations.settings import RegulationWorkerSettings
from uring.regulations.state import RegistryState
from uring.regulations.table import RegistryTable
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.bootstrap.worker import fetcher, worker
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the regulation worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = RegulationWorkerSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    client = parts.clients.get("dynamodb")
    regulations = Regulations(
        Visitor(fetcher(settings)),
        parts.objects(settings.data_bucket),
        RegistryTable(DynamoTable(client, settings.registry_table, backoff=parts.backoff)),
        WorkQueue(parts.clients.get("sqs"), settings.parse_queue_url),
        clock=clock,
        backoff=parts.backoff,
    )
    return worker(regulations, RegistryState, settings, parts)
