"""Layout: pieces of text with places become lines in reading order.

A PDF gives the places of letters, not the lines or columns. Pieces at one height are a line. Where
few pieces cross the middle and both sides look like text, the page has two columns and the left one
is read first; a piece across both ends them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low
from typing import Final

from uring.extract.readers.page.brackets import with_brackets

SOFT_HYPHEN: Final = "\xad"
"""At the end of a line: its last word goes on in the next line."""

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
_OVERLAP: Final = 0.3
# A superscript: the most letters, and its height as a share of its line's.
_RAISED: Final = 4
_SMALL: Final = 0.8


@dataclass(frozen=True, slots=True)
class TextBox:
    """Text and its box, in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str
    words: tuple["TextBox", ...] = ()

    @classmethod
    def of(cls, words: Sequence["TextBox"]) -> "TextBox":
        """Return the box of words that stand behind each other, a blank between two."""
        return cls(
            min(word.left for word in words),
            median_low(word.bottom for word in words),
            max(word.right for word in words),
            median_low(word.top for word in words),
            " ".join(word.text for word in words),
            tuple(words),
        )

    def with_text(self, text: str) -> "TextBox":
        """Return a box of the same place with another text, as one word."""
        return TextBox(self.left, self.bottom, self.right, self.top, text)

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
        if rows and _is_beside(rows[-1][0], piece):
            rows[-1].append(piece)
        elif rows and _is_raised(rows[-1], piece):
            rows[-1].insert(0, piece)
        else:
            rows.append([piece])
    return [_line(row) for row in rows]


def is_right_to_left(code: int) -> bool:
    """Return whether a character is Hebrew, Arabic or of a script like them."""
    return (
        0x590 <= code <= 0x8FF or 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFE  # noqa: PLR2004
    )


def _is_beside(row: TextBox, piece: TextBox) -> bool:
    """Return whether a piece stands in a row: a symbol may be much higher than its line."""
    return row.bottom < piece.middle / 2 < row.top and (
        piece.bottom < row.middle / 2 < piece.top or len(piece.text) <= _RAISED
    )


def _is_raised(row: Sequence[TextBox], piece: TextBox) -> bool:
    """Return whether a row holds superscripts alone, and this piece is their line."""
    return all(
        len(raised.text) <= _RAISED
        and raised.height < _SMALL * piece.height
        and _is_beside(piece, raised)
        for raised in row
    )


def _line(row: Sequence[TextBox]) -> TextBox:
    """Return the pieces of a line as one; where they overlap, word by word, each of them once."""
    text = "".join(piece.text for piece in row)
    goes_left = 2 * sum(is_right_to_left(ord(char)) for char in text) > len(text)
    placed = sorted(row, key=lambda piece: -piece.right if goes_left else piece.left)
    following: dict[int, TextBox] = {}
    if not goes_left and any(_overlap(*pair) for pair in pairwise(placed)):
        for piece in row:
            following |= {id(one): other for one, other in pairwise(piece.words)}
        words = (word for piece in row for word in piece.words or (piece,))
        placed = [*_once(sorted(words, key=lambda word: word.left))]
    parts = [placed[0].text]
    for before, piece in pairwise(placed):
        space = before.left - piece.right if goes_left else piece.left - before.right
        gap = space / before.height
        blank = " " if following.get(id(before)) is piece else ""
        parts.append(blank if gap < _LETTER_GAP else " " if gap < WORD_GAP else "  ")
        parts.append(piece.text)
    line = "".join(parts)
    return TextBox(
        min(piece.left for piece in placed),
        min(piece.bottom for piece in placed),
        max(piece.right for piece in placed),
        max(piece.top for piece in placed),
        with_brackets(line) if goes_left else line,
    )


def _overlap(before: TextBox, piece: TextBox) -> bool:
    return before.right - piece.left > _OVERLAP * before.height


def _once(words: Sequence[TextBox]) -> Iterator[TextBox]:
    """Yield words from left to right without copies of a word in its place."""
    last: dict[str, float] = {}
    for word in words:
        if word.left - last.get(word.text, -math.inf) > _OVERLAP * word.height:
            last[word.text] = word.left
            yield word


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
