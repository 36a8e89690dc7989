"""One loopback server that stands in for the whole web."""

from collections.abc import Callable

import pytest
from dialled import dialling
from scripted_server import ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request

Serve = Callable[..., ScriptedServer]


def fetcher_of(server: ScriptedServer, *allowed: str) -> Fetcher:
    return Fetcher(
        user_agent="uring-test/1",
        allowed_private_hosts=allowed,
        resolver=_no_names,
        stand_in=server.host,
    )


def _no_names(host: str, port: int, timeout_seconds: float) -> list[str]:
    raise AssertionError(f"{host}:{port} was looked up within {timeout_seconds} s")


@pytest.mark.parametrize(
    ("url", "host", "scheme"),
    [
        ("https://www.agency.gov.sg/robots.txt", "www.agency.gov.sg", "https"),
        ("http://agency.gov.sg/robots.txt", "agency.gov.sg", "http"),
        ("http://agency.gov.sg:443/robots.txt", "agency.gov.sg:443", "http"),
        ("https://8.8.8.8/robots.txt", "8.8.8.8", "https"),
    ],
)
def test_every_name_is_answered_by_the_one_server(
    serve: Serve, url: str, host: str, scheme: str
) -> None:
    server = serve(saying(answer(b"page")))
    with dialling() as dialled:
        response = fetcher_of(server).fetch(Request(url))
    assert response.url == url
    assert (dialled.addresses, dialled.names) == ([server.host], [])
    [received] = server.received
    assert received.target == "/robots.txt"
    assert received.headers["host"] == host
    assert received.headers["x-forwarded-proto"] == scheme


def test_redirects_stay_with_the_stand_in(serve: Serve) -> None:
    server = serve(redirecting("https://other.example.sg/b"), saying(answer(b"page")))
    with dialling() as dialled:
        response = fetcher_of(server).fetch(Request("http://site.example.sg/a"))
    assert response.hops == ("http://site.example.sg/a",)
    assert response.url == "https://other.example.sg/b"
    assert dialled.addresses == [server.host] * 2
    assert [received.headers["host"] for received in server.received] == [
        "site.example.sg",
        "other.example.sg",
    ]
    assert server.received[1].headers["x-forwarded-proto"] == "https"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://2130706433/",
        "http://localhost/",
        "http://printer.local/",
        "http://intranet/",
        "https://site.example.sg:8443/",
    ],
)
def test_what_can_never_be_public_is_refused_as_ever(serve: Serve, url: str) -> None:
    server = serve(redirecting(url))
    for asked, connections in ((url, 0), ("http://site.example.sg/", 1)):
        with pytest.raises(FetchFailed, match="refused_address"):
            fetcher_of(server).fetch(Request(asked))
        assert server.connections == connections


def test_the_address_of_the_stand_in_itself_is_refused(serve: Serve) -> None:
    server = serve(redirecting(server_url := "http://127.0.0.1:1/"), saying(answer(b"page")))
    with pytest.raises(FetchFailed, match="refused_address"):
        fetcher_of(server).fetch(Request(server_url))
    with pytest.raises(FetchFailed, match="refused_address"):
        fetcher_of(server).fetch(Request(server.url()))
    assert server.connections == 0


def test_an_allowed_host_is_reached_itself(serve: Serve) -> None:
    server, own = serve(saying(answer(b"web"))), serve(saying(answer(b"own")))
    fetcher = fetcher_of(server, own.host)
    assert fetcher.fetch(Request(own.url())).body == b"own"
    assert "x-forwarded-proto" not in own.received[0].headers
    assert fetcher.fetch(Request("https://site.example.sg/")).body == b"web"


@pytest.mark.parametrize(
    "authority",
    ["8.8.8.8:80", "localhost:80", "10.0.0.1:80", "site.example.sg:80", "a b", "[::]:80"],
)
def test_a_stand_in_lives_on_loopback(authority: str) -> None:
    with pytest.raises(ValueError, match="loopback"):
        Fetcher(user_agent="uring-test/1", stand_in=authority)
