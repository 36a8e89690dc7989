"""A portal's own list of a regulation's revisions. Pure."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urljoin

from uring.reading.extract import UnreadableField, required
from uring.reading.lists.rows import RowNode
from uring.regulations.revision import REVISION_LIMIT, revision_of
from uring.regulations.source import History, Registry
from uring.sources.rows import Links, read_rows

MOST_REVISIONS: Final = 300
"""Of one regulation; older ones are left out."""


@dataclass(frozen=True, slots=True)
class PastRevision:
    """A revision that a portal lists.

    Attributes:
        revision: as `revision_of` spells it.
        date: ISO 8601; empty where the list has no such date.
        url: the address of its file.
    """

    revision: str
    date: str
    url: str


def history_address(registry: Registry, history: History, file_no: str) -> str:
    """Return the address of the list of a regulation's revisions."""
    return urljoin(registry.url, history.url.replace("{file_no}", file_no))


def read_history(
    registry: Registry, history: History, file_no: str, text: str, url: str
) -> tuple[PastRevision, ...]:
    """Return the revisions that a portal lists, in its order, each once; without a row, none.

    Rows without a revision or an address, such as the head of a table, are left out.

    Args:
        registry: the config entry.
        history: its rules of the list.
        file_no: of the regulation.
        text: the decoded page.
        url: its final address, after redirects.

    Raises:
        SuspectPage: as `read_rows`.
    """
    fields = history.fields

    def read(row: RowNode, links: Links) -> PastRevision:
        revision = revision_of(required(row, "revision", fields.revision))
        if not revision or len(revision) > REVISION_LIMIT:
            raise UnreadableField("revision: has no letter or digit, or too many")
        day = ""
        if fields.date is not None:
            with suppress(UnreadableField):
                day = _day(required(row, "date", fields.date))
        return PastRevision(revision, day, links.read(row, "download", fields.download, file_no))

    entry = registry.model_copy(update={"kind": "html", "rows": history.rows})
    page = read_rows(entry, text, url, read, lambda each: each.revision, shown=False)
    return page.items[:MOST_REVISIONS]


def _day(text: str) -> str:
    found = revision_of(text)
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError:
        return ""
