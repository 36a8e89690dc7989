"""TLS: who is believed, and that the deadline and the cut detection hold under it."""

import datetime as dt
import ipaddress
import ssl
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from scripted_server import Script, ScriptedServer, answer, saying

from uring.errors import FetchFailed
from uring.fetch import Fetcher, Request
from uring.fetch.tls import Tls
from uring.fetch.wire import tls_context
from uring_local.sites.loopback import Connection

Serve = Callable[..., ScriptedServer]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a key and a self-signed certificate for site.test and 127.0.0.2."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site.test")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("site.test"), x509.IPAddress(ipaddress.ip_address("127.0.0.2"))]
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test's certificate the system's only root, the way an operator does."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


def fetcher_at(
    server: ScriptedServer,
    host: str = "site.test",
    monotonic: Callable[[], float] = time.monotonic,
) -> tuple[Fetcher, str]:
    authority = f"{host}:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[authority],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
        monotonic=monotonic,
    )
    return fetcher, f"https://{authority}/"


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


@dataclass(frozen=True)
class Chain:
    """A root, an intermediate signed by it, and a server's certificate signed by that."""

    root: str
    intermediate: str
    server: Path


def _issued(
    name: str, issuer: tuple[x509.Name, ec.EllipticCurvePrivateKey] | None, *, days: int, ca: bool
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer_name, issuer_key = issuer or (subject, key)
    until = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer_name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(until - dt.timedelta(days=30))
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    )
    if ca:
        usage = dict.fromkeys(
            (
                "digital_signature",
                "content_commitment",
                "key_encipherment",
                "data_encipherment",
                "key_agreement",
                "encipher_only",
                "decipher_only",
            ),
            False,
        )
        builder = builder.add_extension(
            x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True
        )
    return builder.sign(issuer_key, hashes.SHA256()), key


def chain_at(folder: Path, *, days: int = 10) -> Chain:
    """A chain whose server certificate ends so many days from now; the server sends it alone."""
    root, root_key = _issued("root.test", None, days=20, ca=True)
    middle, middle_key = _issued("middle.test", (root.subject, root_key), days=20, ca=True)
    leaf, leaf_key = _issued("site.test", (middle.subject, middle_key), days=days, ca=False)
    pem = serialization.Encoding.PEM
    path = folder / "server.pem"
    path.write_bytes(
        leaf_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + leaf.public_bytes(pem)
    )
    return Chain(root.public_bytes(pem).decode(), middle.public_bytes(pem).decode(), path)


def served(serve: Serve, chain: Chain, *scripts: Script) -> tuple[Fetcher, str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain.server)
    return fetcher_at(serve(*scripts or (saying(answer(b"page")),), tls=context))


def reason_of(fetcher: Fetcher, url: str, tls: Tls) -> str:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request(url, tls=tls))
    return failed.value.reason


def test_an_intermediate_that_the_server_forgets_is_named(serve: Serve, tmp_path: Path) -> None:
    chain = chain_at(tmp_path)
    fetcher, url = served(serve, chain)
    assert reason_of(fetcher, url, Tls()) == "tls"
    assert reason_of(fetcher, url, Tls(extra_ca=chain.root)) == "tls"
    assert fetcher.fetch(Request(url, tls=Tls(extra_ca=chain.intermediate))).body == b"page"


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
