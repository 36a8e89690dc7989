"""A root and a server's certificate for the boards' names, of RSA keys as most sites have."""

import datetime as dt
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from own_names import DOMAIN

_BITS: Final = 2048
_DAY: Final = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM: all that a client trusts, and key and chain of the server."""

    trusted: Path
    server: Path


def certificates_at(folder: Path) -> Certificates:
    """Make them; what the system trusts is trusted beside the root, as many roots cost reading."""
    root_key, key = (rsa.generate_private_key(65537, _BITS) for _ in range(2))
    root_name = _name("root of the benchmark")
    root = _builder(root_name, root_name, root_key).add_extension(
        x509.BasicConstraints(ca=True, path_length=None), critical=True
    )
    names = x509.SubjectAlternativeName([x509.DNSName(f"*.{DOMAIN}")])
    leaf = _builder(_name(DOMAIN), root_name, key).add_extension(names, critical=False)
    pem = serialization.Encoding.PEM
    own = root.sign(root_key, hashes.SHA256()).public_bytes(pem)
    made = Certificates(folder / "trusted.pem", folder / "server.pem")
    known = ssl.get_default_verify_paths().cafile
    made.trusted.write_bytes((Path(known).read_bytes() if known else b"") + b"\n" + own)
    made.server.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + leaf.sign(root_key, hashes.SHA256()).public_bytes(pem)
    )
    return made


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(name: x509.Name, issuer: x509.Name, key: rsa.RSAPrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
    )
