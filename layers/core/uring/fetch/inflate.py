"""Inflating a body: gzip of any number of members, zlib and raw deflate, in the declared layers.

    Content-Encoding ─ layers_of ─► gzip | deflate, two at most ─► Inflater ─► the body

Names that are not codings (``UTF-8``, ``none``, ``aws-chunked``) count as none, as browsers take
them: the decoder judges the bytes. A real coding that was not asked for is refused.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from uring.errors import FetchFailed
from uring.fetch.url import one_line

Coding = Literal["gzip", "deflate"]

GZIP: Final = b"\x1f\x8b"
"""The first bytes of a gzip member (RFC 1952, section 2.3.1)."""

_CODINGS: Final[dict[str, Coding]] = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}
# https://www.iana.org/assignments/http-parameters: other codings with a meaning of their own.
_NOT_ASKED_FOR: Final = frozenset(
    ("br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "aes128gcm")
)
_MOST_LAYERS: Final = 2
# Each end of a member copies the rest of a piece; a page has one member, or one for each 64 KB.
_MOST_MEMBERS: Final = 1_000
_MAGIC_BYTES: Final = 2
_GZIP_OR_ZLIB: Final = 47
_RAW: Final = -15
_DEFLATED: Final = 8
# Deflate makes a thousand bytes of one at most; the size is looked at after each part.
_PART_BYTES: Final = 1_024
_PADDING: Final = b"\0 \t\r\n"


def layers_of(named: str) -> list[Coding]:
    """Return the layers to take off, the outermost first; empty for a body that is sent plainly.

    Args:
        named: every Content-Encoding header, joined with commas; may be empty.

    Raises:
        FetchFailed: ``bad_encoding``: a coding that was not asked for, or more than two layers.
    """
    names = [name.partition(";")[0].strip(" \t\"'").lower() for name in named.split(",")]
    if _NOT_ASKED_FOR.intersection(names):
        raise FetchFailed(
            "bad_encoding",
            f"content coding {one_line(named)} was not requested: gzip alone is; ask the site's "
            "operator, or give another address of the list in url, such as its feed",
        )
    layers = [_CODINGS[name] for name in reversed(names) if name in _CODINGS]
    if len(layers) > _MOST_LAYERS:
        raise FetchFailed("bad_encoding", f"content coding {one_line(named)} has too many layers")
    return layers


def _is_zlib(body: bytes) -> bool:
    """Return whether bytes begin as RFC 1950 says; a raw stream never begins so."""
    return body[0] & 0x0F == _DEFLATED and int.from_bytes(body[:2]) % 31 == 0


def is_gzip(body: bytes) -> bool:
    """Return whether bytes begin as a gzip member does; False for fewer than three bytes."""
    return body[:3] == GZIP + b"\x08"


class Inflater:
    """The layers of one body, each inflated to one byte more than the largest size at most.

    Args:
        layers: as of `layers_of`. A layer that is named twice, but is there once, is taken off
            once: a proxy repeated the header.
        max_bytes: the largest size, of each layer's content.
    """

    def __init__(self, layers: Sequence[Coding], max_bytes: int) -> None:
        self._layers = [
            _Layer(coding, max_bytes, is_repeated=coding in layers[:index])
            for index, coding in enumerate(layers)
        ]

    @property
    def is_full(self) -> bool:
        """Whether a layer has more bytes than allowed."""
        return any(layer.bytes_left <= 0 for layer in self._layers)

    def inflate(self, piece: bytes) -> Iterator[bytes]:
        """Yield the content of the next piece, about a megabyte at a time; a part may be empty.

        Raises:
            FetchFailed: ``bad_encoding``: the bytes are not in this coding, or others follow them.
        """
        yield from _through(self._layers, piece)

    def finish(self) -> None:
        """Check the end of the body.

        Raises:
            FetchFailed: ``protocol``: a layer has no end.
        """
        for layer in self._layers:
            layer.finish()


def _through(layers: Sequence["_Layer"], piece: bytes) -> Iterator[bytes]:
    if not layers:
        yield piece
        return
    for at in range(0, len(piece), _PART_BYTES):
        yield from _through(layers[1:], layers[0].inflate(piece[at : at + _PART_BYTES]))


class _Layer:
    """One coding, inflated up to one byte more than the largest size."""

    def __init__(self, coding: Coding, max_bytes: int, *, is_repeated: bool) -> None:
        self.bytes_left = max_bytes + 1
        self._coding: Coding = coding
        self._is_repeated = is_repeated
        self._is_plain = False
        self._members = 0
        self._held = b""
        self._stream: zlib._Decompress | None = None

    def inflate(self, piece: bytes) -> bytes:
        if self._is_plain:
            return piece
        pending, self._held = self._held + piece, b""
        inflated: list[bytes] = []
        while pending and self.bytes_left > 0:
            if self._stream is None:
                pending = self._opened(pending)
            if self._stream is None:
                # Padding, a first byte to be held, or bytes that were never packed.
                inflated.append(pending)
                break
            inflated.append(self._decompress(self._stream, pending))
            if not self._stream.eof:
                break
            # zlib copies all bytes after the end again for each piece.
            pending, self._stream = self._stream.unused_data, None
            self._members += 1
        return b"".join(inflated)

    def finish(self) -> None:
        if self._stream is not None or self._held:
            raise FetchFailed("protocol", f"the {self._coding} body has no end")

    def _opened(self, pending: bytes) -> bytes:
        """Return the bytes for the stream that they begin; without a stream, those to hand on."""
        if self._members:
            pending = pending.lstrip(_PADDING)
        if len(pending) < _MAGIC_BYTES:
            self._held = pending
            return b""
        if self._members and (self._coding != "gzip" or not pending.startswith(GZIP)):
            # They would have to be shown or dropped, and the server meant neither.
            raise FetchFailed("bad_encoding", f"bytes follow the end of the {self._coding} body")
        if self._members == _MOST_MEMBERS:
            raise FetchFailed("bad_encoding", f"more than {_MOST_MEMBERS} gzip members")
        if pending.startswith(GZIP) or _is_zlib(pending):
            self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        elif self._is_repeated:
            self._is_plain = True
        elif self._coding == "deflate":
            # RFC 9110, section 8.4.1.2: some send it without the zlib format.
            self._stream = zlib.decompressobj(_RAW)
        else:
            raise _broken(self._coding, "it begins otherwise")
        return pending

    def _decompress(self, stream: "zlib._Decompress", pending: bytes) -> bytes:
        try:
            # One byte more than allowed shows that the body is too large; no more is inflated.
            inflated = stream.decompress(pending, self.bytes_left)
        except zlib.error as error:
            raise _broken(self._coding, str(error)) from error
        self.bytes_left -= len(inflated)
        return inflated


def _broken(coding: Coding, problem: str) -> FetchFailed:
    return FetchFailed(
        "bad_encoding",
        f"the {coding} body is broken: {problem}; ask the site's operator, or give another "
        "address of the list in url, such as its feed",
    )
