"""Searches of an HTML page by CSS selectors, in a time bounded by the length of the page.

One search for each selector finds the parts of all rows (`RowIndex`). A search by lexbor parses its
selector again, and a list has dozens of rows. So the parent of the rows is searched once, and each
match is assigned to the row around it. As in a browser, a selector is matched against the whole
page: a search of a row and a search of its parent find the same elements in the row.

A selector of several steps is searched one step at a time (`Marks`). For ``.a .b .c d`` lexbor
tries each ``.c`` around a ``d``, for each of them each ``.b`` around it, and so on: a page of 8 KB,
100 elements deep, takes 3 s, and each further step 25 times as long. Only the existence of a ``.b``
matters, not which one. So the matches of a step are marked in the tree once, with an attribute, and
the next step begins at the mark: first ``.a .b``, then ``[uring-0] .c``; the page and its rows are
searched for ``[uring-1] d``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

Parts: TypeAlias = dict[int, list[LexborNode]]
"""The parts of each row, by the row's ``mem_id``, in the order in which lexbor finds them."""

MOST_PARTS: Final = 20
"""The most parts of one row kept for a selector; a hostile row has thousands."""

# A table may have several bodies. If nearly every row has its own parent, nothing is saved.
_MOST_PARENTS: Final = 8
_FEWEST_ROWS: Final = 3
_NO_ROW: Final = 0
# Without quotes, brackets and escapes: the end of a selector closes them, a comma does not.
_PLAIN: Final = re.compile(r"\s*[\w.#*-][\w.#*\s>-]*", re.ASCII)

_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}+\s?+|.)"
_QUOTED: Final = r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'"
_BRACKETS: Final = rf"\[(?:[^\[\]\"'\\]|{_ESCAPE}|{_QUOTED})*+\]"
_IN_PARENTHESES: Final = rf"(?:[^()\"'\\]|{_ESCAPE}|{_QUOTED})*+"
_PARENTHESES: Final = rf"\({_IN_PARENTHESES}(?:\({_IN_PARENTHESES}\){_IN_PARENTHESES})*+\)"
# The conditions on one element: td.x[href^="a b"]:not(.y)
_SIMPLE: Final = r"[^\s>+~,/()\[\]\"'\\]"
_COMPOUND: Final = rf"(?:{_SIMPLE}|{_ESCAPE}|{_BRACKETS}|{_PARENTHESES})++"
_PART: Final = re.compile(rf"({_COMPOUND})\s*+([>+~,]?+)\s*+", re.DOTALL)
# Combinators with many candidate elements; > and + have one.
_OF_MANY: Final = ("", "~")


class Marks:
    """The marks of selectors' steps in the tree of one page."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._names: dict[str, str] = {}
        self._short: dict[str, str] = {}

    def short(self, select: str) -> str:
        """Return a selector of one step with the same matches; nearly always it is ``select``."""
        short = self._short.get(select)
        if short is None:
            steps = _steps(select.strip())
            short = self._short[select] = ", ".join(map(self._last, steps)) or select
        return short

    def all(self, select: str) -> list[LexborNode]:
        """Return every match in the page."""
        return self._tree.css(self.short(select))

    def _last(self, steps: tuple[str, ...]) -> str:
        *before, last = steps
        around = ""
        for step in before:
            around = self._mark(around + step)
        return around + last

    def _mark(self, select: str) -> str:
        """Mark the matches of a selector; return the selector of the mark."""
        name = self._names.get(select)
        if name is None:
            name = self._names[select] = f"uring-{len(self._names)}"
            for node in self._tree.css(select):
                node.attrs[name] = ""
        return f"[{name}]"


@lru_cache(maxsize=4096)
def _steps(select: str) -> tuple[tuple[str, ...], ...]:
    """Split each alternative into steps: ``(("a b", " c > d"), ("e",))``.

    Return () if no alternative has several steps, or if the selector is not in plain form: a quote
    left open, for example.
    """
    alternatives: list[tuple[str, ...]] = []
    steps: list[str] = []
    step = ""
    has_many = False
    at = 0
    sign = ","
    while part := _PART.match(select, at):
        at = part.end()
        compound, sign = part.groups()
        step += compound
        if sign == "," or at == len(select):
            alternatives.append((*steps, step))
            steps, step, has_many = [], "", False
            continue
        if has_many and sign in _OF_MANY:
            steps.append(step)
            step = ""
        step += sign or " "
        has_many = has_many or sign in _OF_MANY
    is_whole = at == len(select) and not sign
    return tuple(alternatives) if is_whole and len(max(alternatives, key=len)) > 1 else ()


@lru_cache(maxsize=4096)
def has_alternatives(select: str) -> bool:
    """Return whether a selector is several ones with commas between; False for a broken one."""
    at = 0
    while part := _PART.match(select, at):
        if part[2] == ",":
            return True
        at = part.end()
    return False


class RowIndex:
    """The parts that selectors find in the rows of a page.

    Args:
        rows: the rows in the page's order, each once.
        marks: the marks of the same page.
        following: selects the siblings after a row that belong to it, up to the next row; or None.
    """

    def __init__(
        self, rows: Sequence[LexborNode], marks: Marks, following: str | None = None
    ) -> None:
        self.marks = marks
        known = {row.mem_id for row in rows}
        self._followers = {} if following is None else self._following(rows, known, following)
        self._parents = _parents(rows)
        # The row around each element. Each element is climbed from once, at any depth and with any
        # number of matches in it.
        self._rows = dict(zip(known, known, strict=True))
        for row, followers in self._followers.items():
            self._rows.update((follower.mem_id, row) for follower in followers)
        self._rows.update((parent.mem_id, _NO_ROW) for parent in self._parents)
        self._parts: dict[str, Parts] = {}
        self._matches: dict[tuple[str, ...], frozenset[int]] = {}

    @property
    def is_usable(self) -> bool:
        """False if rows must be searched one by one: they are nested, or have too many parents."""
        return bool(self._parents)

    def followers(self, row: LexborNode) -> Sequence[LexborNode]:
        """Return the siblings that belong to a row."""
        return self._followers.get(row.mem_id, ())

    def _following(self, rows: Sequence[LexborNode], known: set[int], select: str) -> Parts:
        wanted = {node.mem_id for node in self.marks.all(select)}
        found: Parts = {}
        for row in rows:
            members = found[row.mem_id] = []
            sibling = row.next
            while sibling is not None and sibling.mem_id not in known:
                if sibling.mem_id in wanted and len(members) < MOST_PARTS:
                    members.append(sibling)
                sibling = sibling.next
        return found

    def parts(self, select: str) -> Parts:
        """Return the parts of every row; the index must be usable."""
        parts = self._parts.get(select)
        if parts is None:
            parts = self._parts[select] = self._search(select)
        return parts

    def matches(self, selectors: tuple[str, ...]) -> frozenset[int]:
        """Return the ``mem_id`` of every match of any selector; the index must be usable."""
        matches = self._matches.get(selectors)
        if matches is None:
            nodes = (
                node
                for select in map(self.marks.short, _joined(selectors))
                for parent in self._parents
                for node in parent.css(select)
            )
            matches = self._matches[selectors] = frozenset(node.mem_id for node in nodes)
        return matches

    def _search(self, select: str) -> Parts:
        parts: Parts = {}
        rows = self._rows
        short = self.marks.short(select)
        for parent in self._parents:
            for node in parent.css(short):
                row = rows.get(node.mem_id)
                if row is None:
                    row = _row_of(node, rows)
                if row == _NO_ROW:
                    continue
                found = parts.get(row)
                if found is None:
                    parts[row] = [node]
                elif len(found) < MOST_PARTS:
                    found.append(node)
        return parts


@lru_cache(maxsize=1024)
def _joined(selectors: tuple[str, ...]) -> tuple[str, ...]:
    """Join selectors into one, if all are in plain form; else return them unchanged."""
    if all(map(_PLAIN.fullmatch, selectors)):
        return (", ".join(selectors),)
    return selectors


def _row_of(node: LexborNode, rows: dict[int, int]) -> int:
    """Return the row around an element; store it for the elements on the way up."""
    row = _NO_ROW
    climbed = []
    above = node.parent
    while above is not None:
        here = above.mem_id
        if here in rows:
            row = rows[here]
            break
        climbed.append(here)
        above = above.parent
    for place in climbed:
        rows[place] = row
    return row


def _parents(rows: Sequence[LexborNode]) -> tuple[LexborNode, ...]:
    """Return the parents of all rows; empty if they are many, or one is inside another."""
    parents: dict[int, LexborNode] = {}
    for row in rows:
        parent = row.parent
        if parent is None:
            return ()
        parents.setdefault(parent.mem_id, parent)
        if len(parents) > _MOST_PARENTS:
            return ()
    if len(rows) < _FEWEST_ROWS * len(parents):
        return ()
    for parent in parents.values():
        above: LexborNode | None = parent
        while above is not None:
            if above is not parent and above.mem_id in parents:
                return ()
            above = above.parent
    return tuple(parents.values())
