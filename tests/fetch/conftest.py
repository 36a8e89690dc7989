"""Servers that end with their test, and fetchers that may reach them."""

import datetime as dt
import ipaddress
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from scripted_server import Reads, Script, ScriptedServer

from uring.fetch.http import Fetcher

Serve = Callable[..., ScriptedServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers with the scripts of their connections, in order."""
    started: list[ScriptedServer] = []

    def start(
        *scripts: Script, tls: ssl.SSLContext | None = None, reads: Reads = "all", port: int = 0
    ) -> ScriptedServer:
        started.append(ScriptedServer(list(scripts), tls, reads=reads, port=port))
        return started[-1]

    yield start
    for server in started:
        server.stop()
        assert server.failures == []


@pytest.fixture
def fetcher_for() -> Callable[..., Fetcher]:
    """Make fetchers that may reach the given servers and nothing else that is private."""

    def make(*servers: ScriptedServer) -> Fetcher:
        return Fetcher(
            user_agent="uring-test/1",
            allowed_private_hosts=[server.host for server in servers],
            resolver=_no_names,
        )

    return make


def _no_names(host: str, port: int, timeout_seconds: float) -> list[str]:
    raise AssertionError(f"{host}:{port} was looked up within {timeout_seconds} s")


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
