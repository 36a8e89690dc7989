"""Derives domains from URLs and from records of raw files, by the Public Suffix List.

The list has the suffixes below which domains are registered. Its private section counts as well:
every ``*.github.io`` is a site of its own, with its own robots.txt. Unknown suffixes are refused,
because such names do not resolve.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, cast
from urllib.parse import quote

import publicsuffixlist

from uring.errors import FetchFailed
from uring.fetch.url import one_line, parse_url
from uring.seeds.names import (
    AUTHORITIES,
    Authority,
    InvalidDomain,
    NormalizedDomain,
    detect_authority,
    generate_domain_hash,
    validate_domain_id,
)

PSL_VERSION: Final[str] = publicsuffixlist.__version__
"""The package's version; it ends with the date of its list."""

_COUNTRY: Final = re.compile(r"[A-Za-z]{2}")
# C0 controls and space, which browsers strip, and byte-order marks of tables of text.
_AROUND: Final = "".join(map(chr, range(33))) + "\ufeff"
# What a path may have and a host may not: escaped, it is refused there.
_ESCAPED: Final = (*range(32), *range(127, 160), 0x2028, 0x2029)
_WITHIN: Final = {
    **{code: quote(chr(code)) for code in _ESCAPED},
    **dict.fromkeys(map(ord, "\t\r\n")),
}
_SLASHES: Final = re.compile(r"\A(https?):/*", re.IGNORECASE)
# Of several @ the last one ends the user name; what has no host behind it is refused.
_USER: Final = re.compile(r"\A([A-Za-z]{1,10}://)[^/?#\\]*@(?=[^/?#\\])")
_WWW: Final = "www."


def normalize_domain(
    url: str, country: str, authority: Authority | None = None
) -> NormalizedDomain:
    """Return the domain of a URL.

    Args:
        url: http or https.
        country: two letters.
        authority: if the caller knows it; by default derived from the suffix.

    Raises:
        InvalidDomain: the URL is malformed, or its host has no registrable domain.
        ValueError: the country does not have two letters.
    """
    code = _country_code(country)
    url = _cleaned(url)
    hostname = extract_hostname(url)
    domain = extract_registrable_domain(hostname)
    return _build(url, hostname, domain, authority or detect_authority(domain), code)


def batch_normalize_domains(
    urls: Iterable[str], country: str
) -> tuple[list[NormalizedDomain], list[tuple[str, InvalidDomain]]]:
    """Return the domains of URLs in their order, and the refused URLs with their errors.

    Raises:
        ValueError: the country does not have two letters.
    """
    _country_code(country)
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

    It stays if the rest is a public suffix: ``www.gov.sg`` is a domain, ``gov.sg`` is not.

    Raises:
        InvalidDomain: ``bad_url``, ``ip_address`` or ``idna``.
    """
    try:
        target = parse_url(_cleaned(url))
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
    return host if _is_suffix(shorter) else shorter


def extract_domain(record: Mapping[str, Any], country: str) -> NormalizedDomain:
    """Return the domain of a record: keep an id that fits its URL, else derive all from the URL.

    An id fits if its domain is the registrable one of ``raw_url`` and its authority does not
    contradict ``source_type``. In a derived domain, ``source_type`` counts before the suffix.

    Args:
        record: a record of a raw file; only ``raw_url`` is required, other fields may be malformed.
        country: two letters, of the partition; an id that fits may have another country.

    Raises:
        InvalidDomain: ``no_url``, or as in `normalize_domain`.
        ValueError: the country does not have two letters.
    """
    code = _country_code(country)
    url = record.get("raw_url")
    if not isinstance(url, str) or not url:
        raise InvalidDomain("no_url", "the record has no raw_url")
    url = _cleaned(url)
    hostname = extract_hostname(url)
    domain = extract_registrable_domain(hostname)
    stated = _authority(record.get("source_type"))
    known = _known(record.get("domain_id"), domain, stated)
    if known is not None:
        return _build(url, hostname, domain, *known)
    return _build(url, hostname, domain, stated or detect_authority(domain), code)


def _cleaned(url: str) -> str:
    """Return a URL as browsers read it, with two slashes, without control characters and user name.

    White space, control characters and byte-order marks around it go, and tabs and line ends within
    it; other control characters are escaped (url.spec.whatwg.org, section 4.4). A user name says
    nothing about the domain, and a password must not travel with it.
    """
    url = url.strip(_AROUND).translate(_WITHIN)
    return _USER.sub(r"\1", _SLASHES.sub(r"\1://", url, count=1))


def _known(
    domain_id: object, domain: str, stated: Authority | None
) -> tuple[Authority, str] | None:
    """Return authority and country of an id; None if the id is malformed or does not fit."""
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


def extract_registrable_domain(hostname: str) -> str:
    """Return the registrable domain of a host: its public suffix and the label before it.

    Args:
        hostname: lower-case A-labels without trailing dot, as `extract_hostname` returns them.

    Raises:
        InvalidDomain: ``single_label``, ``is_suffix`` or ``unknown_suffix``.
    """
    domain: str | None = _suffixes().privatesuffix(hostname)
    if domain is None:
        raise _without_domain(hostname)
    return domain


def _is_suffix(hostname: str) -> bool:
    """Return whether a host as a whole is a public suffix, such as ``gov.sg``."""
    return _suffixes().publicsuffix(hostname) == hostname


def _without_domain(hostname: str) -> InvalidDomain:
    shown = one_line(hostname)
    if _is_suffix(hostname):
        return InvalidDomain(
            "is_suffix", f"{shown} is a public suffix, under which others register; name a host"
        )
    if "." not in hostname:
        return InvalidDomain("single_label", f"{shown} is not a full host name")
    return InvalidDomain(
        "unknown_suffix", f"{shown} does not end in a public suffix of {PSL_VERSION}"
    )


@cache
def _suffixes() -> publicsuffixlist.PublicSuffixList:
    # Takes 30 ms, only in a process that normalises a URL.
    return publicsuffixlist.PublicSuffixList(accept_unknown=False)


def _country_code(country: str) -> str:
    """Return the code of a country in lower case.

    Raises:
        ValueError: the code does not have two letters.
    """
    if not _COUNTRY.fullmatch(country):
        raise ValueError(
            f"{one_line(country)!r} is not a country code; use two letters, such as SG"
        )
    return country.lower()


def _build(
    url: str, hostname: str, domain: str, authority: Authority, country: str
) -> NormalizedDomain:
    """Return a domain with its id and hash.

    Args:
        url: the URL, cleaned.
        hostname: host of the URL.
        domain: registrable domain of the host.
        authority: authority of the domain.
        country: two lower-case letters.
    """
    domain_id = f"{authority}:{country}:{domain}"
    digest = generate_domain_hash(domain_id)
    return NormalizedDomain(url, hostname, domain, authority, country.upper(), domain_id, digest)


def _check_labels(host: str) -> None:
    """Refuse A-labels without a valid U-label in IDNA 2008."""
    # Takes 40 ms, only in a process with such a host.
    import idna  # noqa: PLC0415

    try:
        idna.decode(host)
    except UnicodeError as error:
        raise InvalidDomain("idna", f"{one_line(host)} has a label that IDNA refuses") from error
