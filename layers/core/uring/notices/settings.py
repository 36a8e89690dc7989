"""Settings of the notices."""

from uring.runtime.settings import Name, Settings


class NoticeWatchSettings(Settings):
    """The monitor's settings of the notices."""

    config_key: Name
