"""A PDF by hand: Korean text in a subset font, whose codes are meaningless without their map.

Streams are not compressed, so that the same paper is the same bytes with every zlib.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from uring_local.sites.files.paper import Paper, Table

_WIDTH: Final = 595
_HEIGHT: Final = 842
_LEFT: Final = 60
_TOP: Final = 770
_LEADING: Final = 18
_SIZE: Final = 10
_LINES: Final = 38
_HALF: Final = 500  # thousandths of the size: characters that are not Korean are half as wide
_CATALOG, _PAGES, _FONT, _DESCENDANT, _DESCRIPTOR, _MAP, _IMAGE = range(1, 8)
_FIRST_PAGE: Final = 10
_ROW_GAP: Final = 2  # lines between the header of a page and its text
_FORMS: Final = 12

_Line = list[tuple[float, str]]
"""Pieces of a line, with their places from the left."""


def pdf(
    paper: Paper,
    *,
    header: str = "",
    numbered: bool = False,
    columns: int = 1,
    unicode_map: bool = True,
    scanned: bool = False,
    encrypted: bool = False,
    endless: bool = False,
    pages: int = 0,
) -> bytes:
    """Return the paper as a PDF.

    Args:
        paper: its content.
        header: a line at the top of every page.
        numbered: whether each page has its number at its foot.
        columns: of text on a page, 1 or 2.
        unicode_map: whether the font has a map from codes to characters. No reader can do without.
        scanned: whether each page is an image without text.
        encrypted: whether it asks for a password; its content stays readable.
        endless: whether its first page draws 10^12 nested forms.
        pages: least number of pages; pages beyond the paper's end are blank.
    """
    width = (_WIDTH - 2 * _LEFT) / columns - (20 if columns > 1 else 0)
    lines = list(_lines(paper, width))
    sheets = [lines[at : at + _LINES * columns] for at in range(0, len(lines), _LINES * columns)]
    sheets += [[]] * (pages - len(sheets))
    font = _Font()
    contents = [
        _content(sheet, font, columns, header, f"- {number} -" if numbered else "")
        for number, sheet in enumerate(sheets, 1)
    ]
    if scanned:
        contents = [b"q %d 0 0 %d 0 0 cm /Scan Do Q" % (_WIDTH, _HEIGHT)] * len(contents)
    objects = {
        _CATALOG: b"<</Type/Catalog/Pages %d 0 R>>" % _PAGES,
        **_font_objects(font, unicode_map=unicode_map),
        _IMAGE: _stream(
            b"/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8"
            b"/ColorSpace/DeviceGray",
            b"\x80",
        ),
        **_page_objects(contents, _forms(endless, _FIRST_PAGE + 2 * len(contents))),
    }
    if endless:
        objects |= _form_objects(_FIRST_PAGE + 2 * len(contents))
    return write(objects, b"/Encrypt %s" % _ENCRYPT if encrypted else b"")


# A revision that all readers support, and digests that no password matches.
_ENCRYPT: Final = b"<</Filter/Standard/V 1/R 2/Length 40/P -4/O<%s>/U<%s>>>" % (
    b"5a" * 32,
    b"a5" * 32,
)
_ID: Final = b"/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]"


def write(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of numbered objects; object 1 is the catalog."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        place = places.get(number)
        out += b"0000000000 65535 f \n" if place is None else b"%010d 00000 n \n" % place
    out += b"trailer\n<</Size %d/Root %d 0 R%b%b>>\n" % (size, _CATALOG, _ID, trailer)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


@dataclass(slots=True)
class _Font:
    """A subset font: characters have the codes 1, 2, … in the order of their first use."""

    codes: dict[str, int] = field(default_factory=dict)

    def encode(self, text: str) -> bytes:
        codes = (self.codes.setdefault(char, len(self.codes) + 1) for char in text)
        return b"".join(b"%04x" % code for code in codes)


def _advance(char: str) -> int:
    """Return the width of a character in thousandths of the size."""
    return 1000 if ord(char) > 0x2E7F else _HALF  # noqa: PLR2004 - scripts with full width


def _lines(paper: Paper, width: float) -> Iterator[_Line]:
    yield from _wrapped(paper.title, width)
    yield []
    for paragraph in paper.paragraphs:
        if isinstance(paragraph, Table):
            yield from _rows(paragraph, width)
        else:
            for line in paragraph.replace("\t", "    ").split("\n"):
                yield from _wrapped(line, width)


def _wrapped(text: str, width: float) -> Iterator[_Line]:
    """Break a text where the line is full, inside words too, as is usual in Korean."""
    line, used = "", 0.0
    for char in text:
        advance = _SIZE * _advance(char) / 1000
        if used + advance > width:
            yield [(0, line.rstrip())]
            line, used = ("", 0.0) if char == " " else (char, advance)
        else:
            line += char
            used += advance
    yield [(0, line)]


def _rows(table: Table, width: float) -> Iterator[_Line]:
    step = width / max(table.width, 1)
    lines: list[_Line] = [[] for _ in table.rows]
    for row, column, cell in table.placed():
        lines[row].append((column * step, cell.text))
    yield from lines


def _content(lines: Sequence[_Line], font: _Font, columns: int, header: str, footer: str) -> bytes:
    waiting = iter(lines)
    parts = [_piece(font, _LEFT, _TOP + _ROW_GAP * _LEADING, header)] if header else []
    for column in range(columns):
        left = _LEFT + column * (_WIDTH - 2 * _LEFT) / columns
        for row, line in enumerate(islice(waiting, _LINES)):
            parts += [
                _piece(font, left + x, _TOP - row * _LEADING, text) for x, text in line if text
            ]
    if footer:
        parts.append(_piece(font, _WIDTH / 2 - 10, 30, footer))
    return b"BT /F %d Tf\n%b\nET" % (_SIZE, b"\n".join(parts))


def _piece(font: _Font, x: float, y: float, text: str) -> bytes:
    # PDFium skips text without width, such as a single letter of a font that is not embedded.
    return b"1 0 0 1 %.1f %.1f Tm <%b> Tj" % (x, y, font.encode(f"{text} "))


def _font_objects(font: _Font, *, unicode_map: bool) -> dict[int, bytes]:
    widths = b" ".join(b"%d[%d]" % (code, _advance(char)) for char, code in font.codes.items())
    to_unicode = b"/ToUnicode %d 0 R" % _MAP if unicode_map else b""
    return {
        _FONT: b"<</Type/Font/Subtype/Type0/BaseFont/AAAAAA+Gothic/Encoding/Identity-H"
        b"/DescendantFonts[%d 0 R]%b>>" % (_DESCENDANT, to_unicode),
        _DESCENDANT: b"<</Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Gothic/CIDSystemInfo"
        b"<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R"
        b"/DW 1000/W[%b]/CIDToGIDMap/Identity>>" % (_DESCRIPTOR, widths),
        _DESCRIPTOR: b"<</Type/FontDescriptor/FontName/AAAAAA+Gothic/Flags 4/ItalicAngle 0"
        b"/FontBBox[0 -200 1000 900]/Ascent 800/Descent -200/CapHeight 700/StemV 80>>",
        _MAP: _stream(b"", _unicode_map(font)),
    }


def _unicode_map(font: _Font) -> bytes:
    pairs = [
        b"<%04x><%b>" % (code, char.encode("utf-16-be").hex().encode())
        for char, code in font.codes.items()
    ]
    blocks = [pairs[at : at + 100] for at in range(0, len(pairs), 100)]
    maps = b"\n".join(
        b"%d beginbfchar\n%b\nendbfchar" % (len(block), b"\n".join(block)) for block in blocks
    )
    return (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        b"/CMapName /Map def /CMapType 2 def\n"
        b"1 begincodespacerange <0000><ffff> endcodespacerange\n%b\n"
        b"endcmap CMapName currentdict /CMap defineresource pop end end" % maps
    )


def _page_objects(contents: Sequence[bytes], forms: bytes) -> dict[int, bytes]:
    resources = b"<</Font<</F %d 0 R>>/XObject<</Scan %d 0 R%b>>>>" % (_FONT, _IMAGE, forms)
    objects: dict[int, bytes] = {}
    kids = []
    for at, content in enumerate(contents):
        page = _FIRST_PAGE + 2 * at
        kids.append(b"%d 0 R" % page)
        drawn = content + b"\n/Form Do" if forms and not at else content
        objects[page + 1] = _stream(b"", drawn)
        objects[page] = (
            b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %d %d]/Resources%b/Contents %d 0 R>>"
            % (_PAGES, _WIDTH, _HEIGHT, resources, page + 1)
        )
    objects[_PAGES] = b"<</Type/Pages/Kids[%b]/Count %d>>" % (b" ".join(kids), len(kids))
    return objects


def _forms(endless: bool, first: int) -> bytes:  # noqa: FBT001 - a switch between two of its kind
    return b"/Form %d 0 R" % first if endless else b""


def _form_objects(first: int) -> dict[int, bytes]:
    """Return a chain of forms; each draws the next one ten times, the last draws a text."""
    objects: dict[int, bytes] = {}
    for number in range(first, first + _FORMS):
        resources = b"/Font<</F %d 0 R>>/XObject<</Next %d 0 R>>" % (_FONT, number + 1)
        head = b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<<%b>>"
        objects[number] = _stream(head % (_WIDTH, _HEIGHT, resources), b"/Next Do " * 10)
    text = b"BT /F %d Tf 50 700 Td <00010002> Tj ET" % _SIZE
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<</Font<</F %d 0 R>>>>"
    objects[first + _FORMS] = _stream(head % (_WIDTH, _HEIGHT, _FONT), text)
    return objects


def _stream(head: bytes, data: bytes) -> bytes:
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (head, len(data), data)
