"""An HWP 5 file of a paper, by hand."""

import struct
import zlib

from ole_writer import ole

from uring_local.sites.files.paper import Paper, Table

TABLE_CONTROL = struct.pack("<H4s8xH", 11, b" lbt", 11)
SPECIAL = {"\t": struct.pack("<H12xH", 9, 9), "\n": struct.pack("<H", 10)}


def record(tag: int, level: int, data: bytes) -> bytes:
    if len(data) >= 0xFFF:
        return struct.pack("<II", tag | level << 10 | 0xFFF << 20, len(data)) + data
    return struct.pack("<I", tag | level << 10 | len(data) << 20) + data


def paragraph(text: bytes, level: int = 0, shape: int = 0) -> bytes:
    header = struct.pack("<IIHBBHHHI", len(text) // 2 + 1, 0, shape, 0, 0, 1, 0, 0, 0)
    return record(66, level, header) + record(67, level + 1, text + struct.pack("<H", 13))


def encode(text: str) -> bytes:
    return b"".join(SPECIAL.get(char) or char.encode("utf-16-le") for char in text)


def table(value: Table) -> bytes:
    body = paragraph(TABLE_CONTROL) + record(71, 1, b" lbt" + bytes(40)) + record(77, 2, bytes(20))
    for row, column, cell in value.placed():
        place = struct.pack("<IIHHHH", 1, 0, column, row, cell.columns, cell.rows)
        body += record(72, 2, place + bytes(20)) + paragraph(encode(cell.text), 2)
    return body


def hwp(
    paper: Paper,
    *,
    flags: int = 1,
    sections: int = 1,
    shape: int = 0,
    version: int = 5,
    body: bytes | None = None,
) -> bytes:
    """Return the file; shape 1 is numbered by the word processor, ``body`` stands for section 0."""
    parts = [paragraph(encode(paper.title))] + [
        table(each) if isinstance(each, Table) else paragraph(encode(each), shape=shape)
        for each in paper.paragraphs
    ]
    shapes = record(25, 1, struct.pack("<I", 0) + bytes(50))
    shapes += record(25, 1, struct.pack("<I", 2 << 23) + bytes(50))
    size = -(-len(parts) // sections)
    streams = {"DocInfo": shapes}
    for number in range(sections):
        streams[f"BodyText/Section{number}"] = b"".join(parts[number * size : number * size + size])
    if body is not None:
        streams["BodyText/Section0"] = body
    if flags & 1:
        streams = {name: deflate(stream) for name, stream in streams.items()}
    header = b"HWP Document File".ljust(32, b"\0") + bytes([0, 0, 0, version])
    return ole({"FileHeader": header + struct.pack("<I", flags), **streams})


def deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()
