"""The rows of an HTML page."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from uring.reading.links import base_of
from uring.reading.lists.html_limits import bomb, parse, with_table
from uring.reading.lists.html_search import MOST_PARTS, Marks, RowIndex, has_alternatives
from uring.reading.lists.rows import ROW_LIMIT, Listing
from uring.reading.rules import RowRule
from uring.reading.text import TEXT_LIMIT, clean, shorten, text_without

# The text of nested rows is read once for each level: 400 nested tables take 20 s. Old layouts nest
# two or three levels. A page whose rows times tags are few cannot take long.
_ROWS_DEEP: Final = 5
_FEW: Final = 100_000
_NOTHING: Final[frozenset[int]] = frozenset()


# Not frozen: that would make construction three times as slow, and a page has hundreds of nodes.
@dataclass(slots=True)
class HtmlNode:
    """An element; ``select`` is a CSS selector, which the row itself may match."""

    link_attribute: ClassVar[str | None] = "href"
    escape: ClassVar[str] = ", or leave such rows out with rows.drop"
    has_names: ClassVar[bool] = False
    node: LexborNode
    index: RowIndex

    def first(self, select: str) -> "HtmlNode | None":
        """Return the first part that ``select`` finds, or None."""
        part = self.node.css_first(self.index.marks.short(select))
        return None if part is None else HtmlNode(part, self.index)

    def every(self, select: str, most: int) -> Iterable["HtmlNode"]:
        """Return the first ``most`` parts that ``select`` finds."""
        return (HtmlNode(node, self.index) for node in self._found(select)[:most])

    def others(self, select: str) -> "Iterable[HtmlNode]":
        """Return the parts after the first one; none where ``select`` has no alternatives."""
        return [*self.every(select, MOST_PARTS)][1:] if has_alternatives(select) else ()

    def address(self, value: str, /) -> str:
        """Return it unchanged: a page has one base."""
        return value

    def shows(self, select: str) -> bool:
        """Return True when the row, or an element in it, matches."""
        return self.node.css_matches(self.index.marks.short(select))

    def text(self, drop: Collection[str] = (), /) -> str:
        """Return its clean text without the elements that ``drop`` selects."""
        return text_without(self.node, self._dropped(drop) if drop else _NOTHING)

    def attribute(self, name: str, /) -> str | None:
        """Return an attribute's clean text, or None."""
        value = self.node.attrs.get(name)
        return None if value is None else clean(value[:TEXT_LIMIT])

    def glimpse(self, most: int) -> str:
        """Return its text, at most ``most`` characters."""
        text = " ".join(self.node.text(separator=" ").split())
        begin, rest = text[: most * 2], text[most * 2 :]
        return shorten(clean(begin) + ("…" if rest else ""), most)

    def _dropped(self, drop: Collection[str]) -> frozenset[int]:
        if self.index.is_usable:
            return self.index.matches(tuple(drop))
        return frozenset(node.mem_id for selector in drop for node in self._found(selector))

    def _found(self, select: str) -> list[LexborNode]:
        return self.node.css(self.index.marks.short(select))


class HtmlRow(HtmlNode):
    """A row whose parts come from the index of all rows; the index must be usable."""

    __slots__ = ()

    def first(self, select: str) -> HtmlNode | None:
        """Return the first part that ``select`` finds, or None."""
        found = self.index.parts(select).get(self.node.mem_id)
        return None if found is None else HtmlNode(found[0], self.index)

    def every(self, select: str, most: int) -> Iterable[HtmlNode]:
        """Return the first ``most`` parts that ``select`` finds."""
        if most > MOST_PARTS:
            return HtmlNode.every(self, select, most)
        found = self.index.parts(select).get(self.node.mem_id, ())
        return [HtmlNode(node, self.index) for node in found[:most]]

    def shows(self, select: str) -> bool:
        """Return True when the row, or an element in it, matches."""
        return self.node.mem_id in self.index.parts(select)


class HtmlGroup(HtmlNode):
    """A row with its following siblings, searched one by one."""

    __slots__ = ()

    def first(self, select: str) -> HtmlNode | None:
        """Return the first part that ``select`` finds, or None."""
        return next(iter(self.every(select, 1)), None)

    def every(self, select: str, most: int) -> Iterable[HtmlNode]:
        """Return the first ``most`` parts that ``select`` finds."""
        short = self.index.marks.short(select)
        members = (self.node, *self.index.followers(self.node))
        found = (part for member in members for part in member.css(short)[:most])
        return (HtmlNode(node, self.index) for node in islice(found, most))

    def shows(self, select: str) -> bool:
        """Return True when the row, one of its siblings or an element in them matches."""
        return self.first(select) is not None


def html_rows(rule: RowRule, html: str, url: str) -> Listing:
    """Return the rows of a page, or of a bare fragment of a table's rows.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    tree, selected, marks = _selected(rule, html)
    if not selected and (whole := with_table(html)) is not html:
        tree, selected, marks = _selected(rule, whole)
    index = RowIndex(selected, marks, rule.next)
    if not index.is_usable and len(selected) * html.count("<") > _FEW:
        _refuse_nests(selected)
    plain = HtmlNode if rule.next is None else HtmlGroup
    kind = HtmlRow if index.is_usable else plain
    nodes = (kind(node, index) for node in selected)
    rows = (row for row in nodes if not _left_out(row, rule.drop))
    return Listing([*islice(rows, ROW_LIMIT)], _base(tree, url))


def _selected(rule: RowRule, html: str) -> tuple[LexborHTMLParser, list[LexborNode], Marks]:
    tree = parse(html)
    marks = Marks(tree)
    return tree, tree.css(marks.short(rule.select)), marks


def _refuse_nests(rows: Sequence[LexborNode]) -> None:
    """Raise ``markup_bomb`` for rows nested too deep.

    The rows must be in page order, so that an outer row comes before its inner ones.
    """
    depths: dict[int, int] = {}
    for row in rows:
        parent = row.parent
        while parent is not None and parent.mem_id not in depths:
            parent = parent.parent
        depth = 0 if parent is None else depths[parent.mem_id] + 1
        if depth > _ROWS_DEEP:
            raise bomb(f"rows inside {depth} other rows")
        depths[row.mem_id] = depth


def _left_out(row: HtmlNode, drop: Iterable[str]) -> bool:
    return any(row.shows(selector) for selector in drop)


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.head.css_first("base[href]") if tree.head is not None else None
    return url if node is None else base_of(clean(node.attrs.get("href") or ""), url)
