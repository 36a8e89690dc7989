"""HWP 5: an OLE file of streams of records ("한글 문서 파일 형식 5.0", Hancom).

Files for distribution (배포용) encrypt their text with a key of their own; they are not read.
"""

import io
import re
import struct
from collections.abc import Iterator
from typing import Any, Final

import olefile

from uring.extract.readers.hwp_records import (
    CTRL_HEADER,
    LIST_HEADER,
    PARA_HEADER,
    PARA_SHAPE,
    PARA_TEXT,
    HwpRecord,
    damaged,
    inflate,
    tree,
)
from uring.extract.readers.markdown import join, paragraph, table, tidy
from uring.extract.readers.reading import (
    ExtractLimits,
    FileReading,
    Trouble,
    Unreadable,
    numbering_note,
)

_SIGNATURE: Final = b"HWP Document File"
_MAJOR: Final = 5
_STREAM_BYTES: Final = 64 << 20
_TOTAL_BYTES: Final = 128 << 20
_ROWS: Final = 10_000
_COLUMNS: Final = 1_000
_COMPRESSED: Final = 1
_ASK: Final = "ask for an HWPX or PDF without protection"
_REFUSED: Final[dict[int, tuple[Trouble, str]]] = {
    1: ("encrypted", "it has a password"),
    2: ("unsupported", "it is a document for distribution (배포용)"),
    4: ("encrypted", "its rights are managed (DRM)"),
    8: ("encrypted", "it is encrypted with a certificate"),
    10: ("encrypted", "its rights are managed with a certificate"),
}
# The codes below 32 that take one unit; the others take eight.
_SHORT: Final = {0, 10, 13, *range(24, 32)}
_SHOWN: Final = {9: " ", 10: "\n", 24: "-", 30: " ", 31: " "}
# The codes of controls; each one's content is the paragraph's next CTRL_HEADER.
_CONTROLS: Final = {1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23}
_CONTROL: Final = "\0"
_NOTES: Final = {b"fn  ", b"en  "}
_SILENT: Final = {b"head", b"foot", b"secd", b"cold"}
_HEADING_KINDS: Final = {1, 2}  # outline, number


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of an HWP 5 file.

    Raises:
        Unreadable: ``encrypted``, ``unsupported``, ``damaged`` or ``too_big``.
    """
    try:
        with olefile.OleFileIO(io.BytesIO(body)) as file:
            return _read(_Streams(file))
    except (OSError, struct.error, IndexError, ValueError, TypeError, AttributeError) as error:
        raise damaged("its streams cannot be found") from error


def _read(streams: "_Streams") -> FileReading:
    text = _Text(_numbered_shapes(streams))
    blocks = [block for section in streams.sections() for block in text.blocks(section)]
    return FileReading(join(blocks), notes=numbering_note(text.numbered))


class _Streams:
    """The unpacked streams of a file without password and rights.

    Raises:
        Unreadable: ``damaged``, ``encrypted`` or ``unsupported``, by the file's header.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self._left = _TOTAL_BYTES
        header = self._bytes("FileHeader")
        if not header.startswith(_SIGNATURE) or len(header) < 40 or header[35] != _MAJOR:  # noqa: PLR2004
            raise damaged("its header is not that of an HWP 5 file")
        (flags,) = struct.unpack_from("<I", header, 36)
        for bit, (outcome, what) in _REFUSED.items():
            if flags >> bit & 1:
                raise Unreadable(outcome, f"{what}; {_ASK}")
        self._is_packed = bool(flags & _COMPRESSED)

    def sections(self) -> Iterator[HwpRecord]:
        """Yield the sections of the body in the order of their numbers; there must be one."""
        found = sorted(
            int(name[1][7:])
            for name in self._file.listdir()
            if len(name) == 2 and name[0] == "BodyText" and re.fullmatch(r"Section\d{1,5}", name[1])  # noqa: PLR2004
        )
        if not found:
            raise damaged("it has no section")
        yield from (self.records(f"BodyText/Section{number}") for number in found)

    def records(self, name: str) -> HwpRecord:
        """Return a stream's records below a nameless root."""
        body = self._bytes(name)
        if self._is_packed:
            body = inflate(body)
        self._left -= len(body)
        if self._left < 0:
            raise Unreadable("too_big", f"its streams are more than {_TOTAL_BYTES} bytes")
        return tree(body)

    def _bytes(self, name: str) -> bytes:
        if not self._file.exists(name):
            raise damaged(f"its stream {name} is missing")
        if self._file.get_size(name) > _STREAM_BYTES:
            raise Unreadable("too_big", f"its stream {name} is more than {_STREAM_BYTES} bytes")
        return bytes(self._file.openstream(name).read())


def _numbered_shapes(streams: _Streams) -> frozenset[int]:
    """Return the ids of the paragraph shapes that the word processor numbers."""
    shapes = (record for record in _walk(streams.records("DocInfo")) if record.tag == PARA_SHAPE)
    return frozenset(
        number
        for number, shape in enumerate(shapes)
        if len(shape.data) >= 4  # noqa: PLR2004
        and struct.unpack_from("<I", shape.data)[0] >> 23 & 3 in _HEADING_KINDS
    )


def _walk(record: HwpRecord) -> Iterator[HwpRecord]:
    for child in record.children:
        yield child
        yield from _walk(child)


class _Text:
    """The text of the sections; ``numbered`` counts paragraphs whose number the file lacks."""

    def __init__(self, numbered_shapes: frozenset[int]) -> None:
        self.numbered = 0
        self._numbered_shapes = numbered_shapes

    def blocks(self, parent: HwpRecord) -> Iterator[str]:
        """Yield the paragraphs and tables below a record, in order."""
        for child in parent.children:
            if child.tag == PARA_HEADER:
                yield from self._paragraph(child)
            else:
                yield from self.blocks(child)

    def _paragraph(self, record: HwpRecord) -> Iterator[str]:
        controls = (child for child in record.children if child.tag == CTRL_HEADER)
        notes: list[str] = []
        text = ""
        words = "".join(_words(child.data) for child in record.children if child.tag == PARA_TEXT)
        for number, words_between in enumerate(words.split(_CONTROL)):
            control = next(controls, None) if number else None
            inner = [*self._control(control, notes)] if control else []
            if inner:
                if text.strip():
                    yield paragraph(tidy(text))
                yield from inner
                text = ""
            text += words_between
        if text.strip():
            self.numbered += _shape(record) in self._numbered_shapes
            yield paragraph(tidy(text))
        yield from notes

    def _control(self, control: HwpRecord, notes: list[str]) -> Iterator[str]:
        kind = control.data[3::-1]
        if kind == b"tbl ":
            yield table(self._cells(control))
        elif kind in _NOTES:
            notes.append("[각주] " + " ".join(self.blocks(control)))
        elif kind not in _SILENT:
            yield from self.blocks(control)

    def _cells(self, control: HwpRecord) -> dict[tuple[int, int], str]:
        """Return the cells by row and column.

        A cell is a LIST_HEADER and the paragraphs up to the next one.
        """
        cells: dict[tuple[int, int], str] = {}
        place: tuple[int, int] | None = None
        for child in control.children:
            if child.tag == LIST_HEADER and len(child.data) >= 12:  # noqa: PLR2004
                column, row = struct.unpack_from("<HH", child.data, 8)
                if row >= _ROWS or column >= _COLUMNS:
                    raise damaged(f"a table has a cell at {row}, {column}")
                place = (row, column)
                cells.setdefault(place, " ".join(self.blocks(child)))
            elif child.tag == PARA_HEADER and place is not None:
                cells[place] = " ".join([cells[place], *self._paragraph(child)]).strip()
        return cells


def _shape(record: HwpRecord) -> int:
    return int.from_bytes(record.data[8:10], "little") if len(record.data) >= 10 else -1  # noqa: PLR2004


def _words(data: bytes) -> str:
    """Return a paragraph's text, with a NUL for each control."""
    words: list[str] = []
    at, end = 0, len(data) // 2 * 2
    while at < end:
        code = data[at] | data[at + 1] << 8
        if code >= 32:  # noqa: PLR2004 - where letters begin
            stop = at + 2
            while stop < end and (data[stop] >= 32 or data[stop + 1]):  # noqa: PLR2004
                stop += 2
            words.append(data[at:stop].decode("utf-16-le", "replace"))
            at = stop
        else:
            words.append(_CONTROL if code in _CONTROLS else _SHOWN.get(code, ""))
            at += 2 if code in _SHORT else 16
    return "".join(words)
