"""``state/seeds/{watch}.{n}of{shards}.json``: a list of records, and the fields of a watch."""

from pydantic import Field

from uring.clock import Timestamp
from uring.records.model import RecordState


class WatchState(RecordState):
    """The state of a shard; its records are the files of its domains.

    Attributes:
        fingerprint: of the watch at the last check.
        missing: files absent from the last answer, with the time of the first such answer.
    """

    fingerprint: str = ""
    missing: dict[str, Timestamp] = Field(default_factory=dict)
