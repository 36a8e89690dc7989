"""Issues: found by an analysis, edited by people (D5)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from uring.clock import Timestamp, timestamp
from uring.documents.names import ISSUE_PREFIX, IssueId, issue_key
from uring.documents.store.history import IssueEdit
from uring.documents.store.items import StoredItem
from uring.errors import CorruptState
from uring.tables import Table

Severity = Literal["low", "medium", "high", "critical"]
State = Literal["open", "resolved", "archived"]
Notes = Annotated[str, StringConstraints(max_length=20_000)]

TRANSITIONS: Final[Mapping[State, tuple[State, ...]]] = {
    "open": ("resolved", "archived"),
    "resolved": ("open", "archived"),
    "archived": ("open",),
}
"""The states that an issue can go to, by its state."""


class IssueReference(BaseModel):
    """A place in the text of a policy: ``text[start:end] == quote``, in characters."""

    # Attributes that a newer release adds are written back.
    model_config = ConfigDict(frozen=True, extra="allow")

    source: str
    start: int
    end: int
    quote: str


class StoredIssue(StoredItem):
    """An issue.

    Attributes:
        id: the same for the same quotes of the same page.
        severity: the model's, until a person classifies the issue.
        state: open, resolved or archived.
        references: the quoted places.
        notes: Markdown, by people.
        is_stale: whether a quoted policy has changed since, and no newer analysis has found the
            issue again.
        is_classified: whether a person has set the severity.
        history: the newest edits, oldest first.
        version: counts the writes, from the fence of the first one; also the ETag.
        writer: id of the last write, by which its writer recognises it.
    """

    packed: ClassVar[frozenset[str]] = frozenset({"references", "history"})

    id: IssueId
    page: str
    title: str
    description: str
    severity: Severity
    state: State = "open"
    references: tuple[IssueReference, ...] = ()
    notes: str = ""
    is_stale: bool = False
    is_classified: bool = False
    history: tuple[IssueEdit, ...] = ()
    version: int = 1
    writer: str = ""
    created: Timestamp
    updated: Timestamp

    @property
    def key(self) -> str:
        """The key in the table."""
        return issue_key(self.id)

    @property
    def sources(self) -> frozenset[str]:
        """The policies that it quotes."""
        return frozenset(each.source for each in self.references)

    def next_version(
        self, edit: "StoredIssue", *, fence: int, writer: str, now: datetime
    ) -> "StoredIssue":
        """Return an edit as the next version of this issue.

        Args:
            edit: this issue with new values.
            fence: fence of the lock under which the edit is written.
            writer: id of the write.
            now: aware UTC.
        """
        return edit.model_copy(
            update={
                "version": self.version + 1,
                "updated": timestamp(now),
                "writer": writer,
                "fence": fence,
            }
        )


class IssueStore:
    """Reads the issues of pages."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, page: str, issue: str) -> StoredIssue | None:
        """Return an issue; None for an unknown id."""
        item = self._table.get(page, issue_key(issue))
        return None if item is None else StoredIssue.read(f"{page}:{issue_key(issue)}", item)

    def all(self, page: str, skipped: set[str] | None = None) -> Iterator[StoredIssue]:
        """Yield the issues of a page by id; malformed ones are left out.

        Args:
            page: the page.
            skipped: takes the ids of those left out; nothing may be written over them.

        Raises:
            NewerRelease: a newer release wrote an issue.
        """
        for key, item in self._table.query(page, ISSUE_PREFIX):
            try:
                yield StoredIssue.read(f"{page}:{key}", item)
            except CorruptState:
                if skipped is not None:
                    skipped.add(key.removeprefix(ISSUE_PREFIX))

    def each(self, page: str, behind: str = "") -> Iterator[tuple[str, StoredIssue | None]]:
        """Yield id and issue of each item, by id: one query.

        The issue is None if its item is malformed, or of a newer release.

        Args:
            page: the page.
            behind: only later ids; empty for all.
        """
        after = issue_key(behind) if behind else ""
        for key, item in self._table.query(page, ISSUE_PREFIX, after):
            yield key.removeprefix(ISSUE_PREFIX), StoredIssue.readable(f"{page}:{key}", item)
