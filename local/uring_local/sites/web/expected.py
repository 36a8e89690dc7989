"""The findings of a correct collector at a domain, by RFC 9309, sitemaps.org and their order.

robots.txt ─► reachable? ─► lines, at most 20 tried ─► guessed paths ─► the first sitemap
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, Literal

from uring_local.sites.web.model import ABSENT, Domain, RobotsKind, SitemapKind
from uring_local.sites.web.robots import READ_BYTES, is_alive, resolved, robots
from uring_local.sites.web.sitemaps import LOST_PART, page, sitemap, split

Outcome = Literal[
    "ok", "html", "unavailable_4xx", "unreachable_5xx", "unreachable_network", "redirect_limit",
    "refused",
]  # fmt: skip
Kind = Literal["", "urlset", "sitemapindex", "rss", "feed", "text"]

MOST_TRIED: Final = 20
SITEMAP_BYTES: Final = 10 * 1024 * 1024
"""The longest part of a sitemap that is read and kept, inflated."""

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
        status: of the answer, 0 without an answer.
        robots: the stored robots.txt; None where there is none.
        is_cut: whether robots.txt is longer than the part that is read.
        lines: the addresses in its Sitemap lines, each once.
        sitemap_url: of the first candidate that is a sitemap; empty without one.
        sitemap: the stored sitemap, inflated; None where there is none.
        is_sitemap_cut: whether the sitemap is longer than the part that is read, or has no end.
        urls: number of addresses; for an index the sum over its readable parts.
        is_recovered: whether its XML is broken, so that a text search finds the addresses.
        homepage: the stored homepage; None where it may not be asked for.
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
        """True unless robots.txt cannot be reached, which forbids all further requests."""
        return not self.outcome.startswith("unreachable")


def find(domain: Domain) -> Found:
    """Return the findings of a correct collector at the last of its tries."""
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
        is_sitemap_cut=len(whole) > SITEMAP_BYTES or domain.sitemap == "truncated",
        kind=_KINDS.get(domain.sitemap, "urlset"),
        urls=_urls(domain),
        is_recovered=domain.sitemap in _BROKEN,
    )


def may_be_asked(domain: Domain) -> bool:
    """Return whether more than robots.txt may be asked for: it is readable and allows something.

    A robots.txt that redirects to a private address is never read, and counts as forbidding all.
    """
    return domain.is_reachable and domain.robots not in ("closed", "private")


def _sitemap_url(domain: Domain) -> str:
    """Return the address of the first candidate that is a sitemap; empty without one."""
    if domain.sitemap in ABSENT:
        return ""
    # Of another host one file is asked for.
    tried = resolved(domain)[: 1 if domain.robots == "other_host" else MOST_TRIED]
    alive = (url for number, url in enumerate(tried) if is_alive(domain, number))
    return next(alive, f"https://{domain.domain}{domain.guess}")


def _urls(domain: Domain) -> int:
    if domain.sitemap == "lacking":
        return domain.urls - split(domain.urls)[LOST_PART]
    # An entity that is not expanded is not an address.
    return 0 if domain.sitemap == "doctype" else domain.urls
