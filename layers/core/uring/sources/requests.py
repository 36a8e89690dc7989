"""The requests of one check: few, within a time limit, as robots.txt allows."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from math import ceil, log2
from typing import Final
from urllib.parse import urlsplit

from uring.errors import FetchFailed
from uring.fetch import robots
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.robots import RobotsDecision
from uring.fetch.tls import STRICT
from uring.fetch.url import shown_url
from uring.sources.entry import Entry
from uring.sources.site import request_for, text_of

_PERMITTED: Final = "ask the site's operator, and if permitted set request.honour_robots to false"

QUICK_SECONDS: Final = 0.125
"""An answer within this time has the slowness 0."""
SLOW_SECONDS: Final = 4.0
"""Ten boards of one host, three at a time, that take longer could not all end within a fetch."""


def slowness(seconds: float) -> int | None:
    """Return how often `QUICK_SECONDS` doubles until an answer is there; None if that is too slow.

    Sources of one slowness are checked together, so also those of one host.
    """
    if seconds > SLOW_SECONDS:
        return None
    return ceil(log2(max(1, seconds / QUICK_SECONDS)))


class Requests:
    """The requests of one check, counted, with one time limit for all of them.

    Args:
        fetcher: the guarded HTTP client.
        monotonic: seconds of a clock that never goes back.
        seconds: for all of them together.
        remedy: for people, if the time was too short.

    Attributes:
        sent: the number of requests, redirects included.
        redirects: judges each redirect before it is followed; None follows all.
        longest: seconds of the slowest page; robots.txt does not count.
    """

    def __init__(
        self,
        fetcher: Fetches,
        monotonic: Callable[[], float],
        seconds: float,
        remedy: str = "ask the site's operator why it is slow",
    ) -> None:
        self._fetcher = fetcher
        self._monotonic = monotonic
        self._seconds = seconds
        self._remedy = remedy
        self._ends = monotonic() + seconds
        self.sent = 0
        self.longest = 0.0
        self.redirects: KnownRedirects | None = None

    def fetch(self, request: Request) -> Response:
        """Return the answer; its time limit is cut to the remaining time.

        Raises:
            FetchFailed: as `Fetches.fetch`; ``timeout`` if less than a second remains; ``robots``
                if it redirects to an address that robots.txt forbids.
        """
        if self.redirects is not None:
            request = replace(request, may_follow=self.redirects.judge)
        began = self._monotonic()
        response = self.fetch_robots(request)
        self.longest = max(self.longest, self._monotonic() - began)
        return response

    def fetch_robots(self, request: Request) -> Response:
        """Return the answer for a robots.txt: as `fetch`, but each redirect is followed."""
        left = self._ends - self._monotonic()
        if left < 1:
            raise FetchFailed(
                "timeout",
                f"robots.txt and pages took {self._seconds} s in total; {self._remedy}",
            )
        self.sent += 1
        timeout = min(request.timeout_seconds, left)
        response = self._fetcher.fetch(replace(request, timeout_seconds=timeout))
        self.sent += response.requests - 1
        return response


class RedirectUnknown(FetchFailed):
    """Raised when a list redirects to an address whose robots.txt was not asked today."""


class KnownRedirects:
    """The redirects that robots.txt was asked about: others are refused.

    Args:
        entry: the config entry.
        redirects: see `RobotsDecision.redirects`.
    """

    def __init__(self, entry: Entry, redirects: Mapping[str, bool]) -> None:
        self._own = robots.redirect_key(entry.url)
        self._redirects = redirects

    def judge(self, url: str) -> None:
        """Return if a redirect may be followed; the entry's own address always may.

        Raises:
            FetchFailed: ``robots``: robots.txt forbids it.
            RedirectUnknown: it is not known.
        """
        if robots.redirect_key(url) == self._own:
            return
        allowed = robots.verdict_on(self._redirects, url)
        if allowed is None:
            allowed = self.asked(url)
        if not allowed:
            raise FetchFailed(
                "robots",
                f"robots.txt forbids {shown_url(url)}, to which the list redirects; {_PERMITTED}",
            )

    def asked(self, url: str) -> bool:
        """Ask for the robots.txt of an unknown redirect; here none is asked."""
        raise RedirectUnknown("robots", f"the list redirects to {shown_url(url)}")


class AskedRedirects(KnownRedirects):
    """The same, but robots.txt of an unknown redirect is asked before it is followed.

    Attributes:
        decision: with the verdicts so far.
    """

    def __init__(
        self,
        entry: Entry,
        decision: RobotsDecision,
        earlier: RobotsDecision | None,
        requests: Requests,
        now: datetime,
    ) -> None:
        super().__init__(entry, decision.redirects)
        self.decision = decision
        self._entry = entry
        self._earlier = earlier.redirects if earlier is not None else {}
        self._requests = requests
        self._now = now

    def asked(self, url: str) -> bool:
        """Ask, and keep the verdict; an earlier one holds while the file is unreachable.

        Raises:
            FetchFailed: ``robots_unreachable``.
        """
        tls = request_for(self._entry).tls
        try:
            allowed = robots.ask(
                self._requests.fetch_robots,
                self._entry.fingerprint,
                (url, url),
                self._now,
                timeout_seconds=self._entry.request.timeout_seconds,
                tls=tls if urlsplit(url).hostname == urlsplit(self._entry.url).hostname else STRICT,
            ).allowed
        except FetchFailed:
            earlier = robots.verdict_on(self._earlier, url)
            if earlier is None:
                raise
            allowed = earlier
        self.decision = self.decision.judged(url, allowed=allowed)
        self._redirects = self.decision.redirects
        return allowed


def decided(requests: Requests, decision: RobotsDecision | None) -> RobotsDecision | None:
    """Return the decision with the verdicts on redirects since then; else the same object."""
    redirects = requests.redirects
    return redirects.decision if isinstance(redirects, AskedRedirects) else decision


def ask_robots(
    entry: Entry,
    known: RobotsDecision | None,
    requests: Requests,
    now: datetime,
    addresses: tuple[str, str],
    *,
    again: bool = False,
) -> RobotsDecision | None:
    """Return the robots.txt decision; the file is fetched only when that is due.

    From then on ``requests`` asks for the robots.txt of each redirect, too: see `decided`. An entry
    that does not honour robots.txt gets ``known`` back.

    Args:
        entry: the config entry.
        known: the last decision.
        requests: of this check.
        now: aware UTC.
        addresses: of the list, and of a further page.
        again: True fetches the file even if that is not due.

    Raises:
        FetchFailed: the file is unreachable, and there is no earlier decision for this entry.
    """
    if not entry.request.honour_robots:
        return known
    decision = _asked(entry, known, requests, now, addresses, again=again)
    requests.redirects = AskedRedirects(entry, decision, known, requests, now)
    return decision


def _asked(
    entry: Entry,
    known: RobotsDecision | None,
    requests: Requests,
    now: datetime,
    addresses: tuple[str, str],
    *,
    again: bool,
) -> RobotsDecision:
    if known is not None and not again and not robots.is_due(known, entry.fingerprint, now):
        return known
    try:
        return robots.ask(
            requests.fetch_robots,
            entry.fingerprint,
            addresses,
            now,
            timeout_seconds=entry.request.timeout_seconds,
            tls=request_for(entry).tls,
        )
    except FetchFailed:
        # The last decision holds while the file is unreachable (RFC 9309, 2.4).
        if known is None or known.entry != entry.fingerprint:
            raise
        return known


def obey(entry: Entry, decision: RobotsDecision | None) -> None:
    """Refuse an address that robots.txt forbids, unless the entry does not honour robots.txt.

    Raises:
        FetchFailed: ``robots``.
    """
    if entry.request.honour_robots and decision is not None and not decision.allowed:
        raise FetchFailed(
            "robots",
            f"robots.txt forbids this address; {_PERMITTED}",
        )


def ask_page(
    entry: Entry, known: RobotsDecision | None, requests: Requests, now: datetime
) -> tuple[RobotsDecision | None, Response, str]:
    """Return the robots.txt decision, the response for the one page of a source, and its text.

    Raises:
        FetchFailed: as `ask_robots`, `obey` and `Requests.fetch`.
        SuspectPage: the text is unreadable in every likely encoding.
    """
    decision = ask_robots(entry, known, requests, now, (entry.url, entry.url))
    obey(entry, decision)
    response = requests.fetch(request_for(entry))
    decision = decided(requests, decision)
    return decision, response, text_of(entry, response.body, response.content_type)


def page_fingerprint(entry: Entry, body: bytes | None) -> str:
    """Return a fingerprint of an entry and of a page read with it; None stands for no page."""
    hashed = "" if body is None else hashlib.blake2b(body, digest_size=16).hexdigest()
    return f"{entry.fingerprint}:{hashed}"
