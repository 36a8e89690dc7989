"""From a page's text to its notices: pure and total.

    html ─ tree ─ rows ─ fields ─► Row (an item, or the reason why not) ─ merge ─► Page

Nothing here knows where a page came from: the same text gives the same notices.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from uring.errors import SuspectPage
from uring.notices.config import Source
from uring.notices.extract import (
    UnreadableFieldError,
    dated,
    is_pinned,
    optional,
    required,
)
from uring.notices.item import NoticeItem
from uring.notices.links import LinkRefusedError, base_of, canonical, fill, resolve
from uring.notices.markup import bomb, parse
from uring.notices.text import clean, shorten

ROW_LIMIT: Final = 2_000
"""Rows read of one page; a board shows a few dozen."""

ID_LIMIT: Final = 200
"""Characters of an id: it becomes part of keys."""

_SHOWN: Final = 160
# Text inside rows inside rows is read once for each: 400 tables in each other take 20 s. Layouts of
# old nest two or three deep. Where rows times tags are few, nothing can take long.
_ROWS_DEEP: Final = 5
_FEW: Final = 100_000


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


def read_page(source: Source, html: str, url: str, today: date) -> Page:
    """Read a page, or refuse to believe it.

    Args:
        source: the config entry.
        html: the decoded page.
        url: its final address, after redirects: what its links are relative to.
        today: the current day in the source's zone.

    Raises:
        SuspectPage: ``no_rows``, ``all_rows_bad`` or ``markup_bomb`` (N17); nothing else.
    """
    page = rows_of(source, html, url, today)
    if not page.rows:
        raise SuspectPage(
            "no_rows",
            f"nothing matches {source.rows.select!r}: an error, login or challenge page, or a new "
            "layout; open the page and correct rows.select if its list is there",
        )
    if not page.items:
        raise SuspectPage(
            "all_rows_bad", f"none of {len(page.rows)} rows could be read; {page.rows[0].reason}"
        )
    return page


def rows_of(source: Source, html: str, url: str, today: date) -> Page:
    """Read a page without the judgement of `read_page`: for showing every row to people.

    Raises:
        SuspectPage: ``markup_bomb``, from parsing.
    """
    tree = parse(html)
    reader = _Reader(source, today, _base(tree, url), canonical(url, source.link_parameters))
    rows: list[Row] = []
    first: dict[str, int] = {}
    found = tree.css(source.rows.select)
    if len(found) * html.count("<") > _FEW:
        _refuse_nests(found)
    nodes = islice((node for node in found if not _left_out(node, source.rows.drop)), ROW_LIMIT)
    for index, node in enumerate(nodes, start=1):
        row = reader.read(index, node)
        if row.item is not None:
            earlier = first.setdefault(row.item.id, index)
            if earlier != index:
                row = replace(row, duplicate_of=earlier)
        rows.append(row)
    skipped = sum(row.item is None for row in rows)
    return Page(tuple(rows), _merged(rows), skipped)


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    today: date
    base: str
    page_link: str

    def read(self, index: int, node: LexborNode) -> Row:
        text = shorten(clean(" ".join(node.text(separator=" ").split())[: _SHOWN * 2]), _SHOWN)
        try:
            return Row(index, text, self._item(node))
        except UnreadableFieldError as error:
            return Row(index, text, None, str(error))
        except LinkRefusedError as error:
            return Row(index, text, None, f"link: {error}")

    def _item(self, node: LexborNode) -> NoticeItem:
        fields = self.source.fields
        notice_id = required(node, "id", fields.id)
        if len(notice_id) > ID_LIMIT:
            raise UnreadableFieldError(
                f"id: {shorten(notice_id, 60)!r} is longer than {ID_LIMIT} characters; "
                "narrow it with fields.id.pattern"
            )
        return NoticeItem(
            id=notice_id,
            title=required(node, "title", fields.title),
            date=dated(node, fields.date, self.today),
            category=optional(node, "category", fields.category),
            link=self._link(node, notice_id),
            is_pinned=any(is_pinned(node, signal) for signal in self.source.pinned),
        )

    def _link(self, node: LexborNode, notice_id: str) -> str:
        rule = self.source.fields.link
        value = required(node, "link", rule) if rule.reads else ""
        href = value if rule.template is None else fill(rule.template, notice_id, value)
        return resolve(
            href, self.base, self.page_link, self.source.link_parameters, self.source.volatile
        )


def _refuse_nests(rows: Sequence[LexborNode]) -> None:
    """In the page's order, so that what a row is in was met before it."""
    depths: dict[int, int] = {}
    for row in rows:
        parent = row.parent
        while parent is not None and parent.mem_id not in depths:
            parent = parent.parent
        depth = 0 if parent is None else depths[parent.mem_id] + 1
        if depth > _ROWS_DEEP:
            raise bomb(f"rows inside {depth} other rows")
        depths[row.mem_id] = depth


def _left_out(node: LexborNode, drop: Iterable[str]) -> bool:
    return any(node.css_matches(selector) for selector in drop)


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.head.css_first("base[href]") if tree.head is not None else None
    return url if node is None else base_of(clean(node.attrs.get("href") or ""), url)


def _merged(rows: Iterable[Row]) -> tuple[NoticeItem, ...]:
    items: dict[str, NoticeItem] = {}
    for row in rows:
        if row.item is None:
            continue
        known = items.setdefault(row.item.id, row.item)
        if row.item.is_pinned and not known.is_pinned:
            items[known.id] = replace(known, is_pinned=True)
    return tuple(items.values())
