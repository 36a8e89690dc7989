"""Notices over several siblings: ``dt`` and ``dd``, a row of the title and a row of the date."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from bs4 import BeautifulSoup, Tag

from uring_local.propose.rows import Rows, classes_of, dates_in, grouped, is_date, seldom, tag_of

_MOST: Final = 6


def paired(page: BeautifulSoup, rows: Rows, today: date) -> Rows:
    """Return undated rows with the siblings that have their dates; other rows unchanged.

    The page changes: each row and its siblings are put into one element.
    """
    if rows.dated * 2 >= len(rows.elements):
        return rows
    if (headed := _headed(page, rows, today)) is not None:
        return headed
    known = {id(row) for row in rows.elements}
    following = [_followers(row, known) for row in rows.elements]
    dated = [
        element
        for after in following
        for element in [next((each for each in after if _has_date(each, today)), None)]
        if element is not None
    ]
    if seldom(len(dated), len(rows.elements)):
        return rows
    after = _shared(dated)
    own = next((each for each in _own(rows) if {*map(id, page.select(each))} == known), None)
    if after is None or own is None:
        return rows
    groups = grouped(page, rows.elements, after)
    return replace(rows, selector=own, elements=groups, dated=len(dated), next=after)


def _headed(page: BeautifulSoup, rows: Rows, today: date) -> Rows | None:
    """Return rows that begin with the sibling before each row, if it has the row's date."""
    before = [row.find_previous_sibling() for row in rows.elements]
    dated = [
        element for element in before if isinstance(element, Tag) and _has_date(element, today)
    ]
    if len(dated) < len(rows.elements) or len({*map(id, dated)}) < len(dated):
        return None
    after, first = _shared(list(rows.elements)), _shared(dated)
    around = rows.selector.rpartition(" ")[0]
    if after is None or first is None or not around:
        return None
    selector = f"{around} {first}"
    known = {*map(id, dated)}
    selectors = (selector, f"{selector}:not(:has(a))")
    own = next((each for each in selectors if {*map(id, page.select(each))} == known), None)
    if own is None:
        return None
    groups = grouped(page, dated, after)
    return replace(rows, selector=own, drop=(), elements=groups, dated=len(dated), next=after)


def _own(rows: Rows) -> Iterator[str]:
    """Yield selectors that may match the rows and not their siblings."""
    yield rows.selector
    shared = set.intersection(*(set(classes_of(row)) for row in rows.elements))
    yield from (f"{rows.selector}.{name}" for name in sorted(shared))
    yield f"{rows.selector}:has(a)"


def _followers(row: Tag, known: set[int]) -> list[Tag]:
    found: list[Tag] = []
    for sibling in row.next_siblings:
        if id(sibling) in known or len(found) == _MOST:
            break
        if isinstance(sibling, Tag):
            found.append(sibling)
    return found


def _has_date(element: Tag, today: date) -> bool:
    return is_date(element, today) or next(dates_in(element, today), None) is not None


def _shared(elements: list[Tag]) -> str | None:
    """Return the tag of all these elements, with a class that all of them have, if any."""
    tags = {tag_of(element) for element in elements}
    if len(tags) != 1:
        return None
    shared = set.intersection(*(set(classes_of(element)) for element in elements))
    return tags.pop() + "".join(f".{name}" for name in sorted(shared)[:1])
