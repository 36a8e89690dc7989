"""Segments of evidence: WARC/1.1 files with a gzip member a record (ISO 28500:2017).

A record is of the type ``resource``: a body as it was read, inflated and cut at its limit. The
headers of the response are not kept. Offset and length of a member are enough to read its record.
"""

import gzip
import re
import uuid
import zlib
from datetime import datetime
from typing import Final

from uring.clock import timestamp

_VERSION: Final = "WARC/1.1"
_END: Final = b"\r\n\r\n"
# Of an address, which parts of the header must not contain.
_UNPRINTABLE: Final = re.compile(r"[\x00-\x20\x7f]")
# The longest body, and its header.
_MOST_BYTES: Final = 12 * 1024 * 1024


class BadSegment(ValueError):
    """Bytes that are not a record of a segment."""


class Segment:
    """A segment that is being made.

    Args:
        key: of its object; names the records.
        made_at: aware UTC.
    """

    def __init__(self, key: str, made_at: datetime) -> None:
        self._key = key
        self._made_at = timestamp(made_at)
        self._members: list[bytes] = []
        self._length = 0
        self.records = 0
        software = b"software: uRing\r\nformat: WARC File Format 1.1\r\n"
        self._write("warcinfo", [("Content-Type", "application/warc-fields")], software)

    def add(
        self, uri: str, kind: str, body: bytes, *, at: str | None = None, truncated: bool = False
    ) -> tuple[int, int]:
        """Add a body; return offset and length of its member in `content`.

        Args:
            uri: the address that it was read from.
            kind: its media type.
            body: as it was read.
            at: the time of the response in ISO 8601; None for the segment's.
            truncated: True if bytes behind it were not read.
        """
        fields = [
            ("WARC-Target-URI", _UNPRINTABLE.sub("", uri)),
            *([("WARC-Truncated", "length")] if truncated else []),
            ("Content-Type", kind),
        ]
        self.records += 1
        return self._write("resource", fields, body, at)

    @property
    def content(self) -> bytes:
        """The whole segment."""
        return b"".join(self._members)

    def _write(
        self, kind: str, fields: list[tuple[str, str]], body: bytes, at: str | None = None
    ) -> tuple[int, int]:
        offset = self._length
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{self._key}#{offset}")
        lines = [
            ("WARC-Type", kind),
            ("WARC-Record-ID", f"<urn:uuid:{name}>"),
            ("WARC-Date", at or self._made_at),
            *fields,
            ("Content-Length", str(len(body))),
        ]
        head = "\r\n".join([_VERSION, *(f"{name}: {value}" for name, value in lines)])
        member = gzip.compress(head.encode() + _END + body + _END, compresslevel=6, mtime=0)
        self._members.append(member)
        self._length += len(member)
        return offset, len(member)


def read_record(member: bytes) -> bytes:
    """Return the body of a record, given its member of a segment.

    Raises:
        BadSegment: it is not a gzip member with a record, or is longer than any.
    """
    inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        record = inflater.decompress(member, _MOST_BYTES)
    except zlib.error as error:
        raise BadSegment(f"not a gzip member: {error}") from error
    head, end, rest = record.partition(_END)
    found = re.search(rb"^Content-Length: ([0-9]{1,9})\r?$", head, re.MULTILINE)
    if not head.startswith(_VERSION.encode()) or not end or found is None:
        raise BadSegment("not a record of WARC/1.1")
    length = int(found[1])
    if len(rest) < length:
        raise BadSegment(f"the record ends after {len(rest)} of {length} bytes")
    return rest[:length]
