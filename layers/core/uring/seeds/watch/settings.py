"""Settings of the functions of the watch."""

from pydantic import Field

from uring.runtime.settings import Name, Settings, WorkerSettings
from uring.sources.settings import EntriesTickSettings


class SeedWatchTickSettings(EntriesTickSettings):
    """Settings of the watch's orchestrator."""


class SeedWatchedSettings(Settings):
    """The monitor's settings of the watches."""

    watches_key: Name


class SeedWatchWorkerSettings(WorkerSettings):
    """Settings of the watch's worker.

    ``domains_at_once`` are asked side by side; each may hold a sitemap of 10 MB. No domain is begun
    after ``round_seconds``. ``web_stand_in`` and ``spacing_seconds`` as in `DomainWorkerSettings`.
    """

    domains_at_once: int = Field(default=16, ge=1, le=64)
    round_seconds: int = Field(default=720, ge=10, le=720)
    web_stand_in: str = Field(default="", pattern=r"^$|^\S+:\d{1,5}$")
    spacing_seconds: float = Field(default=1.0, ge=0, le=30)
