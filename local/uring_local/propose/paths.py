"""Selectors for elements at the same place in every row."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bs4 import Tag

from uring_local.propose.rows import (
    GROUP,
    Rows,
    classes_of,
    is_clicked,
    links_in,
    seldom,
    tag_of,
    text_of,
)


@dataclass(frozen=True, slots=True)
class Located:
    """An element in every row, or nearly: the selector, and its match in each row."""

    selector: str
    elements: tuple[Tag | None, ...]


def main_links(rows: Rows) -> Located | None:
    """Return the links to the notices: in nearly every row, with the longest texts in all.

    If the rows themselves are clickable, it is their titles, unless a link has more text.
    """
    paths = dict.fromkeys(
        path for row in rows.elements for link in links_in(row) for path in _paths(row, link)
    )
    best: tuple[int, Located] | None = None
    for selector in paths:
        elements = tuple(row.select_one(selector) for row in rows.elements)
        texts = [text_of(element) for element in elements if element is not None]
        length = sum(map(len, texts))
        if not seldom(sum(map(bool, texts)), len(elements)) and (best is None or length > best[0]):
            best = (length, Located(selector, elements))
    titles = _own_titles(rows) or _titles(rows)
    if titles is not None and (best is None or best[0] < titles[0]):
        return titles[1]
    return best[1] if best else None


def _titles(rows: Rows) -> tuple[int, Located] | None:
    """Return the longest text of each clickable row, and the total length; None for other rows."""
    links = sum(is_clicked(row) or row.name == "a" for row in rows.elements)
    if seldom(links, len(rows.elements)):
        return None
    place = located(rows, lambda row: max(row.find_all(True), key=_own_length, default=None))
    if place is None:
        return None
    return sum(_own_length(element) for element in place.elements if element), place


def _own_titles(rows: Rows) -> tuple[int, Located] | None:
    """Return the rows themselves if they are links whose own text is the longest."""
    lengths = [_own_length(row) for row in rows.elements]
    inner = [max(map(_own_length, row.find_all(True)), default=0) for row in rows.elements]
    pairs = zip(lengths, inner, strict=True)
    is_link = all(row.name == "a" for row in rows.elements)
    if not is_link or seldom(sum(own > other for own, other in pairs), len(lengths)):
        return None
    return sum(lengths), Located(rows.selector.rpartition(" ")[2], rows.elements)


def _own_length(element: Tag) -> int:
    """Return the length of the text outside inner elements."""
    own = (text for text in element.find_all(string=True, recursive=False))
    return len(" ".join(" ".join(own).split()))


def located(rows: Rows, choose: Callable[[Tag], Tag | None]) -> Located | None:
    """Return a selector whose first match is the chosen element in nine of ten rows, or None."""
    chosen = [choose(row) for row in rows.elements]
    candidates: Counter[str] = Counter()
    for row, element in zip(rows.elements, chosen, strict=True):
        if element is not None:
            candidates.update(list(dict.fromkeys(_paths(row, element))))
    best = None
    for selector, _ in sorted(candidates.items(), key=lambda item: -item[1]):
        elements = tuple(row.select_one(selector) for row in rows.elements)
        pairs = zip(elements, chosen, strict=True)
        hits = sum(one is not None and one is other for one, other in pairs)
        if not seldom(hits, len(elements)) and (best is None or hits > best[0]):
            best = (hits, Located(selector, elements))
    return best[1] if best else None


def _paths(row: Tag, element: Tag) -> Iterator[str]:
    """Yield selectors for an element inside its row, the most stable first."""
    own = [f"{tag_of(element)}.{name}" for name in classes_of(element)]
    if row.name == GROUP:
        member = next(each for each in [element, *element.parents] if each.parent is row)
        yield from (f"{tag_of(member)}.{name} {tag_of(element)}" for name in classes_of(member))
    cell = next(
        (ancestor for ancestor in [element, *element.parents] if ancestor.name in ("td", "th")),
        None,
    )
    if cell is None or row not in cell.parents:
        parent = element.parent
        yield from own
        if parent is not None and parent is not row:
            yield from (f"{tag_of(parent)}.{name} {tag_of(element)}" for name in classes_of(parent))
            yield f"{tag_of(parent)} {tag_of(element)}"
        yield tag_of(element)
        yield from _numbered(row, element)
        return
    around = cell.parent if row.name == GROUP and cell.parent else row
    cells = around.find_all(["td", "th"], recursive=False)
    places = [f"{cell.name}.{name}" for name in classes_of(cell)]
    if cell in cells:
        places.append(f"{cell.name}:nth-child({cells.index(cell) + 1})")
    if cell is element:
        yield from places
        return
    yield from own
    for place in places:
        yield f"{place} {tag_of(element)}"
        yield from (f"{place} {name}" for name in own)
        yield from (f"{place} {name}" for name in _numbered(row, element))


def _numbered(row: Tag, element: Tag) -> Iterator[str]:
    """Yield selectors by the place among siblings of one tag, where no class tells."""
    parent, tag = element.parent, tag_of(element)
    if parent is None or tag == "*":
        return
    siblings = parent.find_all(element.name, recursive=False)
    if len(siblings) < 2:  # noqa: PLR2004 - one needs no number
        return
    place = next(at for at, one in enumerate(siblings, start=1) if one is element)
    for number in (f"nth-of-type({place})", f"nth-last-of-type({len(siblings) - place + 1})"):
        yield f"{tag}:{number}"
        if parent is not row:
            yield f"{tag_of(parent)} > {tag}:{number}"
