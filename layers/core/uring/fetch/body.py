"""Reading a body: bounded on the wire and after inflating, and complete or refused.

http.client returns a short body without an error when the connection is cut, and reads a body with
an unknown transfer coding or a broken length to the end of the connection. Both are refused here
(RFC 9112, sections 6.3 and 8).
"""

import sys
import zlib
from dataclasses import dataclass
from http.client import HTTPMessage, HTTPResponse
from typing import Final

from uring.errors import FetchFailed
from uring.fetch.url import one_line
from uring.fetch.wire import ExchangeBudget

_READ_BYTES: Final = 64 * 1024
_GZIP_OR_ZLIB: Final = 47
# More digits than any cap has; int() refuses thousands of them.
_MOST_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Body:
    """An inflated body, and whether its rest was left unread."""

    content: bytes
    truncated: bool = False


def read_body(
    response: HTTPResponse, budget: ExchangeBudget, max_bytes: int, *, cut: bool = False
) -> Body:
    """Read and inflate the body of a response whose head is complete.

    Args:
        response: of http.client, its head read.
        budget: the time and bytes of this exchange.
        max_bytes: the largest size, on the wire and inflated.
        cut: return the first ``max_bytes`` of a larger body.

    Raises:
        FetchFailed: ``protocol`` when framing is broken or the body is cut, ``bad_encoding`` for
            a content coding other than gzip or a broken one, ``too_big``, ``timeout``.
    """
    gzipped = _is_gzipped(response.msg)
    declared = _declared_length(response)
    if declared is not None and declared > max_bytes and not cut:
        raise _too_big(max_bytes)
    budget.allow(_READ_BYTES)
    inflater = _Inflater(max_bytes) if gzipped else None
    pieces: list[bytes] = []
    wire_bytes = 0
    while piece := response.read(_READ_BYTES):
        wire_bytes += len(piece)
        budget.allow(len(piece))
        if wire_bytes > max_bytes and not cut:
            raise _too_big(max_bytes)
        pieces.append(piece if inflater is None else inflater.inflate(piece))
        if wire_bytes > max_bytes or (inflater is not None and inflater.is_full):
            if not cut:
                raise _too_big(max_bytes)
            return Body(b"".join(pieces)[:max_bytes], truncated=True)
    if declared is not None and wire_bytes != declared:
        raise FetchFailed("protocol", f"the body ended after {wire_bytes} of {declared} bytes")
    if response.chunked and budget.cut:
        raise FetchFailed("protocol", "the chunked body has no end")
    if inflater is not None and wire_bytes:
        inflater.finish()
    return Body(b"".join(pieces))


class _Inflater:
    """An inflated gzip (or zlib) stream, up to one byte more than the largest size.

    Attributes:
        is_full: that one byte more was seen, so the stream is too large.
    """

    def __init__(self, max_bytes: int) -> None:
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._bytes_left = max_bytes + 1
        self.is_full = False

    def inflate(self, piece: bytes) -> bytes:
        if self._stream.eof:
            # zlib would copy all bytes after the end again for each piece.
            _only_padding(piece)
            return b""
        try:
            # One byte more than allowed shows that the body is too large; no more is inflated.
            inflated = self._stream.decompress(piece, self._bytes_left)
        except zlib.error as error:
            raise FetchFailed("bad_encoding", f"the gzip body is broken: {error}") from error
        self._bytes_left -= len(inflated)
        if self._bytes_left == 0:
            self.is_full = True
        else:
            _only_padding(self._stream.unused_data)
        return inflated

    def finish(self) -> None:
        if not self._stream.eof:
            raise FetchFailed("protocol", "the gzip body has no end")


def _only_padding(after: bytes) -> None:
    # A second stream would have to be shown or dropped, and the server meant neither.
    if after.strip(b"\0"):
        raise FetchFailed("bad_encoding", "bytes follow the end of the gzip body")


def _is_gzipped(head: HTTPMessage) -> bool:
    named = ",".join(head.get_all("content-encoding", [])).lower()
    codings = {coding.strip() for coding in named.split(",")} - {"", "identity"}
    if codings - {"gzip", "x-gzip"} or named.count("gzip") > 1:
        raise FetchFailed("bad_encoding", f"content coding {one_line(named)} was not requested")
    return bool(codings)


def _declared_length(response: HTTPResponse) -> int | None:
    codings = response.msg.get_all("transfer-encoding", [])
    if codings:
        if not response.chunked or {coding.strip().lower() for coding in codings} != {"chunked"}:
            raise FetchFailed(
                "protocol", f"transfer coding {one_line(', '.join(codings))} is not supported"
            )
        return None
    lengths = {value.strip() for value in response.msg.get_all("content-length", [])}
    if not lengths:
        return None
    digits = lengths.pop()
    if lengths or not (digits.isascii() and digits.isdigit()):
        raise FetchFailed("protocol", f"Content-Length {one_line(digits)} is not a single number")
    return int(digits) if len(digits) <= _MOST_DIGITS else sys.maxsize


def _too_big(max_bytes: int) -> FetchFailed:
    return FetchFailed("too_big", f"the body is larger than {max_bytes} bytes")
