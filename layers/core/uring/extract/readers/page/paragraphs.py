"""Paragraphs from a PDF's lines, without running heads and page numbers.

Lines of a paragraph stay lines: Korean is broken inside words, and the file does not say whether a
blank belongs into the break.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from uring.extract.headings import MOST_LINES, goes_on, heading_lines
from uring.extract.readers.markdown import paragraph
from uring.extract.readers.page.layout import SOFT_HYPHEN, TextBox
from uring.extract.units import BEGINS

_REPEATED: Final = 0.6
_FEWEST_PAGES: Final = 2
_EDGE: Final = 0.12
# A gap to the text is wider than this times the usual distance of lines, or the widest in heights.
_GAP: Final = 1.3
_WIDEST: Final = 3
# A line that ends so far from the right edge, in its heights, ends a paragraph.
_SHORT: Final = 3
# A distance of more than this times the column's usual one begins a paragraph.
_FAR: Final = 1.5
_NUMBER: Final = re.compile(
    r"[-\u2013\u2014~( ]*\d{1,4}(?: ?/ ?\d{1,4})?[-\u2013\u2014~) ]*(?:쪽|페이지)?"
)


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page's columns of lines; those of text that is turned otherwise have places of their own.

    Attributes:
        columns: of the text that most letters belong to.
        height: of the page, in points, with that text upright.
        turned: columns of other text, such as a note up the margin.
    """

    columns: tuple[tuple[TextBox, ...], ...]
    height: float
    turned: tuple[tuple[TextBox, ...], ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether any line is on the page."""
        return bool(self.columns or self.turned)


def without_repeated(pages: Sequence[PlacedPage]) -> Iterator[PlacedPage]:
    """Yield the pages without running heads and page numbers.

    A line near an edge, with a gap to the text, is dropped if it is a number at the foot, or if
    60 % of the pages, and at least two, have the same line at that height. Digits may differ. A
    head without digits stays on the first page and such a foot on the last one, as they do in a
    file of one page: it may be the title.
    """
    margins = [_margins(page) for page in pages]
    seen = Counter(key for lines in margins for key in set(map(_key, lines)))
    least = max(_FEWEST_PAGES, _REPEATED * len(pages))
    for number, (page, lines) in enumerate(zip(pages, margins, strict=True), 1):
        gone = {
            line
            for line in lines
            if _is_number(line, page)
            or (
                seen[_key(line)] >= least
                and not _stays(line, page, is_first=number == 1, is_last=number == len(pages))
            )
        }
        columns = (tuple(line for line in column if line not in gone) for column in page.columns)
        yield PlacedPage(tuple(column for column in columns if column), page.height, page.turned)


def paragraphs(page: PlacedPage) -> Iterator[str]:
    """Yield the page's paragraphs as Markdown."""
    for column in (*page.columns, *page.turned):
        edge = max(line.right for line in column)
        far = _FAR * _distance(column)
        waiting: list[TextBox] = []
        for line in column:
            if waiting and _is_new(waiting, line, edge, far):
                yield _markdown(waiting)
                waiting = []
            waiting.append(line)
        yield _markdown(waiting)


def _is_new(waiting: Sequence[TextBox], line: TextBox, edge: float, far: float) -> bool:
    """Return whether a line begins a paragraph: by its start, its distance, or the lines before."""
    before = waiting[-1]
    if _has_cells(before) and _has_cells(line):
        return False
    if _has_cells(before) != _has_cells(line) or before.bottom - line.bottom > far:
        return True
    is_short = before.right < edge - _SHORT * before.height
    if not is_short and not BEGINS.match(line.text):
        return False
    # A date or a long word within a heading may end its line early, and begin one like an item.
    return len(waiting) >= MOST_LINES or not goes_on(_text(waiting, " "), line.text)


def _distance(column: Sequence[TextBox]) -> float:
    """Return the median distance of two lines, in points; 0 for a single line."""
    return median([one.bottom - other.bottom for one, other in pairwise(column)] or [0.0])


def _has_cells(line: TextBox) -> bool:
    return "  " in line.text


def _markdown(lines: Sequence[TextBox]) -> str:
    count = heading_lines([line.text for line in lines])
    head, rest = lines[:count], lines[count:]
    text = _text(head, " ") if count > 1 else _text(head, "\n")
    return paragraph("\n".join(part for part in (text, _text(rest, "\n")) if part))


def _text(lines: Sequence[TextBox], between: str) -> str:
    text = between.join(line.text for line in lines)
    return text.replace(f"{SOFT_HYPHEN}{between}", "").replace(SOFT_HYPHEN, "")


def _margins(page: PlacedPage) -> list[TextBox]:
    """Return the lines of the head and of the foot: near an edge, with a gap to the text."""
    lines = sorted((line for column in page.columns for line in column), key=_bottom)
    heights = sorted({round(line.bottom) for line in lines})
    # Of one line and a foot the usual distance would be the gap itself.
    widest = _WIDEST * median([line.height for line in lines] or [0])
    usual = median([other - one for one, other in pairwise(heights)] or [0])
    gap = _GAP * min(usual, widest)
    low = high = -1.0
    for one, other in pairwise(heights):
        if other - one > gap and one < _EDGE * page.height:
            low = one
        if other - one > gap and other > (1 - _EDGE) * page.height and high < 0:
            high = other
    return [
        line
        for line in lines
        if round(line.bottom) <= low or (high > 0 and round(line.bottom) >= high)
    ]


def _bottom(line: TextBox) -> float:
    return line.bottom


def _is_number(line: TextBox, page: PlacedPage) -> bool:
    return line.bottom < _EDGE * page.height and _NUMBER.fullmatch(line.text.strip()) is not None


def _stays(line: TextBox, page: PlacedPage, *, is_first: bool, is_last: bool) -> bool:
    is_head = 2 * line.bottom > page.height
    return (is_first if is_head else is_last) and not re.search(r"\d", line.text)


def _key(line: TextBox) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text), round(line.bottom / 4)
