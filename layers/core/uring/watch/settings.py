"""Settings of the monitor."""

from uring.runtime.settings import Name, Settings, Words


class MonitorSettings(Settings):
    """Settings of the monitor; what a family's part of it needs, that family reads itself."""

    data_bucket: Name
    alarm_topic_arn: Name
    watched_families: Words
