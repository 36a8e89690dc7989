"""The rules of the hosts that redirects and foreign Sitemap lines lead to (RFC 9309, 2.2.2).

The rules of a robots.txt are those of its own host. So each other host is asked for its own, once a
visit, before anything else is asked there:

    missing           everything is allowed
    unreachable       nothing is
    a sixth host      nothing is asked there, robots.txt included
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import urljoin

from uring.errors import FetchFailed
from uring.fetch.robots import RobotsFile, read_robots
from uring.fetch.url import one_line, parse_url
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.robots import ACCEPT, PERMITTING, is_within, outcome_of
from uring.seeds.collect.site import Site
from uring.seeds.collect.visit import DomainVisit

_KEPT_SECONDS: Final = 600.0
_MOST_KEPT: Final = 64
_LONGEST_KEPT: Final = 64 * 1024
_REFUSED: Final = frozenset({"refused_address", "bad_address"})
_NO_RULES: Final = RobotsFile("", is_html=False)


class KeptRules:
    """Rules of other hosts for ten minutes: thousands of parked domains lead to one host.

    Safe to share between threads.

    Args:
        monotonic: returns the seconds of a clock that never goes back.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        # Replaced as a whole, so that threads need no lock.
        self._kept: dict[str, tuple[float, RobotsFile]] = {}

    def get(self, url: str) -> RobotsFile | None:
        """Return the rules of a robots.txt; None if it must be asked."""
        at, rules = self._kept.get(url, (0.0, None))
        # A copy, because the parsed rules stay with it.
        return replace(rules) if rules and self._monotonic() - at < _KEPT_SECONDS else None

    def keep(self, url: str, rules: RobotsFile) -> None:
        """Keep the rules of a robots.txt, but not long ones; of many the oldest are dropped."""
        if len(rules.rules) <= _LONGEST_KEPT:
            others = [kept for kept in self._kept.items() if kept[0] != url]
            # Sitemap lines may be a megabyte, and are not asked for.
            text = replace(rules, sitemaps=())
            self._kept = {**dict(others[1 - _MOST_KEPT :]), url: (self._monotonic(), text)}


class Hosts:
    """The verdicts of all hosts that one visit meets.

    Args:
        visit: asks for robots.txt.
        site: the domain, whose rules are known.
        kept: the rules that other visits have read.
        limits: the limits of the domain.
    """

    def __init__(
        self, visit: DomainVisit, site: Site, kept: KeptRules, limits: CollectLimits
    ) -> None:
        self._visit = visit
        self._site = site
        self._kept = kept
        self._limits = limits
        self._read: dict[str, RobotsFile | FetchFailed] = {}

    def knows(self, url: str) -> bool:
        """Return True for a host of the domain whose rules were read."""
        if self._site.is_known(url):
            return True
        is_ours = is_within(parse_url(url).host, self._site.domain)
        return is_ours and urljoin(url, "/robots.txt") in self._read

    def judge(self, url: str) -> None:
        """Refuse an address that the robots.txt of its host does not allow.

        Raises:
            FetchFailed: ``robots_disallowed``, ``robots_unreachable``, ``too_many_hosts``, or for
                an address that is not public ``refused_address``.
            BudgetSpent: its robots.txt could not be asked in time.
        """
        if self._site.is_known(url):
            is_allowed = self._site.allows(url)
        else:
            is_allowed = self._rules(url).allows(url)
        if not is_allowed:
            raise FetchFailed("robots_disallowed", f"robots.txt of {_shown(url)} forbids it")

    def judge_invited(self, url: str) -> None:
        """Refuse an address as `judge`, unless its host belongs to the domain.

        For what the domain names itself. It cannot invite us to other sites.
        """
        if not self._site.is_known(url) and not is_within(parse_url(url).host, self._site.domain):
            self.judge(url)

    def _rules(self, url: str) -> RobotsFile:
        robots = urljoin(url, "/robots.txt")
        if robots not in self._read:
            if len(self._read) >= self._limits.hosts:
                raise FetchFailed("too_many_hosts", f"{_shown(url)} is one host too many")
            self._read[robots] = self._kept.get(robots) or self._ask(robots)
        rules = self._read[robots]
        if isinstance(rules, FetchFailed):
            reason = rules.reason if rules.reason in _REFUSED else "robots_unreachable"
            raise FetchFailed(reason, rules.detail)
        self._visit.space(parse_url(url).host, self._limits.gap(rules.crawl_delay))
        return rules

    def _ask(self, robots: str) -> RobotsFile | FetchFailed:
        """Return the rules of a host, or why they are unknown, which forbids everything."""
        limits = self._limits
        try:
            response = self._visit.ask(
                robots,
                seconds=limits.robots_seconds,
                max_bytes=limits.robots_bytes,
                accept=ACCEPT,
                any_success=True,
            )
            rules = read_robots(response.body)
        except FetchFailed as failure:
            if outcome_of(failure) not in PERMITTING:
                return failure
            rules = _NO_RULES
        self._kept.keep(robots, rules)
        return rules


def _shown(url: str) -> str:
    return one_line(parse_url(url).host)
