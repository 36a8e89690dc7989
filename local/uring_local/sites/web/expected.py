"""The findings of a correct collector at a domain, by RFC 9309, sitemaps.org and their order.

robots.txt ─► reachable? ─► lines, at most 20 tried ─► guessed paths ─► the first that is one
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, Literal

from uring_local.sites.web.answers.addresses import is_alive, resolved
from uring_local.sites.web.answers.robots import READ_BYTES, robots
from uring_local.sites.web.answers.sitemaps import LOST_PART, page, sitemap, split
from uring_local.sites.web.model import ABSENT, Domain, RobotsKind, SitemapKind

Outcome = Literal[
    "ok", "html", "unavailable_4xx", "unreachable_5xx", "unreachable_network", "redirect_limit",
    "refused",
]  # fmt: skip
Kind = Literal["", "urlset", "sitemapindex", "rss", "feed", "text"]

MOST_TRIED: Final = 20
SITEMAP_BYTES: Final = 10 * 1024 * 1024
"""So much of a sitemap is read and kept, inflated."""

_OUTCOMES: Final[Mapping[RobotsKind, tuple[Outcome, int]]] = MappingProxyType(
    {
        "html": ("html", 200),
        "missing": ("unavailable_4xx", 404),
        "forbidden": ("unavailable_4xx", 403),
        "error": ("unreachable_5xx", 503),
        "cut": ("unreachable_network", 0),
        "endless_head": ("unreachable_network", 0),
        "drip": ("unreachable_network", 0),
        "looping": ("redirect_limit", 302),
        "private": ("refused", 302),
    }
)
_KINDS: Final[Mapping[SitemapKind, Kind]] = MappingProxyType(
    {
        "text": "text",
        "rss": "rss",
        "atom": "feed",
        "index": "sitemapindex",
        "nested": "sitemapindex",
        "looping": "sitemapindex",
        "lacking": "sitemapindex",
    }
)

_BROKEN: Final[frozenset[SitemapKind]] = frozenset({"truncated", "ampersand", "doctype"})


@dataclass(frozen=True, slots=True)
class Found:
    """The findings at a domain.

    Attributes:
        outcome: of its robots.txt.
        status: that was answered, 0 without an answer.
        robots: its robots.txt as it is kept; None where there is none.
        is_cut: whether more of it was sent than is read.
        lines: what its Sitemap lines lead to, each once.
        sitemap_url: of the first candidate that is a sitemap; empty where none is.
        sitemap: as it is kept, inflated; None where there is none.
        is_sitemap_cut: whether more of it was there than is read.
        urls: that are counted, of an index those of all its parts that can be had.
        is_recovered: whether its XML is broken, so that its addresses have to be looked for.
        homepage: as it is kept; None where it may not be asked.
    """

    outcome: Outcome
    status: int
    robots: bytes | None = None
    is_cut: bool = False
    lines: tuple[str, ...] = ()
    sitemap_url: str = ""
    sitemap: bytes | None = None
    is_sitemap_cut: bool = False
    kind: Kind = ""
    urls: int = 0
    is_recovered: bool = False
    homepage: bytes | None = None

    @property
    def is_reachable(self) -> bool:
        """True when anything may be asked."""
        return not self.outcome.startswith("unreachable")


def find(domain: Domain) -> Found:
    """Return what a correct collector finds, at the last of its tries."""
    outcome, status = _OUTCOMES.get(domain.robots, ("ok", HTTPStatus.OK.value))
    body = robots(domain) if status == HTTPStatus.OK else None
    found = Found(
        outcome,
        status,
        robots=None if body is None else body[:READ_BYTES],
        is_cut=body is not None and len(body) > READ_BYTES,
        lines=tuple(resolved(domain)) if outcome == "ok" else (),
    )
    if not may_be_asked(domain):
        return found
    found = replace(found, homepage=page(domain.domain))
    url = _sitemap_url(domain)
    if not url:
        return found
    whole = sitemap(domain)
    if whole.startswith(b"\x1f\x8b"):
        whole = gzip.decompress(whole)
    return replace(
        found,
        sitemap_url=url,
        sitemap=whole[:SITEMAP_BYTES],
        is_sitemap_cut=len(whole) > SITEMAP_BYTES,
        kind=_KINDS.get(domain.sitemap, "urlset"),
        urls=_urls(domain),
        is_recovered=domain.sitemap in _BROKEN,
    )


def may_be_asked(domain: Domain) -> bool:
    """Return whether anything but its robots.txt may be: it is there, and does not forbid all.

    Of one that leads to a private address nobody knows what it forbids.
    """
    return domain.is_reachable and domain.robots not in ("closed", "private")


def _sitemap_url(domain: Domain) -> str:
    """Return the first candidate that is a sitemap; empty where none is."""
    if domain.sitemap in ABSENT:
        return ""
    tried = resolved(domain)[:MOST_TRIED]
    alive = (url for number, url in enumerate(tried) if is_alive(domain, number))
    return next(alive, f"https://{domain.domain}{domain.guess}")


def _urls(domain: Domain) -> int:
    if domain.sitemap == "lacking":
        return domain.urls - split(domain.urls)[LOST_PART]
    return domain.urls
