"""The format of a file by its bytes: names and headers are a server's belief."""

import re
import zlib
from contextlib import suppress
from typing import Final

from uring.errors import SuspectPage
from uring.fetch.decode import decode_html

READABLE: Final = ("pdf", "hwpx", "hwp", "docx", "html", "text")
"""The formats with a reader."""

NAMES: Final = {
    "pdf": "a PDF",
    "hwpx": "an HWPX document",
    "hwp": "an HWP 5 document",
    "docx": "a Word document (DOCX)",
    "html": "an HTML page",
    "text": "plain text",
    "hwp3": "an HWP 3 document",
    "locked": "an Office document with a password",
    "xlsx": "an Excel workbook (XLSX)",
    "pptx": "a PowerPoint presentation (PPTX)",
    "odt": "an OpenDocument file",
    "ole": "an old Office document (DOC, XLS or PPT)",
    "rtf": "a rich text document (RTF)",
    "image": "an image",
    "zip": "a zip archive",
    "empty": "an empty file",
    "unknown": "a file of an unknown format",
}

_HEAD: Final = 1024
_SAMPLE: Final = 65_536
_PDF: Final = b"%PDF-"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HWP5: Final = b"HWP Document File"
# The stream of an Office document of today that has a password, whichever application it is of.
_LOCKED: Final = "EncryptedPackage".encode("utf-16-le")
_STARTS: Final = (
    (b"HWP Document File V", "hwp3"),
    (b"{\\rtf", "rtf"),
    *((start, "image") for start in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")),
)
# A zip is recognised by the start of an entry's name, or by the content of the one called mimetype.
_ENTRIES: Final = (
    (b"Contents/content.hpf", "hwpx"),
    # Word on the web counts its parts: document2.xml.
    (b"word/document", "docx"),
    (b"xl/workbook.xml", "xlsx"),
    (b"ppt/presentation.xml", "pptx"),
)
_TYPES: Final = (
    (b"application/hwp+zip", "hwpx"),
    (b"application/vnd.oasis.opendocument", "odt"),
)
_END: Final = b"PK\x05\x06"
_ENTRY: Final = b"PK\x01\x02"
_COMMENT: Final = 65_557
_NAMES: Final = 2_000
_PACKED: Final = 256
_MARKUP: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script|table|div|p|h1)[\s>/]", re.IGNORECASE
)
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def format_of(body: bytes) -> str:
    """Return the format, a key of `NAMES`; ``unknown`` for bytes that match none."""
    head = body[:_HEAD]
    if not head:
        return "empty"
    is_markup = _MARKUP.search(head.replace(b"\0", b"")) is not None
    # Bytes before the header are common, and PDF readers look for it in the same range.
    if head.lstrip().startswith(_PDF) or (_PDF in head and not is_markup):
        return "pdf"
    packed = _container(body) or next(
        (format_ for start, format_ in _STARTS if head.startswith(start)), None
    )
    if packed:
        return packed
    if is_markup:
        return "html"
    return "text" if _is_text(body[:_SAMPLE]) else "unknown"


def _container(body: bytes) -> str | None:
    if body.startswith(b"PK"):
        return _zip(body)
    if body.startswith(_OLE):
        return "hwp" if _HWP5 in body else "locked" if _LOCKED in body else "ole"
    return None


def _zip(body: bytes) -> str:
    entries = _directory(body)
    # The first entry stands at the start, also in a file that was cut.
    first = 0 if body[30:38] == b"mimetype" else None
    kind = _mimetype(body, entries.get(b"mimetype", first))
    names = entries or {name: 0 for name, _ in _ENTRIES if name in body}
    return next(
        (format_ for start, format_ in _TYPES if kind.startswith(start)),
        next(
            (
                format_
                for start, format_ in _ENTRIES
                if any(name.startswith(start) for name in names)
            ),
            "zip",
        ),
    )


def _directory(body: bytes) -> dict[bytes, int]:
    """Return where the first 2,000 entries begin, by name; none of a zip without a directory."""
    end = body.rfind(_END, max(0, len(body) - _COMMENT))
    at = end - _number(body, end + 12, 4)
    # Bytes before the archive move all of its offsets.
    moved = at - _number(body, end + 16, 4)
    entries: dict[bytes, int] = {}
    while 0 <= at < end and len(entries) < _NAMES and body[at : at + 4] == _ENTRY:
        name, extra, comment = (_number(body, at + place, 2) for place in (28, 30, 32))
        entries[body[at + 46 : at + 46 + name]] = moved + _number(body, at + 42, 4)
        at += 46 + name + extra + comment
    return entries


def _mimetype(body: bytes, at: int | None) -> bytes:
    """Return the start of an entry's content, packed or not; empty without one."""
    if at is None or at < 0:
        return b""
    begin = at + 30 + _number(body, at + 26, 2) + _number(body, at + 28, 2)
    content = body[begin : begin + _PACKED]
    if _number(body, at + 8, 2):
        with suppress(zlib.error):
            return zlib.decompressobj(-15).decompress(content, _PACKED)
    return content


def _number(body: bytes, at: int, size: int) -> int:
    return int.from_bytes(body[at : at + size], "little")


def _is_text(sample: bytes) -> bool:
    try:
        # A character may be cut at the end of the sample.
        text = decode_html(sample[: sample.rfind(b"\n") + 1] or sample, None).text
    except SuspectPage:
        return False
    return _CONTROLS.search(text) is None and "\ufffd" not in text[:-2]
