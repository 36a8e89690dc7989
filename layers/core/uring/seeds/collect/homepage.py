"""A domain's home page and its feeds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from uring.clock import Clock, timestamp
from uring.errors import FetchFailed, SuspectPage
from uring.fetch.decode import Decoded, decode_html, decode_plain
from uring.fetch.url import one_line
from uring.reading.lists.html_limits import parse
from uring.seeds.collect.answers import Feed, Homepage, known_status
from uring.seeds.collect.hosts import Hosts
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.robots import resolve
from uring.seeds.collect.site import Site
from uring.seeds.collect.sitemap import read_sitemap
from uring.seeds.collect.visit import BudgetSpent, DomainVisit

ACCEPT: Final = "text/html, */*;q=0.5"
FEED_ACCEPT: Final = "application/rss+xml, application/atom+xml, application/xml, */*;q=0.5"
_FEED_TYPES: Final = frozenset(
    ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
)
_LONGEST_TITLE: Final = 300
_MOST_LINKS: Final = 1_000


@dataclass(frozen=True, slots=True)
class FoundHomepage:
    """A home page with its body and its feeds, none of them requested yet."""

    answer: Homepage
    body: bytes = b""
    feeds: tuple[Feed, ...] = ()


def ask_homepage(
    visit: DomainVisit, site: Site, hosts: Hosts, clock: Clock, limits: CollectLimits
) -> FoundHomepage:
    """Request the home page, if robots.txt allows it and the budget has room.

    Where it redirects to another host, that host's robots.txt has to allow it, too.
    """
    url = site.base
    if not site.allows(url):
        return FoundHomepage(Homepage(url=url, final_url=url, reason="robots_disallowed"))
    try:
        response = visit.ask(
            url,
            seconds=limits.sitemap_seconds,
            max_bytes=limits.homepage_bytes,
            accept=ACCEPT,
            judge=hosts.judge,
        )
    except BudgetSpent as spent:
        return FoundHomepage(Homepage(url=url, final_url=url, reason=spent.by))
    except FetchFailed as failure:
        answer = Homepage(
            status_code=known_status(failure.status),
            url=url,
            final_url=failure.url or url,
            reason=failure.reason,
            detail=one_line(failure.detail),
            fetched_at=timestamp(clock()),
            duration_ms=visit.milliseconds,
        )
        return FoundHomepage(answer)
    decoded = _decode(response.body, response.content_type)
    page = read_homepage(decoded.text, response.url, limits.feeds_listed)
    answer = Homepage(
        status_code=response.status,
        url=url,
        final_url=response.url,
        content_length=len(response.body),
        truncated=response.truncated,
        fetched_at=timestamp(clock()),
        duration_ms=visit.milliseconds,
        content_type=response.content_type or "",
        encoding=decoded.encoding,
        title=page.title,
    )
    return FoundHomepage(answer, response.body, page.feeds)


def ask_feeds(
    visit: DomainVisit, hosts: Hosts, feeds: tuple[Feed, ...], limits: CollectLimits
) -> tuple[Feed, ...]:
    """Return the feeds; the first ``limits.feeds`` of them are requested and parsed."""
    asked = [_ask_feed(visit, hosts, feed, limits) for feed in feeds[: limits.feeds]]
    return (*asked, *feeds[limits.feeds :])


def _ask_feed(visit: DomainVisit, hosts: Hosts, feed: Feed, limits: CollectLimits) -> Feed:
    if not hosts.knows(feed.url):
        return feed.model_copy(update={"reason": "another_host"})
    try:
        hosts.judge(feed.url)
        response = visit.ask(
            feed.url,
            seconds=limits.sitemap_seconds,
            max_bytes=limits.homepage_bytes,
            accept=FEED_ACCEPT,
            judge=hosts.judge,
        )
    except BudgetSpent as spent:
        return feed.model_copy(update={"reason": spent.by})
    except FetchFailed as failure:
        status = known_status(failure.status)
        return feed.model_copy(update={"reason": failure.reason, "status_code": status})
    file = read_sitemap(
        response.body, truncated=response.truncated, max_bytes=limits.homepage_bytes
    )
    is_read = file.kind in ("rss", "feed")
    return feed.model_copy(
        update={
            "status_code": response.status,
            "is_read": is_read,
            "items": file.url_count if is_read else None,
            "reason": file.reason if is_read else file.reason or "not_a_feed",
        }
    )


@dataclass(frozen=True, slots=True)
class ParsedHomepage:
    """A parsed home page: its title and its feeds."""

    title: str
    feeds: tuple[Feed, ...]


def read_homepage(html: str, url: str, most_feeds: int) -> ParsedHomepage:
    """Parse a home page: pure, never raises. A markup bomb has no title and no feeds."""
    try:
        tree = parse(html)
    except SuspectPage:
        return ParsedHomepage("", ())
    node = tree.css_first("title")
    title = one_line_of(node.text() if node is not None else "")
    base = tree.css_first("base[href]")
    root = resolve((base.attributes.get("href") or "") if base is not None else "", url)
    feeds: dict[str, Feed] = {}
    for feed in _links(tree, root.url if root is not None else url):
        if len(feeds) >= most_feeds:
            break
        feeds.setdefault(feed.url, feed)
    return ParsedHomepage(title, tuple(feeds.values()))


def _links(tree: LexborHTMLParser, base: str) -> Iterator[Feed]:
    for link in tree.css("link")[:_MOST_LINKS]:
        attributes = link.attributes
        relations = (attributes.get("rel") or "").lower().split()
        kind = (attributes.get("type") or "").partition(";")[0].strip().lower()
        if "alternate" not in relations or kind not in _FEED_TYPES:
            continue
        target = resolve(attributes.get("href") or "", base)
        if target is not None and (attributes.get("href") or "").strip():
            yield Feed(url=target.url, type=kind, title=one_line_of(attributes.get("title") or ""))


def one_line_of(text: str) -> str:
    """Return text as one line of at most 300 printable characters."""
    text = text[: 10 * _LONGEST_TITLE]
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:_LONGEST_TITLE]


def _decode(body: bytes, content_type: str | None) -> Decoded:
    try:
        return decode_html(body, content_type)
    except SuspectPage:
        return decode_plain(body)
