"""From a page's text to its rows: pure and total.

    text ─ rows, by kind ─ read ─► Row (an item, or the reason why not) ─► Page

Nothing here knows where a page came from: the same text gives the same rows.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from uring.reading.extract import UnreadableField, required
from uring.reading.links import LinkRefused, canonical, fill, resolve
from uring.reading.lists.feed import feed_rows
from uring.reading.lists.html import html_rows
from uring.reading.lists.json import json_rows
from uring.reading.lists.rows import Listing, RowNode
from uring.reading.rules import LinkRule
from uring.sources.entry import Entry

I = TypeVar("I")  # noqa: E741 - an item

_SHOWN: Final = 160


# Not frozen: to make one would take three times as long.
@dataclass(slots=True)
class Row(Generic[I]):
    """One row of the list, read or skipped.

    Attributes:
        index: its place in the list, from 1.
        text: what a reader sees in it, at most 160 characters, with an ellipsis where it is cut;
            empty for a row that was read, unless it was asked for.
        item: what was read, or None when the row was skipped.
        reason: why it was skipped: the field, what was seen, which key to correct.
        duplicate_of: the index of an earlier row with the same id (a pinned copy), or None.
    """

    index: int
    text: str
    item: I | None
    reason: str | None = None
    duplicate_of: int | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[I]):
    """A page, read.

    Attributes:
        rows: every row, in the page's order.
        items: what was read, each id once, at its first place.
        skipped: how many rows could not be read (N23).
    """

    rows: tuple[Row[I], ...]
    items: tuple[I, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class Links:
    """Resolves the links of a page.

    Attributes:
        base: the address that they are relative to.
        page: the canonical address of the page itself, where no record is.
        keep: the query parameters to keep, by name; None keeps all but ``volatile``.
        volatile: names in lower case.
    """

    base: str
    page: str
    keep: Collection[str] | None
    volatile: Collection[str]

    def read(self, row: RowNode, name: str, rule: LinkRule, record_id: str) -> str:
        """Read ``fields.{name}``, an address or a template of one, and resolve it.

        Args:
            row: the row.
            name: of the field.
            rule: its rule.
            record_id: for the template.

        Raises:
            UnreadableField: the row has none, or it leads nowhere.
        """
        value = required(row, name, rule) if rule.reads else ""
        href = value if rule.template is None else fill(rule.template, record_id, value)
        return self.resolve(href, name)

    def resolve(self, href: str, name: str = "link") -> str:
        """Return the canonical address of a link.

        Args:
            href: as the page has it.
            name: of the field, for the message.

        Raises:
            UnreadableField: it leads nowhere, or back to the list.
        """
        try:
            return resolve(href, self.base, self.page, self.keep, self.volatile)
        except LinkRefused as error:
            raise UnreadableField(f"{name}: {error}") from error


def read_rows(
    entry: Entry,
    text: str,
    url: str,
    read: Callable[[RowNode, Links], I],
    identity: Callable[[I], str],
    *,
    shown: bool = True,
) -> Page[I]:
    """Read every row of a page.

    Args:
        entry: the config entry.
        text: the decoded page, of whatever kind.
        url: its final address, after redirects: what its links are relative to.
        read: reads one row; raises `UnreadableField`, with the reason, for a row to be skipped.
        identity: returns the id of what was read.
        shown: False leaves out the text of rows that were read: a tenth of the time that it takes.

    Raises:
        SuspectPage: ``markup_bomb``, ``not_json``, ``wrong_envelope`` or ``not_feed`` (N17).
    """
    listing = _listing(entry, text, url)
    keep = entry.link_parameters
    links = Links(listing.base, canonical(url, keep), keep, entry.volatile)
    rows: list[Row[I]] = []
    items: list[I] = []
    first: dict[str, int] = {}
    for index, node in enumerate(listing.rows, start=1):
        try:
            item = read(node, links)
        except UnreadableField as error:
            rows.append(Row(index, node.glimpse(_SHOWN), None, str(error)))
            continue
        earlier = first.setdefault(identity(item), index)
        if earlier == index:
            items.append(item)
        text_of_row = node.glimpse(_SHOWN) if shown else ""
        rows.append(Row(index, text_of_row, item, None, None if earlier == index else earlier))
    return Page(tuple(rows), tuple(items), sum(row.item is None for row in rows))


def _listing(entry: Entry, text: str, url: str) -> Listing:
    if entry.kind == "html":
        return html_rows(entry.rows, text, url)
    if entry.kind == "json":
        return json_rows(entry.rows, entry.require, text, url)
    return feed_rows(entry.rows, entry.kind, text, url)
