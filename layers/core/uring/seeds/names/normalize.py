"""URLs to domains, one or many, and duplicates."""

import re
from collections.abc import Iterable
from typing import Final

from uring.errors import FetchFailed
from uring.fetch.text import one_line
from uring.fetch.url import parse_url
from uring.seeds.names.authority import detect_authority
from uring.seeds.names.model import (
    Authority,
    InvalidDomain,
    NormalizedDomain,
    generate_domain_hash,
)
from uring.seeds.names.suffixes import extract_registrable_domain, is_suffix

_COUNTRY: Final = re.compile(r"[A-Za-z]{2}")
_WWW: Final = "www."


def normalize_domain(
    url: str, country: str, authority: Authority | None = None
) -> NormalizedDomain:
    """Return the domain that a URL belongs to.

    Args:
        url: http or https.
        country: two letters.
        authority: where the caller knows it; by default told from the suffix.

    Raises:
        InvalidDomain: the URL is none, or its host has no registrable domain.
        ValueError: the country has not two letters.
    """
    code = country_code(country)
    hostname = extract_hostname(url)
    domain = extract_registrable_domain(hostname)
    return build(url, hostname, domain, authority or detect_authority(domain), code)


def batch_normalize_domains(
    urls: Iterable[str], country: str
) -> tuple[list[NormalizedDomain], list[tuple[str, InvalidDomain]]]:
    """Return the domains of many URLs in their order, and the refused URLs with their errors.

    Raises:
        ValueError: the country has not two letters.
    """
    country_code(country)
    domains, refused = list[NormalizedDomain](), list[tuple[str, InvalidDomain]]()
    for url in urls:
        try:
            domains.append(normalize_domain(url, country))
        except InvalidDomain as error:
            refused.append((url, error))
    return domains, refused


def deduplicate_domains(domains: Iterable[NormalizedDomain]) -> list[NormalizedDomain]:
    """Return the first domain of each id, in order."""
    first = dict[str, NormalizedDomain]()
    for domain in domains:
        first.setdefault(domain.domain_id, domain)
    return list(first.values())


def extract_hostname(url: str) -> str:
    """Return a URL's host as lower-case A-labels, without a leading ``www.``.

    The label stays where the rest is a public suffix: ``www.gov.sg`` is a domain, ``gov.sg`` none.

    Raises:
        InvalidDomain: ``bad_url``, ``ip_address`` or ``idna``.
    """
    try:
        target = parse_url(url)
    except FetchFailed as error:
        raise InvalidDomain("bad_url", error.detail) from error
    host = target.host
    if target.literal is not None:
        raise InvalidDomain("ip_address", f"{host} is an address; name a host")
    if "xn--" in host:
        _check_labels(host)
    if not host.startswith(_WWW):
        return host
    shorter = host.removeprefix(_WWW)
    return host if is_suffix(shorter) else shorter


def country_code(country: str) -> str:
    """Return a country's code in lower case.

    Raises:
        ValueError: it has not two letters.
    """
    if not _COUNTRY.fullmatch(country):
        raise ValueError(f"{one_line(country)!r} is no country: two letters, such as SG")
    return country.lower()


def build(
    url: str, hostname: str, domain: str, authority: Authority, country: str
) -> NormalizedDomain:
    """Return a domain with its id and hash.

    Args:
        url: as given.
        hostname: of the URL.
        domain: registrable.
        authority: of the domain.
        country: two lower-case letters.
    """
    domain_id = f"{authority}:{country}:{domain}"
    digest = generate_domain_hash(domain_id)
    return NormalizedDomain(url, hostname, domain, authority, country.upper(), domain_id, digest)


def _check_labels(host: str) -> None:
    """Refuse A-labels that IDNA 2008 has no U-labels for, as it refuses those U-labels."""
    # 40 ms that a process without such a host need not pay.
    import idna  # noqa: PLC0415

    try:
        idna.decode(host)
    except UnicodeError as error:
        raise InvalidDomain("idna", f"{one_line(host)} holds a label that IDNA refuses") from error
