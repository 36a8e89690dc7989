"""Wires the regulation worker."""

from uring.functions.parts import Parts
from uring.functions.web import fetcher
from uring.functions.workers import WorkerSettings, worker
from uring.regulations.family import Regulations
from uring.regulations.page import RegistryVisitor
from uring.regulations.state import RegistryState
from uring.regulations.table import RegistryTable
from uring.runtime.invocation import Work
from uring.runtime.settings import Name


class Settings(WorkerSettings):
    """Settings of the regulation worker."""

    registry_table: Name
    parse_queue_url: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the regulation worker's work."""
    regulations = Regulations(
        RegistryVisitor(fetcher(settings)),
        parts.bucket(settings.data_bucket),
        RegistryTable(parts.table(settings.registry_table)),
        parts.work_queue(settings.parse_queue_url),
        clock=parts.clock,
        backoff=parts.backoff,
    )
    return worker(regulations, RegistryState, settings, parts)
