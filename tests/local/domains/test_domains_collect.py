"""`uring domains collect`, and with it the whole way over sockets to a stand-in for the web."""

import gzip
import json
from collections.abc import Iterator

import pytest

from uring_local.cli import main
from uring_local.loopback import Connection, Listener

DOMAIN = "agency.gov.sg"
PAGES = {
    ("https", DOMAIN, "/robots.txt"): b"Sitemap: /news.xml.gz\n",
    ("https", DOMAIN, "/news.xml.gz"): gzip.compress(
        b"<urlset><url><loc>https://agency.gov.sg/1</loc></url></urlset>"
    ),
    ("https", DOMAIN, "/"): b'<title>The Agency</title><link rel="alternate" '
    b'type="application/rss+xml" href="http://agency.gov.sg/feed">',
    ("http", DOMAIN, "/feed"): b"<rss><channel><item/></channel></rss>",
}


class Web(Listener):
    """Answers for every name by scheme, host and path."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.asked: list[tuple[str, str, str]] = []
        self.start()

    def _answer(self, connection: Connection) -> None:
        connection.read_head()
        request = connection.request
        scheme = request.headers["x-forwarded-proto"]
        self.asked.append((scheme, request.headers["host"], request.target))
        body = PAGES.get(self.asked[-1])
        status = "404 Not Found" if body is None else "200 OK"
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body or b'')}\r\n\r\n"
        connection.send(head.encode() + (body or b""))


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.stop()
    assert server.failures == []


@pytest.fixture(autouse=True)
def _no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time between two requests is the manners' own, and theirs to test."""
    monkeypatch.setattr("uring.seeds.collect.limits.CollectLimits.gap", lambda *_: 0.0)


def test_a_domain_is_collected(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"https://www.{DOMAIN}/newsroom"
    assert main(["domains", "collect", "--json", "--stand-in", web.host, url]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["domain"], shown["robots"]["outcome"]) == (DOMAIN, "ok")
    assert (shown["sitemap"]["url_count"], shown["sitemap"]["from_robots"]) == (1, True)
    assert shown["homepage"]["title"] == "The Agency"
    assert shown["feeds"][0]["items"] == 1
    assert web.asked == list(PAGES)


def test_people_see_it(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["domains", "collect", "--stand-in", web.host]
    assert main([*arguments, DOMAIN, "nothing.example.com"]) == 0
    out = capsys.readouterr().out
    for word in ("agency.gov.sg", "urlset", "1 URL", "The Agency", "1 item", "unavailable_4xx"):
        assert word in out


def test_what_is_no_domain_or_does_not_answer_fails(
    web: Web, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["domains", "collect", "--stand-in", web.host]
    assert main([*arguments, "localhost", "192.0.2.7", DOMAIN]) == 1
    assert web.asked == list(PAGES)
    assert "single_label" in capsys.readouterr().out


def test_a_stand_in_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "collect", "--stand-in", "site.example.sg:80", DOMAIN]) == 1
    assert "--stand-in" in capsys.readouterr().err
