"""Settings of the functions of the seed engine."""

from pydantic import Field

from uring.runtime.settings import Hosts, Name, Settings


class SeedOrchestratorSettings(Settings):
    """Settings of the seed orchestrator.

    ``own_name`` is its function's, which goes on where the time is over. A schedule's run takes the
    partitions of the last ``schedule_days``; 0 for none.
    """

    data_bucket: Name
    seed_table: Name
    seed_queue_url: Name
    own_name: Name
    schedule_days: int = Field(ge=0, le=36_500)


class SeedFileSettings(Settings):
    """Settings of the seed file worker."""

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    domain_queue_url: Name


class DomainWorkerSettings(Settings):
    """Settings of the domain worker.

    ``contact`` and ``allowed_private_hosts`` as in `uring.runtime.settings.WorkerSettings`.
    ``web_stand_in`` is ``HOST:PORT`` of a server that stands for the whole web; empty in
    production. ``spacing_seconds`` lie between two requests to one host,
    ``homepage`` stores each domain's.
    """

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    contact: str = Field(default="", pattern=r"^[!-~]*$")
    allowed_private_hosts: Hosts = frozenset()
    web_stand_in: str = Field(default="", pattern=r"^$|^\S+:\d{1,5}$")
    spacing_seconds: float = Field(default=1.0, ge=0, le=30)
    homepage: bool = True
