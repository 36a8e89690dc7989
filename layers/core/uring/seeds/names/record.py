"""A record of a raw file to its domain (the document's section 4.2, cases 1 and 2)."""

from collections.abc import Mapping
from typing import Any, cast

from uring.seeds.names.authority import detect_authority
from uring.seeds.names.model import (
    AUTHORITIES,
    Authority,
    InvalidDomain,
    NormalizedDomain,
    validate_domain_id,
)
from uring.seeds.names.normalize import build, country_code, extract_hostname
from uring.seeds.names.suffixes import extract_registrable_domain


def extract_domain(record: Mapping[str, Any], country: str) -> NormalizedDomain:
    """Return the domain of a record: an id that fits its URL is kept, else all is told anew.

    An id fits whose domain is the registrable one of ``raw_url`` and whose authority does not
    contradict ``source_type``. Told anew, ``source_type`` counts before the suffix.

    Args:
        record: of a raw file; nothing but ``raw_url`` has to be there or be sound.
        country: the partition's, two letters; an id that fits may have another.

    Raises:
        InvalidDomain: ``no_url``, or as in `normalize_domain`.
        ValueError: the country has not two letters.
    """
    code = country_code(country)
    url = record.get("raw_url")
    if not isinstance(url, str) or not url:
        raise InvalidDomain("no_url", "the record has no raw_url")
    hostname = extract_hostname(url)
    domain = extract_registrable_domain(hostname)
    stated = _authority(record.get("source_type"))
    known = _known(record.get("domain_id"), domain, stated)
    if known is not None:
        return build(url, hostname, domain, *known)
    return build(url, hostname, domain, stated or detect_authority(domain), code)


def _known(
    domain_id: object, domain: str, stated: Authority | None
) -> tuple[Authority, str] | None:
    """Return authority and country of an id, where it is one and fits."""
    if not isinstance(domain_id, str):
        return None
    authority, _, rest = domain_id.partition(":")
    country, _, named = rest.partition(":")
    if named != domain or stated not in (None, authority) or not validate_domain_id(domain_id):
        return None
    return cast("Authority", authority), country


def _authority(text: object) -> Authority | None:
    if isinstance(text, str) and text in AUTHORITIES:
        return cast("Authority", text)
    return None
