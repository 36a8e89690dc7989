"""From a page's text to its notices: pure and total.

    text ─ rows, by kind ─ fields ─► Row (an item, or the reason why not) ─ merge ─► Page

Nothing here knows where a page came from: the same text gives the same notices.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from uring.errors import SuspectPage
from uring.notices.config import Source
from uring.notices.item import NoticeItem
from uring.reading.extract import (
    UnreadableField,
    dated,
    is_pinned,
    optional,
    required,
)
from uring.reading.links import LinkRefused, canonical, fill, resolve
from uring.reading.lists.feed import feed_rows
from uring.reading.lists.html import html_rows
from uring.reading.lists.json import json_rows
from uring.reading.lists.rows import Listing, RowNode
from uring.reading.text import shorten

ID_LIMIT: Final = 200
"""Characters of an id: it becomes part of keys."""

_SHOWN: Final = 160
_UNSEEN: Final[Mapping[str, date]] = MappingProxyType({})
_NO_ROWS: Final = {
    "html": "an error, login or challenge page, or a new layout; open the page and correct "
    "rows.select if its list is there",
    "json": "the list is empty, or there is none at this place; correct rows.select, the way to "
    "the list",
    "rss": "the feed is empty",
    "atom": "the feed is empty",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the list, read or skipped.

    Attributes:
        index: its place in the list, from 1.
        text: what a reader sees in it, at most 160 characters.
        item: the notice, or None when the row was skipped.
        reason: why it was skipped: the field, what was seen, which key to correct.
        duplicate_of: the index of an earlier row with the same id (a pinned copy), or None.
    """

    index: int
    text: str
    item: NoticeItem | None
    reason: str | None = None
    duplicate_of: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page, read.

    Attributes:
        rows: every row, in the page's order.
        items: the notices, each id once, at its first place, pinned if any of its rows is (N19).
        skipped: how many rows could not be read (N23).
    """

    rows: tuple[Row, ...]
    items: tuple[NoticeItem, ...]
    skipped: int


def read_page(
    source: Source, text: str, url: str, today: date, first_seen: Mapping[str, date] = _UNSEEN
) -> Page:
    """Read a page, or refuse to believe it.

    Args:
        source: the config entry.
        text: the decoded page, of whatever kind.
        url: its final address, after redirects: what its links are relative to.
        today: the current day in the source's zone.
        first_seen: by id, the day in the source's zone on which a notice was first seen. A date
            that leaves the year out, or is a bare time, means what it meant on that day.

    Raises:
        SuspectPage: ``no_rows``, ``all_rows_bad``, ``markup_bomb``, ``not_json``,
            ``wrong_envelope`` or ``not_feed`` (N17); nothing else.
    """
    page = rows_of(source, text, url, today, first_seen)
    if not page.rows and source.expect.min_rows:
        raise SuspectPage(
            "no_rows", f"nothing matches {source.rows.select!r}: {_NO_ROWS[source.kind]}"
        )
    if page.rows and not page.items:
        raise SuspectPage(
            "all_rows_bad", f"none of {len(page.rows)} rows could be read; {page.rows[0].reason}"
        )
    return page


def rows_of(
    source: Source, text: str, url: str, today: date, first_seen: Mapping[str, date] = _UNSEEN
) -> Page:
    """Read a page without the judgement of `read_page`: for showing every row to people.

    Raises:
        SuspectPage: as `read_page`, but for ``no_rows`` and ``all_rows_bad``.
    """
    listing = _listing(source, text, url)
    reader = _Reader(
        source,
        today,
        first_seen,
        ZoneInfo(source.zone),
        listing.base,
        canonical(url, source.link_parameters),
    )
    rows: list[Row] = []
    first: dict[str, int] = {}
    for index, record in enumerate(listing.rows, start=1):
        row = reader.read(index, record)
        if row.item is not None:
            earlier = first.setdefault(row.item.id, index)
            if earlier != index:
                row = replace(row, duplicate_of=earlier)
        rows.append(row)
    skipped = sum(row.item is None for row in rows)
    items = merged(row.item for row in rows if row.item is not None)
    return Page(tuple(rows), items, skipped)


def _listing(source: Source, text: str, url: str) -> Listing:
    if source.kind == "html":
        return html_rows(source.rows, text, url)
    if source.kind == "json":
        return json_rows(source.rows, source.require, text, url)
    return feed_rows(source.rows, source.kind, text, url)


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    today: date
    first_seen: Mapping[str, date]
    zone: ZoneInfo
    base: str
    page_link: str

    def read(self, index: int, record: RowNode) -> Row:
        text = record.glimpse(_SHOWN)
        try:
            return Row(index, text, self._item(record))
        except UnreadableField as error:
            return Row(index, text, None, str(error))
        except LinkRefused as error:
            return Row(index, text, None, f"link: {error}")

    def _item(self, record: RowNode) -> NoticeItem:
        fields = self.source.fields
        notice_id = required(record, "id", fields.id)
        if len(notice_id) > ID_LIMIT:
            raise UnreadableField(
                f"id: {shorten(notice_id, 60)!r} is longer than {ID_LIMIT} characters; "
                "narrow it with fields.id.pattern"
            )
        day = self.first_seen.get(notice_id, self.today)
        return NoticeItem(
            id=notice_id,
            title=required(record, "title", fields.title),
            date=dated(record, fields.date, day, self.zone),
            category=optional(record, "category", fields.category),
            link=self._link(record, notice_id),
            is_pinned=any(is_pinned(record, signal) for signal in self.source.pinned),
        )

    def _link(self, record: RowNode, notice_id: str) -> str:
        rule = self.source.fields.link
        value = required(record, "link", rule) if rule.reads else ""
        href = value if rule.template is None else fill(rule.template, notice_id, value)
        return resolve(
            href, self.base, self.page_link, self.source.link_parameters, self.source.volatile
        )


def merged(items: Iterable[NoticeItem]) -> tuple[NoticeItem, ...]:
    """Return each id once, at its first place, pinned if any of its rows is (N19)."""
    first: dict[str, NoticeItem] = {}
    for item in items:
        earlier = first.setdefault(item.id, item)
        if item.is_pinned and not earlier.is_pinned:
            first[item.id] = replace(earlier, is_pinned=True)
    return tuple(first.values())
