"""From a URL that nobody vouches for to the domain that it belongs to: pure.

    record ─► URL ─► host ─► registrable domain ─► authority ─► domain id ─► hash

`model`       a normalised domain, its id, and the error of what is none
`suffixes`    the Public Suffix List: where a domain ends and its registry begins
`authority`   who may register under a suffix: gov, edu, org, com, other
`normalize`   URLs to domains, one or many, and duplicates
`record`      a record of a raw file to its domain
"""

from uring.seeds.names.authority import detect_authority
from uring.seeds.names.model import (
    Authority,
    InvalidDomain,
    NormalizedDomain,
    generate_domain_hash,
    validate_domain_id,
)
from uring.seeds.names.normalize import (
    batch_normalize_domains,
    deduplicate_domains,
    extract_hostname,
    normalize_domain,
)
from uring.seeds.names.record import extract_domain
from uring.seeds.names.suffixes import PSL_VERSION, extract_registrable_domain

__all__ = [
    "PSL_VERSION",
    "Authority",
    "InvalidDomain",
    "NormalizedDomain",
    "batch_normalize_domains",
    "deduplicate_domains",
    "detect_authority",
    "extract_domain",
    "extract_hostname",
    "extract_registrable_domain",
    "generate_domain_hash",
    "normalize_domain",
    "validate_domain_id",
]
