"""One font in place of all fonts of the machine, so that a PDF has one text everywhere.

PDFium drops a letter whose font is neither embedded nor on the machine, since its box is empty. The
font here has a box for every character. Nobody sees it: what is read comes from the file's codes.
"""

import ctypes
import struct
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pypdfium2.raw as pdfium

# PDFium brings these itself, with the widths that a file may leave out.
_BUILT_IN: Final = (b"Courier", b"Helvetica", b"Times", b"Symbol", b"ZapfDingbats")
_HANDLE: Final = 1
_UNITS, _ASCENT, _DESCENT = 1000, 880, -120
_BLANK, _NARROW, _WIDE = 1, 2, 3
_WIDTHS: Final = (500, 500, 500, 1000)
_FULL_WIDTH: Final = 0x2E80
_END: Final = 0x110000
_BLANKS: Final = ((0, 0x21), (0xA0, 0xA1), (0x2000, 0x2010), (0x3000, 0x3001))
_MAGIC: Final = 0x5F0F3CF5
_TRUETYPE: Final = 0x10000


@cache
def use_box_font() -> Any:
    """Let PDFium ask for our font and never for the machine's; the result keeps it alive."""
    font = box_font()
    info = pdfium.FPDF_SYSFONTINFO()
    types = dict(pdfium.FPDF_SYSFONTINFO._fields_)

    def of_face(_: Any, *request: Any) -> int | None:
        face = request[4]
        name = ctypes.string_at(face) if face else b""
        return None if name.startswith(_BUILT_IN) else _HANDLE

    def data(_: Any, __: Any, table: int, buffer: Any, size: int) -> int:
        if table:  # of the file as a whole alone
            return 0
        if buffer and size >= len(font):
            ctypes.memmove(buffer, font, len(font))
        return len(font)

    info.version = 1
    info.MapFont = types["MapFont"](of_face)
    info.GetFontData = types["GetFontData"](data)
    pdfium.FPDF_SetSystemFontInfo(ctypes.byref(info))
    return info


def box_font() -> bytes:
    """Return a TrueType font of boxes: half as wide as high before U+2E80, as wide behind it."""
    box = [_box(_WIDTHS[0]), b"", _box(_WIDTHS[_NARROW]), _box(_WIDTHS[_WIDE])]
    places = [sum(map(len, box[:at])) for at in range(len(box) + 1)]
    groups = list(_groups())
    many_to_one = struct.pack(">HHIII", 13, 0, 16 + 12 * len(groups), 0, len(groups))
    return _file(
        {
            b"cmap": struct.pack(">HHHHI", 0, 1, 3, 10, 12)
            + many_to_one
            + b"".join(struct.pack(">III", *group) for group in groups),
            b"glyf": b"".join(box),
            b"head": struct.pack(
                ">IIIIHHQQhhhhHHhhh",
                *(_TRUETYPE, _TRUETYPE, 0, _MAGIC, 0, _UNITS, 0, 0),
                *(0, _DESCENT, _UNITS, _ASCENT, 0, 8, 2, 1, 0),
            ),
            b"hhea": struct.pack(
                ">IhhhHhhhhhhhhhhhH",
                *(_TRUETYPE, _ASCENT, _DESCENT, 0, _UNITS, 0, 0, _UNITS, 1),
                *(0, 0, 0, 0, 0, 0, 0, len(box)),
            ),
            b"hmtx": b"".join(struct.pack(">Hh", width, 0) for width in _WIDTHS),
            b"loca": struct.pack(f">{len(places)}I", *places),
            b"maxp": struct.pack(">IH13H", _TRUETYPE, len(box), 4, 1, 0, 0, 1, *[0] * 8),
        }
    )


def _box(width: int) -> bytes:
    """Return a glyph: one contour of four points, each by its step from the last."""
    high = _ASCENT - _DESCENT
    return struct.pack(
        ">hhhhhHH4B8h",
        *(1, 0, _DESCENT, width, _ASCENT, 3, 0),
        *(1, 1, 1, 1),
        *(0, 0, width, 0),
        *(_DESCENT, high, 0, -high),
    )


def _groups() -> Iterator[tuple[int, int, int]]:
    """Yield first and last character of a group, and its glyph."""
    at = 0
    for start, end in (*_BLANKS, (_END, _END)):
        for first, last, glyph in (
            (at, min(start, _FULL_WIDTH), _NARROW),
            (max(at, _FULL_WIDTH), start, _WIDE),
            (start, end, _BLANK),
        ):
            if first < last:
                yield first, last - 1, glyph
        at = end


def _file(tables: dict[bytes, bytes]) -> bytes:
    head = struct.pack(">IHHHH", _TRUETYPE, len(tables), 64, 2, 48)
    start, body = len(head) + 16 * len(tables), b""
    for name, table in sorted(tables.items()):
        head += struct.pack(">4sIII", name, 0, start + len(body), len(table))
        body += table + bytes(-len(table) % 4)
    return head + body
