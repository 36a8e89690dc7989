"""A failed request names the key of the entry that would let it succeed."""

import ssl
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, answer, redirecting, saying
from tls_chains import Chain, chain_at, fetcher_at

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.tls import Tls, remedy
from uring.reading.request_rules import RequestRule
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
FetcherFor = Callable[..., Fetcher]


def detail_of(fetcher: Fetcher, request: Request) -> str:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(request)
    return failed.value.detail


def site_of(chain: Chain) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain.server)
    return context


def test_a_missing_intermediate_names_extra_ca(serve: Serve, tmp_path: Path) -> None:
    context = site_of(chain_at(tmp_path))
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=context))
    assert "request.tls.extra_ca" in detail_of(fetcher, Request(url))


def test_a_self_signed_certificate_names_extra_ca(serve: Serve, tls: ssl.SSLContext) -> None:
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=tls))
    assert "request.tls.extra_ca" in detail_of(fetcher, Request(url))


def test_an_expired_certificate_names_verify_and_the_operator(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path, days=-1)
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=site_of(chain)))
    detail = detail_of(fetcher, Request(url, tls=Tls(extra_ca=chain.intermediate)))
    assert "request.tls.verify" in detail
    assert "operator" in detail


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("host", ["other.test", "127.0.0.1"])
def test_a_certificate_for_another_name_names_the_url(
    serve: Serve, tls: ssl.SSLContext, host: str
) -> None:
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=tls), host)
    assert "in url" in detail_of(fetcher, Request(url))


def test_an_old_version_names_legacy(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path)
    context = site_of(chain)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=context))
    assert "request.tls.legacy" in detail_of(fetcher, Request(url))


def test_old_ciphers_name_legacy_and_then_work(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path)
    context = site_of(chain)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0")
    fetcher, url = fetcher_at(serve(saying(answer(b"page")), tls=context))
    assert "request.tls.legacy" in detail_of(fetcher, Request(url))
    legacy = Tls(extra_ca=chain.intermediate, legacy=True)
    assert fetcher.fetch(Request(url, tls=legacy)).body == b"page"


def test_plain_http_behind_https_names_the_scheme(serve: Serve) -> None:
    server = serve(saying(b"HTTP/1.1 400 Plain HTTP\r\n\r\n"), reads="nothing")
    fetcher, url = fetcher_at(server)
    assert "http://" in detail_of(fetcher, Request(url))


def test_no_key_is_named_that_is_set_already() -> None:
    error = ssl.SSLError(1, "dh key too small")
    error.reason = "DH_KEY_TOO_SMALL"
    assert "legacy" in remedy(error, Tls(), is_own=True)
    assert remedy(error, Tls(legacy=True), is_own=True) == ""
    assert remedy(OSError("odd"), Tls(), is_own=True) == ""
    assert remedy(None, Tls(), is_own=False) == ""


def test_a_redirect_is_told_that_no_key_holds_for_its_host() -> None:
    error = ssl.SSLError(1, "unsupported protocol")
    error.reason = "UNSUPPORTED_PROTOCOL"
    assert "the host of url alone" in remedy(error, Tls(), is_own=False)


def test_a_site_that_wants_a_cookie_gets_it_by_the_named_key(
    serve: Serve, fetcher_for: FetcherFor
) -> None:
    def site(connection: Connection) -> None:
        if "cookie" in connection.request.headers:
            connection.send(answer(b"page"))
        else:
            redirecting("/list")(connection)

    server = serve(site)
    fetcher = fetcher_for(server)
    assert "request.headers.Cookie" in detail_of(fetcher, Request(server.url("/list")))
    rule = RequestRule.model_validate({"headers": {"Cookie": "seen=1; lang=ko"}})
    assert fetcher.fetch(Request(server.url("/list"), headers=rule.headers)).body == b"page"
    assert server.received[-1].headers["cookie"] == "seen=1; lang=ko"
