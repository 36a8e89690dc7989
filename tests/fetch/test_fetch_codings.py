"""Content codings as servers write them: what browsers show is read, and all else is refused."""

import gzip
import zlib
from collections.abc import Callable

import pytest
from scripted_server import ScriptedServer, answer, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher, Response
from uring.fetch.request import Request

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]

PAGE = "<table><tr><td>도서관 공지</td></tr></table>".encode() * 40
PACKED = gzip.compress(PAGE, mtime=0)
ZLIB = zlib.compress(PAGE)
RAW = zlib.compress(PAGE, wbits=-15)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: %s\r\n\r\n"


@pytest.fixture
def fetched(serve: Serve, fetcher_for: FetcherFor) -> Callable[..., Response]:
    def fetch(sent: bytes, **keys: bool) -> Response:
        server = serve(saying(sent))
        return fetcher_for(server).fetch(Request(server.url(), **keys))

    return fetch


def byte_by_byte(coding: bytes, body: bytes) -> bytes:
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    return CHUNKED % coding + chunks + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "coding",
    ["UTF-8", "none", "aws-chunked", "", ",", "utf8, none", "binary", "text/html", "8bit",
     "identity, none", "Identity", "null", "*", "chunked", "charset=utf-8"],
)  # fmt: skip
def test_a_name_that_is_not_a_coding_counts_as_none(
    fetched: Callable[..., Response], coding: str
) -> None:
    assert fetched(answer(PAGE, f"Content-Encoding: {coding}")).body == PAGE


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", PACKED + b"\r\n"),
        ("gzip", PACKED + b" \t\n\0\n"),
        ("gzip", PACKED + b"\r\n" * 200_000),
        ("deflate", ZLIB + b"\r\n"),
        ("deflate", RAW + b"\r\n"),
        ("x-gzip", PACKED),
        ("GZip", PACKED),
        ("gzip;q=1.0", PACKED),
        ('"gzip"', PACKED),
        ("gzip, utf-8", PACKED),
        ("aws-chunked,gzip", PACKED),
        ("deflate", ZLIB),
        ("deflate", RAW),
        ("deflate", PACKED),
        ("gzip", ZLIB),
        ("gzip", b"".join(gzip.compress(PAGE[n : n + 9], mtime=0) for n in range(0, len(PAGE), 9))),
        ("gzip", gzip.compress(b"", mtime=0) + PACKED + gzip.compress(b"", mtime=0) + b"\r\n"),
        ("gzip, gzip", gzip.compress(PACKED, mtime=0)),
        ("gzip, gzip", PACKED),
        ("gzip, deflate", zlib.compress(PACKED)),
        ("deflate, gzip", gzip.compress(ZLIB, mtime=0)),
    ],
)  # fmt: skip
def test_a_coding_is_taken_off_however_it_is_sent(
    fetched: Callable[..., Response], coding: str, body: bytes
) -> None:
    assert fetched(answer(body, f"Content-Encoding: {coding}")).body == PAGE


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (b"gzip", PACKED * 3 + b"\r\n"),
        (b"deflate", RAW),
        (b"deflate", ZLIB),
        (b"gzip, gzip", PACKED),
    ],
)
def test_it_does_not_matter_where_the_pieces_end(
    fetched: Callable[..., Response], coding: bytes, body: bytes
) -> None:
    assert fetched(byte_by_byte(coding, body)).body in (PAGE, PAGE * 3)


@pytest.mark.parametrize(
    ("coding", "body", "reason"),
    [
        ("br", PAGE, "bad_encoding"),
        ("gzip, zstd", PACKED, "bad_encoding"),
        ("compress", PAGE, "bad_encoding"),
        ("gzip, gzip, gzip", PACKED, "bad_encoding"),
        ("gzip", PACKED + b"\r\n<p>", "bad_encoding"),
        ("gzip", PACKED + ZLIB, "bad_encoding"),
        ("deflate", ZLIB + ZLIB, "bad_encoding"),
        ("gzip", PACKED + PACKED[:-4], "protocol"),
        ("gzip", PACKED + b"\x1f", "protocol"),
        ("deflate", RAW[:-4], "protocol"),
        ("gzip", RAW, "bad_encoding"),
        ("gzip", PAGE, "bad_encoding"),
        ("deflate", PAGE, "bad_encoding"),
    ],
)
def test_what_no_browser_shows_is_refused(
    fetched: Callable[..., Response], coding: str, body: bytes, reason: str
) -> None:
    with pytest.raises(FetchFailed) as failed:
        fetched(answer(body, f"Content-Encoding: {coding}"))
    assert failed.value.reason == reason


def test_a_refused_coding_names_the_remedy(fetched: Callable[..., Response]) -> None:
    for coding, body in (("br", PAGE), ("gzip", PAGE)):
        with pytest.raises(FetchFailed, match="another address of the list in url"):
            fetched(answer(body, f"Content-Encoding: {coding}"))


@pytest.mark.parametrize("coding", ["", "Content-Encoding: UTF-8"])
def test_gzip_without_its_header_is_inflated_where_a_page_is_expected(
    fetched: Callable[..., Response], coding: str
) -> None:
    sent = answer(PACKED, *filter(None, [coding]))
    assert fetched(sent, unpack=True).body == PAGE
    assert fetched(sent).body == PACKED


@pytest.mark.parametrize(
    ("status", "header"),
    [
        ("203 Non-Authoritative Information", ""),
        ("201 Created", ""),
        ("206 Partial Content", f"Content-Range: bytes 0-{len(PAGE) - 1}/{len(PAGE)}"),
        ("206 Partial Content", f"content-range: Bytes 0-{len(PAGE) - 1}/{len(PAGE)}"),
    ],
)
def test_a_page_under_another_status_is_read(
    fetched: Callable[..., Response], status: str, header: str
) -> None:
    response = fetched(answer(PAGE, *filter(None, [header]), status=status))
    assert (response.body, response.status) == (PAGE, int(status[:3]))


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("202 Accepted", []),
        ("204 No Content", []),
        ("205 Reset Content", []),
        ("226 IM Used", []),
        ("206 Partial Content", []),
        ("206 Partial Content", ["Content-Range: bytes 0-9/5000"]),
        ("206 Partial Content", ["Content-Range: bytes 0-9/*"]),
        ("206 Partial Content", ["Content-Range: bytes 5-9/10"]),
        ("206 Partial Content", ["Content-Range: bytes 0-9/10"] * 2),
        ("206 Partial Content", ["Content-Range: bytes 0-\u00b2/3"]),
    ],
)
def test_a_status_without_the_whole_page_is_refused(
    fetched: Callable[..., Response], status: str, headers: list[str]
) -> None:
    with pytest.raises(FetchFailed, match="HTTP 2") as failed:
        fetched(answer(PAGE, *headers, status=status))
    assert failed.value.reason == "http_status"
