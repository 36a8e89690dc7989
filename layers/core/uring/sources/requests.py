"""The requests of one check: few, within a time limit, as robots.txt allows."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from uring.errors import FetchFailed
from uring.fetch import robots
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.robots import RobotsDecision
from uring.sources.entry import Entry
from uring.sources.site import request_for, text_of


class Requests:
    """The requests of one check, counted, with one time limit for all of them.

    Args:
        fetcher: the guarded HTTP client.
        monotonic: seconds of a clock that never goes back.
        seconds: for all of them together.
        remedy: for people, if the time was too short.

    Attributes:
        sent: the number of requests, redirects included.
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

    def fetch(self, request: Request) -> Response:
        """Return the answer; its time limit is cut to the remaining time.

        Raises:
            FetchFailed: as `Fetches.fetch`; ``timeout`` if less than a second remains.
        """
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

    An entry that does not honour robots.txt gets ``known`` back.

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
    if not again and not robots.is_due(known, entry.fingerprint, now):
        return known
    try:
        return robots.ask(
            requests.fetch,
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
            "robots.txt forbids this address; ask the site's operator, and if permitted "
            "set request.honour_robots to false",
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
    return decision, response, text_of(entry, response.body, response.content_type)


def page_fingerprint(entry: Entry, body: bytes | None) -> str:
    """Return a fingerprint of an entry and of a page read with it; None stands for no page."""
    hashed = "" if body is None else hashlib.blake2b(body, digest_size=16).hexdigest()
    return f"{entry.fingerprint}:{hashed}"
