"""Settings of the functions of the notices."""

from pydantic import Field

from uring.runtime.settings import Name, Settings, Words


class NoticeOrchestratorSettings(Settings):
    """Settings of the notice orchestrator."""

    data_bucket: Name
    config_key: Name
    work_queue_url: Name
    tick_minutes: int = Field(ge=1, le=60)


class NoticeWorkerSettings(Settings):
    """Settings of the notice worker.

    ``allowed_private_hosts`` holds ``host:port`` words that the address guard lets pass; empty in
    production. ``contact`` goes into the User-Agent, so that a site's operator can reach us; the
    template requires it in production.
    """

    data_bucket: Name
    work_queue_url: Name
    work_dlq_url: Name
    notify_queue_url: Name
    contact: str = ""
    allowed_private_hosts: Words = frozenset()


class NoticeWatchSettings(Settings):
    """What the monitor needs of the notices."""

    config_key: Name
