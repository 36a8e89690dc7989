"""The web as a table of pages: redirects, failures and the time that answers take."""

from dataclasses import dataclass
from urllib.parse import urljoin

from fakes.clock import VirtualClock
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request


@dataclass(frozen=True, slots=True)
class Page:
    """What one URL answers.

    Attributes:
        status: 0 with a ``reason``.
        location: of a redirect.
        reason: of a failure without an answer, in the fetcher's words.
        seconds: that it takes; more than the request grants is a time-out.
    """

    body: bytes = b""
    status: int = 200
    location: str = ""
    reason: str = ""
    seconds: float = 0.0
    content_type: str = "text/plain"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: when, in seconds since the first, and what for."""

    at: float
    url: str
    request: Request


class FakeWeb:
    """Implements `uring.fetch.Fetches` over pages by URL; what has none is a 404.

    Its clock is moved by the answers' time and by `VirtualClock.sleep` alone.
    """

    def __init__(self, pages: dict[str, Page | bytes]) -> None:
        self.clock = VirtualClock()
        self.pages = pages
        self.asked: list[Asked] = []
        self._start = self.clock.now

    def monotonic(self) -> float:
        return (self.clock.now - self._start).total_seconds()

    @property
    def urls(self) -> list[str]:
        """Every URL that was asked, redirects included."""
        return [asked.url for asked in self.asked]

    def fetch(self, request: Request) -> Response:
        url, hops = request.url, list[str]()
        until = self.monotonic() + request.timeout_seconds
        while True:
            self.asked.append(Asked(self.monotonic(), url, request))
            page = self.pages.get(url, Page(status=404))
            if isinstance(page, bytes):
                page = Page(page)
            if self.monotonic() + page.seconds > until:
                self.clock.advance(until - self.monotonic())
                raise _failure("timeout", 0, url, hops)
            self.clock.advance(page.seconds)
            if page.reason:
                raise _failure(page.reason, 0, url, hops)
            if not page.location:
                break
            hops.append(url)
            if len(hops) > request.most_redirects:
                raise _failure("too_many_redirects", page.status, url, hops)
            url = urljoin(url, page.location)
            if request.may_follow is not None:
                request.may_follow(url)
        is_page = page.status == 200 or (
            request.any_success and 200 < page.status < 300 and page.status not in (204, 205, 206)
        )
        if not is_page:
            raise _failure(_reason(page.status), page.status, url, hops)
        body = page.body
        if len(body) > request.max_bytes and not request.cut_body:
            raise _failure("too_big", 0, url, hops)
        return Response(
            status=page.status,
            url=url,
            body=body[: request.max_bytes],
            content_type=page.content_type,
            etag=None,
            last_modified=None,
            requests=len(hops) + 1,
            hops=tuple(hops),
            truncated=len(body) > request.max_bytes,
        )


def _reason(status: int) -> str:
    if status in (401, 403, 407, 429, 451):
        return "forbidden"
    if status in (404, 410):
        return "not_found"
    return "rejected" if status // 100 == 4 else "http_status"


def _failure(reason: str, status: int, url: str, hops: list[str]) -> FetchFailed:
    failure = FetchFailed(reason, f"{reason} at {url}", status=status)
    failure.url, failure.hops = url, tuple(hops)
    return failure
