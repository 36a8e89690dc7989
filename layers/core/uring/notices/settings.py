"""Settings of the functions of the notices."""

from uring.runtime.settings import Name, Settings, TickSettings


class NoticeOrchestratorSettings(TickSettings):
    """Settings of the notice orchestrator."""

    data_bucket: Name
    config_key: Name


class NoticeWatchSettings(Settings):
    """The monitor's settings of the notices."""

    config_key: Name
