"""Selectors for what stands at one place in every row."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bs4 import Tag

from uring_local.propose.rows import Rows, classes_of, seldom, tag_of, text_of


@dataclass(frozen=True, slots=True)
class Found:
    """An element in every row, or nearly: the selector, and what it finds in each row."""

    selector: str
    elements: tuple[Tag | None, ...]


def main_links(rows: Rows) -> Found | None:
    """Return the links to the notices: found in nearly every row, with the longest texts in all."""
    paths = dict.fromkeys(
        path for row in rows.elements for link in row.find_all("a") for path in _paths(row, link)
    )
    best: tuple[int, Found] | None = None
    for selector in paths:
        found = tuple(row.select_one(selector) for row in rows.elements)
        texts = [text_of(element) for element in found if element is not None]
        length = sum(map(len, texts))
        if not seldom(sum(map(bool, texts)), len(found)) and (best is None or length > best[0]):
            best = (length, Found(selector, found))
    return best[1] if best else None


def located(rows: Rows, choose: Callable[[Tag], Tag | None]) -> Found | None:
    """Return a selector whose first match is the chosen element in nine of ten rows."""
    chosen = [choose(row) for row in rows.elements]
    candidates: Counter[str] = Counter()
    for row, element in zip(rows.elements, chosen, strict=True):
        if element is not None:
            candidates.update(list(dict.fromkeys(_paths(row, element))))
    best = None
    for selector, _ in sorted(candidates.items(), key=lambda item: -item[1]):
        found = tuple(row.select_one(selector) for row in rows.elements)
        pairs = zip(found, chosen, strict=True)
        hits = sum(one is not None and one is other for one, other in pairs)
        if not seldom(hits, len(found)) and (best is None or hits > best[0]):
            best = (hits, Found(selector, found))
    return best[1] if best else None


def _paths(row: Tag, element: Tag) -> Iterator[str]:
    """Selectors for an element inside its row, the steadiest first."""
    own = [f"{tag_of(element)}.{name}" for name in classes_of(element)]
    cell = next((each for each in [element, *element.parents] if each.name in ("td", "th")), None)
    if cell is None or row not in cell.parents:
        parent = element.parent
        yield from own
        if parent is not None and parent is not row:
            yield from (f"{tag_of(parent)}.{name} {tag_of(element)}" for name in classes_of(parent))
            yield f"{tag_of(parent)} {tag_of(element)}"
        yield tag_of(element)
        return
    cells = row.find_all(["td", "th"], recursive=False)
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
