"""The records of an HWP 5 stream, as a tree by their levels."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from uring.extract.readers.reading import Unreadable

NUMBERING: Final = 23
PARA_SHAPE: Final = 25
PARA_HEADER: Final = 66
PARA_TEXT: Final = 67
CTRL_HEADER: Final = 71
LIST_HEADER: Final = 72
DRAWING: Final = 76
TABLE: Final = 77
EQUATION: Final = 88
MEMO_LIST: Final = 93

_STREAM_BYTES: Final = 64 << 20
_RECORDS: Final = 500_000
_LEVELS: Final = 64
_LONG: Final = 0xFFF
_RAW_DEFLATE: Final = -15


@dataclass(slots=True)
class HwpRecord:
    """A record, and the deeper records that follow it."""

    tag: int
    data: bytes
    children: list["HwpRecord"] = field(default_factory=list)


def inflate(body: bytes) -> bytes:
    """Return the bytes of a packed stream.

    Raises:
        Unreadable: ``damaged``, or ``too_big`` for more than 64 MiB.
    """
    unpacker = zlib.decompressobj(_RAW_DEFLATE)
    try:
        out = unpacker.decompress(body, _STREAM_BYTES)
    except zlib.error as error:
        raise damaged("a stream cannot be unpacked") from error
    if unpacker.unconsumed_tail:
        raise Unreadable("too_big", f"a stream unpacks to more than {_STREAM_BYTES} bytes")
    return out


def tree(body: bytes) -> HwpRecord:
    """Return a nameless root above a stream's records; an empty stream gives it no children.

    Raises:
        Unreadable: ``damaged``, or ``too_big`` for more than 500,000 records.
    """
    root = HwpRecord(0, b"")
    above: list[tuple[int, HwpRecord]] = [(-1, root)]
    for count, (level, record) in enumerate(_records(body)):
        if count >= _RECORDS:
            raise Unreadable("too_big", f"more than {_RECORDS} records")
        while above[-1][0] >= level:
            above.pop()
        above[-1][1].children.append(record)
        above.append((level, record))
    return root


def damaged(what: str) -> Unreadable:
    """Return the error for a file that breaks its format."""
    return Unreadable("damaged", f"{what}; the transfer broke, or it was stored wrongly")


def _records(body: bytes) -> Iterator[tuple[int, HwpRecord]]:
    """Yield each record with its level.

    A head has 10 bits of tag, 10 of level and 12 of size. The largest size stands for a word of
    size after the head. Fewer than four bytes at the end are ignored.
    """
    at = 0
    while at + 4 <= len(body):
        (head,) = struct.unpack_from("<I", body, at)
        at += 4
        tag, level, size = head & 0x3FF, head >> 10 & 0x3FF, head >> 20
        if size == _LONG and at + 4 <= len(body):
            (size,) = struct.unpack_from("<I", body, at)
            at += 4
        if at + size > len(body) or level > _LEVELS:
            raise damaged("a record reaches beyond its stream")
        yield level, HwpRecord(tag, body[at : at + size])
        at += size
