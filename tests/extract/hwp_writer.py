"""An HWP 5 file of a paper, by hand."""

import struct
import zlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
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


def control(kind: str, data: bytes = b"", level: int = 1, below: bytes = b"") -> bytes:
    """Return a control's record and those below it; its place in a text is `place`."""
    return record(71, level, kind.encode()[::-1] + data) + below


def place(code: int) -> bytes:
    """Return the units of a text that stand for a control."""
    return struct.pack("<H12xH", code, code)


def string(text: str) -> bytes:
    return struct.pack("<H", len(text)) + text.encode("utf-16-le")


def listed(*texts: str, data: bytes = bytes(8), level: int = 2) -> bytes:
    """Return a list of paragraphs."""
    head = record(72, level, struct.pack("<II", len(texts), 0) + data)
    return head + b"".join(paragraph(encode(text), level) for text in texts)


def numbering(*levels: tuple[str, int, int], start: int = 0, old: bool = False) -> bytes:
    """Return a definition of levels: text, code of the shape, first number."""
    levels = (*levels, *[("", 0, 1)] * (10 - len(levels)))
    heads = [struct.pack("<I8x", code << 5) + string(text) for text, code, _ in levels]
    starts = [struct.pack("<I", first) for _, _, first in levels]
    data = b"".join(heads[:7]) + struct.pack("<H", start)
    if not old:
        data += b"".join(starts[:7] + heads[7:] + starts[7:])
    return record(23, 1, data)


def shape(kind: int = 0, level: int = 0, definition: int = 0) -> bytes:
    """Return a paragraph's shape; the kinds are 1 outline, 2 number."""
    bits = kind << 23 | min(level, 6) << 25
    return record(25, 1, struct.pack("<I26xH22xI", bits, definition, level))


def distributed(stream: bytes, seed: int = 0x2A) -> bytes:
    """Return a packed stream as a document for distribution has it."""
    key = b"0123456789ABCDEF"
    data = bytearray(256)
    data[:4] = struct.pack("<I", seed)
    data[4 + (seed & 15) : 20 + (seed & 15)] = key
    state, at = seed, 0
    while at < 256:
        state = (state * 214013 + 2531011) % 2**32
        mask = state >> 16 & 255
        state = (state * 214013 + 2531011) % 2**32
        for _ in range((state >> 16 & 15) + 1):
            if 4 <= at < 256:
                data[at] ^= mask
            at += 1
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305 - the format's
    return record(28, 0, bytes(data)) + cipher.update(stream + bytes(-len(stream) % 16))


def hwp(
    paper: Paper,
    *,
    flags: int = 1,
    sections: int = 1,
    shape: int = 0,
    version: int = 5,
    body: bytes | None = None,
    info: bytes | None = None,
) -> bytes:
    """Return the file.

    Shape 1 is numbered by the word processor. ``body`` stands for section 0, ``info`` for DocInfo.
    """
    parts = [paragraph(encode(paper.title))] + [
        table(each) if isinstance(each, Table) else paragraph(encode(each), shape=shape)
        for each in paper.paragraphs
    ]
    shapes = record(25, 1, struct.pack("<I", 0) + bytes(50))
    shapes += record(25, 1, struct.pack("<I", 2 << 23) + bytes(50))
    size = -(-len(parts) // sections)
    streams = {"DocInfo": shapes if info is None else info}
    for number in range(sections):
        streams[f"BodyText/Section{number}"] = b"".join(parts[number * size : number * size + size])
    if body is not None:
        streams["BodyText/Section0"] = body
    if flags & 1:
        streams = {name: deflate(stream) for name, stream in streams.items()}
    if flags & 4:
        for name in [name for name in streams if name.startswith("BodyText")]:
            streams[name.replace("Body", "View")] = distributed(streams[name])
            streams[name] = deflate(paragraph(encode("배포용 문서입니다.")))
    header = b"HWP Document File".ljust(32, b"\0") + bytes([0, 0, 0, version])
    return ole({"FileHeader": header + struct.pack("<I", flags), **streams})


def deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()
