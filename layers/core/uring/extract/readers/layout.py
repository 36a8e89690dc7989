"""Layout: pieces of text with places become lines in reading order.

A PDF gives the places of letters, not the lines or columns. Pieces at one height are a line. Where
few pieces cross the middle and both sides look like text, the page has two columns and the left one
is read first; a piece across both ends them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_COLUMN_LINES: Final = 5
_TOP: Final = 0.94
_BOTTOM: Final = 0.06
_GUTTERS: Final = range(38, 63)
_CROSSING: Final = 0.2
_FILLED: Final = 0.55
_NARROW: Final = 0.2
# Gaps as shares of a line's height: between letters of a word, and between words of a line.
_LETTER_GAP: Final = 0.12
WORD_GAP: Final = 1.5


@dataclass(frozen=True, slots=True)
class TextBox:
    """Text and its box, in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str

    @property
    def middle(self) -> float:
        """Twice the height of the box's middle above the page's lower edge."""
        return self.bottom + self.top

    @property
    def height(self) -> float:
        """The height of the box, 1 at least."""
        return max(self.top - self.bottom, 1)


def columns(pieces: Sequence[TextBox], width: float, height: float) -> Iterator[list[TextBox]]:
    """Yield the lines of each column, in reading order.

    Head and foot of the page are columns of their own.
    """
    head = [piece for piece in pieces if piece.bottom > _TOP * height]
    foot = [piece for piece in pieces if piece.top < _BOTTOM * height]
    body = [
        piece for piece in pieces if piece.bottom <= _TOP * height and piece.top >= _BOTTOM * height
    ]
    groups = ([head], _bands(body, width), [foot])
    yield from (lines(group) for groups_of_place in groups for group in groups_of_place if group)


def lines(pieces: Sequence[TextBox]) -> list[TextBox]:
    """Return each visual line as one piece, from top to bottom."""
    rows: list[list[TextBox]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.middle):
        if rows and rows[-1][0].bottom < piece.middle / 2 < rows[-1][0].top:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [_line(sorted(row, key=lambda piece: piece.left)) for row in rows]


def _line(row: Sequence[TextBox]) -> TextBox:
    text = [row[0].text]
    for before, piece in pairwise(row):
        gap = (piece.left - before.right) / before.height
        text.append("" if gap < _LETTER_GAP else " " if gap < WORD_GAP else "  ")
        text.append(piece.text)
    return TextBox(
        row[0].left,
        min(piece.bottom for piece in row),
        max(piece.right for piece in row),
        max(piece.top for piece in row),
        "".join(text),
    )


def _bands(pieces: Sequence[TextBox], width: float) -> list[list[TextBox]]:
    """Return the pieces by band of the page and side of the gutter; one group without columns."""
    gutter = _gutter(pieces, width)
    if gutter is None:
        return [[*pieces]]
    groups: list[list[TextBox]] = []
    across: list[TextBox] = []
    band: list[TextBox] = []

    def end_band() -> bool:
        left = [piece for piece in band if piece.right <= gutter]
        right = [piece for piece in band if piece.right > gutter]
        if not (_is_column(left, width) and _is_column(right, width)):
            across.extend(band)
            return False
        groups.extend(group for group in ([*across], left, right) if group)
        across.clear()
        return True

    found = 0
    for piece in sorted(pieces, key=lambda piece: -piece.top):
        if piece.left < gutter < piece.right:
            found += end_band()
            band = []
            across.append(piece)
        else:
            band.append(piece)
    found += end_band()
    return [*groups, across] if found else [[*pieces]]


def _gutter(pieces: Sequence[TextBox], width: float) -> float | None:
    if len(pieces) < 2 * _COLUMN_LINES:
        return None
    crossings = {
        x: sum(piece.left < x < piece.right for piece in pieces)
        for x in (width * percent / 100 for percent in _GUTTERS)
    }
    gutter = min(crossings, key=lambda x: (crossings[x], abs(x - width / 2)))
    return gutter if crossings[gutter] <= _CROSSING * len(pieces) else None


def _is_column(side: Sequence[TextBox], width: float) -> bool:
    """Return whether one side of a band is a column of text.

    A column has at least five pieces and a fifth of the page's width; its pieces fill at least 55 %
    of its own width on average.
    """
    if len(side) < _COLUMN_LINES:
        return False
    span = max(piece.right for piece in side) - min(piece.left for piece in side)
    mean = sum(piece.right - piece.left for piece in side) / len(side)
    return span > _NARROW * width and mean >= _FILLED * span
