"""Wires the HTTP API of the document store."""

from uuid import uuid4

from uring.clock import milliseconds
from uring.documents.api.app import document_api
from uring.documents.jobs import Jobs
from uring.documents.lock_telemetry import LockTelemetry
from uring.functions.parts import Parts
from uring.locks import Locks
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name


class Settings(BaseSettings):
    """Settings of the document store's API."""

    data_bucket: Name
    document_table: Name
    document_queue_url: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the API's work."""
    table = parts.table(settings.document_table)
    queue = parts.fifo(settings.document_queue_url, senders=1)
    return document_api(
        table,
        parts.bucket(settings.data_bucket),
        Locks(table, now_ms=milliseconds(parts.clock), watch=LockTelemetry(parts.telemetry)),
        Jobs(table, queue, clock=parts.clock),
        parts.telemetry,
        clock=parts.clock,
        new_id=lambda: str(uuid4()),
    ).work
