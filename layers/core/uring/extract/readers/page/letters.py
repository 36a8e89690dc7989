"""The letters of a PDF's page become pieces of text with places, whatever way they are turned.

PDFium gives letters in the order of drawing and adds blanks and line ends by their places. A piece
ends where the next letter stands left of the last, on another line, or far away; `layout` puts the
pieces in order. Turned and vertical text gets the places that it would have if it were upright.
"""

import ctypes
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any, Final

import pypdfium2.raw as pdfium

from uring.extract.readers.markdown import visible
from uring.extract.readers.page.layout import SOFT_HYPHEN, WORD_GAP, TextBox, is_right_to_left
from uring.extract.readers.page.scripts import PlacedLetter, downwards, leftwards

OBLIQUE: Final = -1
"""The turn of text that is not parallel to an edge, such as a watermark."""

_SMALLEST: Final = 6.0
_SPACE: Final = 32
_LAST: Final = 0x10FFFF
_LINE_ENDS: Final = {10, 13}
# PDFium's codes for a hyphen at the end of a line.
_HYPHENS: Final = {0x02, 0xFFFE}
_UPRIGHT_WITHIN: Final = 25  # degrees
_DOWNWARDS: Final = 270
# Shares of a letter's height or width.
_STEP_BACK: Final = 0.2
_SAME: Final = 0.3
_BELOW: Final = 0.5
# Letters that stand above, below or in others.
_MARKS: Final = {"Mn", "Me", "Mc", "Sk", "Lm"}

_Box = tuple[float, float, float, float]


@dataclass(slots=True)
class PageLetters:
    """A page's pieces by turn, in degrees, and the count of letters without width."""

    pieces: dict[int, list[TextBox]] = field(default_factory=dict)
    count: int = 0
    flat: int = 0


def turned(box: _Box, turn: int, width: float, height: float) -> _Box:
    """Return left, bottom, right, top on the page turned back, so that its text is upright."""
    left, bottom, right, top = box
    if turn == 90:  # noqa: PLR2004
        return bottom, width - right, top, width - left
    if turn == 180:  # noqa: PLR2004
        return width - right, height - top, width - left, height - bottom
    if turn == _DOWNWARDS:
        return height - top, left, height - bottom, right
    return box


def read_letters(text: Any, count: int, page: _Box) -> PageLetters:
    """Return the pieces of a page's first letters.

    A box is as high as the font's line and as wide as the letter's step. The ink does not count,
    because a font that is not embedded has none.
    """
    found = PageLetters()
    piece = _Piece(text, page)
    has_blank = False
    for at in range(count):
        code = pdfium.FPDFText_GetUnicode(text, at)
        if code in _LINE_ENDS:
            piece.end(found)
            has_blank = False
        elif code > _LAST:
            # The font's map gives a number which is not a character.
            found.count += 1
            found.flat += 1
        elif code <= _SPACE and code not in _HYPHENS:
            has_blank = True
        else:
            piece.add(at, code, found, has_blank=has_blank)
            has_blank = False
    piece.end(found)
    return found


class _Piece:
    """The piece that is being read: words of letters, and the place of the last letter."""

    def __init__(self, text: Any, page: _Box) -> None:
        self._text = text
        self._left, self._bottom = page[0], page[1]
        self._width, self._height = page[2] - page[0], page[3] - page[1]
        self._rect = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._words: list[tuple[list[int], list[_Box]]] = []
        self._turn = 0
        self._is_vertical = False

    def add(self, at: int, code: int, found: PageLetters, *, has_blank: bool) -> None:
        """Add a letter, or end the piece and begin the next one with it."""
        box = self._place(at)
        found.count += 1
        found.flat += box[2] <= box[0] or box[3] <= box[1]
        if self._words:
            before = self._turned(self._words[-1][1][-1])
            place = self._turned(box)
            last = self._words[-1][0][-1]
            if self._begins_downwards(before, place, has_blank=has_blank):
                self._turn = _DOWNWARDS
            elif self._turn != OBLIQUE and code == last and _is_same(before, place):
                return
            elif self._is_end(at, (last, code), before, place, has_blank=has_blank):
                self.end(found)
        if not self._words:
            self._turn = self._turn_of(at)
        if not self._words or has_blank:
            self._words.append(([], []))
        codes, boxes = self._words[-1]
        codes.append(code)
        if not boxes or not _is_mark(code) or self._turn == _DOWNWARDS:
            boxes.append(box)
        # Rotated text has PDFium's blanks; upright letters below each other have none.
        if self._turn == _DOWNWARDS and not self._is_vertical:
            self._is_vertical = self._turn_of(at) == 0

    def _is_end(
        self, at: int, codes: tuple[int, int], before: _Box, place: _Box, *, has_blank: bool
    ) -> bool:
        """Return whether the piece ends before a letter."""
        if self._turn == OBLIQUE:
            return self._turn_of(at) != OBLIQUE
        if codes[0] in _HYPHENS:
            return True
        if codes[1] in _HYPHENS or _is_mark(codes[1]):
            return False
        goes_left = any(is_right_to_left(code) for code in codes)
        return _is_cut(before, place, is_cut_back=not goes_left, has_blank=has_blank)

    def _turned(self, box: _Box) -> _Box:
        return turned(box, self._turn, self._width, self._height)

    def end(self, found: PageLetters) -> None:
        """Put the piece among those of its turn."""
        codes = [code for word, _ in self._words for code in word]
        if self._is_vertical:
            words = downwards([*self._letters()])
        elif _goes_left(codes):
            words = [leftwards([*self._letters()])]
        else:
            words = [self._word(codes, boxes) for codes, boxes in self._words]
        words = [word for word in words if word.text]
        self._words.clear()
        self._is_vertical = False
        if words:
            found.pieces.setdefault(self._turn, []).append(TextBox.of(words))

    def _letters(self) -> Iterator[PlacedLetter]:
        """Yield the letters of the piece; a mark belongs to the letter before it."""
        for word, (codes, boxes) in enumerate(self._words):
            groups: list[list[int]] = []
            for code in codes:
                if groups and _is_mark(code) and self._turn != _DOWNWARDS:
                    groups[-1].append(code)
                else:
                    groups.append([code])
            for group, box in zip(groups, boxes, strict=True):
                yield PlacedLetter(_text(group), word, *self._turned(box))

    def _word(self, codes: Sequence[int], boxes: Sequence[_Box]) -> TextBox:
        places = [self._turned(box) for box in boxes]
        hyphen = SOFT_HYPHEN if codes[-1] in _HYPHENS else ""
        # As high as most of its letters: a symbol's font may be much higher.
        lefts, bottoms, rights, tops = zip(*places, strict=True)
        low, high = median_low(bottoms), median_low(tops)
        return TextBox(min(lefts), low, max(rights), high, _text(codes) + hyphen)

    def _begins_downwards(self, before: _Box, place: _Box, *, has_blank: bool) -> bool:
        """Return whether the second letter of a piece stands straight below the first."""
        if self._turn or has_blank or len(self._words[0][0]) > 1:
            return False
        high = before[3] - before[1]
        middle = (place[0] + place[2]) / 2
        return (
            before[0] < middle < before[2]
            and place[3] < before[3] - _BELOW * high
            and place[3] > before[1] - high
        )

    def _place(self, at: int) -> _Box:
        rect = self._rect
        if not pdfium.FPDFText_GetLooseCharBox(self._text, at, ctypes.byref(rect)):
            return 0, 0, 0, 0
        x, y = self._left, self._bottom
        return rect.left - x, rect.bottom - y, rect.right - x, rect.top - y

    def _turn_of(self, at: int) -> int:
        matrix = self._matrix
        if not pdfium.FPDFText_GetMatrix(self._text, at, ctypes.byref(matrix)):
            return 0
        if matrix.a < 0 < matrix.d:  # mirrored
            return OBLIQUE
        angle = math.degrees(math.atan2(matrix.b, matrix.a)) % 360
        quarter = round(angle / 90) * 90
        return quarter % 360 if abs(angle - quarter) <= _UPRIGHT_WITHIN else OBLIQUE


def _is_cut(before: _Box, place: _Box, *, is_cut_back: bool, has_blank: bool) -> bool:
    """Return whether a letter stands on another line, left of the last one, or far away."""
    high = max(before[3] - before[1], place[3] - place[1], _SMALLEST)
    middle, last = place[1] + place[3], before[1] + before[3]
    if not (before[1] * 2 < middle < before[3] * 2 or place[1] * 2 < last < place[3] * 2):
        return True
    if is_cut_back and place[0] < before[0] - _STEP_BACK * high:
        return True
    gap = max(place[0] - before[2], before[0] - place[2])
    return has_blank and gap > WORD_GAP * high


def _is_same(before: _Box, place: _Box) -> bool:
    """Return whether a letter is drawn over itself, as for boldness."""
    wide, high = before[2] - before[0], before[3] - before[1]
    return (
        # Letters of a ligature have one place.
        wide > 0
        and place != before
        and abs(place[0] - before[0]) < _SAME * wide
        and abs(place[1] - before[1]) < _SAME * high
    )


def _goes_left(codes: Sequence[int]) -> bool:
    """Return whether most letters of a piece are read from the right."""
    letters = [code for code in codes if chr(code).isalpha()]
    return 2 * sum(map(is_right_to_left, letters)) > len(letters)


def _is_mark(code: int) -> bool:
    return code > 0x7F and unicodedata.category(chr(code)) in _MARKS  # noqa: PLR2004


def _text(codes: Sequence[int]) -> str:
    """Return the characters of PDFium's codes without control codes.

    PDFium may give characters beyond the first plane as two surrogates; these are joined.
    """
    units = "".join(chr(code) for code in codes if code >= _SPACE)
    return visible(units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
