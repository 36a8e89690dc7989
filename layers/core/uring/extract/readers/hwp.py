"""HWP 5: an OLE file of streams of records ("한글 문서 파일 형식 5.0", Hancom)."""

import io
import re
import struct
from collections.abc import Iterator
from typing import Any, Final

import olefile

from uring.extract.readers.hancom.hwp_distribution import plain
from uring.extract.readers.hancom.hwp_records import HwpRecord, damaged, inflate, tree
from uring.extract.readers.hancom.hwp_text import HwpText, numbered_styles
from uring.extract.readers.markdown import join
from uring.extract.readers.reading import (
    ExtractLimits,
    FileReading,
    Trouble,
    Unreadable,
    numbering_note,
    private_note,
)

_SIGNATURE: Final = b"HWP Document File"
_MAJOR: Final = 5
_STREAM_BYTES: Final = 64 << 20
_TOTAL_BYTES: Final = 128 << 20
_COMPRESSED: Final = 1
_DISTRIBUTED: Final = 4
_ASK: Final = "ask for an HWPX or PDF without protection"
_REFUSED: Final[dict[int, tuple[Trouble, str]]] = {
    1: ("encrypted", "it has a password"),
    4: ("encrypted", "its rights are managed (DRM)"),
    8: ("encrypted", "it is encrypted with a certificate"),
    10: ("encrypted", "its rights are managed with a certificate"),
}


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of an HWP 5 file.

    Raises:
        Unreadable: ``encrypted``, ``damaged`` or ``too_big``.
    """
    try:
        with olefile.OleFileIO(io.BytesIO(body)) as file:
            return _read(_Streams(file))
    except (OSError, struct.error, IndexError, ValueError, TypeError, AttributeError) as error:
        raise damaged("its streams cannot be found") from error


def _read(streams: "_Streams") -> FileReading:
    text = HwpText(numbered_styles(streams.records("DocInfo")))
    blocks = [block for section in streams.sections() for block in text.section(section)]
    markdown = join(blocks)
    notes = (*numbering_note(text.numbers.unnumbered), *private_note(markdown))
    return FileReading(markdown, notes=notes)


class _Streams:
    """The unpacked streams of a file without password and rights.

    Raises:
        Unreadable: ``damaged`` or ``encrypted``, by the file's header.
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
        # The body of a document for distribution is a notice; its text is what one may view.
        self._body = "ViewText" if flags & _DISTRIBUTED else "BodyText"

    def sections(self) -> Iterator[HwpRecord]:
        """Yield the sections of the body in the order of their numbers; there must be one."""
        found = sorted(
            int(name[1][7:])
            for name in self._file.listdir()
            if len(name) == 2 and name[0] == self._body and re.fullmatch(r"Section\d{1,5}", name[1])  # noqa: PLR2004
        )
        if not found:
            raise damaged("it has no section")
        yield from (self.records(f"{self._body}/Section{number}") for number in found)

    def records(self, name: str) -> HwpRecord:
        """Return a stream's records below a nameless root."""
        body = self._bytes(name)
        if name.startswith("ViewText/"):
            body = plain(body)
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
