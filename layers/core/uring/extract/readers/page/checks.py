"""What a PDF's page draws, compared with what is read of it."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import pypdfium2.raw as pdfium

_FORMS: Final = 4
_SPACE: Final = 32
_NO_WIDTH: Final = 0.01
# Two texts within this number of points are one, drawn twice for boldness.
_TWICE: Final = 2
# Two texts of no width within this number of font sizes are letters, not blanks.
_NEXT: Final = 2


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A text object: its address, its box's left, bottom, width and height, and its font's size."""

    address: int | None
    left: float
    bottom: float
    width: float
    height: float
    size: float

    @property
    def place(self) -> tuple[int, int]:
        return round(self.left / _TWICE), round(self.bottom / _TWICE)


def unread_objects(page: Any, text: Any, count: int) -> int:
    """Return how many objects of text a page draws without one letter that can be read.

    Counted are objects with ink, unless a read one lies there, and letters without a box: objects
    without width that follow each other in a line. A blank of its own is neither.
    """
    drawn = list(_drawn(page))
    read = {
        _address(pdfium.FPDFText_GetTextObject(text, at))
        for at in range(count)
        if pdfium.FPDFText_GetUnicode(text, at) > _SPACE
    }
    places = {each.place for each in drawn if each.address in read}
    unread = [each for each in drawn if each.address not in read]
    inked = sum(
        each.width > _NO_WIDTH and each.height > _NO_WIDTH and not _near(each, places)
        for each in unread
    )
    flat = [each for each in drawn if each.width <= _NO_WIDTH]
    follows = sum(
        abs(one.bottom - other.bottom) < _NO_WIDTH
        and 0 < other.left - one.left < _NEXT * other.size
        for one, other in pairwise(flat)
    )
    return inked + follows


def _near(each: _Drawn, places: set[tuple[int, int]]) -> bool:
    x, y = each.place
    return any((x + dx, y + dy) in places for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def _drawn(page: Any) -> Iterator[_Drawn]:
    left, bottom, right, top, size = (ctypes.c_float() for _ in range(5))
    matrix = pdfium.FS_MATRIX()
    for item in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=_FORMS):
        raw = item.raw
        box = map(ctypes.byref, (left, bottom, right, top))
        if not (
            pdfium.FPDFPageObj_GetBounds(raw, *box)
            and pdfium.FPDFPageObj_GetMatrix(raw, ctypes.byref(matrix))
            and pdfium.FPDFTextObj_GetFontSize(raw, ctypes.byref(size))
        ):
            continue
        yield _Drawn(
            _address(raw),
            matrix.e,
            matrix.f,
            right.value - left.value,
            top.value - bottom.value,
            abs(size.value) * max(abs(matrix.a), abs(matrix.b)),
        )


def _address(raw: Any) -> int | None:
    return ctypes.cast(raw, ctypes.c_void_p).value
