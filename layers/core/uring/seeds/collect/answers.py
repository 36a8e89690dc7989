"""The answers of one domain, as they are stored: content, address and outcome."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from uring.clock import Timestamp
from uring.fetch.request import Validators
from uring.seeds.collect.sitemap import Kind, ParseMode
from uring.seeds.known.urls import SitemapUrls

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
_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
_LAST_STATUS: Final = 599


class _Answer(BaseModel):
    """The fields that every answer has.

    Attributes:
        status_code: 0 without a response, or for a status outside HTTP's range.
        url: the first URL requested.
        final_url: the URL that answered, after redirects.
        reason: why there is no content, a word of the fetcher or of a reader; else empty.
        detail: more on the reason, for people.
        content_length: bytes as read: inflated, and cut at the limit.
        truncated: True if more bytes would have followed.
        fetched_at: when the response was complete; None if nothing was requested.
        read_at: if that was a 304, when the content was read.
        validators: of the content; None without one.
        duration_ms: from the request to the complete response, redirects included.
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
    read_at: Timestamp | None = None
    validators: Validators | None = None
    duration_ms: int = 0


class RobotsAnswer(_Answer):
    """A domain's robots.txt; it may be cached (RFC 9309, section 2.4).

    Attributes:
        outcome: by the cases of RFC 9309, section 2.3.1.
        hops: the URLs that redirected, in order.
        encoding: the codec that decoded it.
        sitemap_urls: the URLs of its Sitemap lines: resolved, absolute, each once, in order.
        sitemap_lines: the number of Sitemap lines, repeated and unusable ones included.
        sitemap_foreign: the number of ``sitemap_urls`` on another domain.
        crawl_delay: the requested seconds between two requests.
        retry_after: the seconds to wait that an unreachable one requested.
        digest: SHA-256 of the body, in hexadecimal; empty without one.
    """

    outcome: RobotsOutcome
    hops: tuple[str, ...] = ()
    encoding: str = ""
    sitemap_urls: tuple[str, ...] = ()
    sitemap_lines: int = 0
    sitemap_foreign: int = 0
    crawl_delay: float | None = None
    retry_after: float | None = None
    digest: str = ""

    @property
    def is_reachable(self) -> bool:
        """False if nothing of the domain may be requested until robots.txt answers."""
        return self.outcome not in _UNREACHABLE

    @property
    def is_postponed(self) -> bool:
        """True if nothing was requested: other domains had all turns at its host or address.

        It says nothing about the domain, and is to be asked again, not stored.
        """
        return self.fetched_at is None and self.reason == "busy_host"


class Tried(BaseModel):
    """One URL that was tried as a sitemap or feed, and its outcome.

    Attributes:
        kind: None if it is not a sitemap.
        url_count: of a sitemap; None for an index and for anything else.
        reason: why it is not a sitemap or feed, or why it was not requested.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    url: str
    status_code: int = 0
    kind: Kind | None = None
    url_count: int | None = None
    truncated: bool = False
    reason: str = ""

    @property
    def is_none(self) -> bool:
        """True if it is certainly not a sitemap."""
        is_page = self.status_code // 100 == 2 and self.kind is None  # noqa: PLR2004
        return is_page or self.status_code in _GONE


class Children(BaseModel):
    """The children of an index, including those of nested indexes.

    Attributes:
        listed: distinct URLs of each index.
        foreign: the number on another site, among resolved ones: never requested.
        asked: the number of requests.
        read: the number of sitemaps among them.
        ended_by: the limit that left some unrequested; empty if none did.
        tried: each requested child.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    listed: int = 0
    foreign: int = 0
    asked: int = 0
    read: int = 0
    ended_by: EndedBy = ""
    tried: tuple[Tried, ...] = ()


class SitemapAnswer(_Answer):
    """The first candidate that is a sitemap; without one, the first URL tried.

    Attributes:
        exists: True if there is a sitemap.
        from_robots: True if robots.txt names it.
        kind: by its root element.
        url_count: the number of its URLs; of an index the sum over its parsed children.
        is_complete: True if every URL was counted: none truncated, failed, or left out.
        parse_mode: ``recovered`` if the XML is broken and ``<loc>`` were searched.
        encoding: the codec that decoded it.
        refused: the number of empty or too long ``loc``.
        contents: the number of ``images``, ``videos``, ``news``, ``alternates`` (pages in other
            languages) and ``lastmods`` of this file; without an XML error only.
        newest: its latest ``lastmod`` in ISO 8601, as written; empty without one.
        digest: SHA-256 of a sitemap's content, without gzip, in hexadecimal.
        tried: every requested URL, in order.
        ended_by: the limit that left some unrequested.
        children: the children of an index, else None.
    """

    exists: bool = False
    from_robots: bool = False
    kind: Kind | None = None
    url_count: int | None = None
    is_complete: bool = False
    parse_mode: ParseMode | None = None
    encoding: str = ""
    refused: int = 0
    contents: dict[str, int] = Field(default_factory=dict)
    newest: str = ""
    digest: str = ""
    tried: tuple[Tried, ...] = ()
    ended_by: EndedBy = ""
    children: Children | None = None


class AllSitemaps(BaseModel):
    """The sum over a domain's sitemaps, if its robots.txt names more than one, and one exists.

    Attributes:
        url_count: the number of URLs of all that were read, with the children of their indexes.
        is_complete: True if every line's sitemap, and every child, was read to its end.
        files: the sitemaps behind the first, and all children; ``listed`` counts the lines, too.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    url_count: int = 0
    is_complete: bool = False
    files: Children = Children()


class Feed(BaseModel):
    """A feed that the home page names.

    Attributes:
        type: as the page declares it.
        title: as the page declares it.
        is_read: True if it was requested and is a feed.
        items: the number of its items.
        reason: why it is not a feed, or why it was not requested.
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
        encoding: the codec that decoded it.
        title: of the document.
    """

    content_type: str = ""
    encoding: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """The whole result for one domain, evidence included.

    Attributes:
        sitemap_body: the body of ``sitemap`` without gzip; empty without a sitemap.
        sitemaps: None unless robots.txt names several.
        homepage: None if it was not requested.
        requests: the number of requests, redirects included, without those for the domain's own
            robots.txt.
        retry_after: the longest time, in seconds, for which a host asked that wants no more
            requests; None if none did.
        urls: the URLs of its sitemaps, if they were collected.
    """

    robots: RobotsAnswer
    robots_body: bytes
    sitemap: SitemapAnswer
    sitemap_body: bytes = b""
    sitemaps: AllSitemaps | None = None
    feeds: tuple[Feed, ...] = ()
    homepage: Homepage | None = None
    homepage_body: bytes = b""
    requests: int = 0
    retry_after: float | None = None
    urls: SitemapUrls | None = field(default=None, compare=False)


def known_status(status: int) -> int:
    """Return a status for the schema: 0 if it is outside HTTP's range."""
    return status if 0 <= status <= _LAST_STATUS else 0
