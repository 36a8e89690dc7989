"""From a page's text to its rows: pure and total.

    text ─ rows, by kind ─ read ─► Row (an item, or the reason for skipping it) ─► Page

The result depends on the text, its address and the entry only: the same text gives the same rows.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from uring.reading.extract import UnreadableField, required
from uring.reading.links import LinkRefused, canonical, fill, resolve
from uring.reading.lists.feed import feed_rows
from uring.reading.lists.html import html_rows
from uring.reading.lists.json import json_rows, markup_in
from uring.reading.lists.rows import Listing, RowNode
from uring.reading.rules import LinkRule
from uring.sources.entry import Entry

I = TypeVar("I")  # noqa: E741 - an item

_SHOWN: Final = 160


# Not frozen: that would make construction three times as slow.
@dataclass(slots=True)
class Row(Generic[I]):
    """One row of the list, read or skipped.

    Attributes:
        index: its place in the list, from 1.
        text: the visible text, at most 160 characters, with an ellipsis if it was cut; empty for a
            row that was read, unless `read_rows` has ``shown``.
        item: the item, or None if the row was skipped.
        reason: why it was skipped: the field, the text found, the key to correct.
        duplicate_of: the index of an earlier row with the same id (a pinned copy), or None.
    """

    index: int
    text: str
    item: I | None
    reason: str | None = None
    duplicate_of: int | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[I]):
    """The rows and items of a page.

    Attributes:
        rows: every row, in the page's order.
        items: the items that were read, each id once, at its first place.
        skipped: the number of unreadable rows (N23).
    """

    rows: tuple[Row[I], ...]
    items: tuple[I, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class Links:
    """Resolves the links of a page.

    Attributes:
        base: the base of relative links.
        page: the canonical address of the page itself, which is not the address of a record.
        keep: the query parameters to keep, by name; None keeps all but ``volatile``.
        volatile: names in lower case.
    """

    base: str
    page: str
    keep: Collection[str] | None
    volatile: Collection[str]

    def read(self, row: RowNode, name: str, rule: LinkRule, record_id: str) -> str:
        """Read ``fields.{name}``, an address or the value for its template, and resolve it.

        Args:
            row: the row.
            name: of the field.
            rule: its rule.
            record_id: for the template.

        Raises:
            UnreadableField: the row has no value, or its address is refused.
        """
        value = required(row, name, rule) if rule.reads else ""
        try:
            href = value if rule.template is None else fill(rule.template, record_id, value)
        except LinkRefused as error:
            raise UnreadableField(f"{name}: {error}") from error
        return self.resolve(href, name, fragment=rule.fragment)

    def resolve(self, href: str, name: str = "link", *, fragment: bool = False) -> str:
        """Return the canonical address of a link.

        Args:
            href: as in the page.
            name: of the field, for the message.
            fragment: True keeps the part after ``#``.

        Raises:
            UnreadableField: the link is refused, see `uring.reading.links.resolve`.
        """
        try:
            return resolve(href, self.base, self.page, self.keep, self.volatile, fragment=fragment)
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
        text: the decoded page, of any kind.
        url: its final address, after redirects: the base of its links.
        read: reads one row; raises `UnreadableField`, with the reason, to skip the row.
        identity: returns the id of an item.
        shown: False leaves out the text of rows that were read, which saves a tenth of the time.

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
        if entry.rows.markup is not None:
            text = markup_in(entry.rows, entry.require, text)
        return html_rows(entry.rows, text, url)
    if entry.kind == "json":
        return json_rows(entry.rows, entry.require, text, url)
    return feed_rows(entry.rows, entry.kind, text, url)
