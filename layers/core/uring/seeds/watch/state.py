"""``state/seeds/{watch}.{n}of{shards}.json``: a list of records, and what only a watch has."""

from pydantic import Field

from uring.clock import Timestamp
from uring.records.model import RecordState


class WatchState(RecordState):
    """The state of a shard; its records are the files of its domains.

    Attributes:
        fingerprint: of the watch that the state was read by.
        missing: files that the last answer no longer had, with the time of the first such answer.
    """

    fingerprint: str = ""
    missing: dict[str, Timestamp] = Field(default_factory=dict)
