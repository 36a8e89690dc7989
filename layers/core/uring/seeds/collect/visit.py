"""The requests to one domain: spaced, and within its budget of seconds and bytes.

    lookup ─► turn of host and address ─► request ─┬─► response
       ▲                                           └─► redirect ─► judge ─┐
       └──────────────────────────────────────────────────────────────────┘

Redirects are followed here and not by the fetcher: the next host has a turn and rules of its own.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, Literal

from uring.errors import FetchFailed
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.url import parse_url
from uring.seeds.collect.pace import Pace
from uring.seeds.known.files import KnownFiles

# The host asks for later requests: any further request now would be a nuisance.
_THROTTLED: Final = frozenset((HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE))
# Less time is not enough for a response.
_LEAST_SECONDS: Final = 0.5
# RFC 9309, section 2.3.1.2, asks for five.
_MOST_REDIRECTS: Final = 5

Addresses = Callable[[str, float], str]
"""``(url, timeout_seconds)`` → the address of a URL's host; empty if it needs no pace.

Raises FetchFailed.
"""
Judge = Callable[[str], None]
"""Called with the URL of each redirect before it is asked; raises FetchFailed to refuse it."""


class BudgetSpent(Exception):
    """A limit of the domain that ends its requests, or those to one host."""

    def __init__(self, by: Literal["bytes", "seconds", "throttled"]) -> None:
        super().__init__(by)
        self.by: Literal["bytes", "seconds", "throttled"] = by


class TurnMissed(BudgetSpent):
    """No turn at a crowded host or address came in time. It proves nothing about the domain.

    Attributes:
        hops: the URLs that were asked, and redirected there.
    """

    def __init__(self) -> None:
        super().__init__("seconds")
        self.hops: tuple[str, ...] = ()


class _Redirected(FetchFailed):
    """Ends an exchange at its redirect."""

    def __init__(self, url: str) -> None:
        super().__init__("redirected", url)
        self.to = url


@dataclass(slots=True)
class _Asked:
    """One file: the seconds left for it, without waits, and the URLs that redirected to it."""

    seconds: float
    max_bytes: int
    accept: str
    any_success: bool
    known: KnownFiles
    spent: float = 0.0
    hops: list[str] = field(default_factory=list)

    def request(self, url: str, left: float) -> Request:
        """Return the request of the next hop; it ends at a redirect, except at one too many."""
        conditions = self.known.conditions(url)
        return Request(
            url,
            headers={"Accept": self.accept},
            timeout_seconds=min(self.seconds - self.spent, left),
            max_bytes=self.max_bytes,
            cut_body=True,
            etag=conditions.etag,
            last_modified=conditions.last_modified,
            any_success=self.any_success,
            most_redirects=_MOST_REDIRECTS - len(self.hops),
            may_follow=_stop,
        )


class DomainVisit:
    """The remaining budget of one domain.

    Args:
        fetches: the guarded client.
        pace: the turns of all hosts and addresses.
        monotonic, sleep: of the same clock.
        seconds: the time from now on.
        most_bytes: the size of all bodies.
        gap_seconds: between two requests to one host.
        addresses: see `Addresses`; None if only hosts have turns.

    Attributes:
        requests: the number sent, redirects included.
        milliseconds: the duration of the last one, with its redirects, without the waits for its
            turns.
        retry_after: the longest time, in seconds, for which a throttling host asked; None without.
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
        addresses: Addresses | None = None,
    ) -> None:
        self._fetches = fetches
        self._pace = pace
        self._monotonic = monotonic
        self._sleep = sleep
        self._addresses = addresses
        self._began = monotonic()
        self._deadline = self._began + seconds
        self._bytes_left = most_bytes
        self._gap = gap_seconds
        self._gaps: dict[str, float] = {}
        self._throttled: set[str] = set()
        self.requests = 0
        self.milliseconds = 0
        self.retry_after: float | None = None

    def ask(
        self,
        url: str,
        *,
        seconds: float,
        max_bytes: int,
        accept: str,
        judge: Judge | None = None,
        any_success: bool = False,
        known: KnownFiles | None = None,
    ) -> Response:
        """Return the response, its body cut at ``max_bytes``.

        A 304 is returned if it confirms a known file; another one is asked again for the whole.

        Args:
            url: what is asked first; at most five redirects are followed.
            seconds: for all hops together, without the waits for their turns.
            max_bytes: of the body.
            accept: the header of that name.
            judge: see `Judge`; None if no redirect is refused.
            any_success: see `Request`.
            known: the files that a request may be conditional on, at every hop by its address.

        Raises:
            FetchFailed: there is no response, or ``judge`` refused a redirect.
            BudgetSpent: it was not requested, or did not answer within the remaining time.
        """
        asked = _Asked(seconds, max_bytes, accept, any_success, known or KnownFiles())
        try:
            while True:
                try:
                    response = self._known_or_whole(url, asked)
                except _Redirected as redirect:
                    asked.hops.append(url)
                    url = redirect.to
                    if judge is not None:
                        judge(url)
                else:
                    return _behind(response, asked.hops)
        except TurnMissed as missed:
            missed.hops = (*asked.hops,)
            raise
        except FetchFailed as failure:
            failure.url = failure.url or url
            failure.hops = (*asked.hops, *failure.hops)
            raise
        finally:
            self.milliseconds = round(asked.spent * 1000)

    def _known_or_whole(self, url: str, asked: _Asked) -> Response:
        """Return the response of one hop; see `_exchange`."""
        response = self._exchange(url, asked)
        if response.status != HTTPStatus.NOT_MODIFIED or asked.known.confirms(response):
            return response
        asked.known = KnownFiles()
        response = self._exchange(url, asked)
        if response.status == HTTPStatus.NOT_MODIFIED:
            raise FetchFailed("protocol", "HTTP 304 to a request without validators")
        return response

    def inflated(self, count: int) -> None:
        """Subtract the bytes of a body that was inflated after its download."""
        self._bytes_left -= count

    def space(self, host: str, gap_seconds: float) -> None:
        """Set the gap of one host, in place of the domain's own."""
        self._gaps[host] = gap_seconds

    def spent_milliseconds(self) -> int:
        """Return the milliseconds since the visit began."""
        return round((self._monotonic() - self._began) * 1000)

    def _exchange(self, url: str, asked: _Asked) -> Response:
        """Return the response of one hop.

        Raises:
            _Redirected: it redirects.
            FetchFailed, BudgetSpent: as `ask`.
        """
        host = parse_url(url).host
        if host in self._throttled:
            raise BudgetSpent("throttled")
        if self._bytes_left <= 0:
            raise BudgetSpent("bytes")
        address = self._address(url, asked)
        try:
            # The turn counts from the end of the last answer, which is waited for here.
            with self._pace.alone.hold(host, self._left):
                self._take_turn(host, address)
                with self._place(address):
                    response = self._send(url, host, asked)
        except FetchFailed as failure:
            if failure.reason == "busy_host":
                raise TurnMissed from failure
            raise
        self._bytes_left -= len(response.body)
        return response

    def _send(self, url: str, host: str, asked: _Asked) -> Response:
        started = self._monotonic()
        left = self._deadline - started
        if left < _LEAST_SECONDS:
            raise BudgetSpent("seconds")
        request = asked.request(url, left)
        answered = [host]
        is_answer = False
        self.requests += 1
        try:
            response = self._fetches.fetch(request)
            # Fakes and other clients may follow redirects by themselves.
            self.requests += response.requests - 1
            answered.append(parse_url(response.url).host)
            is_answer = True
        except FetchFailed as failure:
            is_answer = isinstance(failure, _Redirected) or bool(failure.status)
            if failure.status in _THROTTLED:
                self._throttled.add(host)
                self.retry_after = max(failure.retry_after or 0.0, self.retry_after or 0.0) or None
            if failure.reason == "timeout" and left < asked.seconds - asked.spent:
                raise BudgetSpent("seconds") from failure
            raise
        finally:
            seconds = self._monotonic() - started
            asked.spent += seconds
            # A slow answer is that of a busy host; a missing answer says nothing.
            self._pace.answered(*answered, seconds=seconds if is_answer else 0.0)
        return response

    def _address(self, url: str, asked: _Asked) -> str:
        """Return the address whose turn is needed; empty for none. Raises FetchFailed."""
        left = self._deadline - self._monotonic()
        if self._addresses is None or left < _LEAST_SECONDS:
            return ""
        try:
            return self._addresses(url, min(asked.seconds, left))
        except FetchFailed as failure:
            if failure.reason == "timeout" and left < asked.seconds:
                raise BudgetSpent("seconds") from failure
            raise

    def _take_turn(self, host: str, address: str) -> None:
        left = self._deadline - self._monotonic() - _LEAST_SECONDS
        if left < 0:
            raise BudgetSpent("seconds")
        gap = self._gaps.get(host, self._gap)
        wait = self._pace.reserve(host, gap, left, address)
        if wait is None:
            raise TurnMissed
        if wait > 0:
            self._sleep(wait)

    def _place(self, address: str) -> AbstractContextManager[None]:
        """Return one of the few places at an address, which is waited for."""
        return self._pace.places.hold(address, self._left) if address else nullcontext()

    def _left(self) -> float:
        left = self._deadline - self._monotonic() - _LEAST_SECONDS
        if left <= 0:
            raise FetchFailed("timeout", "the domain's time was spent")
        return left


def _stop(url: str) -> None:
    raise _Redirected(url)


def _behind(response: Response, hops: list[str]) -> Response:
    """Return a response with the redirects that led to its request."""
    if not hops:
        return response
    return replace(response, hops=(*hops, *response.hops), requests=len(hops) + response.requests)
