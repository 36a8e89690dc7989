"""A normalised domain, its id and its authority, and the error for a URL without domain."""

import re
from collections.abc import Mapping
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

_TLDS: Final[Mapping[str, Authority]] = {
    "gov": "gov",
    "mil": "gov",
    "edu": "edu",
    "org": "org",
    "ngo": "org",
    "ong": "org",
    "int": "org",
    "com": "com",
    "biz": "com",
}
# Words before a country's TLD, at any place: `nsw.edu.au`, `k12.ca.us`.
_WORDS: Final[Mapping[str, Authority]] = {
    "gov": "gov",
    "govt": "gov",
    "gouv": "gov",
    "gob": "gov",
    "gub": "gov",
    "mil": "gov",
    "edu": "edu",
    "sch": "edu",
    "school": "edu",
    "k12": "edu",
    "org": "org",
    "com": "com",
    "ltd": "com",
    "plc": "com",
}
# Shorter words count only directly before the TLD: elsewhere they name places.
_SHORT: Final[Mapping[str, Authority]] = {
    "go": "gov",
    "gv": "gov",
    "gc": "gov",
    "ac": "edu",
    "or": "org",
    "co": "com",
}
# `co.us` is Colorado, `go.it` is Gorizia.
_PLACES: Final = frozenset({"it", "us"})
# Schools of all kinds in Korea (es, ms, hs, kg, sc) and its institutes of research, which are
# foundations more often than schools (re); municipalities, schools and societies of Japan.
_OF_COUNTRY: Final[Mapping[str, Mapping[str, Authority]]] = {
    "kr": {"es": "edu", "ms": "edu", "hs": "edu", "kg": "edu", "sc": "edu", "re": "org"},
    "jp": {"lg": "gov", "ed": "edu", "gr": "org"},
}


class InvalidDomain(UringError):
    """Raised for an invalid URL, or one without a registrable domain.

    Args:
        reason: one stable word, for counters.
        detail: a sentence for people, without user name, password or query.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class NormalizedDomain:
    """A domain, derived from a URL; hosts are lower-case A-labels.

    Attributes:
        input_url: the URL, without control characters and user name.
        hostname: host of the URL, without a leading ``www.`` unless it is the domain's own label.
        registrable_domain: the public suffix and one label before it.
        authority: the kind of owner.
        country: ISO 3166, upper case.
        domain_id: for example ``gov:sg:mom.gov.sg``.
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
    """Return whether a text has the form ``authority:country:domain``.

    The domain may be unknown or not registrable.
    """
    return _ID.fullmatch(text) is not None


def detect_authority(registrable_domain: str) -> Authority:
    """Return a domain's kind of owner, by its suffix: ``gov.sg``, ``go.kr``, ``ac.uk``, ``com``.

    This is a guess by convention: a record's own word counts more. Military is ``gov``; a domain
    without a rule is ``other``.
    """
    *words, tld = registrable_domain.split(".")[1:] or [""]
    if words and tld not in _PLACES:
        second = words[-1]
        named = _OF_COUNTRY.get(tld, {}).get(second) or _SHORT.get(second)
        if named:
            return named
    for word in reversed(words):
        if word in _WORDS:
            return _WORDS[word]
    return _TLDS.get(tld, "other")
