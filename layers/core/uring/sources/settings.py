"""Settings of the functions whose sources stand in a configuration file."""

from uring.runtime.settings import Name, TickSettings


class EntriesTickSettings(TickSettings):
    """Settings of an orchestrator that reads its sources from a file in the bucket."""

    data_bucket: Name
    config_key: Name
