"""A zip of XML under limits: every byte is counted as it is read.

The sizes in the directory do not count: a hostile file chooses them.
"""

import io
import struct
import zipfile
import zlib
from typing import Final

from uring.extract.readers.reading import Trouble, Unreadable
from uring.fetch.xml import Element, XmlLimits, XmlRefused, parse_xml

_ENTRIES: Final = 2_000
_PART_BYTES: Final = 64 << 20
_TOTAL_BYTES: Final = 128 << 20
_RATIO: Final = 200
_CHUNK: Final = 65_536
_XML: Final = XmlLimits(
    document=64_000_000, depth=200, elements=500_000, attributes=200, text=5_000_000
)
_ENCRYPTED: Final = 1
_UTF16: Final = {b"\xff\xfe", b"\xfe\xff"}
# zipfile's errors for a file that breaks its format.
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_METHODS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class Package:
    """The parts of a zip by name; nothing is ever written to a file.

    Raises:
        Unreadable: ``damaged`` or ``too_big``.
    """

    def __init__(self, body: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(body))
        except _BROKEN as error:
            raise _damaged("its directory is broken") from error
        entries = self._archive.infolist()
        if len(entries) > _ENTRIES:
            raise Unreadable("too_big", f"a zip of {len(entries)} parts; at most {_ENTRIES}")
        self._entries = {entry.filename: entry for entry in entries}
        if len(self._entries) < len(entries):
            raise _damaged("two of its parts have one name")
        self._left = _TOTAL_BYTES

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        """Return the names of the parts in the order of the directory."""
        return [*self._entries]

    def part(self, name: str) -> bytes:
        """Return a part's bytes.

        Raises:
            Unreadable: the part is missing, broken, encrypted, or unpacks to too many bytes.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise _damaged(f"its part {name[:60]!r} is missing")
        if entry.flag_bits & _ENCRYPTED:
            raise Unreadable("encrypted", "its parts have a password; ask for a file without one")
        if entry.compress_type not in _METHODS:
            raise _damaged("its parts are packed by a method that the format does not have")
        most = min(_PART_BYTES, self._left, _CHUNK + _RATIO * max(entry.compress_size, 1))
        out = bytearray()
        try:
            with self._archive.open(entry) as file:
                while chunk := file.read(_CHUNK):
                    out += chunk
                    if len(out) > most:
                        raise Unreadable(
                            "too_big", f"a part unpacks to more than {most} bytes (a zip bomb)"
                        )
        except _BROKEN as error:
            raise _damaged(f"its part {name[:60]!r} cannot be unpacked") from error
        self._left -= len(out)
        return bytes(out)

    def xml(self, name: str) -> Element:
        """Return the root of a part in XML: UTF-8, or UTF-16 with a byte order mark.

        Raises:
            Unreadable: as `part` does, or for another encoding, a DOCTYPE, and XML that is
                malformed or exceeds a limit.
        """
        body = self.part(name)
        encoding = "utf-16" if body[:2] in _UTF16 else "utf-8"
        try:
            return parse_xml(body.decode(encoding), _XML)
        except UnicodeDecodeError as error:
            raise Unreadable("damaged", f"its part {name[:60]!r} is not in UTF-8") from error
        except XmlRefused as error:
            outcome: Trouble = "too_big" if error.reason == "limit" else "damaged"
            raise Unreadable(outcome, f"its part {name[:60]!r}: {error.detail}") from error


def _damaged(what: str) -> Unreadable:
    return Unreadable("damaged", f"{what}; the transfer broke, or it was stored wrongly")
