"""What a well-meaning server gets asked, and what of its answers reaches the caller."""

import gzip
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import isfinite

import pytest
from scripted_server import ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.host_locks import HostLocks
from uring.fetch.http import Fetcher
from uring.fetch.request import LARGE_BYTES, Request
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]

PAGE = "<table><tr><td>공지</td></tr></table>".encode()


def test_a_page_comes_back_with_its_headers(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(
        saying(answer(PAGE, "Content-Type: text/html", 'ETag: "v1"', "Last-Modified: then"))
    )
    response = fetcher_for(server).fetch(Request(server.url("/list?board=1#top")))
    assert (response.status, response.body, response.requests) == (200, PAGE, 1)
    assert response.url == server.url("/list?board=1")
    assert response.content_type == "text/html"
    assert (response.etag, response.last_modified) == ('"v1"', "then")


def test_what_is_sent_is_little_and_the_same_every_time(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    server = serve(saying(answer(PAGE, "Set-Cookie: session=1; Path=/")))
    fetcher = fetcher_for(server)
    for _ in range(2):
        fetcher.fetch(Request(server.url("/a b/공지?q=%EA%B0%80&x=[1]")))
    assert server.connections == 2
    for received in server.received:
        assert received.method == "GET"
        assert received.target == "/a%20b/%EA%B3%B5%EC%A7%80?q=%EA%B0%80&x=[1]"
        assert received.headers == {
            "host": server.host,
            "user-agent": "uring-test/1",
            "accept": "*/*",
            "accept-encoding": "gzip",
            "connection": "close",
        }


def test_proxies_of_the_environment_are_not_used(
    serve: Serve, fetcher_for: FetcherFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = serve(saying(answer(PAGE)))
    assert fetcher_for(server).fetch(Request(server.url())).body == PAGE


@pytest.mark.parametrize(
    "framed",
    [
        answer(PAGE),
        b"HTTP/1.0 200 OK\r\n\r\n" + PAGE,
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + PAGE,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5;note=1\r\n" + PAGE[:5] + b"\r\n%x\r\n" % (len(PAGE) - 5) + PAGE[5:] + b"\r\n"
        b"0\r\nX-Trailer: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\ntransfer-encoding: Chunked\r\n\r\n"
        b"%x\r\n" % len(PAGE) + PAGE + b"\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"".join(b"1\r\n%c\r\n" % byte for byte in PAGE)
        + b"0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + answer(PAGE),
        answer(gzip.compress(PAGE, mtime=0), "Content-Encoding: gzip"),
        answer(gzip.compress(PAGE, mtime=0), "content-encoding: X-GZIP"),
        answer(gzip.compress(PAGE, mtime=0) + b"\0" * 9, "Content-Encoding: gzip"),
        answer(PAGE, "Content-Encoding: identity"),
        answer(PAGE, f"Content-Length: {len(PAGE)}"),
        answer(PAGE, "X-Title: ì\x85\x98 and more"),
    ],
    ids=[
        "length",
        "http-1.0-to-the-end",
        "to-the-end",
        "chunked",
        "chunked-said-twice",
        "chunks-of-one-byte",
        "after-100",
        "gzip",
        "x-gzip",
        "gzip-padded",
        "identity",
        "same-length-twice",
        "utf-8-in-a-header",
    ],
)
def test_one_page_is_the_same_in_every_framing(
    serve: Serve, fetcher_for: FetcherFor, framed: bytes
) -> None:
    server = serve(saying(framed))
    assert fetcher_for(server).fetch(Request(server.url())).body == PAGE


def test_an_empty_gzip_answer_is_an_empty_page(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(answer(b"", "Content-Encoding: gzip")))
    assert fetcher_for(server).fetch(Request(server.url())).body == b""


@pytest.mark.parametrize(
    ("encoding", "sent"),
    [("utf-8", b"srch=%EA%B3%B5%EC%A7%80&page=1"), ("euc-kr", b"srch=%B0%F8%C1%F6&page=1")],
)
def test_a_form_is_posted_in_the_encoding_of_its_board(
    serve: Serve, fetcher_for: FetcherFor, encoding: str, sent: bytes
) -> None:
    server = serve(saying(answer(PAGE, 'ETag: "v1"')))
    request = Request(
        server.url(),
        method="POST",
        form={"srch": "공지", "page": "1"},
        headers={"Referer": "http://site.test/", "user-agent": "other"},
        form_encoding=encoding,
        etag='"v0"',
    )
    response = fetcher_for(server).fetch(request)
    (received,) = server.received
    assert (received.method, received.body) == ("POST", sent)
    assert received.headers["content-type"] == "application/x-www-form-urlencoded"
    assert received.headers["referer"] == "http://site.test/"
    assert received.headers["user-agent"] == "other"
    # The URL names many answers, one per form: its validators mean nothing.
    assert "if-none-match" not in received.headers
    assert response.etag is None


def test_not_modified_keeps_the_validators_that_were_sent(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    server = serve(saying(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n"))
    response = fetcher_for(server).fetch(
        Request(server.url(), etag='W/"1"', last_modified="Sat, 01 Mar 2025 00:00:00 GMT")
    )
    (received,) = server.received
    assert received.headers["if-none-match"] == 'W/"1"'
    assert received.headers["if-modified-since"] == "Sat, 01 Mar 2025 00:00:00 GMT"
    assert (response.status, response.body, response.etag) == (304, b"", 'W/"1"')
    assert response.last_modified == "Sat, 01 Mar 2025 00:00:00 GMT"


def test_not_modified_unasked_is_a_protocol_failure(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(b"HTTP/1.1 304 Not Modified\r\n\r\n"))
    with pytest.raises(FetchFailed, match="without validators") as failed:
        fetcher_for(server).fetch(Request(server.url()))
    assert failed.value.reason == "protocol"


def test_validators_never_belong_to_another_url(serve: Serve, fetcher_for: FetcherFor) -> None:
    """After a redirect none is sent, and none is given back to be sent to the first URL."""
    server = serve(redirecting("/moved"), saying(answer(PAGE, 'ETag: "login"')))
    response = fetcher_for(server).fetch(Request(server.url(), etag='"v1"', last_modified="then"))
    assert "if-none-match" in server.received[0].headers
    assert not server.received[1].headers.keys() & {"if-none-match", "if-modified-since"}
    assert (response.etag, response.last_modified) == (None, None)


@pytest.mark.parametrize("etag", ['"' + "x" * 600 + '"', '"a\tb"'])
def test_a_validator_that_is_unfit_to_store_is_none(
    serve: Serve, fetcher_for: FetcherFor, etag: str
) -> None:
    server = serve(saying(answer(PAGE, f"ETag: {etag}")))
    assert fetcher_for(server).fetch(Request(server.url())).etag is None


@pytest.mark.parametrize(
    ("status", "method"),
    [
        ("301 Moved", "GET"),
        ("302 Found", "GET"),
        ("303 See Other", "GET"),
        ("307 Temporary", "POST"),
        ("308 Permanent", "POST"),
    ],
)
def test_a_redirected_post(serve: Serve, fetcher_for: FetcherFor, status: str, method: str) -> None:
    server = serve(redirecting("../b?x=1", status), saying(answer(PAGE)))
    response = fetcher_for(server).fetch(
        Request(server.url("/d/a"), method="POST", form={"page": "2"})
    )
    first, second = server.received
    assert (first.method, first.body) == ("POST", b"page=2")
    assert (second.method, second.target) == (method, "/b?x=1")
    assert second.body == (b"page=2" if method == "POST" else b"")
    assert ("content-type" in second.headers) == (method == "POST")
    assert (response.url, response.requests) == (server.url("/b?x=1"), 2)


@pytest.mark.parametrize(
    ("location", "resource"),
    [
        ("/공지".encode().decode("latin-1"), "/%EA%B3%B5%EC%A7%80"),
        ("/공지".encode("cp949").decode("latin-1"), "/%B0%F8%C1%F6"),
        ("/a b", "/a%20b"),
        ("?p=2", "/d/a?p=2"),
    ],
    ids=["utf-8", "euc-kr", "space", "query-only"],
)
def test_a_location_keeps_the_bytes_of_its_site(
    serve: Serve, fetcher_for: FetcherFor, location: str, resource: str
) -> None:
    server = serve(redirecting(location), saying(answer(PAGE)))
    fetcher_for(server).fetch(Request(server.url("/d/a")))
    assert server.received[1].target == resource


def test_secrets_of_one_origin_do_not_follow_a_redirect_to_another(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    other = serve(saying(answer(PAGE)))
    server = serve(redirecting("/same"), redirecting(other.url()))
    headers = {"Authorization": "Bearer s", "X-Api-Key": "s", "Accept-Language": "ko"}
    fetcher_for(server, other).fetch(Request(server.url(), headers=headers))
    assert server.received[1].headers["authorization"] == "Bearer s"
    (received,) = other.received
    assert not received.headers.keys() & {"authorization", "x-api-key"}
    assert received.headers["accept-language"] == "ko"


def test_a_redirect_is_judged_before_it_is_followed(serve: Serve, fetcher_for: FetcherFor) -> None:
    other = serve(saying(answer(PAGE)))
    server = serve(redirecting("/moved"), redirecting(other.url("/private")))
    judged: list[str] = []

    def judge(url: str) -> None:
        judged.append(url)
        if "private" in url:
            raise FetchFailed("robots", "forbidden")

    with pytest.raises(FetchFailed) as failed:
        fetcher_for(server, other).fetch(Request(server.url("/a"), may_follow=judge))
    assert judged == [server.url("/moved"), other.url("/private")]
    assert other.connections == 0
    assert failed.value.hops == (server.url("/a"), server.url("/moved"))


@pytest.mark.parametrize("status", ["202 Accepted", "226 IM Used", "299 Fine"])
def test_any_success_has_a_page_for_who_wants_it(
    serve: Serve, fetcher_for: FetcherFor, status: str
) -> None:
    server = serve(saying(answer(PAGE, status=status)))
    response = fetcher_for(server).fetch(Request(server.url(), any_success=True))
    assert (response.status, response.body) == (int(status[:3]), PAGE)


@pytest.mark.parametrize("status", ["204 No Content", "205 Reset", "206 Partial", "300 Choose"])
def test_a_success_without_a_page_has_none(
    serve: Serve, fetcher_for: FetcherFor, status: str
) -> None:
    server = serve(saying(answer(b"", status=status)))
    with pytest.raises(FetchFailed, match="http_status") as failed:
        fetcher_for(server).fetch(Request(server.url(), any_success=True))
    assert failed.value.status == int(status[:3])


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("204 No Content", "http_status"),
        ("206 Partial", "http_status"),
        ("202 Accepted", "http_status"),
        ("300 Choose", "http_status"),
        ("400 Bad", "rejected"),
        ("418 Teapot", "rejected"),
        ("401 No", "forbidden"),
        ("403 No", "forbidden"),
        ("429 Later", "forbidden"),
        ("451 No", "forbidden"),
        ("404 No", "not_found"),
        ("410 Gone", "not_found"),
        ("500 No", "http_status"),
        ("503 Later", "http_status"),
        ("999 x", "http_status"),
    ],
)
def test_no_other_status_is_an_answer(
    serve: Serve, fetcher_for: FetcherFor, status: str, reason: str
) -> None:
    server = serve(saying(answer(PAGE, status=status)))
    with pytest.raises(FetchFailed) as failed:
        fetcher_for(server).fetch(Request(server.url()))
    assert (failed.value.reason, failed.value.retry_after) == (reason, None)
    assert failed.value.detail == f"HTTP {status[:3]} from 127.0.0.1"


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("120", 120, 120),
        ("0", 0, 0),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 0, 0),
        ("Fri, 01 Jan 2100 00:00:00 GMT", 10**9, 10**10),
        ("9" * 300, 1e299, 1e301),
        ("9" * 400, 1e299, 1.8e308),
    ],
)
def test_what_the_site_asks_for_is_told(
    serve: Serve, fetcher_for: FetcherFor, value: str, least: float, most: float
) -> None:
    server = serve(saying(answer(PAGE, f"Retry-After: {value}", status="503 Later")))
    with pytest.raises(FetchFailed) as failed:
        fetcher_for(server).fetch(Request(server.url()))
    assert failed.value.retry_after is not None
    assert least <= failed.value.retry_after <= most
    assert isfinite(failed.value.retry_after)


@pytest.mark.parametrize(
    "value",
    [
        "soon",
        "-5",
        "1e9",
        "",
        "Wed, 99 Jan 2020 00:00:00 GMT",
        "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
        "Mon, 01 Jan 2024 00:00:00 +99999999999999",
        "\u00b2",
    ],
)
def test_what_it_says_otherwise_is_nothing(
    serve: Serve, fetcher_for: FetcherFor, value: str
) -> None:
    sent = answer(PAGE, f"Retry-After: {value}", status="503 Later")
    server = serve(saying(sent))
    with pytest.raises(FetchFailed) as failed:
        fetcher_for(server).fetch(Request(server.url()))
    assert (failed.value.reason, failed.value.retry_after) == ("http_status", None)


def test_ten_hosts_are_asked_at_once(serve: Serve, fetcher_for: FetcherFor) -> None:
    together = threading.Barrier(10, timeout=60)

    def echo(connection: Connection) -> None:
        together.wait()
        connection.send(answer(connection.request.target.encode()))

    servers = [serve(echo) for _ in range(10)]
    fetcher = fetcher_for(*servers)
    with ThreadPoolExecutor(10) as pool:
        answers = pool.map(lambda server: fetcher.fetch(Request(server.url("/a"))).body, servers)
        assert [*answers] == [b"/a"] * 10


def test_one_host_is_asked_by_one_thread_at_a_time(serve: Serve, fetcher_for: FetcherFor) -> None:
    inside: list[int] = []
    most: list[int] = []
    queued = threading.Event()

    def alone(connection: Connection) -> None:
        inside.append(1)
        most.append(len(inside))
        # The first stays until all the others stand behind it, or beside it.
        queued.wait(10)
        inside.pop()
        connection.send(answer(connection.request.target.encode()))

    server = serve(alone)
    fetcher = fetcher_for(server)
    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(fetcher.fetch, Request(server.url(f"/{n}"))) for n in range(5)]
        while fetcher.host_locks.waiting(server.host) < 4 and len(inside) < 2:
            threading.Event().wait(0.01)
        queued.set()
        assert [each.result().body.decode() for each in asked] == [f"/{n}" for n in range(5)]
    assert most == [1] * 5


def test_nothing_is_kept_of_idle_hosts() -> None:
    locks = HostLocks()
    for number in range(3):
        with locks.hold(f"site{number}.test:80", lambda: 1.0):
            pass
    assert not any(len(kept) for kept in vars(locks).values() if isinstance(kept, (dict, set)))


def test_whoever_gets_no_turn_in_time_is_told_so(serve: Serve, fetcher_for: FetcherFor) -> None:
    arrived, told = threading.Event(), threading.Event()

    def stalling(connection: Connection) -> None:
        arrived.set()
        told.wait(60)
        connection.send(answer(PAGE))

    server = serve(stalling)
    fetcher = fetcher_for(server)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(fetcher.fetch, Request(server.url(), timeout_seconds=120))
        arrived.wait(60)
        with pytest.raises(FetchFailed, match="other requests to") as failed:
            fetcher.fetch(Request(server.url(), timeout_seconds=0.2))
        assert failed.value.reason == "busy_host"
        told.set()
        assert first.result().body == PAGE
    assert fetcher.host_locks.waiting(server.host) == 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"method": "PUT"}, "method PUT"),
        ({"form": {"a": "1"}}, '"method": "POST"'),
        ({"headers": {"Host": "inside"}}, "header Host"),
        ({"headers": {"content-length": "5"}}, "header content-length"),
        ({"headers": {"Transfer-Encoding": "chunked"}}, "header Transfer-Encoding"),
        ({"headers": {"Accept-Encoding": "br"}}, "header Accept-Encoding"),
        ({"headers": {"Connection": "keep-alive"}}, "header Connection"),
        ({"headers": {"If-None-Match": "*"}}, "header If-None-Match"),
        ({"headers": {"Referer": "a\r\nX-Evil: 1"}}, "header Referer"),
        ({"headers": {"Referer": "공지"}}, "header Referer"),
        ({"headers": {"Bad Name": "1"}}, "header Bad Name"),
        ({"headers": {"": "1"}}, "header "),
        ({"etag": '"a\nb"'}, "header If-None-Match"),
        ({"last_modified": "a\0b"}, "header If-Modified-Since"),
        ({"method": "POST", "form_encoding": "zip"}, "form encoding zip"),
        ({"method": "POST", "form": {"a": "中国话儿"}, "form_encoding": "latin1"}, "cp1252"),
    ],
)
def test_a_request_that_cannot_be_sent_is_refused_by_name(
    serve: Serve, fetcher_for: FetcherFor, change: dict[str, object], named: str
) -> None:
    server = serve(saying(answer(PAGE)))
    with pytest.raises(FetchFailed) as failed:
        fetcher_for(server).fetch(Request(server.url(), **change))  # type: ignore[arg-type]
    assert failed.value.reason == "bad_request"
    assert named in failed.value.detail
    assert server.connections == 0


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_body_asks_for_room_and_ends_without_it(
    serve: Serve, fetcher_for: FetcherFor, *, packed: bool
) -> None:
    page = b"x" * (2 * LARGE_BYTES)
    body = gzip.compress(page) if packed else page
    server = serve(saying(answer(body, *(["Content-Encoding: gzip"] if packed else []))))
    sizes: list[int] = []

    def refuse(size: int) -> None:
        raise FetchFailed("no_room", str(size))

    taken = fetcher_for(server).fetch(Request(server.url("/"), grows=sizes.append))
    assert (taken.body, sizes[-1]) == (page, len(page))
    assert sizes[0] > LARGE_BYTES
    with pytest.raises(FetchFailed, match="no_room"):
        fetcher_for(server).fetch(Request(server.url("/"), grows=refuse))


@pytest.mark.parametrize("layers", [1, 2])
def test_room_is_asked_for_before_a_bomb_is_inflated(
    serve: Serve, fetcher_for: FetcherFor, layers: int
) -> None:
    """Sixty kilobytes on the wire become ten megabytes: two hundred at once would be two GB."""
    body = b" " * (20 * LARGE_BYTES)
    for _ in range(layers):
        body = gzip.compress(body)
    server = serve(saying(answer(body, "Content-Encoding: " + ", ".join(["gzip"] * layers))))

    def refuse(size: int) -> None:
        raise FetchFailed("no_room", str(size))

    with pytest.raises(FetchFailed, match="no_room") as failed:
        fetcher_for(server).fetch(Request(server.url("/"), grows=refuse))
    assert int(failed.value.detail) < 3 * LARGE_BYTES


def test_a_body_of_a_megabyte_needs_no_room(serve: Serve, fetcher_for: FetcherFor) -> None:
    server = serve(saying(answer(b"x" * LARGE_BYTES)))
    sizes: list[int] = []
    fetcher_for(server).fetch(Request(server.url("/"), grows=sizes.append))
    assert sizes == []
