"""TLS: who is believed, and that the deadline and the cut detection hold under it."""

import ssl
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_server import Script, ScriptedServer, answer, saying
from tls_chains import chain_at, fetcher_at, reason_of, served

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.tls import Tls, tls_context
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]


@pytest.mark.usefixtures("trusted")
def test_a_trusted_site_is_fetched_with_one_context_for_all(
    serve: Serve, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[ssl.SSLContext] = []

    def build() -> ssl.SSLContext:
        built.append(tls_context())
        return built[-1]

    monkeypatch.setattr("uring.fetch.tls.tls_context", build)
    server = serve(saying(answer(b"page" * 50_000)), tls=tls)
    fetcher, url = fetcher_at(server)
    assert not built
    for _ in range(2):
        response = fetcher.fetch(Request(url, method="POST", form={"a": "x" * 100_000}))
        assert response.body == b"page" * 50_000
    assert len(built) == 1
    assert len(server.received[0].body) == 100_002


def test_a_self_signed_site_is_refused(serve: Serve, tls: ssl.SSLContext) -> None:
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=tls))
    with pytest.raises(FetchFailed, match="CERTIFICATE_VERIFY_FAILED") as failed:
        fetcher.fetch(Request(url))
    assert failed.value.reason == "tls"


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("host", ["other.test", "127.0.0.1"])
def test_a_certificate_for_another_name_is_refused(
    serve: Serve, tls: ssl.SSLContext, host: str
) -> None:
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=tls), host)
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url))
    assert failed.value.reason == "tls"


def dripping_handshake(connection: Connection) -> None:
    connection.send(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc")
    connection.drip(bytes(1000), 0.05)


def silent(connection: Connection) -> None:
    connection.wait(30)


@pytest.mark.parametrize("script", [silent, dripping_handshake])
def test_the_deadline_covers_the_handshake(serve: Serve, script: Script) -> None:
    """All of the time is the handshake's; a server that gets to its end closes instead."""
    fetcher, url = fetcher_at(serve(script, reads="nothing"), monotonic=lambda: 0.0)
    with pytest.raises(FetchFailed, match="handshake") as failed:
        fetcher.fetch(Request(url, timeout_seconds=0.3))
    assert failed.value.reason == "timeout"


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 400 Plain HTTP\r\n\r\n"])
def test_a_server_without_tls_is_refused(serve: Serve, sent: bytes) -> None:
    fetcher, url = fetcher_at(serve(saying(sent), reads="nothing"))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url))
    assert failed.value.reason == "tls"


class Clock:
    """The fetcher's time, which the server moves on with every byte."""

    now = 0.0

    def drip(self, connection: Connection, data: bytes) -> None:
        for position in range(len(data)):
            connection.send(data[position : position + 1])
            self.now += 1


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("before", "dripped"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x" * 1000),
        (b"", b"HTTP/1.1 200 OK\r\n" + b"X-Drip: 1\r\n" * 90 + b"\r\n"),
    ],
    ids=["body", "head"],
)
def test_the_deadline_holds_under_tls(
    serve: Serve, tls: ssl.SSLContext, before: bytes, dripped: bytes
) -> None:
    """A byte a second, each within the time-out: the answer would be whole in the end."""
    clock = Clock()

    def dripping(connection: Connection) -> None:
        connection.send(before)
        clock.drip(connection, dripped)

    fetcher, url = fetcher_at(serve(dripping, tls=tls), monotonic=lambda: clock.now)
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url, timeout_seconds=20))
    assert failed.value.reason == "timeout"


@pytest.mark.usefixtures("trusted")
def test_a_silent_server_meets_the_deadline_under_tls(serve: Serve, tls: ssl.SSLContext) -> None:
    fetcher, url = fetcher_at(serve(silent, tls=tls))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url, timeout_seconds=0.5))
    assert failed.value.reason == "timeout"


@pytest.mark.usefixtures("trusted")
def test_a_form_that_is_hardly_read_meets_the_deadline_under_tls(
    serve: Serve, tls: ssl.SSLContext
) -> None:
    """Each sip makes room for more, and buys no time: the fetcher leaves before the half of it."""
    left = threading.Event()
    sipped: list[int] = []

    def sipping(connection: Connection) -> None:
        while not left.wait(0.02):
            sipped.append(len(connection.receive(16_384)))

    server = serve(sipping, tls=tls, reads="head")
    # Not the time that encoding so large a form takes.
    fetcher, url = fetcher_at(server, monotonic=lambda: 0.0)
    form = {"a": "x" * 20_000_000}
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url, method="POST", form=form, timeout_seconds=3))
    left.set()
    assert failed.value.reason == "timeout"
    assert 0 < sum(sipped) < 10_000_000


@pytest.mark.usefixtures("trusted")
def test_an_endless_body_is_left_after_the_cap_under_tls(serve: Serve, tls: ssl.SSLContext) -> None:
    def endless(connection: Connection) -> None:
        connection.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.send(b"x" * 65536)

    fetcher, url = fetcher_at(serve(endless, tls=tls))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url, max_bytes=500_000))
    assert failed.value.reason == "too_big"


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<p>half a pa",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n<p>half a pa",
        b"HTTP/1.1 200 OK\r\nContent-",
        b"",
    ],
)
def test_a_cut_without_goodbye_is_no_end(serve: Serve, tls: ssl.SSLContext, sent: bytes) -> None:
    """Without close_notify an end of the connection is no end of the body (RFC 9112, 9.8)."""
    fetcher, url = fetcher_at(serve(saying(sent), tls=tls))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url))
    assert failed.value.reason == "protocol"


def test_an_intermediate_that_the_server_forgets_is_named(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path)
    fetcher, url = served(serve, chain)
    assert reason_of(fetcher, url, Tls()) == "tls"
    assert reason_of(fetcher, url, Tls(extra_ca=chain.root)) == "tls"
    assert fetcher.fetch(Request(url, tls=Tls(extra_ca=chain.intermediate))).body == b"page"


@pytest.mark.parametrize("is_of_3_13", [False, True])
def test_an_old_chain_is_read_by_every_python(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_of_3_13: bool
) -> None:
    """Its authority names no key usage: 3.13 would refuse it in production, 3.11 here would not."""
    chain = chain_at(tmp_path, is_old=True)
    if is_of_3_13:
        default = ssl.create_default_context

        def stricter() -> ssl.SSLContext:
            context = default()
            context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
            return context

        monkeypatch.setattr(ssl, "create_default_context", stricter)
    assert tls_context().verify_flags == ssl.VERIFY_X509_TRUSTED_FIRST
    fetcher, url = served(serve, chain)
    trusting = Tls(extra_ca=chain.intermediate)
    assert fetcher.fetch(Request(url, tls=trusting)).body == b"page"


def test_an_expired_certificate_is_taken_only_where_none_is_asked(
    serve: Serve, tmp_path: Path
) -> None:
    chain = chain_at(tmp_path, days=-1)
    fetcher, url = served(serve, chain)
    assert reason_of(fetcher, url, Tls(extra_ca=chain.intermediate)) == "tls"
    assert fetcher.fetch(Request(url, tls=Tls(verify=False))).body == b"page"


def test_another_host_has_to_be_flawless(serve: Serve, tmp_path: Path) -> None:
    """What an entry concedes to its own host is not conceded to wherever it redirects."""
    chain = chain_at(tmp_path)
    _, other = served(serve, chain)
    elsewhere = other.replace("site.test", "other.test")
    fetcher, url = served(serve, chain, saying(answer(b"", f"Location: {elsewhere}", status="302")))
    own, there = url.split("/")[2], elsewhere.split("/")[2]
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[own, there],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    assert reason_of(fetcher, url, Tls(verify=False)) == "tls"


def test_old_servers_are_taken_only_where_the_entry_says_so(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain.server)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=context))
    trusting = Tls(extra_ca=chain.intermediate)
    assert reason_of(fetcher, url, trusting) == "tls"
    assert fetcher.fetch(Request(url, tls=replace(trusting, legacy=True))).body == b"page"


def test_what_is_no_certificate_is_a_bad_request(serve: Serve, tmp_path: Path) -> None:
    fetcher, url = served(serve, chain_at(tmp_path))
    assert reason_of(fetcher, url, Tls(extra_ca="no certificate")) == "bad_request"
