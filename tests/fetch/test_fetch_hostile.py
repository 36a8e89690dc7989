"""What a hostile or broken server can do, and the word that it ends in."""

import gzip
import re
import time
import tracemalloc
from collections.abc import Callable

import pytest
from scripted_server import Script, ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]

MEGABYTE = 1_000_000


def failure_of(fetcher: Fetcher, request: Request) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(request)
    assert re.fullmatch(r"[a-z_]+", failed.value.reason)
    assert failed.value.detail.isprintable()
    assert len(failed.value.detail) < 300
    return failed.value


def dripping(before: bytes, dripped: bytes) -> Script:
    """Make a script that sends the first part at once and the second over many seconds."""

    def script(connection: Connection) -> None:
        connection.send(before)
        connection.drip(dripped, 0.05)

    return script


def endless(before: bytes, again: bytes) -> Script:
    """Make a script that repeats a part as fast as it is taken."""

    def script(connection: Connection) -> None:
        connection.send(before)
        while True:
            connection.send(again)

    return script


def stalling(connection: Connection) -> None:
    connection.wait()


def slow_redirects(connection: Connection) -> None:
    time.sleep(0.1)
    connection.send(answer(b"", "Location: /again", status="302 Found"))


@pytest.mark.parametrize(
    "script",
    [
        stalling,
        dripping(b"", b"HTTP/1.1 200 " + b"O" * 1000),
        dripping(b"HTTP/1.1 200 OK\r\n", b"X-Drip: 1\r\n" * 90),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x" * 1000),
        dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1000),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 200),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x" * 1000),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n" * 200),
        dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 50),
        slow_redirects,
    ],
    ids=[
        "no-answer",
        "status-line",
        "headers",
        "body",
        "body-without-length",
        "chunks",
        "chunk-extension",
        "trailers",
        "endless-100",
        "redirects",
    ],
)
def test_the_deadline_is_one_for_the_whole(
    serve: Serve, fetcher_for: FetcherFor, script: Script
) -> None:
    """A byte within every socket time-out does not buy a server more time."""
    server = serve(script)
    started = time.monotonic()
    failed = failure_of(fetcher_for(server), Request(server.url(), timeout_seconds=0.3))
    assert failed.reason == "timeout"
    assert 0.25 < time.monotonic() - started < 10


def test_a_form_that_nobody_reads_meets_the_deadline(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(stalling, reads="head")
    request = Request(
        server.url(), method="POST", form={"a": "x" * 20_000_000}, timeout_seconds=0.3
    )
    assert failure_of(fetcher_for(server), request).reason == "timeout"


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"", "protocol"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "protocol"),
        (b"<html>hello</html>", "protocol"),
        (b"HTTP/1.1 \xff\x00\x1b[31m\r\n\r\n", "protocol"),
        (b"HTTP/1.1 20x OK\r\n\r\n", "protocol"),
        (b"HTTP/2.0 200 OK\r\n\r\n", "protocol"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(b"page"), "protocol"),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", "protocol"),
        (HEAD, "protocol"),
        (HEAD + b"Content-Type: text/html\r\nContent-Le", "protocol"),
        (HEAD + b"no colon here\r\nContent-Length: 99\r\n\r\npage", "protocol"),
        (HEAD + b"A: b\r\n" * 150 + b"\r\npage", "protocol"),
        (HEAD + b"A: " + b"b" * 70_000 + b"\r\n\r\npage", "protocol"),
        (HEAD + (b"A: " + b"b" * 60_000 + b"\r\n") * 9 + b"\r\npage", "too_big"),
        (answer(b"page", length=5), "protocol"),
        (answer(b"", length=5), "protocol"),
        (answer(b"page", length=-1), "protocol"),
        (answer(b"page", "Content-Length: 5"), "protocol"),
        (HEAD + b"Content-Length: 4, 4\r\n\r\npage", "protocol"),
        (HEAD + b"Content-Length: 0_4\r\n\r\npage", "protocol"),
        (HEAD + b"Content-Length: 1000001\r\n\r\n", "too_big"),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "too_big"),
        (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n", "protocol"),
        (HEAD + b"Transfer-Encoding: chunked \r\n\r\n4\r\npage\r\n0\r\n\r\n", "protocol"),
        (HEAD + b"Transfer-Encoding: identity\r\n\r\npage", "protocol"),
        (CHUNKED[:-2] + b"Transfer-Encoding: gzip\r\n\r\n4\r\npage\r\n0\r\n\r\n", "protocol"),
        (CHUNKED + b"4\r\npage\r\n", "protocol"),
        (CHUNKED + b"4\r\npa", "protocol"),
        (CHUNKED + b"4\r\npage\r\n0", "protocol"),
        (CHUNKED + b"4\r\npage\r\n0\r\nX-Trailer: 1", "protocol"),
        (CHUNKED + b"zz\r\npage\r\n0\r\n\r\n", "protocol"),
        (CHUNKED + b"-4\r\npage\r\n0\r\n\r\n", "protocol"),
        (CHUNKED + b"-1\r\npage\r\n0\r\n\r\n", "protocol"),
        (CHUNKED + b"FFFFFFFFFFFFFFFF\r\npage", "protocol"),
        (answer(b"page", status="302 Found"), "protocol"),
        (answer(b"page", "Content-Encoding: br"), "bad_encoding"),
        (answer(b"page", "Content-Encoding: deflate"), "protocol"),
        (answer(b"page", "Content-Encoding: gzip"), "bad_encoding"),
        (answer(gzip.compress(b"page", mtime=0)[:-4], "Content-Encoding: gzip"), "protocol"),
        (answer(gzip.compress(b"page", mtime=0)[:9], "Content-Encoding: gzip"), "protocol"),
        (
            answer(gzip.compress(b"page", mtime=0) + b"<p>", "Content-Encoding: gzip"),
            "bad_encoding",
        ),
    ],
)
def test_what_is_not_a_whole_answer_is_none(
    serve: Serve, fetcher_for: FetcherFor, sent: bytes, reason: str
) -> None:
    server = serve(saying(sent))
    request = Request(server.url(), max_bytes=MEGABYTE, timeout_seconds=5)
    assert failure_of(fetcher_for(server), request).reason == reason


@pytest.mark.parametrize("sent", [b"", HEAD, answer(b"pa", length=9), CHUNKED + b"4\r\npa"])
def test_a_reset_connection_is_a_protocol_failure(
    serve: Serve, fetcher_for: FetcherFor, sent: bytes
) -> None:
    def script(connection: Connection) -> None:
        connection.send(sent)
        connection.reset()

    server = serve(script)
    assert failure_of(fetcher_for(server), Request(server.url())).reason == "protocol"


@pytest.mark.parametrize(
    "script",
    [
        endless(HEAD + b"\r\n", b"x" * 65536),
        endless(
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"
        ),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 60_000 + b"\r\nx\r\n1;"),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n" * 10_000),
        endless(b"", b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n" * 1000),
    ],
    ids=["body", "chunks", "chunk-extensions", "trailers", "endless-100"],
)
def test_an_endless_answer_is_left_after_the_cap(
    serve: Serve, fetcher_for: FetcherFor, script: Script
) -> None:
    """The 2 GB page: neither memory nor what is taken from the wire grows with it."""
    server = serve(script)
    tracemalloc.start()
    try:
        failed = failure_of(fetcher_for(server), Request(server.url(), max_bytes=MEGABYTE))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert failed.reason == "too_big"
    assert peak_bytes < 4 * MEGABYTE
    (connection,) = server.exchanges
    # What the kernel's buffers hold was sent too, and nobody ever read it.
    assert connection.sent_bytes < 20 * MEGABYTE


def test_chunks_that_outweigh_their_content_are_left(serve: Serve, fetcher_for: FetcherFor) -> None:
    """A small body in chunks of one byte would cost a thousand pages' CPU."""
    server = serve(saying(CHUNKED + b"1\r\nx\r\n" * 100_000 + b"0\r\n\r\n"))
    assert failure_of(fetcher_for(server), Request(server.url())).reason == "too_big"


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """Give 100 MB of zeros in 100 KB of gzip."""
    return gzip.compress(bytes(100 * MEGABYTE), compresslevel=6, mtime=0)


@pytest.mark.parametrize("status", ["200 OK", "302 Found", "404 Not Found", "500 Oops"])
def test_a_gzip_bomb_never_goes_off(
    serve: Serve, fetcher_for: FetcherFor, bomb: bytes, status: str
) -> None:
    """In a page it is left at the cap; with any other status it is not even read."""
    sent = answer(bomb, "Content-Encoding: gzip", "Location: /page", status=status)
    server = serve(saying(sent), saying(answer(b"page")))
    fetcher = fetcher_for(server)
    request = Request(server.url(), max_bytes=MEGABYTE)
    tracemalloc.start()
    try:
        if status.startswith("302"):
            assert fetcher.fetch(request).body == b"page"
        else:
            expected = {"200": "too_big", "404": "not_found"}.get(status[:3], "http_status")
            assert failure_of(fetcher, request).reason == expected
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4 * MEGABYTE


@pytest.mark.parametrize("excess", [0, 1])
@pytest.mark.parametrize("framing", ["length", "to-the-end", "chunked", "gzip"])
def test_the_cap_is_exact(serve: Serve, fetcher_for: FetcherFor, excess: int, framing: str) -> None:
    body = b"x" * (200_000 + excess)
    sent = {
        "length": answer(body),
        "to-the-end": HEAD + b"\r\n" + body,
        "chunked": CHUNKED + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n",
        "gzip": answer(gzip.compress(body, mtime=0), "Content-Encoding: gzip"),
    }[framing]
    server = serve(saying(sent))
    request = Request(server.url(), max_bytes=200_000)
    if excess:
        assert failure_of(fetcher_for(server), request).reason == "too_big"
    else:
        assert fetcher_for(server).fetch(request).body == body


def test_a_redirect_loop_ends_after_five(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(redirecting("/"))
    assert failure_of(fetcher_for(server), Request(server.url())).reason == "too_many_redirects"
    assert server.connections == 6


def test_the_fifth_redirect_is_followed(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(*[redirecting("/")] * 5, saying(answer(b"page")))
    assert fetcher_for(server).fetch(Request(server.url())).requests == 6


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "refused_address"),
        ("//10.0.0.1/", "refused_address"),
        ("http://0x7f.1/", "refused_address"),
        ("http://[::ffff:127.0.0.1]/", "refused_address"),
        ("http://127.0.0.1:9001/2018-06-01/runtime/invocation/next", "refused_address"),
        ("file:///etc/passwd", "bad_address"),
        ("ftp://127.0.0.1/", "bad_address"),
        ("javascript:alert(1)", "bad_address"),
        ("http:///etc", "bad_address"),
        ("http://[", "bad_address"),
        ("http://user:secret@site.test/", "bad_address"),
        ("http://site.test\\@127.0.0.1/", "bad_address"),
        ("/a\x1b[31m\x0bb", "bad_address"),
        ("/" + "a" * 5000, "bad_address"),
    ],
)
def test_a_redirect_goes_through_the_guard_again(
    serve: Serve, fetcher_for: FetcherFor, location: str, reason: str
) -> None:
    server = serve(redirecting(location))
    failed = failure_of(fetcher_for(server), Request(server.url()))
    assert failed.reason == reason
    assert "secret" not in failed.detail
    assert server.connections == 1


def test_a_closed_port_is_a_connect_failure(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(stalling)
    fetcher = fetcher_for(server)
    server.stop()
    assert failure_of(fetcher, Request(server.url())).reason == "connect"


def test_where_none_may_be_followed_a_redirect_is_a_failure(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    """Its URL holds a secret, which would go along in the query."""
    server = serve(redirecting("/"))
    failure = failure_of(fetcher_for(server), Request(server.url(), most_redirects=0))
    assert failure.reason == "too_many_redirects"
    assert server.connections == 1
