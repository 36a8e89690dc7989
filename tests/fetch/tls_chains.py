"""Certificates made in the test, servers that show them, and fetchers that may reach these."""

import datetime as dt
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from scripted_server import Script, ScriptedServer, answer, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.tls import Tls

Serve = Callable[..., ScriptedServer]


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


@dataclass(frozen=True)
class Chain:
    """A root, an intermediate signed by it, and a server's certificate signed by that."""

    root: str
    intermediate: str
    server: Path


def _issued(
    name: str,
    issuer: tuple[x509.Name, ec.EllipticCurvePrivateKey] | None,
    *,
    days: int,
    ca: bool,
    is_old: bool = False,
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
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=not is_old)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    )
    if is_old:
        return builder.sign(issuer_key, hashes.SHA256()), key
    subject_id = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    issuer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    builder = builder.add_extension(subject_id, critical=False)
    builder = builder.add_extension(issuer_id, critical=False)
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


def chain_at(folder: Path, *, days: int = 10, is_old: bool = False) -> Chain:
    """A chain whose server certificate ends so many days from now; the server sends it alone.

    An old one has neither key identifiers nor key usages, and nothing in it is critical.
    """
    root, root_key = _issued("root.test", None, days=20, ca=True, is_old=is_old)
    middle, middle_key = _issued(
        "middle.test", (root.subject, root_key), days=20, ca=True, is_old=is_old
    )
    leaf, leaf_key = _issued(
        "site.test", (middle.subject, middle_key), days=days, ca=False, is_old=is_old
    )
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
