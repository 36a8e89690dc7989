"""A made-up agency's site, and a collector of it."""

from fakes.web import FakeWeb, Page

from uring.seeds.collect.answers import Collection
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits

DOMAIN = "agency.gov.sg"
HOME = f"https://{DOMAIN}"
RECORD = f"https://www.{DOMAIN}/newsroom"
ROBOTS = f"{HOME}/robots.txt"


def collector_of(web: FakeWeb, limits: CollectLimits | None = None) -> Collector:
    """A collector whose time is that of the web."""
    return Collector(
        web,
        clock=web.clock,
        limits=limits or CollectLimits(),
        monotonic=web.monotonic,
        sleep=web.clock.sleep,
    )


def collect(
    pages: dict[str, Page | bytes], limits: CollectLimits | None = None
) -> tuple[Collection, FakeWeb]:
    """Collect a site of these pages; paths stand for URLs of the domain."""
    web = FakeWeb({_absolute(url): page for url, page in pages.items()})
    collector = collector_of(web, limits)
    robots = collector.robots(DOMAIN, RECORD)
    return collector.collect(DOMAIN, RECORD, robots), web


def sitemap(*paths: str) -> bytes:
    """A sitemap of URLs of the domain."""
    entries = "".join(f"<url><loc>{_absolute(path)}</loc></url>" for path in paths)
    return f'<urlset xmlns="urn:example">{entries}</urlset>'.encode()


def index(*urls: str) -> bytes:
    """An index of sitemaps; paths stand for URLs of the domain."""
    entries = "".join(f"<sitemap><loc>{_absolute(url)}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="urn:example">{entries}</sitemapindex>'.encode()


def pages_of(count: int, start: int = 0) -> bytes:
    """A sitemap of so many URLs."""
    return sitemap(*(f"/p{number}" for number in range(start, start + count)))


def _absolute(url: str) -> str:
    return f"{HOME}{url}" if url.startswith("/") else url
