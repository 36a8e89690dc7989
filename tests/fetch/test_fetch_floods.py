"""Heads and bodies made to cost more than they are worth, or to be read in two ways.

Every flood ends in one FetchFailed, in bounded memory, and in CPU time that ten of them at once
would not feel. CPU is measured, not the clock: a busy machine must not decide.
"""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from scripted_server import Script, ScriptedServer, answer, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]

MEGABYTE = 1_000_000
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


# Newer versions of http.client have limits of their own for these.
EITHER = ("protocol", "too_big")


def endless(before: bytes, again: bytes) -> Script:
    def script(connection: Connection) -> None:
        connection.send(before)
        while True:
            connection.send(again)

    return script


def reason_of(fetcher: Fetcher, request: Request) -> str:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(request)
    assert failed.value.detail.isprintable()
    assert len(failed.value.detail) < 300
    return failed.value.reason


@pytest.mark.parametrize(
    ("script", "reasons"),
    [
        (endless(b"", b"x" * 65_536), ("protocol",)),
        (endless(b"HTTP/1.1 200 ", b"O" * 65_536), ("protocol",)),
        (endless(b"", b"\r\n" * 30_000), ("protocol",)),
        (endless(HEAD, b"A: b\r\n" * 10_000), ("protocol",)),
        (endless(HEAD, b"Set-Cookie: a=b; Path=/\r\n" * 3_000), ("protocol",)),
        (endless(HEAD + b"A: ", b"b" * 65_536), ("protocol",)),
        (endless(HEAD + b"A: b\r\n", b" folded\r\n" * 5_000), ("protocol",)),
        (endless(HEAD + b"A: b\r\n", b"\tfolded" + b"x" * 60_000 + b"\r\n"), ("too_big",)),
        (endless(HEAD, b"no colon\r\n" * 5_000), ("protocol",)),
        (endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 500), ("protocol",)),
        (endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000), EITHER),
        (endless(b"", b"HTTP/1.1 100 C\r\n" + b"A: b\r\n" * 90 + b"\r\n"), EITHER),
        (endless(CHUNKED, b"1" * 65_536), ("protocol",)),
        (endless(CHUNKED, b"0" * 65_536), ("protocol",)),
        (endless(CHUNKED, b"1;" + b"e" * 60_000 + b"\r\nx\r\n"), ("too_big",)),
        (endless(CHUNKED, b"1\r\nx\r\n" * 10_000), ("too_big",)),
        (endless(CHUNKED + b"0\r\n", b"Trailer: x\r\n" * 5_000), EITHER),
        (endless(CHUNKED + b"0\r\n", b"T" * 65_536), EITHER),
    ],
    ids=[
        "no line at all",
        "status line",
        "empty lines",
        "headers",
        "cookies",
        "one header",
        "short folded lines",
        "long folded lines",
        "lines that are no headers",
        "103",
        "100",
        "100 with headers",
        "chunk size",
        "chunk size of zeros",
        "chunk extensions",
        "chunks of one byte",
        "trailers",
        "one trailer",
    ],
)
def test_a_flood_is_left_early(
    serve: Serve, fetcher_for: FetcherFor, script: Script, reasons: tuple[str, ...]
) -> None:
    server = serve(script)
    fetcher = fetcher_for(server)
    tracemalloc.start()
    started = time.thread_time()
    try:
        reason = reason_of(fetcher, Request(server.url(), max_bytes=MEGABYTE))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reason in reasons
    assert time.thread_time() - started < 2
    assert peak_bytes < 4 * MEGABYTE


def test_a_hundred_headers_are_read_and_one_more_is_not(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    """The count is of lines: folding does not buy more of them."""
    fits = HEAD + b"Content-Length: 4\r\n" + b"A: b\r\n" * 98 + b"\r\npage"
    over = HEAD + b"Content-Length: 4\r\n" + b"A: b\r\n" * 120 + b"\r\npage"
    folded = HEAD + b"Content-Length: 4\r\nA: b\r\n" + b" c\r\n" * 120 + b"\r\npage"
    server = serve(saying(fits), saying(over), saying(folded))
    fetcher = fetcher_for(server)
    assert fetcher.fetch(Request(server.url())).body == b"page"
    assert reason_of(fetcher, Request(server.url())) == "protocol"
    assert reason_of(fetcher, Request(server.url())) == "protocol"


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"Content-Length: 4\r\n 4\r\n\r\npage",
        HEAD + b"Content-Length:\r\n 4, 5\r\n\r\npage",
        HEAD + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\npage!",
        HEAD + b"Content-Length: 4\r\nContent-Length: 04 4\r\n\r\npage",
        HEAD + b"Content-Length: +4\r\n\r\npage",
        HEAD + b"Content-Length: 0x4\r\n\r\npage",
        HEAD + b"Content-Length: 4.0\r\n\r\npage",
        HEAD + b"Content-Length: \xb2\r\n\r\npage",
        HEAD + b"Content-Length:\r\n\r\npage",
        HEAD + b"Transfer-Encoding:\r\n chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\npage",
        HEAD + b"Transfer-Encoding : chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding\r\n: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        HEAD + b" Transfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        b"HTTP/1.1 102 Processing\r\n\r\n" + answer(b"page"),
        b"HTTP/1.1 199 Odd\r\n\r\n" + answer(b"page"),
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n" + answer(b"page"),
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ],
)
def test_what_two_readers_could_frame_differently_is_refused(
    serve: Serve, fetcher_for: FetcherFor, sent: bytes
) -> None:
    server = serve(saying(sent))
    assert reason_of(fetcher_for(server), Request(server.url(), timeout_seconds=5)) == "protocol"


@pytest.mark.parametrize("length", [b"2", b"4", b"26", b"9999"])
def test_chunks_outrank_a_length_that_says_otherwise(
    serve: Serve, fetcher_for: FetcherFor, length: bytes
) -> None:
    """RFC 9112, 6.3. The connection is closed after it, so nothing is left to be misread."""
    head = HEAD + b"Content-Length: " + length + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
    server = serve(saying(head + b"4\r\npage\r\n0\r\n\r\n" + answer(b"smuggled")))
    assert fetcher_for(server).fetch(Request(server.url())).body == b"page"


def test_what_follows_an_answer_never_answers_the_next_request(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    server = serve(saying(answer(b"first") + answer(b"smuggled")), saying(answer(b"second")))
    fetcher = fetcher_for(server)
    bodies = [fetcher.fetch(Request(server.url())).body for _ in range(2)]
    assert bodies == [b"first", b"second"]


GZIP = "Content-Encoding: gzip"


def bomb(megabytes: int = 60) -> bytes:
    return gzip.compress(bytes(megabytes * MEGABYTE), compresslevel=6, mtime=0)


def small() -> bytes:
    return gzip.compress(b"page", mtime=0)


def named(size: int) -> bytes:
    """A gzip stream whose header holds a file name of this size."""
    plain = small()
    return plain[:3] + b"\x08" + plain[4:10] + b"n" * size + b"\0" + plain[10:]


@pytest.mark.parametrize(
    ("body", "coding", "reason"),
    [
        (bomb, GZIP, "too_big"),
        (lambda: zlib.compress(bytes(60 * MEGABYTE)), GZIP, "too_big"),
        (lambda: zlib.compress(bytes(60 * MEGABYTE)), "Content-Encoding: deflate", "too_big"),
        (lambda: zlib.compress(bytes(60 * MEGABYTE), wbits=-15), GZIP, "bad_encoding"),
        (lambda: small() + bomb(), GZIP, "too_big"),
        (lambda: gzip.compress(b"", mtime=0) * 20_000, GZIP, "bad_encoding"),
        (lambda: gzip.compress(bomb(), mtime=0), "Content-Encoding: gzip, gzip", "too_big"),
        (lambda: gzip.compress(bomb(), mtime=0), "Content-Encoding: deflate, gzip", "too_big"),
        (small, "Content-Encoding: " + "gzip, " * 500 + "gzip", "bad_encoding"),
        (lambda: named(2 * MEGABYTE), GZIP, "too_big"),
        (lambda: small() + bytes(2 * MEGABYTE), GZIP, "too_big"),
    ],
    ids=[
        "gzip",
        "zlib as gzip",
        "deflate",
        "raw deflate as gzip",
        "second member",
        "empty members",
        "nested",
        "nested with deflate",
        "500 codings",
        "name in the header",
        "padding",
    ],
)
def test_no_bomb_of_any_make_goes_off(
    serve: Serve,
    fetcher_for: FetcherFor,
    body: Callable[[], bytes],
    coding: str,
    reason: str,
) -> None:
    server = serve(saying(answer(body(), coding)))
    fetcher = fetcher_for(server)
    tracemalloc.start()
    started = time.thread_time()
    try:
        assert reason_of(fetcher, Request(server.url(), max_bytes=MEGABYTE)) == reason
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4 * MEGABYTE
    assert time.thread_time() - started < 2


def test_a_nested_bomb_is_unpacked_once_as_it_was_declared(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    """What is inside is data. Nobody looks for a second layer by its first bytes."""
    inner = bomb()
    server = serve(saying(answer(gzip.compress(inner, mtime=0), GZIP)))
    response = fetcher_for(server).fetch(Request(server.url(), max_bytes=MEGABYTE))
    assert response.body == inner


def test_padding_after_gzip_costs_next_to_nothing(serve: Serve, fetcher_for: FetcherFor) -> None:
    """A zlib stream keeps what follows its end, and copies it anew for each piece."""
    server = serve(saying(answer(small() + bytes(7_900_000), GZIP)))
    fetcher = fetcher_for(server)
    started = time.thread_time()
    assert fetcher.fetch(Request(server.url())).body == b"page"
    assert time.thread_time() - started < 0.5


def test_a_body_far_behind_its_padding_is_not_taken_for_padding(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    """The bytes after the end are looked at in every piece, not in the first alone."""
    server = serve(saying(answer(small() + bytes(500_000) + b"<p>", GZIP)))
    assert reason_of(fetcher_for(server), Request(server.url())) == "bad_encoding"
