"""Sites that mean harm, over sockets: each ends in an answer, soon, and leads nowhere inwards."""

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from uring.clock import system_clock
from uring.fetch.http import Fetcher
from uring.seeds.collect.answers import Collection
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring_local.loopback import Connection, Listener

DOMAIN = "agency.gov.sg"
Script = Callable[[Connection], None]
# The manners have tests of their own.
PATIENT = CollectLimits(homepage=False, gap_seconds=0.0, longest_gap_seconds=0.0)
# Real seconds: what hangs must end within the test.
BRISK = replace(PATIENT, robots_seconds=0.6, sitemap_seconds=1.5)


class HostileWeb(Listener):
    """Plays a script for each path, of whatever name; any other path is a 404."""

    def __init__(self, scripts: dict[str, Script]) -> None:
        super().__init__(self._play)
        self._scripts = scripts
        self.asked: list[str] = []
        self.start()

    def _play(self, connection: Connection) -> None:
        request = connection.read_head()
        self.asked.append(f"{request.headers['host']}{request.target}")
        missing = saying(b"", status="404 Not Found")
        self._scripts.get(request.target, missing)(connection)


def saying(body: bytes, *headers: str, status: str = "200 OK") -> Script:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return lambda connection: connection.send("\r\n".join(lines).encode() + body)


def redirecting(location: str) -> Script:
    return saying(b"", f"Location: {location}", status="302 Found")


def dripping(connection: Connection) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n\r\n")
    connection.drip(b"Disallow: /\n" * 1_000, 0.05)


def silent(connection: Connection) -> None:
    connection.wait(60)


def endless_head(connection: Connection) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        connection.send(b"X-%d: y\r\n" % number)


def endless_body(connection: Connection) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n\r\n<urlset>")
    for _ in range(10_000):
        connection.send(b"<url><loc>https://agency.gov.sg/x</loc></url>" * 1_000)


@pytest.fixture
def collect() -> Iterator["Collect"]:
    started: list[HostileWeb] = []

    def run(
        scripts: dict[str, Script], limits: CollectLimits = PATIENT
    ) -> tuple[Collection, HostileWeb]:
        web = HostileWeb({"/robots.txt": saying(b""), **scripts})
        started.append(web)
        fetcher = Fetcher(user_agent="uring-test/1", stand_in=web.host)
        collector = Collector(fetcher, clock=system_clock, limits=limits)
        robots = collector.robots(DOMAIN, "")
        return collector.collect(DOMAIN, "", robots), web

    yield run
    for web in started:
        web.stop()
        assert web.failures == []


Collect = Callable[..., tuple[Collection, HostileWeb]]


@pytest.mark.parametrize(
    ("script", "outcome", "reason"),
    [
        (dripping, "unreachable_network", "timeout"),
        (silent, "unreachable_network", "timeout"),
        (endless_head, "unreachable_network", "protocol"),
        (saying(b"x", "Content-Encoding: br"), "unreachable_network", "bad_encoding"),
        (redirecting("http://169.254.169.254/latest/meta-data/"), "refused", "refused_address"),
        (redirecting("http://127.0.0.1:9001/2018-06-01/"), "refused", "refused_address"),
        (redirecting("http://localhost/robots.txt"), "refused", "refused_address"),
        (redirecting("file:///etc/passwd"), "redirect_limit", "bad_address"),
        (redirecting("/robots.txt"), "redirect_limit", "too_many_redirects"),
    ],
    ids=["drip", "silence", "head", "coding", "metadata", "runtime", "name", "file", "loop"],
)
def test_a_hostile_robots_is_an_outcome(
    collect: Collect, script: Script, outcome: str, reason: str
) -> None:
    limits = BRISK if reason == "timeout" else PATIENT
    scripts = {"/robots.txt": script, "/sitemap.xml": saying(b"<urlset/>")}
    collection, web = collect(scripts, limits)
    assert (collection.robots.outcome, collection.robots.reason) == (outcome, reason)
    assert collection.robots_body == b""
    hosts = (DOMAIN, f"www.{DOMAIN}")
    assert all(asked.startswith(hosts) for asked in web.asked)
    assert collection.sitemap.exists == (outcome == "redirect_limit")


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/s.xml",
        "http://127.0.0.1:9001/s.xml",
        "http://[::ffff:10.0.0.1]/s.xml",
        "http://0x7f000001/s.xml",
        "http://localhost/s.xml",
        "https://metadata.google.internal/s.xml",
        "https://agency.gov.sg:22/s.xml",
    ],
)
def test_neither_a_line_nor_a_redirect_nor_an_index_leads_inwards(
    collect: Collect, url: str
) -> None:
    index = f"<sitemapindex><sitemap><loc>{url}</loc></sitemap></sitemapindex>".encode()
    scripts = {
        "/robots.txt": saying(f"Sitemap: {url}\nSitemap: /moved.xml".encode()),
        "/moved.xml": redirecting(url),
        "/sitemap.xml": saying(index),
    }
    collection, web = collect(scripts)
    assert web.asked == [
        f"{DOMAIN}{path}" for path in ("/robots.txt", "/moved.xml", "/sitemap.xml")
    ]
    assert [tried.reason for tried in collection.sitemap.tried[:2]] == ["refused_address"] * 2
    assert collection.sitemap.url_count is None


@pytest.mark.parametrize(
    "script", [dripping, silent, endless_head], ids=["drip", "silence", "head"]
)
def test_a_sitemap_that_hangs_is_left_for_the_next(collect: Collect, script: Script) -> None:
    limits = replace(BRISK, robots_seconds=10.0)
    scripts = {"/sitemap.xml": script, "/sitemaps.xml": saying(b"<urlset/>")}
    collection, _ = collect(scripts, limits)
    assert collection.sitemap.url == f"https://{DOMAIN}/sitemaps.xml"


def test_an_endless_sitemap_is_its_first_megabytes(collect: Collect) -> None:
    collection, _ = collect({"/sitemap.xml": endless_body})
    sitemap = collection.sitemap
    assert (sitemap.truncated, sitemap.is_complete) == (True, False)
    assert len(collection.sitemap_body) == PATIENT.sitemap_bytes
    assert sitemap.url_count


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_a_bomb_costs_no_more_than_what_is_kept(collect: Collect, layers: int) -> None:
    """Fifty megabytes of blanks in fifty kilobytes or less, as a file, as a coding, as both."""
    bomb = gzip.compress(b"<urlset>" + b" " * 50_000_000, 6)
    for _ in range(layers - 1):
        bomb = gzip.compress(bomb)
    tracemalloc.start()
    try:
        collection, _ = collect({"/sitemap.xml": saying(bomb, "Content-Encoding: gzip")})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    sitemap = collection.sitemap
    assert (sitemap.kind, sitemap.truncated) == ("urlset", True)
    assert sitemap.content_length == PATIENT.sitemap_bytes
    assert peak < 4 * PATIENT.sitemap_bytes
