"""The Public Suffix List: where a domain ends and its registry begins.

The private section counts as well: every ``*.github.io`` is a site of its own, with its own
robots.txt. Suffixes that the list does not have are refused, for no such name resolves.
"""

from functools import cache
from typing import Final

import publicsuffixlist

from uring.fetch.text import one_line
from uring.seeds.names.model import InvalidDomain

PSL_VERSION: Final[str] = publicsuffixlist.__version__
"""The package's version; it ends in the day of its list."""


def extract_registrable_domain(hostname: str) -> str:
    """Return the public suffix of a host and the label before it.

    Args:
        hostname: lower-case A-labels without trailing dot, as `extract_hostname` returns them.

    Raises:
        InvalidDomain: ``single_label``, ``is_suffix`` or ``unknown_suffix``.
    """
    domain: str | None = _suffixes().privatesuffix(hostname)
    if domain is None:
        raise _without_domain(hostname)
    return domain


def is_suffix(hostname: str) -> bool:
    """Tell whether a host is a public suffix as a whole, such as ``gov.sg``."""
    return _suffixes().publicsuffix(hostname) == hostname


def _without_domain(hostname: str) -> InvalidDomain:
    shown = one_line(hostname)
    if is_suffix(hostname):
        return InvalidDomain(
            "is_suffix", f"{shown} is a public suffix, under which others register; name a host"
        )
    if "." not in hostname:
        return InvalidDomain("single_label", f"{shown} is no full host name")
    return InvalidDomain("unknown_suffix", f"{shown} ends in no public suffix of {PSL_VERSION}")


@cache
def _suffixes() -> publicsuffixlist.PublicSuffixList:
    # 30 ms, for whoever normalises anything.
    return publicsuffixlist.PublicSuffixList(accept_unknown=False)
