"""Wires the janitor of the document store."""

from uring.clock import milliseconds
from uring.documents.janitor.janitor import Janitor
from uring.documents.janitor.pages import PageSweeper
from uring.documents.lock_telemetry import LockTelemetry
from uring.functions.parts import Parts
from uring.locks import Locks
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name


class Settings(BaseSettings):
    """Settings of the janitor; ``own_name`` is the function's name, to invoke itself again."""

    data_bucket: Name
    document_table: Name
    document_queue_url: Name
    own_name: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the janitor's work."""
    bucket, table = parts.bucket(settings.data_bucket), parts.table(settings.document_table)
    queue = parts.fifo(settings.document_queue_url, senders=1)
    locks = Locks(table, now_ms=milliseconds(parts.clock), watch=LockTelemetry(parts.telemetry))
    return Janitor(
        table,
        bucket,
        PageSweeper(table, bucket, locks, queue, clock=parts.clock),
        parts.invoker(settings.own_name),
        parts.telemetry,
        clock=parts.clock,
    ).work
