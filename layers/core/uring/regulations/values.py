"""The values of the registry's table, with the document's keys (R1)."""

from typing import Any, Literal

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from uring.changes.state import StatePart
from uring.clock import Timestamp


class Value(StatePart):
    """A value of the table; its attributes are the document's, in Python's spelling."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )

    def item(self) -> dict[str, Any]:
        """Return the table's item, with the document's keys."""
        return self.model_dump(by_alias=True)


class PolicyRow(Value):
    """A row of a registry's page; its addresses are absolute and its ``fileNo`` is digits."""

    title: str
    file_no: str
    preview_url: str
    download_url: str


class RegulationEntry(PolicyRow):
    """``policy:{title}``; ``archived`` is the tombstone of a deleted regulation (R8)."""

    status: Literal["active", "archived"] = "active"
    last_updated: Timestamp


class QueueEntry(Value):
    """``queue:{title}``: a file to read; ``dead-letter:{title}``: a file that could not be read.

    It is not rebuilt from a state, so attributes of another release are kept.
    """

    model_config = ConfigDict(extra="allow")

    title: str
    file_no: str
    operation: Literal["add", "update"]
    retry_count: int = 0
    created_at: Timestamp
    error_message: str | None = None


class SyncMetadata(Value):
    """``metadata:sync:lastRun``. ``partial``: rows were skipped; ``failed``: nothing was read."""

    timestamp: Timestamp
    total_processed: int = 0
    added: int = 0
    updated: int = 0
    deleted: int = 0
    status: Literal["success", "partial", "failed"]
    error_count: int = 0
