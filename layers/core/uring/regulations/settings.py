"""Settings of the functions of the regulations."""

from uring.runtime.settings import Name, Settings, WorkerSettings
from uring.sources.settings import EntriesTickSettings


class RegulationTickSettings(EntriesTickSettings):
    """Settings of the regulation orchestrator; ``sitemap_key`` is the notices' file."""

    sitemap_key: Name


class RegulationWatchSettings(Settings):
    """The monitor's settings of the regulations."""

    registries_key: Name


class RegulationWorkerSettings(WorkerSettings):
    """Settings of the regulation worker."""

    registry_table: Name
    parse_queue_url: Name


class RegulationParserSettings(WorkerSettings):
    """Settings of the regulation parser; ``extractor`` is the name of the text extractor."""

    registry_table: Name
    extractor: Name
