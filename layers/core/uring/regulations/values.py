"""The values of the registry's table, with the document's keys (R1)."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field
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


class RegulationFile(Value):
    """A file of a regulation.

    Attributes:
        title: of the regulation.
        file_no: digits.
        file_revision: the revision beside a number that lasts, see `uring.regulations.revision`;
            empty where the entry does not read one. It is not stored then.
    """

    title: str
    file_no: str
    file_revision: str = Field(default="", exclude_if=lambda revision: not revision)

    def is_same_file(self, other: "RegulationFile") -> bool:
        """Return whether both name one file; an empty revision is any revision of its number."""
        known = {self.file_revision, other.file_revision} - {""}
        return self.file_no == other.file_no and len(known) < 2  # noqa: PLR2004 - two differ

    def same_item(self) -> Mapping[str, str]:
        """Return the attributes of an item of this file, as the condition of a write."""
        revision = {"fileRevision": self.file_revision} if self.file_revision else {}
        return {"fileNo": self.file_no, **revision}


class PolicyRow(RegulationFile):
    """A row of a registry's page; its addresses are absolute and its ``fileNo`` is digits."""

    preview_url: str
    download_url: str


class RegulationEntry(PolicyRow):
    """``policy:{title}``; ``archived`` is the tombstone of a deleted regulation (R8)."""

    status: Literal["active", "archived"] = "active"
    last_updated: Timestamp


class QueueEntry(RegulationFile):
    """``queue:{title}``: a file to read; ``dead-letter:{title}``: a file that could not be read.

    It is not rebuilt from a state, so attributes of another release are kept.
    """

    model_config = ConfigDict(extra="allow")

    operation: Literal["add", "update"]
    retry_count: int = 0
    created_at: Timestamp
    error_message: str | None = None


class RecheckEntry(RegulationFile):
    """``recheck:{title}``: a file that was read, and is asked for again.

    It goes when the file was seen. Attributes of another release are kept.

    Attributes:
        retry_count: the nights without a result.
        created_at: the time of the first of them.
        error_message: the last failure.
        text_sha256: of other words that a night has read; they count when another night reads them.
        read_at: the time of that reading.
        tried_at: the time of the last night that was counted.
    """

    model_config = ConfigDict(extra="allow")

    retry_count: int = 0
    created_at: Timestamp
    error_message: str | None = None
    text_sha256: str = ""
    read_at: Timestamp | None = None
    tried_at: Timestamp | None = None


class SyncMetadata(Value):
    """``metadata:sync:lastRun``. ``partial``: rows were skipped; ``failed``: nothing was read."""

    timestamp: Timestamp
    total_processed: int = 0
    added: int = 0
    updated: int = 0
    deleted: int = 0
    status: Literal["success", "partial", "failed"]
    error_count: int = 0
