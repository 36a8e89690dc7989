"""A 304 on the wire, as public reports have it, for the fetcher and for a visit of a domain."""

import time
from collections.abc import Callable

import pytest
from conftest import Serve
from scripted_server import answer, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request, Validators
from uring.seeds.collect.pace import Pace
from uring.seeds.collect.visit import DomainVisit
from uring.seeds.known.files import KnownFile, KnownFiles

FetcherFor = Callable[..., Fetcher]

OTHER = b"User-agent: *\nDisallow: /q\n"
ETAG = '"one"'
EARLIER = "Mon, 02 Mar 2026 08:00:00 GMT"
LATER = "Tue, 03 Mar 2026 08:00:00 GMT"
BARE = b"HTTP/1.1 304 Not Modified\r\n\r\n"


def known(*urls: str) -> KnownFiles:
    """Files of these addresses, each with the same ETag."""
    file = KnownFile(Validators(etag=ETAG), "2026-03-02T00:00:00Z", b"User-agent: *\n")
    return KnownFiles(dict.fromkeys(urls, file))


def ask(fetcher: Fetcher, url: str, files: KnownFiles) -> tuple[int, bytes, str]:
    """Status, body and address of the answer in a visit."""
    pace = Pace(time.monotonic, 30.0, 0.0)
    visit = DomainVisit(
        fetcher,
        pace,
        time.monotonic,
        lambda _: None,
        seconds=20,
        most_bytes=1_000_000,
        gap_seconds=0,
    )
    response = visit.ask(url, seconds=10, max_bytes=1_000, accept="*/*", known=files)
    return response.status, response.body, response.url


@pytest.mark.parametrize(
    "head",
    [
        BARE,
        b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nConnection: keep-alive\r\n\r\n<html>a page</html>",
        b"HTTP/1.1 304 Not Modified\r\nLocation: /elsewhere\r\n\r\n",
    ],
    ids=["cpp-httplib 1998", "a length", "chunked", "fcrepo 1141", "elastic crawler 219"],
)
def test_a_304_has_no_body_and_is_no_redirect(
    serve: Serve, fetcher_for: FetcherFor, head: bytes
) -> None:
    server = serve(saying(head))
    response = fetcher_for(server).fetch(Request(server.url("/robots.txt"), etag=ETAG))
    assert (response.status, response.body, response.hops) == (304, b"", ())
    assert response.validators == Validators(etag=ETAG)


def test_a_304_to_a_request_without_validators_is_no_answer(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    """Stormcrawler 279: some servers send 304 to any request."""
    server = serve(saying(BARE))
    with pytest.raises(FetchFailed, match="without validators"):
        ask(fetcher_for(server), server.url(), known("http://other.example/"))
    assert "if-none-match" not in server.received[0].headers


def test_a_304_of_another_page_is_asked_again_without_validators(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    other = b'HTTP/1.1 304 Not Modified\r\nETag: "two"\r\n\r\n'
    server = serve(saying(other), saying(answer(OTHER, 'ETag: "two"')))
    url = server.url("/robots.txt")
    assert ask(fetcher_for(server), url, known(url)) == (200, OTHER, url)
    sent = [request.headers.get("if-none-match") for request in server.received]
    assert sent == [ETAG, None]


@pytest.mark.parametrize(
    ("head", "is_believed"),
    [
        (f"Last-Modified: {EARLIER}", False),
        (f"Last-Modified: {LATER}", True),
        ("X: y", True),
        (f"ETag: {ETAG}\r\nLast-Modified: {EARLIER}", True),
    ],
    ids=["another date", "the same date", "neither", "the same ETag"],
)
def test_a_304_with_another_date_and_no_etag_is_of_another_page(
    serve: Serve, fetcher_for: FetcherFor, head: str, *, is_believed: bool
) -> None:
    """A server that looks at dates alone says 304 to a file that was put back."""
    said = f"HTTP/1.1 304 Not Modified\r\n{head}\r\n\r\n".encode()
    server = serve(saying(said), saying(answer(OTHER)))
    url = server.url("/robots.txt")
    validators = Validators(etag=ETAG, last_modified=LATER)
    files = KnownFiles({url: KnownFile(validators, "2026-03-02T00:00:00Z", b"x")})
    expected = (304, b"") if is_believed else (200, OTHER)
    assert ask(fetcher_for(server), url, files)[:2] == expected


def test_a_304_to_an_etag_alone_may_have_any_date(serve: Serve, fetcher_for: FetcherFor) -> None:
    said = f"HTTP/1.1 304 Not Modified\r\nLast-Modified: {EARLIER}\r\n\r\n".encode()
    server = serve(saying(said))
    url = server.url("/robots.txt")
    assert ask(fetcher_for(server), url, known(url)) == (304, b"", url)


def test_a_304_that_contradicts_itself_for_ever_is_a_failure(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    server = serve(saying(b'HTTP/1.1 304 Not Modified\r\nETag: "two"\r\n\r\n'))
    with pytest.raises(FetchFailed, match="without validators"):
        ask(fetcher_for(server), server.url(), known(server.url()))
    assert len(server.received) == 2


@pytest.mark.parametrize("is_own", [True, False])
def test_a_redirect_takes_no_validators_along_and_its_target_has_its_own(
    serve: Serve, fetcher_for: FetcherFor, *, is_own: bool
) -> None:
    target = serve(saying(BARE) if is_own else saying(answer(OTHER)))
    url = target.url("/robots.txt")
    first = serve(saying(answer(b"", f"Location: {url}", status="301 Moved")))
    asked = first.url("/robots.txt")
    files = known(url) if is_own else known("http://other.example/")
    body = b"" if is_own else OTHER
    assert ask(fetcher_for(first, target), asked, files) == (304 if is_own else 200, body, url)
    assert "if-none-match" not in first.received[0].headers
    assert target.received[0].headers.get("if-none-match") == (ETAG if is_own else None)


def test_the_validators_of_a_redirecting_address_stay_there(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    target = serve(saying(answer(OTHER)))
    url = target.url("/robots.txt")
    first = serve(saying(answer(b"", f"Location: {url}", status="302 Found")))
    asked = first.url("/robots.txt")
    assert ask(fetcher_for(first, target), asked, known(asked)) == (200, OTHER, url)
    assert first.received[0].headers["if-none-match"] == ETAG
    assert "if-none-match" not in target.received[0].headers


@pytest.mark.parametrize(
    ("etag", "kept"),
    [
        ('W/"one"', 'W/"one"'),
        ('"' + "x" * 10_000 + '"', None),
        ('"a\tb"', None),
        ('"\x7f"', None),
        ("one", "one"),
    ],
    ids=["weak", "10 kB", "tab", "delete", "no quotes"],
)
def test_a_validator_is_kept_if_it_may_be_sent_again(
    serve: Serve, fetcher_for: FetcherFor, etag: str, kept: str | None
) -> None:
    server = serve(saying(answer(OTHER, f"ETag: {etag}")))
    response = fetcher_for(server).fetch(Request(server.url()))
    assert response.validators.etag == kept
    assert response.validators.sendable() == response.validators
