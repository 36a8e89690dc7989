"""The seed engine's readers: robots.txt, sitemaps, home pages, and a site made of damaged ones."""

import gzip
from datetime import UTC, datetime
from typing import Final

from fakes.web import FakeWeb, Page

from uring.errors import SuspectPage
from uring.fetch.robots import read_robots
from uring.fetch.url import parse_url
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.homepage import read_homepage
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.metadata import DomainMetadata, build_metadata
from uring.seeds.collect.robots import is_within
from uring.seeds.collect.sitemap import read_sitemap
from uring.seeds.partition import Partition

DOMAIN: Final = "agency.gov.sg"
HOME: Final = f"https://{DOMAIN}"
MOST_BYTES: Final = 1_000_000
_LONGEST_LOC: Final = 2_048
_PARTITION: Final = Partition("sg", "news", "2026-01-28")

ROBOTS: Final = f"""\ufeff# robots of an agency
User-agent: *
User-agent: uRing
Disallow: /admin
Disallow: /*?page=
Crawl-delay: 2
Sitemap: {HOME}/sitemap.xml
sitemap : /news.xml.gz # newest
User-agent: other
Disallow: /
""".encode()
URLSET: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made -->\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="urn:image">\n'
    + "".join(
        f"<url><loc>{HOME}/news/{number}?a=1&amp;b=2</loc><lastmod>2026-01-28</lastmod>"
        f"<image:image><image:loc>{HOME}/{number}.png</image:loc></image:image></url>\n"
        for number in range(12)
    )
    + f"<url><loc><![CDATA[{HOME}/뉴스]]></loc></url></urlset>\n"
).encode()
INDEX: Final = (
    "<sitemapindex>"
    + "".join(f"<sitemap><loc>{HOME}/s{number}.xml</loc></sitemap>" for number in range(9))
    + "<sitemap><loc>https://elsewhere.example.com/s.xml</loc></sitemap></sitemapindex>"
).encode()
RSS: Final = b"<rss><channel><item><link>x</link></item><item/></channel></rss>"
ATOM: Final = b'<a:feed xmlns:a="urn:atom"><a:entry/><a:entry/></a:feed>'
TEXT: Final = f"{HOME}/1\r\n{HOME}/2\r\n".encode()
SITEMAPS: Final = (URLSET, INDEX, RSS, ATOM, TEXT, URLSET.decode().encode("utf-16"))
PACKED: Final = (gzip.compress(URLSET, mtime=0), gzip.compress(INDEX, mtime=0))
PAGE: Final = (
    "<!doctype html><html><head><title>The Agency</title><base href='/en/'>"
    '<link rel="alternate" type="application/rss+xml" title="News" href="feed.xml">'
    '<link rel="alternate" type="application/atom+xml" href="https://agency.gov.sg/atom">'
    "</head><body><p>기관</p></body></html>"
).encode()


def read_rules(body: bytes) -> None:
    """Sitemap lines are words, and every address is judged."""
    robots = read_robots(body)
    assert all(value and not value.isspace() for value in robots.sitemaps)
    assert len(robots.sitemaps) <= robots.lines
    assert robots.crawl_delay is None or 0 <= robots.crawl_delay < float("inf")
    robots.allows(f"{HOME}/admin/{'a' * 2_000}?page=2")
    if robots.is_html:
        assert robots.allows(f"{HOME}/admin")
        raise SuspectPage("html", "a page")


def read_file(body: bytes) -> None:
    """Counts fit the bytes, a truncated file too."""
    for truncated in (False, True):
        file = read_sitemap(body, truncated=truncated, max_bytes=MOST_BYTES)
        assert len(file.content) <= MOST_BYTES
        # An item is at least <item>.
        assert 0 <= len(file.locs) <= file.url_count <= len(file.content) / 5
        assert all(0 < len(loc) <= _LONGEST_LOC for loc in file.locs)
        assert file.truncated >= truncated
        assert (file.kind is None) <= bool(file.reason)
    if file.kind is None:
        raise SuspectPage(file.reason, file.detail)


def read_page(body: bytes) -> None:
    """Titles can be shown, feeds can be asked."""
    page = read_homepage(body.decode("utf-8", "replace"), f"{HOME}/", 10)
    assert not page.title or page.title.isprintable()
    assert all(feed.url.startswith(("http://", "https://")) for feed in page.feeds)
    if not page.feeds:
        raise SuspectPage("no_feeds", "none")


def collect_site(body: bytes) -> None:
    """A site that gives this for everything ends in metadata, in time, and turns us on nobody."""
    web = FakeWeb({})
    web.pages = _Everything(body)
    collector = Collector(
        web,
        clock=web.clock,
        limits=CollectLimits(sitemap_bytes=MOST_BYTES),
        monotonic=web.monotonic,
        sleep=web.clock.sleep,
    )
    robots = collector.robots(DOMAIN, f"https://www.{DOMAIN}/")
    collection = collector.collect(DOMAIN, f"https://www.{DOMAIN}/", robots)
    assert web.monotonic() <= CollectLimits().seconds
    named = {parse_url(url).host for url in robots[0].sitemap_urls}
    asked = {parse_url(url).host for url in web.urls}
    assert all(is_within(host, DOMAIN) for host in asked - named)
    metadata = build_metadata(
        collection,
        domain_id=f"gov:sg:{DOMAIN}",
        registrable_domain=DOMAIN,
        partition=_PARTITION,
        collected_at=datetime(2026, 1, 28, tzinfo=UTC),
        epoch="first",
    )
    written = metadata.to_json()
    assert DomainMetadata.from_json(written).to_json() == written
    if not collection.sitemap.exists:
        raise SuspectPage(collection.sitemap.reason, "no sitemap")


class _Everything(dict[str, Page | bytes]):
    """One body for every URL; it takes a second."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self._page = Page(body, seconds=1.0, content_type="text/html")

    def get(self, key: str, default: object = None, /) -> Page | bytes:  # type: ignore[override]
        del key, default
        return self._page
