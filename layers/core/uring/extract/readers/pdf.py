"""PDF by PDFium: characters with their places, and whether a font maps them to Unicode.

PDFium is C++ and dies when it cannot allocate memory, so the child process alone calls it. It is
not safe to use from two threads.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from uring.extract.readers.markdown import join
from uring.extract.readers.page.checks import unread_objects
from uring.extract.readers.page.fonts import use_box_font
from uring.extract.readers.page.forms import open_form, printed_page
from uring.extract.readers.page.layout import TextBox, columns
from uring.extract.readers.page.letters import OBLIQUE, read_letters
from uring.extract.readers.page.paragraphs import PlacedPage, paragraphs, without_repeated
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable

_PAGE_CHARACTERS: Final = 200_000
_UNRELIABLE: Final = 0.2
_SAMPLES: Final = 200
# More unread texts than this for each letter that is read, and the page says nothing.
_ILLEGIBLE: Final = 4


@dataclass(frozen=True, slots=True)
class _Sheet:
    page: PlacedPage
    is_reliable: bool = True
    is_image: bool = False
    is_illegible: bool = False
    truncated: bool = False


def read(body: bytes, limits: ExtractLimits) -> FileReading:
    """Return the text of a PDF, page by page.

    Raises:
        Unreadable: ``encrypted``, ``damaged``, ``too_big``, or ``no_text`` for a scan.
    """
    use_box_font()
    document = _opened(body)
    count = len(document)
    if count > limits.pages:
        raise Unreadable("too_big", f"it has {count} pages; at most {limits.pages} are read")
    form = open_form(document)
    sheets = [_sheet(document, number) for number in range(count)]
    broken = [number for number, sheet in enumerate(sheets, 1) if sheet is None]
    read_sheets = [sheet for sheet in sheets if sheet is not None]
    if not read_sheets:
        raise Unreadable("damaged", "no page can be read; ask the site to store it again")
    images = [number for number, sheet in enumerate(sheets, 1) if sheet and sheet.is_image]
    if all(sheet.is_image or not sheet.page.has_text for sheet in read_sheets):
        what = "its pages are images (a scan)" if images else "its pages are blank"
        raise Unreadable("no_text", f"{what}; ask for a PDF with text, or an HWPX")
    if all(sheet.is_illegible or not sheet.page.has_text for sheet in read_sheets):
        what = "its fonts do not say what its letters are"
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
            *form,
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
        page = printed_page(document, number)
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return None
    found = text.count_chars()
    count = min(found, _PAGE_CHARACTERS)
    box = page.get_bbox()
    letters = read_letters(text, count, box)
    unread = unread_objects(page, text, count)
    sheet = _Sheet(
        _placed(letters.pieces, box[2] - box[0], box[3] - box[1]),
        is_reliable=_share_unmapped(text, count) < _UNRELIABLE
        and unread <= _UNRELIABLE * (unread + letters.count)
        and letters.flat <= _UNRELIABLE * letters.count,
        is_illegible=unread > _ILLEGIBLE * letters.count,
        is_image=not letters.pieces and _has_image(page),
        truncated=found > count,
    )
    text.close()
    page.close()
    return sheet


def _placed(pieces: Mapping[int, Sequence[TextBox]], width: float, height: float) -> PlacedPage:
    """Return the columns of the main turn, which most letters have, and behind them the rest."""
    sizes = {
        turn: sum(len(piece.text) for piece in found)
        for turn, found in pieces.items()
        if turn != OBLIQUE
    }
    groups: list[tuple[tuple[TextBox, ...], ...]] = []
    for turn in sorted(sizes, key=lambda turn: (-sizes[turn], turn)):
        size = (height, width) if turn % 180 else (width, height)
        groups.append(tuple(tuple(column) for column in columns(pieces[turn], *size)))
    main = max(sizes, key=lambda turn: (sizes[turn], -turn), default=0)
    oblique = tuple(pieces.get(OBLIQUE, ()))
    return PlacedPage(
        groups[0] if groups else (),
        width if main % 180 else height,
        (*(column for group in groups[1:] for column in group), *([oblique] if oblique else ())),
    )


def _has_image(page: Any) -> bool:
    images = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    return next(iter(images), None) is not None


def _share_unmapped(text: Any, count: int) -> float:
    """Return the share, 0 to 1, of sampled characters that their font does not map to Unicode."""
    sample = range(0, count, max(1, count // _SAMPLES))
    # 1: there is no mapping; -1: unknown.
    unmapped = sum(bool(pdfium.FPDFText_HasUnicodeMapError(text, at) == 1) for at in sample)
    return unmapped / max(len(sample), 1)
