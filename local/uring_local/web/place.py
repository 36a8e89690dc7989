"""The way to a stack's distribution, at AWS and on a local stack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_AWS: Final = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """The address of the distribution, and the headers that a local stack wants."""

    base: str
    headers: Mapping[str, str]


def place_of(domain: str, endpoint: str) -> SiteAddress:
    """Return where a distribution is reached.

    Args:
        domain: the distribution's.
        endpoint: where S3 is: on a local stack it answers for distributions too.
    """
    address = urlsplit(endpoint)
    if (address.hostname or "").endswith(_AWS):
        return SiteAddress(f"https://{domain}", {})
    # MiniStack's way; it takes the word of a header for TLS.
    host = f"{domain.partition('.')[0]}.cloudfront.localhost"
    return SiteAddress(endpoint.rstrip("/"), {"Host": host, "X-Forwarded-Proto": "https"})
