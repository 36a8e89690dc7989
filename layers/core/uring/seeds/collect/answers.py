"""The answers of one domain, as they are stored: what came, from where, and how it ended."""

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from uring.clock import Timestamp
from uring.seeds.collect.sitemap import Kind, ParseMode

RobotsOutcome = Literal[
    "ok",
    "html",
    "unavailable_4xx",
    "unreachable_5xx",
    "unreachable_network",
    "redirect_limit",
    "refused",
]
EndedBy = Literal["", "children", "depth", "bytes", "seconds", "throttled"]

_UNREACHABLE: Final = frozenset({"unreachable_5xx", "unreachable_network"})
_LAST_STATUS: Final = 599


class _Answer(BaseModel):
    """The fields of every answer.

    Attributes:
        status_code: 0 without an answer, or with a status that HTTP does not have.
        url: that was asked first.
        final_url: that answered, after redirects.
        reason: why there is nothing, one word of the fetcher or of a reader; empty where there is.
        detail: of the reason, for people.
        content_length: bytes as read: inflated, and cut at the limit.
        truncated: more would have followed.
        fetched_at: when the answer was complete; None where nothing was asked.
        duration_ms: from the request to the whole answer, redirects included.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    status_code: int = 0
    url: str = ""
    final_url: str = ""
    reason: str = ""
    detail: str = ""
    content_length: int = 0
    truncated: bool = False
    fetched_at: Timestamp | None = None
    duration_ms: int = 0


class RobotsAnswer(_Answer):
    """A domain's robots.txt; it may be cached (RFC 9309, section 2.4).

    Attributes:
        outcome: as RFC 9309, section 2.3.1, tells them apart.
        hops: the URLs that redirected, in their order.
        encoding: the codec that read it.
        sitemap_urls: its Sitemap lines, resolved, absolute, without repetition and in their order.
        sitemap_lines: how many there are, repeated and unusable ones too.
        sitemap_foreign: of ``sitemap_urls`` that are of another domain.
        crawl_delay: seconds that it asks us to wait between two requests.
        retry_after: seconds that an unreachable one asks us to wait.
    """

    outcome: RobotsOutcome
    hops: tuple[str, ...] = ()
    encoding: str = ""
    sitemap_urls: tuple[str, ...] = ()
    sitemap_lines: int = 0
    sitemap_foreign: int = 0
    crawl_delay: float | None = None
    retry_after: float | None = None

    @property
    def is_reachable(self) -> bool:
        """False where nothing of the domain may be asked until robots.txt answers."""
        return self.outcome not in _UNREACHABLE


class Tried(BaseModel):
    """One URL that was asked for a sitemap or feed, and what came of it.

    Attributes:
        kind: None where it is no sitemap.
        url_count: of a sitemap; None of an index and of what is no sitemap.
        reason: why it is none, or why it was not asked.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    url: str
    status_code: int = 0
    kind: Kind | None = None
    url_count: int | None = None
    truncated: bool = False
    reason: str = ""


class Children(BaseModel):
    """The children of an index, those of indexes in it included.

    Attributes:
        listed: distinct URLs of each index.
        foreign: of them, of another site as far as they were looked at: never asked.
        asked: requests.
        read: of them, sitemaps.
        ended_by: the limit that kept some from being asked; empty where none did.
        tried: each that was asked.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    listed: int = 0
    foreign: int = 0
    asked: int = 0
    read: int = 0
    ended_by: EndedBy = ""
    tried: tuple[Tried, ...] = ()


class SitemapAnswer(_Answer):
    """The first sitemap that was one; where there is none, the first URL that was tried.

    Attributes:
        exists: there is one.
        from_robots: it is named by robots.txt.
        kind: by its root element.
        url_count: of its URLs; an index's is the sum over the children that were read.
        is_complete: every URL was counted: nothing is truncated, failed, or left out.
        parse_mode: ``recovered`` where the XML is broken and ``<loc>`` were looked for.
        encoding: the codec that read it.
        refused: ``loc`` that are empty or too long.
        tried: every URL that was asked, in order.
        ended_by: the limit that kept some from being asked.
        children: of an index.
    """

    exists: bool = False
    from_robots: bool = False
    kind: Kind | None = None
    url_count: int | None = None
    is_complete: bool = False
    parse_mode: ParseMode | None = None
    encoding: str = ""
    refused: int = 0
    tried: tuple[Tried, ...] = ()
    ended_by: EndedBy = ""
    children: Children | None = None


class Feed(BaseModel):
    """A feed that the home page names.

    Attributes:
        type: as the page declares it.
        title: likewise.
        is_read: it was asked for and is a feed.
        items: of it.
        reason: why it is none, or why it was not asked.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    url: str
    type: str
    title: str = ""
    is_read: bool = False
    items: int | None = None
    status_code: int = 0
    reason: str = ""


class Homepage(_Answer):
    """A domain's home page.

    Attributes:
        content_type: as received.
        encoding: the codec that read it.
        title: of the document.
    """

    content_type: str = ""
    encoding: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Everything of one domain, evidence included.

    Attributes:
        sitemap_body: of ``sitemap``, without gzip around it; empty where there is none.
        homepage: None where it was not asked.
        requests: that the collection took, redirects included, robots.txt aside.
    """

    robots: RobotsAnswer
    robots_body: bytes
    sitemap: SitemapAnswer
    sitemap_body: bytes = b""
    feeds: tuple[Feed, ...] = ()
    homepage: Homepage | None = None
    homepage_body: bytes = b""
    requests: int = 0


def known_status(status: int) -> int:
    """Return a status as the document's schema takes it: 0 for one that HTTP does not have."""
    return status if 0 <= status <= _LAST_STATUS else 0
