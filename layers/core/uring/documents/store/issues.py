"""Issues: what an analysis found, and what people made of it (D5)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints

from uring.clock import Timestamp, timestamp
from uring.documents.names import ISSUE_PREFIX, IssueId, issue_key
from uring.documents.store.items import StoredItem
from uring.tables import Table

Severity = Literal["low", "medium", "high", "critical"]
State = Literal["open", "resolved", "archived"]
Notes = Annotated[str, StringConstraints(max_length=20_000)]

SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
STATES: Final[tuple[State, ...]] = get_args(State)
TRANSITIONS: Final[Mapping[State, tuple[State, ...]]] = {
    "open": ("resolved", "archived"),
    "resolved": ("open", "archived"),
    "archived": ("open",),
}
"""To which states an issue goes from each."""


class IssueReference(BaseModel):
    """A place in the text of a policy: ``text[start:end] == quote``, in characters."""

    # What a newer release adds is written back.
    model_config = ConfigDict(frozen=True, extra="allow")

    source: str
    start: int
    end: int
    quote: str


class Issue(StoredItem):
    """An issue.

    Attributes:
        id: the same for the same quotes of the same page, whoever finds them.
        severity: the model's, until somebody classifies it.
        state: open, resolved or archived.
        references: the places that it is about.
        notes: Markdown, by people.
        is_stale: whether a policy that it quotes has changed since, and no newer analysis has
            found it again.
        version: counts the writes, from the fence of the first; the ETag.
        writer: names the last write, to know one's own again.
    """

    packed: ClassVar[frozenset[str]] = frozenset({"references"})

    id: IssueId
    page: str
    title: str
    description: str
    severity: Severity
    state: State = "open"
    references: tuple[IssueReference, ...] = ()
    notes: str = ""
    is_stale: bool = False
    version: int = 1
    writer: str = ""
    created: Timestamp
    updated: Timestamp

    @property
    def key(self) -> str:
        """In the table."""
        return issue_key(self.id)

    @property
    def sources(self) -> frozenset[str]:
        """The policies that it quotes."""
        return frozenset(each.source for each in self.references)

    def next_version(self, edit: "Issue", *, fence: int, writer: str, now: datetime) -> "Issue":
        """Return an edit of this issue as the version behind it.

        Args:
            edit: this issue with other values.
            fence: of the lock under which it is written.
            writer: names the write.
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

    def get(self, page: str, issue: str) -> Issue | None:
        """Return an issue; None where there is none."""
        item = self._table.get(page, issue_key(issue))
        return None if item is None else Issue.read(f"{page}:{issue_key(issue)}", item)

    def all(self, page: str, behind: str = "") -> Iterator[Issue]:
        """Yield every issue of a page, or those behind an id, by id: one query."""
        after = issue_key(behind) if behind else ""
        for key, item in self._table.query(page, ISSUE_PREFIX, after):
            yield Issue.read(f"{page}:{key}", item)
