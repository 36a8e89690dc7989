"""One port is every domain of the web: by the Host header, in plain HTTP."""

import socket
from collections.abc import Iterator

import pytest
import urllib3

from uring_local.sites.web.model import Domain, RobotsKind, Web
from uring_local.sites.web.robots import FILES_HOST, lines, robots
from uring_local.sites.web.site import WebSite
from uring_local.sites.web.sitemaps import sitemap


@pytest.fixture(scope="module")
def site() -> Iterator[WebSite]:
    with WebSite(Web(7, 300)) as site:
        site.advance(1)
        yield site


def get(site: WebSite, host: str, path: str) -> urllib3.BaseHTTPResponse:
    return urllib3.request(
        "GET", f"http://{site.host}{path}", headers={"Host": host}, retries=False, redirect=False
    )


def of_kind(site: WebSite, kind: RobotsKind) -> Domain:
    return next(domain for domain in site.web.day(1) if domain.robots == kind)


def test_every_host_of_a_domain_has_its_robots_txt(site: WebSite) -> None:
    domain = of_kind(site, "lines")
    for host in (domain.domain, f"www.{domain.domain}", f"NEWS.{domain.domain}:443"):
        answer = get(site, host, "/robots.txt")
        assert (answer.status, answer.data) == (200, robots(domain))


def test_a_host_of_nobodys_is_answered_and_noted(site: WebSite) -> None:
    assert get(site, "nobody.com.sg", "/robots.txt").status == 404
    assert site.journal.asked[-1].domain == ""
    assert site.journal.asked[-1].host == "nobody.com.sg"


def test_a_sitemap_on_a_shared_host_is_about_its_domain(site: WebSite) -> None:
    domain = next(
        each
        for each in site.web.day(1)
        if each.robots == "other_host" and each.sitemap in ("urlset", "index", "gz")
    )
    path = lines(domain)[-1].partition(FILES_HOST)[2]
    answer = get(site, FILES_HOST, path)
    assert (answer.status, answer.data) == (200, sitemap(domain))
    assert site.journal.asked[-1].domain == domain.domain


@pytest.mark.parametrize(
    ("kind", "status"),
    [("missing", 404), ("forbidden", 403), ("error", 503), ("looping", 302), ("private", 302)],
)
def test_what_has_no_robots_txt_says_so(site: WebSite, kind: RobotsKind, status: int) -> None:
    assert get(site, of_kind(site, kind).domain, "/robots.txt").status == status


def test_a_flaky_domain_answers_the_second_time(site: WebSite) -> None:
    flaky = next(d for d in site.web.day(1) if d.robots == "flaky" and d.number % 2)
    assert [get(site, flaky.domain, "/robots.txt").status for _ in range(2)] == [503, 200]


def test_a_cut_connection_gives_no_byte(site: WebSite) -> None:
    with pytest.raises(urllib3.exceptions.HTTPError):
        get(site, of_kind(site, "cut").domain, "/robots.txt")


@pytest.mark.parametrize("kind", ["endless_head", "drip"])
def test_a_slow_domain_never_comes_to_an_end(site: WebSite, kind: RobotsKind) -> None:
    host = of_kind(site, kind).domain
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.sendall(f"GET /robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        client.settimeout(5)
        heard = b""
        while len(heard) < 90:
            heard += client.recv(64)
    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")


def test_two_requests_about_one_domain_at_once_are_noticed(site: WebSite) -> None:
    """The server thinks for some milliseconds: the second one comes while it does."""
    host = of_kind(site, "plain").domain
    request = f"GET /robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    for _ in range(50):
        clients = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(4)]
        for client in clients:
            client.sendall(request)
        for client in clients:
            assert client.recv(10)
            client.close()
        if any(each.beside for each in site.journal.asked if each.domain == host):
            return
    pytest.fail("four at once, fifty times, and none was noticed")
