"""Builds the HTTP API of the document store."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from uring.aws.bucket import S3Bucket
from uring.aws.queues import FifoQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, milliseconds, system_clock
from uring.documents.api.app import DocumentApi
from uring.documents.jobs import Jobs
from uring.documents.settings import DocumentApiSettings
from uring.locks import Locks
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
    """Return the API for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = DocumentApiSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    table = DynamoTable(clients.get("dynamodb"), settings.document_table, backoff=backoff)
    queue = FifoQueue(clients.get("sqs"), settings.document_queue_url, backoff=backoff, senders=1)
    api = DocumentApi(
        table,
        S3Bucket(clients.get("s3"), settings.data_bucket),
        Locks(table, now_ms=milliseconds(clock)),
        Jobs(table, queue, clock=clock),
        parts.telemetry,
        clock=clock,
        new_id=lambda: str(uuid4()),
    )
    return Function(api.work, clients, parts.telemetry)
