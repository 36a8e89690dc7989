"""Parts of all rows of an HTML page, found by one search a selector and not by one a row.

A search of one element parses its selector and walks that element. A list has dozens of rows of
one parent, so the parent is searched once, and each match goes to the row that it is in. What a
selector finds in a row may not depend on where the search begins; where it might, the row is
searched by itself:

- Siblings (``+``, ``~``) and what else is not plainly written reach out of a row.
- A selector that begins with the parent itself, such as ``tbody td``, finds nothing in a row.
- A row inside another row belongs to both.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, TypeAlias

from selectolax.lexbor import LexborNode

Parts: TypeAlias = dict[int, list[LexborNode]]
"""By a row's ``mem_id``: its parts, in the order in which lexbor finds them."""

MOST_PARTS: Final = 20
"""Parts of one row that are kept for a selector; a hostile row has thousands."""

_MOST_PARENTS: Final = 8
# Fewer rows are searched one by one for less.
_FEWEST_ROWS: Final = 3

_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*"
_VALUE: Final = rf"\[{_NAME}(?:[~^$*|]?=(?:'[^'\\]*'|\"[^\"\\]*\"|[A-Za-z0-9_-]+))?\]"
_PLACE: Final = r":(?:(?:first|last|only)-child|nth-(?:last-)?child\([0-9]{1,3}\))"
_SIMPLE: Final = rf"(?:[.#]{_NAME}|{_VALUE}|{_PLACE})"
_INNER: Final = rf"(?:{_NAME}{_SIMPLE}*|{_SIMPLE}+)"
_WITHOUT: Final = rf":not\((?:{_INNER}|:has\({_INNER}\))\)"
_COMPOUND: Final = rf"(?:{_NAME}|(?=[.#\[:]))(?:{_SIMPLE}|{_WITHOUT})*"
# One of the selectors of a list: group 1 is its first compound, group 2 the rest.
_SELECTOR: Final = re.compile(
    rf"\s*({_COMPOUND})((?:(?:\s*>\s*|\s+){_COMPOUND})*)\s*(?:,(?!\Z)|\Z)"
)


@lru_cache(maxsize=4096)
def first_compounds(select: str) -> tuple[str, ...] | None:
    """Return how each selector of a list begins; None where one is not plainly written."""
    found: list[str] = []
    at = 0
    while at < len(select):
        selector = _SELECTOR.match(select, at)
        if selector is None or selector.end() == at:
            return None
        found.append(selector[1])
        at = selector.end()
    return tuple(found) or None


@lru_cache(maxsize=4096)
def _is_one_compound(select: str) -> bool:
    selector = _SELECTOR.fullmatch(select)
    return selector is not None and not selector[2]


class RowIndex:
    """What selectors find in the rows of a page.

    Args:
        rows: in the page's order, each once.
    """

    def __init__(self, rows: Sequence[LexborNode]) -> None:
        known = {row.mem_id for row in rows}
        self._parents = _parents(rows, known)
        # Each element is climbed from once, however many matches are in it and however deep.
        self._rows = dict(zip(known, known, strict=True))
        self._rows.update((parent.mem_id, 0) for parent in self._parents)
        self._parts: dict[str, Parts | None] = {}
        self._matches: dict[str, AbstractSet[int] | None] = {}

    @property
    def is_flat(self) -> bool:
        """True when no row is in another one, for sure."""
        return bool(self._parents)

    def parts(self, select: str) -> Parts | None:
        """Return what is found in every row; None where the rows have to be searched."""
        try:
            return self._parts[select]
        except KeyError:
            parts = self._parts[select] = self._search(select)
            return parts

    def matches(self, select: str) -> AbstractSet[int] | None:
        """Return the ``mem_id`` of all that a selector of a single element matches in the rows.

        None where an element has to be searched by itself.
        """
        try:
            return self._matches[select]
        except KeyError:
            found = None
            if self._parents and _is_one_compound(select):
                found = {node.mem_id for parent in self._parents for node in parent.css(select)}
            self._matches[select] = found
            return found

    def _search(self, select: str) -> Parts | None:
        firsts = first_compounds(select) if self._parents else None
        if firsts is None or any(
            _is_itself(parent, first) for parent in self._parents for first in firsts
        ):
            return None
        parts: Parts = {}
        rows = self._rows
        for parent in self._parents:
            for node in parent.css(select):
                row = rows.get(node.mem_id)
                if row is None:
                    row = _row_of(node, rows)
                if not row:
                    continue
                found = parts.get(row)
                if found is None:
                    parts[row] = [node]
                elif len(found) < MOST_PARTS:
                    found.append(node)
        return parts


def _row_of(node: LexborNode, rows: dict[int, int]) -> int:
    """Return the row that an element is in, 0 for none, and remember it for what it climbed."""
    row: int | None = None
    climbed = []
    above: LexborNode | None = node
    while row is None and above is not None:
        here = above.mem_id
        row = rows.get(here)
        climbed.append(here)
        above = above.parent
    row = row or 0
    for place in climbed:
        rows[place] = row
    return row
    climbed = [here]
    above = node.parent
    while above is not None:
        here = above.mem_id
        row = rows.get(here)
        if row is not None:
            break
        climbed.append(here)
        above = above.parent
    row = row or 0
    for place in climbed:
        rows[place] = row
    return row


def _parents(rows: Sequence[LexborNode], known: AbstractSet[int]) -> tuple[LexborNode, ...]:
    """Return the parents of all rows; none where they are many, or one is in another or a row."""
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
            if above.mem_id in known or (above is not parent and above.mem_id in parents):
                return ()
            above = above.parent
    return tuple(parents.values())


def _is_itself(parent: LexborNode, compound: str) -> bool:
    """Return True when an element matches a compound. It is the first in its own search."""
    name = _TAG.match(compound)
    if name and name[0].lower() != (parent.tag or "").lower():
        return False
    found = parent.css_first(compound)
    return found is not None and found.mem_id == parent.mem_id
