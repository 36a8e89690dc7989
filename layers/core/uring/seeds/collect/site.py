"""The requests that a domain's robots.txt allows (RFC 9309).

A URL that we guess, the home page and its feeds are asked where robots.txt allows it. One that a
Sitemap line or an index names is an invitation, and is asked whatever the rules say: sites forbid
`/*.xml` to keep it out of results, and name their sitemap in the same file.
"""

from dataclasses import dataclass
from urllib.parse import urljoin

from uring.fetch.robots import RobotsFile, read_robots
from uring.fetch.url import parse_url
from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.collect.robots import is_within, resolve


@dataclass(frozen=True, slots=True)
class Site:
    """A domain whose robots.txt has answered.

    Attributes:
        domain: the registrable domain.
        base: the address whose robots.txt answered, such as ``https://mom.gov.sg/``.
        hosts: that its rules are for: the one that was asked, and the one that it redirects to.
        rules: None where everything is allowed.
    """

    domain: str
    base: str
    hosts: frozenset[str]
    rules: RobotsFile | None

    @classmethod
    def of(cls, domain: str, answer: RobotsAnswer, body: bytes) -> "Site":
        """Return the site of a robots.txt."""
        hosts = {parse_url(url).host for url in (answer.url, answer.final_url) if url}
        rules = read_robots(body) if answer.outcome == "ok" else None
        return cls(domain, urljoin(answer.url, "/"), frozenset(hosts), rules)

    def allows(self, url: str) -> bool:
        """Return whether robots.txt, as far as it speaks for the host, allows a URL."""
        return self.rules is None or self.rules.allows(url)

    def is_known(self, url: str) -> bool:
        """Return whether its robots.txt speaks for the host of a URL."""
        return parse_url(url).host in self.hosts

    def child(self, reference: str, index_url: str) -> str | None:
        """Return the address of an index's child; None where it is of another site.

        An index on a site's storage may name what lies beside it, and what is the domain's. What
        it names elsewhere is not asked: nobody can turn us on a third party.
        """
        target = resolve(reference, index_url)
        if target is None:
            return None
        is_ours = is_within(target.host, self.domain) or target.host == parse_url(index_url).host
        return target.url if is_ours else None
