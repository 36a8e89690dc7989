"""From a page without a list to the list: its frame, its refresh, its feed, its JSON.

Each address is asked for with the same limits as the first one, and only if robots.txt allows it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup

from uring.errors import FetchFailed, SuspectPage
from uring.fetch import robots
from uring.fetch.decode import decode_html
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.tls import STRICT
from uring.fetch.url import parse_url
from uring_local.add.propose import NoProposal, Proposal
from uring_local.entries.advice import kind_of, soup_of
from uring_local.entries.trial_read import FetchedPage

MOST_REQUESTS: Final = 6
"""The most further addresses that one `uring add` asks for."""

_DEEPEST: Final = 2
_SECONDS: Final = 20
_REFRESH: Final = re.compile(r"\s*\d*\s*[;,]?\s*url\s*=\s*['\"]?([^'\"\s>]+)", re.IGNORECASE)
_MOVED: Final = re.compile(
    r"(?:window\.|document\.|top\.|self\.)?location(?:\.href)?\s*(?:=|\.replace\(|\.assign\()\s*"
    r"['\"]([^'\"\s]+)['\"]"
)
_ASKED: Final = re.compile(
    r"(?:\bfetch|\.get|\.getJSON|\.ajax|axios|\.load|\burl)\s*[(:]\s*(?:\{\s*url\s*:\s*)?"
    r"['\"`]([^'\"`\s${}]+)['\"`]"
)
_LITTLE: Final = 1_500
_ELSEWHERE: Final = re.compile(
    r"google|youtube|facebook|doubleclick|kakao|naver|daum|\.(?:js|css|png|jpe?g|gif|svg|ico)(?:\?|$)"
)

Propose = Callable[[FetchedPage, str], Proposal]
"""Proposes an entry for a page and its address."""


@dataclass(frozen=True, slots=True)
class Lead:
    """An address that a page names, and the way in which it does."""

    url: str
    what: str


@dataclass(slots=True)
class Follower:
    """Follows a page to its list.

    Attributes:
        propose: proposes an entry for a page.
        fetcher: the guarded HTTP client; it allows the private host that a person typed, and no
            other.
        left: the number of further requests.
    """

    propose: Propose
    fetcher: Fetcher
    left: int = MOST_REQUESTS

    def find(self, fetched: FetchedPage, url: str, depth: int = 0) -> tuple[Proposal, Lead | None]:
        """Return a proposal for a page, or for the first list that it leads to, with its lead.

        Raises:
            NoProposal: neither the page nor an address in it has a list.
        """
        own: Proposal | None = None
        refused = ""
        try:
            own = self.propose(fetched, url)
        except NoProposal as error:
            refused = str(error)
        if own is not None and _is_dated(own):
            return own, None
        tried = []
        for lead in leads(fetched) if depth < _DEEPEST else ():
            if self.left <= 0:
                break
            try:
                proposal, further = self.find(self._fetch(lead.url), lead.url, depth + 1)
            except (NoProposal, FetchFailed, SuspectPage) as error:
                tried.append(f"{lead.what} leads to {lead.url}: {error}")
                continue
            if own is None or _is_dated(proposal):
                return proposal, further or lead
        if own is not None:
            return own, None
        raise NoProposal("; ".join([refused, *tried]))

    def _fetch(self, url: str) -> FetchedPage:
        """Return the page at an address.

        Raises:
            FetchFailed: no usable response, or ``robots``: robots.txt forbids the address.
        """
        self.left -= 1
        decision = robots.ask(
            self.fetcher.fetch,
            "",
            (url, url),
            datetime.now(UTC),
            timeout_seconds=_SECONDS,
            tls=STRICT,
        )
        if not decision.allowed:
            raise FetchFailed("robots", "robots.txt forbids this address")
        response = self.fetcher.fetch(Request(url=url))
        return FetchedPage(response.body, response.content_type, response.url)


def _is_dated(proposal: Proposal) -> bool:
    return any(getattr(item, "date", None) for item in proposal.trial.page.items)


def saved(propose: Propose, fetched: FetchedPage, url: str) -> Proposal:
    """Return a proposal for a saved page; nothing else is asked for.

    Raises:
        NoProposal: the page has no list; the message has the addresses that it names.
    """
    try:
        return propose(fetched, url)
    except NoProposal as error:
        named = [f"{lead.url} ({lead.what})" for lead in leads(fetched)]
        if not named:
            raise
        raise NoProposal(f"{error}; the page leads to {', '.join(named[:3])}") from error


def heard(fetched: FetchedPage, entry: Mapping[str, Any], lead: Lead | None) -> Iterator[str]:
    """Yield notes on the way to the list, and on the feed that its page names."""
    if lead is not None:
        yield f"the page has no list that can be read; {lead.what} leads to {lead.url}"
        return
    feed = next((each.url for each in leads(fetched) if each.what == "its feed"), None)
    if feed is not None and entry.get("preset") not in ("rss", "atom"):
        yield f"the page names a feed, which changes less than a page: try {feed}"


def leads(fetched: FetchedPage) -> Iterator[Lead]:
    """Yield the addresses that may have a page's list, the likeliest first, each once."""
    text = decode_html(fetched.body, fetched.content_type, None).text
    if kind_of(text) != "html":
        return
    try:
        page = soup_of(text)
    except SuspectPage:
        return
    base = page.select_one("base[href]")
    start = urljoin(fetched.url, str(base["href"])) if base else fetched.url
    own = urlsplit(fetched.url)._replace(fragment="").geturl()
    seen = {own}
    for address, what in _named(page):
        try:
            url = parse_url(urljoin(start, address)).url.partition("#")[0]
        except (FetchFailed, ValueError):
            continue
        if url not in seen and not _ELSEWHERE.search(url):
            seen.add(url)
            yield Lead(url, what)


def _named(page: BeautifulSoup) -> Iterator[tuple[str, str]]:
    for meta in page.select("meta[http-equiv]"):
        if str(meta["http-equiv"]).lower() == "refresh":
            target = _REFRESH.match(str(meta.get("content") or ""))
            if target:
                yield target[1], "its refresh"
    for frame in page.select("frame[src], iframe[src]"):
        yield str(frame["src"]), f"its {frame.name}"
    for link in page.select("link[href]"):
        if "alternate" in link.get_attribute_list("rel") and _is_feed(link.get("type")):
            yield str(link["href"]), "its feed"
    scripts = "\n".join(
        script.get_text() for script in page.find_all("script") if not script.get("src")
    )
    if len(page.get_text()) - len(scripts) < _LITTLE:
        yield from ((address, "its script") for address in _MOVED.findall(scripts)[:1])
    yield from ((address, "its script") for address in _ASKED.findall(scripts))


def _is_feed(kind: Any) -> bool:
    return str(kind or "").lower() in ("application/rss+xml", "application/atom+xml")


def follower(propose: Propose, typed: str) -> Follower:
    """Return a follower whose private host is that of the typed address alone."""
    own = parse_url(typed).authority
    fetcher = Fetcher(user_agent="uRing/1 (trying an entry)", allowed_private_hosts=[own])
    return Follower(propose, fetcher)
