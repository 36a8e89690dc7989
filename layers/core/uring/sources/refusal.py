"""From a refused page to the rows that people look at, each with what is wrong with it. Pure."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from uring.changes.history.refused import RefusedAnswer, RefusedRow
from uring.errors import SuspectPage
from uring.fetch.http import Response
from uring.reading.text import shorten
from uring.sources.entry import Entry
from uring.sources.rows import Page, Row
from uring.sources.site import decoded_page

I = TypeVar("I")  # noqa: E741 - an item
_SHOWN = 60


class Cells(NamedTuple):
    """What people see of an item."""

    id: str
    title: str
    date: str = ""


def refusal(
    entry: Entry,
    trouble: SuspectPage,
    response: Response,
    read: Callable[[str], Page[I]],
    cells: Callable[[I], Cells],
    known: str = "",
) -> RefusedAnswer:
    """Return a refused page as people see it.

    Args:
        entry: the config entry.
        trouble: why it is refused.
        response: the answer; of a longer list its first page.
        read: reads the rows of a text, without judging them.
        cells: returns what people see of an item.
        known: the codec of the last good read; empty for none.
    """
    rows: tuple[RefusedRow, ...] = ()
    try:
        text = decoded_page(entry, response.body, response.content_type, known).text
        rows = marked(read(text).rows, cells)
    except SuspectPage:
        text = response.body.decode("utf-8", "replace")
    return RefusedAnswer(
        trouble.reason,
        trouble.detail,
        response.url,
        response.content_type or "",
        len(response.body),
        text,
        rows,
    )


def marked(rows: Sequence[Row[Any]], cells: Callable[[Any], Cells]) -> tuple[RefusedRow, ...]:
    """Return the rows, each with what is wrong with it: unreadable, a shared id, a shared title."""
    ids: dict[str, tuple[int, str]] = {}
    titles: dict[str, int] = {}
    found = []
    for row in rows:
        if row.item is None:
            found.append(RefusedRow(row.index, "", row.text, "", row.reason or "cannot be read"))
            continue
        cell = cells(row.item)
        first, title = ids.setdefault(cell.id, (row.index, cell.title))
        alike = titles.setdefault(cell.title, row.index)
        why = ""
        if title != cell.title:
            why = f"shares the id {shorten(cell.id, _SHOWN)!r} with row {first}"
        elif first == row.index != alike:
            why = f"has the title of row {alike}"
        found.append(RefusedRow(row.index, cell.id, cell.title, cell.date, why))
    return tuple(found)
