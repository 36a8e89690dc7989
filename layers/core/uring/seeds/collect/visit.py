"""The requests to one domain: spaced, and within its budget of seconds and bytes."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Literal

from uring.errors import FetchFailed
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.url import parse_url
from uring.seeds.collect.pace import Pace

# The host asks for later requests: any further request now would be a nuisance.
_THROTTLED: Final = frozenset((HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE))
# Less time is not enough for a response.
_LEAST_SECONDS: Final = 0.5


class BudgetSpent(Exception):
    """A limit of the domain that ends its requests, or those to one host."""

    def __init__(self, by: Literal["bytes", "seconds", "throttled"]) -> None:
        super().__init__(by)
        self.by: Literal["bytes", "seconds", "throttled"] = by


class DomainVisit:
    """The remaining budget of one domain.

    Args:
        fetches: the guarded client.
        pace: the turns of all hosts.
        monotonic, sleep: of the same clock.
        seconds: the time from now on.
        most_bytes: the size of all bodies.
        gap_seconds: between two requests to one host.

    Attributes:
        requests: the number sent, redirects included.
        milliseconds: the duration of the last one, with its redirects, without the wait for its
            turn.
    """

    def __init__(
        self,
        fetches: Fetches,
        pace: Pace,
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
        *,
        seconds: float,
        most_bytes: int,
        gap_seconds: float,
    ) -> None:
        self._fetches = fetches
        self._pace = pace
        self._monotonic = monotonic
        self._sleep = sleep
        self._began = monotonic()
        self._deadline = self._began + seconds
        self._bytes_left = most_bytes
        self._gap = gap_seconds
        self._throttled: set[str] = set()
        self.requests = 0
        self.milliseconds = 0

    def ask(self, url: str, *, seconds: float, max_bytes: int, accept: str) -> Response:
        """Return the response, its body cut at ``max_bytes``.

        Raises:
            FetchFailed: there is no response.
            BudgetSpent: it was not requested, or did not answer within the remaining time.
        """
        host = parse_url(url).host
        if host in self._throttled:
            raise BudgetSpent("throttled")
        if self._bytes_left <= 0:
            raise BudgetSpent("bytes")
        self._take_turn(host)
        started = self._monotonic()
        left = self._deadline - started
        if left < _LEAST_SECONDS:
            raise BudgetSpent("seconds")
        request = Request(
            url,
            headers={"Accept": accept},
            timeout_seconds=min(seconds, left),
            max_bytes=max_bytes,
            cut_body=True,
        )
        try:
            response = self._fetches.fetch(request)
        except FetchFailed as failure:
            failing = parse_url(failure.url or url).host
            self._pace.answered(host, failing)
            self.requests += 1 + len(failure.hops)
            if failure.status in _THROTTLED:
                self._throttled.add(failing)
            if failure.reason == "timeout" and left < seconds:
                raise BudgetSpent("seconds") from failure
            raise
        finally:
            self.milliseconds = round((self._monotonic() - started) * 1000)
        self._pace.answered(host, parse_url(response.url).host)
        self.requests += response.requests
        self._bytes_left -= len(response.body)
        return response

    def inflated(self, count: int) -> None:
        """Subtract the bytes of a body that was inflated after its download."""
        self._bytes_left -= count

    def spent_milliseconds(self) -> int:
        """Return the milliseconds since the visit began."""
        return round((self._monotonic() - self._began) * 1000)

    def _take_turn(self, host: str) -> None:
        left = self._deadline - self._monotonic()
        wait = self._pace.reserve(host, self._gap, left - _LEAST_SECONDS)
        if wait is None:
            raise BudgetSpent("seconds")
        if wait > 0:
            self._sleep(wait)
