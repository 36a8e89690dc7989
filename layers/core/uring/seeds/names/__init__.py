"""From an untrusted URL to its domain; pure.

    record ─► URL ─► host ─► registrable domain ─► authority ─► domain id ─► hash

`model`       a normalised domain, its id and authority, and the error for an invalid one
`normalize`   URLs and records of raw files to domains, by the Public Suffix List
"""

from uring.seeds.names.model import (
    Authority,
    InvalidDomain,
    NormalizedDomain,
    detect_authority,
    generate_domain_hash,
    validate_domain_id,
)
from uring.seeds.names.normalize import (
    PSL_VERSION,
    batch_normalize_domains,
    deduplicate_domains,
    extract_domain,
    extract_hostname,
    extract_registrable_domain,
    normalize_domain,
)

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
