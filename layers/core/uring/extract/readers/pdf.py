"""PDF by PDFium: characters with their places, and whether a font maps them to Unicode.

PDFium is C++ and dies when it cannot allocate memory, so the child process alone calls it. It is
not safe to use from two threads.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from uring.extract.readers.layout import WORD_GAP, TextBox, columns
from uring.extract.readers.markdown import join, visible
from uring.extract.readers.paragraphs import PlacedPage, paragraphs, without_repeated
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable

_PAGE_CHARACTERS: Final = 200_000
_UNRELIABLE: Final = 0.2
_SAMPLES: Final = 200
_BOXES: Final = 6
_SMALLEST: Final = 6.0
_SPACE: Final = 32
_LINE_ENDS: Final = {10, 13}


@dataclass(frozen=True, slots=True)
class _Sheet:
    page: PlacedPage
    is_reliable: bool = True
    is_image: bool = False
    truncated: bool = False


def read(body: bytes, limits: ExtractLimits) -> FileReading:
    """Return the text of a PDF, page by page.

    Raises:
        Unreadable: ``encrypted``, ``damaged``, ``too_big``, or ``no_text`` for a scan.
    """
    document = _opened(body)
    count = len(document)
    if count > limits.pages:
        raise Unreadable("too_big", f"it has {count} pages; at most {limits.pages} are read")
    sheets = [_sheet(document, number) for number in range(count)]
    broken = [number for number, sheet in enumerate(sheets, 1) if sheet is None]
    read_sheets = [sheet for sheet in sheets if sheet is not None]
    if not read_sheets:
        raise Unreadable("damaged", "no page can be read; ask the site to store it again")
    images = [number for number, sheet in enumerate(sheets, 1) if sheet and sheet.is_image]
    if all(sheet.is_image or not sheet.page.columns for sheet in read_sheets):
        what = "its pages are images (a scan)" if images else "its pages are blank"
        raise Unreadable("no_text", f"{what}; ask for a PDF with text, or an HWPX")
    return FileReading(
        text=_markdown([sheet.page if sheet else PlacedPage((), 1) for sheet in sheets]),
        pages=count,
        unreliable_pages=tuple(
            number for number, sheet in enumerate(sheets, 1) if sheet and not sheet.is_reliable
        ),
        truncated=any(sheet.truncated for sheet in read_sheets),
        notes=(
            *_note(images, "an image without text"),
            *_note(broken, "damaged and left out"),
        ),
    )


def _opened(body: bytes) -> Any:
    try:
        document = pypdfium2.PdfDocument(body)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise Unreadable(
                "encrypted", "it asks for a password; ask for a PDF without one"
            ) from error
        raise Unreadable(
            "damaged", "PDFium cannot open it; the transfer broke, or it was stored wrongly"
        ) from error
    if not count:
        raise Unreadable("damaged", "it has no pages; the transfer broke, or it was stored wrongly")
    return document


def _note(pages: Sequence[int], what: str) -> Iterator[str]:
    if pages:
        shown = ", ".join(map(str, pages[:20])) + (", …" if len(pages) > 20 else "")  # noqa: PLR2004
        yield f"page {shown}: {what}" if len(pages) == 1 else f"pages {shown}: {what}"


def _markdown(pages: Sequence[PlacedPage]) -> str:
    blocks: list[str] = []
    for number, page in enumerate(without_repeated(pages), 1):
        blocks += [f"<!-- page {number} -->", *paragraphs(page)]
    return join(blocks)


def _sheet(document: Any, number: int) -> _Sheet | None:
    """Return a page by its index from 0; None if PDFium cannot read it."""
    try:
        page = document[number]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return None
    found = text.count_chars()
    count = min(found, _PAGE_CHARACTERS)
    width, height = page.get_size()
    pieces = [piece for piece in _pieces(text, count) if piece.text.strip()]
    lines = tuple(tuple(column) for column in columns(pieces, width, height))
    sheet = _Sheet(
        PlacedPage(lines, height),
        is_reliable=_share_unmapped(text, count) < _UNRELIABLE,
        is_image=not pieces and _has_image(page),
        truncated=found > count,
    )
    text.close()
    page.close()
    return sheet


def _has_image(page: Any) -> bool:
    images = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    return next(iter(images), None) is not None


def _share_unmapped(text: Any, count: int) -> float:
    """Return the share, 0 to 1, of sampled characters that their font does not map to Unicode."""
    sample = range(0, count, max(1, count // _SAMPLES))
    # 1: there is no mapping; -1: unknown.
    unmapped = sum(bool(pdfium.FPDFText_HasUnicodeMapError(text, at) == 1) for at in sample)
    return unmapped / max(len(sample), 1)


def _pieces(text: Any, count: int) -> Iterator[TextBox]:
    """Yield PDFium's lines, cut at blanks wider than one and a half times the line's height.

    PDFium makes blanks and line ends from the places of letters, even where each letter has an
    operator of its own. Its own ranges and boxes of text scatter such letters, so the characters
    are read one by one.
    """
    codes = [pdfium.FPDFText_GetUnicode(text, at) for at in range(count)]
    box = _Boxes(text)
    start = 0
    for at in range(count + 1):
        code = codes[at] if at < count else 10
        if code in _LINE_ENDS:
            yield from _piece(codes, box, start, at)
            start = at + 1
        elif code == _SPACE and start < at and codes[at - 1] > _SPACE:
            after = at + 1
            while after < count and codes[after] == _SPACE:
                after += 1
            if after < count and codes[after] > _SPACE and box.are_apart(at - 1, after):
                yield from _piece(codes, box, start, at)
                start = after


def _piece(codes: Sequence[int], box: "_Boxes", start: int, end: int) -> Iterator[TextBox]:
    while start < end and codes[start] <= _SPACE:
        start += 1
    while end > start and codes[end - 1] <= _SPACE:
        end -= 1
    places = [*range(start, end, max(1, (end - start) // _BOXES)), end - 1]
    boxes = [found for found in map(box.of, places) if found] if start < end else []
    if boxes:
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        yield TextBox(min(lefts), min(bottoms), max(rights), max(tops), _text(codes[start:end]))


def _text(codes: Sequence[int]) -> str:
    """Return the characters of PDFium's codes without control codes.

    PDFium may give characters beyond the first plane as two surrogates; these are joined.
    """
    units = "".join(chr(code) for code in codes if code >= _SPACE and code <= 0x10FFFF)  # noqa: PLR2004
    return visible(units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


class _Boxes:
    """The places of a page's characters: left, bottom, right, top.

    A box is as high as the font's line and as wide as the letter's step. The ink does not count,
    because a font that is not embedded has none.
    """

    def __init__(self, text: Any) -> None:
        self._text = text
        self._box = pdfium.FS_RECTF()

    def of(self, at: int) -> tuple[float, float, float, float] | None:
        box = self._box
        if not pdfium.FPDFText_GetLooseCharBox(self._text, at, ctypes.byref(box)):
            return None
        return box.left, box.bottom, box.right, box.top

    def are_apart(self, before: int, after: int) -> bool:
        one, other = self.of(before), self.of(after)
        if one is None or other is None:
            return False
        high = max(one[3] - one[1], other[3] - other[1], _SMALLEST)
        return other[0] - one[2] > WORD_GAP * high
