"""The head of a response: a redirect, an answer with its body, or a failure."""

import http.client
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from urllib3.util.response import assert_header_parsing

from uring.errors import FetchFailed
from uring.fetch.body import Body, read_body
from uring.fetch.request import LONGEST_VALIDATOR, Outgoing, Request
from uring.fetch.url import one_line
from uring.fetch.wire import ExchangeBudget

_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
# The answer to a POST may be a 201; a proxy that changed the page says 203.
_WITH_PAGE: Final = frozenset((200, 201, 203))
_WITHOUT_PAGE: Final = frozenset((204, 205, 206))
_WHOLE_RANGE: Final = re.compile(r"bytes 0-(\d{1,18})/(\d{1,18})", re.IGNORECASE | re.ASCII)
_FORBIDDEN: Final = frozenset((401, 403, 407, 429, 451))
_NOT_FOUND: Final = frozenset((404, 410))


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A head of a usable status, see `uring.fetch.http.Response`, and its body."""

    status: int
    head: http.client.HTTPMessage
    body: Body


@dataclass(frozen=True, slots=True)
class Redirect:
    """A status that redirects, and the Location as received."""

    status: int
    location: str


def read_answer(
    response: http.client.HTTPResponse,
    host: str,
    going: Outgoing,
    budget: ExchangeBudget,
    request: Request,
) -> HttpAnswer | Redirect:
    """Judge the head and read the body of a page.

    No other body is read, so a bomb in a redirect stays unread.

    Raises:
        FetchFailed: a broken head, a 304 without validators, a redirect without a Location, any
            other status, or a failure of ``read_body``.
    """
    # http.client takes the end of the connection for the end of the head, and stops parsing at
    # the first malformed line: either could lose the header that frames the body.
    if budget.cut:
        raise FetchFailed("protocol", "the connection was cut within the head")
    assert_header_parsing(response.msg)
    status = response.status
    if status in _REDIRECTS:
        location = response.msg.get("location")
        if not location:
            raise FetchFailed("protocol", f"HTTP {status} without a Location", status=status)
        return Redirect(status, location)
    if status == HTTPStatus.NOT_MODIFIED:
        if not going.headers.keys() & {"If-None-Match", "If-Modified-Since"}:
            raise FetchFailed("protocol", "HTTP 304 to a request without validators")
        return HttpAnswer(status, response.msg, Body(b""))
    if status < HTTPStatus.OK:
        raise FetchFailed("protocol", f"HTTP {status} as the final status")
    if not _has_page(response, request):
        raise FetchFailed(
            _reason(status),
            f"HTTP {status} from {one_line(host)}",
            retry_after=_retry_after(response.msg),
            status=status,
        )
    body = read_body(
        response,
        budget,
        request.max_bytes,
        cut=request.cut_body,
        unpack=request.unpack,
        grows=request.grows,
    )
    return HttpAnswer(status, response.msg, body)


def _has_page(response: http.client.HTTPResponse, request: Request) -> bool:
    status = response.status
    if request.any_success and status // 100 == 2 and status not in _WITHOUT_PAGE:  # noqa: PLR2004
        return True
    return status in _WITH_PAGE or _is_whole(response)


def _is_whole(response: http.client.HTTPResponse) -> bool:
    """Return whether a 206, for which nobody asked, has all bytes of its page."""
    ranges = response.msg.get_all("content-range", [])
    whole = _WHOLE_RANGE.fullmatch(ranges[0].strip()) if len(ranges) == 1 else None
    is_partial = response.status == HTTPStatus.PARTIAL_CONTENT
    return is_partial and whole is not None and int(whole[1]) + 1 == int(whole[2])


def _reason(status: int) -> str:
    if status in _FORBIDDEN:
        return "forbidden"
    if status in _NOT_FOUND:
        return "not_found"
    return "rejected" if status // 100 == 4 else "http_status"  # noqa: PLR2004


def _retry_after(head: http.client.HTTPMessage) -> float | None:
    """Return the seconds of a Retry-After, given in seconds or as a date with a zone.

    A past date gives 0; a missing or malformed value gives None.
    """
    value = kept_header(head, "retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        # JSON has no infinity, which is the value of 309 digits.
        return min(float(value), sys.float_info.max)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if when.tzinfo is None:
        return None
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)


def kept_header(head: http.client.HTTPMessage, name: str) -> str | None:
    """Return a header that is safe to store and to send again.

    None if it is missing, longer than 512 characters or not printable.
    """
    value = head.get(name)
    if value is None or len(value) > LONGEST_VALIDATOR:
        return None
    return value if value.isprintable() else None
