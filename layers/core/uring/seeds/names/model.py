"""A normalised domain, its id, and the error of what is no domain."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, get_args

from uring.errors import UringError

Authority = Literal["gov", "edu", "org", "com", "other"]
AUTHORITIES: Final[frozenset[str]] = frozenset(get_args(Authority))
Reason = Literal[
    "no_url", "bad_url", "ip_address", "single_label", "is_suffix", "unknown_suffix", "idna"
]

_ID: Final = re.compile(
    r"(?:gov|edu|org|com|other):[a-z]{2}:(?=.{1,253}\Z)"
    r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+"
)


class InvalidDomain(UringError):
    """A URL without registrable domain, or none at all.

    Args:
        reason: one word, stable, for counters.
        detail: a sentence for people; it holds no user name, password or query.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class NormalizedDomain:
    """A domain, told from a URL; hosts are lower-case A-labels.

    Attributes:
        input_url: as given.
        hostname: of the URL, without a leading ``www.`` unless that is the domain's own label.
        registrable_domain: the public suffix and one label before it.
        authority: who is behind it.
        country: ISO 3166, upper case.
        domain_id: ``gov:sg:mom.gov.sg``.
        domain_hash: SHA-256 of the id, in hexadecimal.
    """

    input_url: str
    hostname: str
    registrable_domain: str
    authority: Authority
    country: str
    domain_id: str
    domain_hash: str


def generate_domain_hash(domain_id: str) -> str:
    """Return the SHA-256 of an id, in hexadecimal."""
    return sha256(domain_id.encode()).hexdigest()


def validate_domain_id(text: str) -> bool:
    """Tell whether a text has the form ``authority:country:domain``.

    Whether the domain exists, or is registrable, is not asked.
    """
    return _ID.fullmatch(text) is not None
