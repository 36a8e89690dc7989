"""A body of which the beginning is enough, and what an answer or a failure says of its way."""

import gzip
import os
import zlib
from collections.abc import Callable

import pytest
from scripted_server import ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]

CAP = 100_000
LETTERS = bytes(range(97, 123))


def body_of(size: int) -> bytes:
    return (LETTERS * (size // len(LETTERS) + 1))[:size]


def framed(body: bytes, framing: str) -> bytes:
    if framing == "length":
        return answer(body)
    if framing == "close":
        return b"HTTP/1.0 200 OK\r\n\r\n" + body
    if framing == "chunked":
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return answer(gzip.compress(body, mtime=0), "Content-Encoding: gzip")


@pytest.mark.parametrize("framing", ["length", "close", "chunked", "gzip"])
@pytest.mark.parametrize("excess", [-1, 0, 1, 70_000, 3_000_000])
def test_the_first_bytes_are_exact_in_every_framing(
    serve: Serve, fetcher_for: FetcherFor, framing: str, excess: int
) -> None:
    body = body_of(CAP + excess)
    server = serve(saying(framed(body, framing)))
    response = fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP, cut_body=True))
    assert response.body == body[:CAP]
    assert response.truncated == (excess > 0)


def test_without_it_a_large_body_is_none(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(answer(body_of(CAP + 1))))
    with pytest.raises(FetchFailed, match="too_big"):
        fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP))


def test_what_does_not_shrink_is_cut_on_the_wire(serve: Serve, fetcher_for: FetcherFor) -> None:
    """A gzip of noise is larger than the noise: the cap holds for both sizes."""
    noise = os.urandom(CAP)
    packed = gzip.compress(noise, mtime=0)
    assert len(packed) > CAP
    server = serve(saying(answer(packed, "Content-Encoding: gzip")))
    response = fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP, cut_body=True))
    assert response.truncated
    assert noise.startswith(response.body)


def test_a_bomb_is_opened_as_far_as_the_cap(
    serve: Serve, fetcher_for: FetcherFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted where zlib returns: no more than the cap and one byte is ever inflated."""
    inflated: list[int] = []

    class Counting:
        def __init__(self, bits: int) -> None:
            self._stream = REAL(bits)
            self.eof, self.unused_data = False, b""

        def decompress(self, piece: bytes, most: int) -> bytes:
            content = self._stream.decompress(piece, most)
            inflated.append(len(content))
            return content

    REAL = zlib.decompressobj  # noqa: N806 - the real one, before it is replaced
    monkeypatch.setattr("uring.fetch.inflate.zlib.decompressobj", Counting)
    bomb = gzip.compress(bytes(50_000_000), mtime=0)
    server = serve(saying(answer(bomb, "Content-Encoding: gzip")))
    response = fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP, cut_body=True))
    assert (len(response.body), response.truncated) == (CAP, True)
    assert sum(inflated) == CAP + 1


def test_an_endless_body_is_left_after_the_cap(serve: Serve, fetcher_for: FetcherFor) -> None:
    sent: list[int] = []

    def endless(connection: Connection) -> None:
        connection.send(b"HTTP/1.0 200 OK\r\n\r\n")
        while len(sent) < 10_000:
            connection.send(body_of(65_536))
            sent.append(65_536)

    server = serve(endless)
    response = fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP, cut_body=True))
    assert (len(response.body), response.truncated) == (CAP, True)
    server.stop()
    assert sum(sent) < 50_000_000


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (answer(b"short", length=50), "protocol"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort", "protocol"),
        (answer(b"\x1f\x8b\x08" + b"\xff" * 9, "Content-Encoding: gzip"), "bad_encoding"),
        (answer(gzip.compress(body_of(999))[:-9], "Content-Encoding: gzip"), "protocol"),
        (answer(b"", *[f"X-{n}: {'a' * 9_000}" for n in range(40)]), "too_big"),
    ],
    ids=["length", "chunk", "gzip", "gzip end", "head"],
)
def test_a_body_that_was_cut_by_others_is_still_none(
    serve: Serve, fetcher_for: FetcherFor, sent: bytes, reason: str
) -> None:
    server = serve(saying(sent))
    with pytest.raises(FetchFailed, match=reason):
        fetcher_for(server).fetch(Request(server.url(), max_bytes=CAP, cut_body=True))


def test_a_whole_body_says_so(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(answer(b"page")))
    response = fetcher_for(server).fetch(Request(server.url()))
    assert (response.truncated, response.hops, response.requests) == (False, (), 1)


def test_the_way_of_an_answer_is_kept(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(redirecting("/b?x=1"), redirecting("c#top"), saying(answer(b"page")))
    response = fetcher_for(server).fetch(Request(server.url("/a")))
    assert response.hops == (server.url("/a"), server.url("/b?x=1"))
    assert (response.url, response.requests) == (server.url("/c"), 3)


@pytest.mark.parametrize("status", [401, 404, 410, 418, 429, 500, 503])
def test_a_failure_knows_its_status_and_its_way(
    serve: Serve, fetcher_for: FetcherFor, status: int
) -> None:
    server = serve(redirecting("/b"), saying(answer(status=f"{status} No")))
    with pytest.raises(FetchFailed) as caught:
        fetcher_for(server).fetch(Request(server.url("/a")))
    assert caught.value.status == status
    assert caught.value.url == server.url("/b")
    assert caught.value.hops == (server.url("/a"),)


def test_a_loop_is_told_with_its_status(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(redirecting("/a", status="308 Permanent Redirect"))
    with pytest.raises(FetchFailed, match="too_many_redirects") as caught:
        fetcher_for(server).fetch(Request(server.url("/a")))
    assert caught.value.status == 308
    assert len(caught.value.hops) == 6


def test_a_redirect_to_nowhere_was_a_hop(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(redirecting("ftp://site.test/"))
    with pytest.raises(FetchFailed, match="bad_address") as caught:
        fetcher_for(server).fetch(Request(server.url("/a")))
    assert (caught.value.url, caught.value.hops) == (server.url("/a"), (server.url("/a"),))


def test_without_an_answer_there_is_no_status(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(b""))
    with pytest.raises(FetchFailed, match="protocol") as caught:
        fetcher_for(server).fetch(Request(server.url("/a")))
    assert (caught.value.status, caught.value.url) == (0, server.url("/a"))
    with pytest.raises(FetchFailed, match="bad_address") as caught:
        fetcher_for(server).fetch(Request("ftp://site.test/"))
    assert (caught.value.status, caught.value.url) == (0, "")
