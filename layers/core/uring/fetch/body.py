"""Reading a body: bounded on the wire and after inflating, and complete or refused.

http.client returns a short body without an error when the connection is cut, and reads a body with
an unknown transfer coding or a broken length to the end of the connection. Both are refused here
(RFC 9112, sections 6.3 and 8).
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Final

from uring.errors import FetchFailed
from uring.fetch.inflate import Inflater, is_gzip, layers_of
from uring.fetch.request import LARGE_BYTES
from uring.fetch.url import one_line
from uring.fetch.wire import ExchangeBudget

_READ_BYTES: Final = 64 * 1024
# More digits than any cap has; int() refuses thousands of them.
_MOST_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Body:
    """An inflated body, and whether its rest was left unread."""

    content: bytes
    truncated: bool = False


def read_body(
    response: HTTPResponse,
    budget: ExchangeBudget,
    max_bytes: int,
    *,
    cut: bool = False,
    unpack: bool = False,
    grows: Callable[[int], None] | None = None,
) -> Body:
    """Read and inflate the body of a response whose head is complete.

    Args:
        response: of http.client, its head read.
        budget: the time and bytes of this exchange.
        max_bytes: the largest size, on the wire and inflated.
        cut: return the first ``max_bytes`` of a larger body.
        unpack: inflate a body that is gzip by its first bytes, though no header says so.
        grows: see ``Request``.

    Raises:
        FetchFailed: ``protocol`` when framing is broken or the body is cut, ``bad_encoding`` for
            a content coding other than gzip and deflate or a broken one, ``too_big``,
            ``timeout``.
    """
    layers = layers_of(",".join(response.msg.get_all("content-encoding", [])))
    declared = _declared_length(response)
    if declared is not None and declared > max_bytes and not cut:
        raise _too_big(max_bytes)
    budget.allow(_READ_BYTES)
    inflater = Inflater(layers, max_bytes)
    pieces: list[bytes] = []
    wire_bytes = kept_bytes = 0
    while piece := response.read(_READ_BYTES):
        wire_bytes += len(piece)
        budget.allow(len(piece))
        if wire_bytes > max_bytes and not cut:
            raise _too_big(max_bytes)
        if unpack and not layers and wire_bytes == len(piece) and is_gzip(piece):
            inflater = Inflater(["gzip"], max_bytes)
        for part in inflater.inflate(piece):
            pieces.append(part)
            kept_bytes += len(part)
            _check_size(kept_bytes, grows)
        if wire_bytes > max_bytes or inflater.is_full:
            if not cut:
                raise _too_big(max_bytes)
            return Body(b"".join(pieces)[:max_bytes], truncated=True)
    _check_end(response, budget, declared, wire_bytes)
    if wire_bytes:
        inflater.finish()
    return Body(b"".join(pieces))


def _check_end(
    response: HTTPResponse, budget: ExchangeBudget, declared: int | None, wire_bytes: int
) -> None:
    if declared is not None and wire_bytes != declared:
        raise FetchFailed("protocol", f"the body ended after {wire_bytes} of {declared} bytes")
    if response.chunked and budget.cut:
        raise FetchFailed("protocol", "the chunked body has no end")


def _check_size(kept_bytes: int, grows: Callable[[int], None] | None) -> None:
    if grows is not None and kept_bytes > LARGE_BYTES:
        grows(kept_bytes)


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
