"""From a PDF's lines to paragraphs, without what every page repeats.

Lines of a paragraph stay lines: where Korean is broken inside words, nothing in the file says
whether a blank belongs into the break.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from uring.extract.readers.layout import Piece
from uring.extract.readers.markdown import paragraph
from uring.extract.units import BEGINS

_REPEATED: Final = 0.6
_FEWEST_PAGES: Final = 2
_EDGE: Final = 0.12
# A line's end, in heights from the right edge, that a paragraph leaves by ending.
_SHORT: Final = 3
# Of the usual distance between two lines of the column.
_FAR: Final = 1.5
_NUMBER: Final = re.compile(
    r"[-\u2013\u2014~( ]*\d{1,4}(?: ?/ ?\d{1,4})?[-\u2013\u2014~) ]*(?:쪽|페이지)?"
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page's columns of lines."""

    columns: tuple[tuple[Piece, ...], ...]
    height: float


def without_repeated(pages: Sequence[Page]) -> Iterator[Page]:
    """Yield the pages without running heads and page numbers.

    A line near an edge goes if it is a page number, or stands at that height, its digits aside, on
    60 % of at least two pages.
    """
    seen = Counter(
        key
        for page in pages
        for key in {_key(line) for line in _lines(page) if _is_at_edge(line, page)}
    )
    least = max(_FEWEST_PAGES, _REPEATED * len(pages))
    for page in pages:
        columns = (
            tuple(
                line
                for line in column
                if not _is_at_edge(line, page)
                or (seen[_key(line)] < least and not _NUMBER.fullmatch(line.text.strip()))
            )
            for column in page.columns
        )
        yield Page(tuple(column for column in columns if column), page.height)


def paragraphs(page: Page) -> Iterator[str]:
    """Yield the page's paragraphs as Markdown."""
    for column in page.columns:
        edge = max(line.right for line in column)
        far = _FAR * _distance(column)
        waiting: list[Piece] = []
        for line in column:
            if waiting and _is_new(waiting[-1], line, edge, far):
                yield _markdown(waiting)
                waiting = []
            waiting.append(line)
        yield _markdown(waiting)


def _is_new(before: Piece, line: Piece, edge: float, far: float) -> bool:
    """Return whether a line begins a paragraph: by its words, its distance, or the line before."""
    if _has_cells(before) and _has_cells(line):
        return False
    return (
        _has_cells(before) != _has_cells(line)
        or BEGINS.match(line.text) is not None
        or before.right < edge - _SHORT * before.height
        or before.bottom - line.bottom > far
    )


def _distance(column: Sequence[Piece]) -> float:
    """Return the usual distance of two lines."""
    return median([one.bottom - other.bottom for one, other in pairwise(column)] or [0.0])


def _has_cells(line: Piece) -> bool:
    return "  " in line.text


def _markdown(lines: Sequence[Piece]) -> str:
    return paragraph("\n".join(line.text for line in lines))


def _lines(page: Page) -> Iterator[Piece]:
    return (line for column in page.columns for line in column)


def _is_at_edge(line: Piece, page: Page) -> bool:
    return line.bottom > (1 - _EDGE) * page.height or line.top < _EDGE * page.height


def _key(line: Piece) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text), round(line.bottom / 4)
