"""Builds the janitor of the document store."""

from collections.abc import Mapping
from typing import Any

from uring.aws.bucket import S3Bucket
from uring.aws.invoker import Invoker
from uring.aws.queues import FifoQueue
from uring.aws.tables import DynamoTable
from uring.clock import Clock, milliseconds, system_clock
from uring.documents.janitor.janitor import Janitor
from uring.documents.janitor.pages import PageSweeper
from uring.documents.settings import DocumentJanitorSettings
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
    """Return the janitor for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = DocumentJanitorSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    bucket = S3Bucket(clients.get("s3"), settings.data_bucket)
    table = DynamoTable(clients.get("dynamodb"), settings.document_table, backoff=backoff)
    queue = FifoQueue(clients.get("sqs"), settings.document_queue_url, backoff=backoff, senders=1)
    janitor = Janitor(
        table,
        bucket,
        PageSweeper(table, bucket, Locks(table, now_ms=milliseconds(clock)), queue, clock=clock),
        Invoker(clients.get("lambda"), settings.own_name),
        parts.telemetry,
        clock=clock,
    )
    return Function(janitor.work, clients, parts.telemetry)
