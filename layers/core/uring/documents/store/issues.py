"""Issues: found by an analysis, edited by people (D5)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints

from uring.clock import Timestamp, timestamp
from uring.documents.names import ISSUE_PREFIX, IssueId, issue_key
from uring.documents.store.history import IssueEdit
from uring.documents.store.items import StoredItem
from uring.errors import CorruptState
from uring.tables import Item, Table

Severity = Literal["low", "medium", "high", "critical"]
State = Literal["open", "resolved", "archived"]
Notes = Annotated[str, StringConstraints(max_length=20_000)]

# The `writer` of the last write by a release that stores what people did.
_KNOWN_WRITER: Final = "known_writer"

TRANSITIONS: Final[Mapping[State, tuple[State, ...]]] = {
    "open": ("resolved", "archived"),
    "resolved": ("open", "archived"),
    "archived": ("open",),
}
"""The states that an issue can go to, by its state."""


class IssueReference(BaseModel):
    """A place in the text of a policy: ``text[start:end] == quote``, in characters.

    Attributes:
        text_sha256: hash of that text; empty in a finding, and in issues of earlier releases.
    """

    # Attributes that a newer release adds are written back.
    model_config = ConfigDict(frozen=True, extra="allow")

    source: str
    start: int
    end: int
    quote: str
    text_sha256: str = ""


class StoredIssue(StoredItem):
    """An issue.

    Attributes:
        id: the same for the same quotes of the same page, numbered if there are several.
        title: plain text; the newest analysis's, until a person has touched the issue.
        description: plain text, by the same rule.
        severity: the newest analysis's, until a person classifies the issue.
        state: open, resolved or archived.
        references: the quoted places.
        notes: Markdown, by people.
        is_stale: whether a quoted policy has changed since, and no newer analysis has found the
            issue again.
        is_classified: whether a person has set the severity.
        touched: whether a person has edited it in any way; never False again.
        not_found_since: time of the first analysis, after the last that found the issue, that did
            not find it; None if the newest found it. An analysis that could not read a quoted
            policy does not count.
        not_found_twice: whether a second such analysis, with new requests about the quoted
            policies, did not find it either.
        found_with: the policies that the model saw in the request in which it reported the issue.
        texts_in_sight: SHA-256 of the texts of `found_with`, by source; empty in issues of earlier
            releases.
        model: the model that reported it; empty in issues of earlier releases.
        prompt: hash of the model's instructions; empty in the same issues.
        history: the newest edits, oldest first.
        version: counts the writes, from the fence of the first one; also the ETag.
        writer: id of the last write, by which its writer recognises it.
    """

    packed: ClassVar[frozenset[str]] = frozenset(
        {"references", "found_with", "texts_in_sight", "history"}
    )

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
    touched: bool = False
    not_found_since: Timestamp | None = None
    not_found_twice: bool = False
    found_with: tuple[str, ...] = ()
    texts_in_sight: Mapping[str, str] = {}
    model: str = ""
    prompt: str = ""
    history: tuple[IssueEdit, ...] = ()
    version: int = 1
    writer: str = ""
    created: Timestamp
    updated: Timestamp

    @classmethod
    def read(cls, where: str, item: Item) -> Self:
        """See `StoredItem.read`.

        An earlier release did not store what a person had done, and writes back unchanged what
        this one has stored. An issue that was edited there counts as classified and touched:
        nothing that a person may have done is overwritten.
        """
        is_edited = int(item.get("updated") != item.get("created"))
        known = {"is_classified": is_edited, "touched": is_edited, **item}
        if known.pop(_KNOWN_WRITER, item.get("writer")) != item.get("writer"):
            known |= {"is_classified": 1, "touched": 1}
        return super().read(where, known)

    def item(self) -> Item:
        """See `StoredItem.item`; the writer is stored twice, see `read`."""
        return {**super().item(), _KNOWN_WRITER: self.writer}

    @property
    def key(self) -> str:
        """The key in the table."""
        return issue_key(self.id)

    @property
    def is_touched(self) -> bool:
        """True when a person has classified, annotated or moved it."""
        return self.touched or self.is_classified or self.notes != "" or self.state != "open"

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
