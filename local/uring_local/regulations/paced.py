"""One site, asked slowly: one page or text at a time, with a pause before each.

Its robots.txt is asked once, beside the first page; redirects are followed at once.
"""

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from uring.errors import FetchFailed
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.robots import read_robots

LONGEST_PAUSE: Final = 600
"""Seconds. A site that asks for more is not asked."""


class PacedSite:
    """Implements `uring.fetch.http.Fetches`. Each robots.txt is asked once, and its delay kept.

    Args:
        fetcher: the guarded HTTP client.
        pause: seconds between two requests; a longer ``Crawl-delay`` wins.
        sleep: waits for a number of seconds.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        fetcher: Fetches,
        pause: float,
        *,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetcher = fetcher
        self._pause = pause
        self._sleep = sleep
        self._monotonic = monotonic
        self._free_at = monotonic()
        self._robots: dict[str, Response | FetchFailed] = {}

    def rest(self) -> None:
        """Wait until the next request is due; call it before the time limit of a request begins."""
        left = self._free_at - self._monotonic()
        if left > 0:
            self._sleep(left)

    def fetch(self, request: Request) -> Response:
        """Return one answer; a robots.txt that was asked before comes from memory.

        Raises:
            FetchFailed: as `Fetches.fetch`; ``robots``: its delay is longer than `LONGEST_PAUSE`.
        """
        if urlsplit(request.url).path != "/robots.txt":
            return self._asked(request)
        if request.url not in self._robots:
            self._robots[request.url] = self._robots_of(request)
        answer = self._robots[request.url]
        if isinstance(answer, FetchFailed):
            raise answer
        return answer

    def _robots_of(self, request: Request) -> Response | FetchFailed:
        try:
            answer = self._asked(request)
        except FetchFailed as failure:
            return failure
        delay = read_robots(answer.body).crawl_delay or 0
        if delay > LONGEST_PAUSE:
            return FetchFailed("robots", f"robots.txt asks for {delay:.0f} s between two requests")
        self._pause = max(self._pause, delay)
        return answer

    def _asked(self, request: Request) -> Response:
        try:
            return self._fetcher.fetch(request)
        finally:
            self._free_at = self._monotonic() + self._pause
