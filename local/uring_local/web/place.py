"""The address of a stack's distribution, at AWS and on a local stack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_AWS: Final = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """The address of a distribution without a slash at the end, and the headers to send."""

    base: str
    headers: Mapping[str, str]


def place_of(domain: str, endpoint: str) -> SiteAddress:
    """Return the address of a distribution.

    Args:
        domain: of the distribution.
        endpoint: of S3; on a local stack it answers for distributions too.
    """
    address = urlsplit(endpoint)
    if (address.hostname or "").endswith(_AWS):
        return SiteAddress(f"https://{domain}", {})
    # MiniStack serves distributions by Host, and takes TLS from a header.
    host = f"{domain.partition('.')[0]}.cloudfront.localhost"
    return SiteAddress(endpoint.rstrip("/"), {"Host": host, "X-Forwarded-Proto": "https"})
