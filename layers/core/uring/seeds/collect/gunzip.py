"""Gzip by its magic bytes: names and types are unreliable, and some files are packed twice.

A `.gz` sitemap may come with a content coding on top of it, or instead of it.
"""

import zlib
from dataclasses import dataclass
from typing import Final

_MAGIC: Final = b"\x1f\x8b"
_GZIP: Final = 31
_MOST_LAYERS: Final = 2
# Each member copies the rest of its piece.
_MOST_MEMBERS: Final = 100
_PIECE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Bytes without gzip around them.

    Attributes:
        content: the first bytes; still gzip if there were more than two layers.
        layers: the number of gzip layers removed.
        truncated: True if more would have followed, or the gzip is cut or broken.
    """

    content: bytes
    layers: int = 0
    truncated: bool = False


def gunzip(body: bytes, max_bytes: int) -> Unpacked:
    """Remove up to two layers of gzip, each up to ``max_bytes`` inflated; never raises."""
    unpacked = Unpacked(body)
    while unpacked.content.startswith(_MAGIC) and unpacked.layers < _MOST_LAYERS:
        content, is_whole = _inflate(unpacked.content, max_bytes)
        unpacked = Unpacked(content, unpacked.layers + 1, unpacked.truncated or not is_whole)
    return unpacked


def _inflate(packed: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Return the first bytes of all members, and True if they are complete."""
    out: list[bytes] = []
    left = max_bytes
    members = 0
    stream = zlib.decompressobj(_GZIP)
    for start in range(0, len(packed), _PIECE):
        piece = packed[start : start + _PIECE]
        while piece:
            if stream.eof:
                if not piece.strip(b"\0"):
                    # Zero padding, as on tapes.
                    break
                members += 1
                if members >= _MOST_MEMBERS:
                    return b"".join(out), False
                stream = zlib.decompressobj(_GZIP)
            try:
                inflated = stream.decompress(piece, left + 1)
            except zlib.error:
                return b"".join(out), False
            out.append(inflated[:left])
            if len(inflated) > left:
                return b"".join(out), False
            left -= len(inflated)
            piece = stream.unused_data if stream.eof else b""
    return b"".join(out), stream.eof
