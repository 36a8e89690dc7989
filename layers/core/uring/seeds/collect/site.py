"""The requests that a domain's robots.txt allows (RFC 9309).

A guessed URL, the home page and its feeds are requested if robots.txt allows them. A Sitemap line
or an entry of an index is an invitation, and is requested whatever the rules say: sites forbid
`/*.xml` to keep it out of search results, and name their sitemap in the same file.
"""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from uring.fetch.robots import RobotsFile, read_robots
from uring.fetch.url import parse_url
from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.collect.robots import is_within, resolve

_PLACE: Final = re.compile(r"https?://(?:www\.)?")


@dataclass(frozen=True, slots=True)
class Site:
    """A domain whose robots.txt was reachable.

    Attributes:
        domain: the registrable domain.
        base: the address of that robots.txt, such as ``https://mom.gov.sg/``.
        hosts: the hosts of its rules: the requested one, and the target of its redirect if that is
            a robots.txt itself.
        rules: None if everything is allowed.
    """

    domain: str
    base: str
    hosts: frozenset[str]
    rules: RobotsFile | None

    @classmethod
    def of(cls, domain: str, answer: RobotsAnswer, body: bytes) -> "Site":
        """Return the site for a robots.txt answer and its body."""
        hosts = {parse_url(answer.url).host}
        final = answer.final_url
        # Many a bare domain leads to the home page of www: those are not the rules of www.
        if final and final == urljoin(final, "/robots.txt"):
            hosts.add(parse_url(final).host)
        rules = read_robots(body) if answer.outcome == "ok" else None
        return cls(domain, urljoin(answer.url, "/"), frozenset(hosts), rules)

    def allows(self, url: str) -> bool:
        """Return True if the rules allow a URL; its host is not checked, see `is_known`."""
        return self.rules is None or self.rules.allows(url)

    def is_known(self, url: str) -> bool:
        """Return True if this robots.txt applies to the host of a URL."""
        return parse_url(url).host in self.hosts

    def child(self, reference: str, index_url: str) -> str | None:
        """Return the address of an index's child; None if it is on another site.

        An index on foreign storage may name files beside it and on the domain. Others are not
        requested: an index must not direct requests at third parties.
        """
        target = resolve(reference, index_url)
        if target is None:
            return None
        is_ours = is_within(target.host, self.domain) or target.host == parse_url(index_url).host
        return target.url if is_ours else None


def place(url: str) -> str:
    """Return an address without scheme and ``www.``."""
    return _PLACE.sub("", url, count=1)
