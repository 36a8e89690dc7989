"""One domain, collected: robots.txt first, then the allowed URLs, within one budget."""

import time
from collections.abc import Callable

from uring.clock import Clock
from uring.fetch.http import Fetches
from uring.seeds.collect.answers import Collection, RobotsAnswer, SitemapAnswer
from uring.seeds.collect.homepage import FoundHomepage, ask_feeds, ask_homepage
from uring.seeds.collect.hosts import Hosts, KeptRules
from uring.seeds.collect.limits import LIMITS, CollectLimits
from uring.seeds.collect.pace import Pace
from uring.seeds.collect.robots import ask_robots
from uring.seeds.collect.site import Site
from uring.seeds.collect.sitemaps import GUESSES, Sitemaps
from uring.seeds.collect.visit import Addresses, DomainVisit
from uring.seeds.known.files import KnownFiles


class Collector:
    """Collects domains; one instance serves all threads of a process.

    Args:
        fetches: the guarded client.
        clock: aware UTC.
        limits: the limits of each domain.
        monotonic: returns the seconds of a clock that never goes back.
        sleep: waits for a number of seconds.
        addresses: returns the address of a URL's host, which has turns, too, see
            `uring.seeds.collect.pace`; None if only hosts have turns.
    """

    def __init__(
        self,
        fetches: Fetches,
        *,
        clock: Clock,
        limits: CollectLimits = LIMITS,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        addresses: Addresses | None = None,
    ) -> None:
        self._fetches = fetches
        self._clock = clock
        self._limits = limits
        self._monotonic = monotonic
        self._sleep = sleep
        self._addresses = addresses
        self._pace = Pace(monotonic, limits.longest_gap_seconds, limits.gap_seconds)
        self._kept = KeptRules(monotonic)

    def robots(
        self, domain: str, url: str, known: KnownFiles | None = None
    ) -> tuple[RobotsAnswer, bytes]:
        """Request a domain's robots.txt; every failure is an outcome.

        Args:
            domain: the registrable domain, in A-labels.
            url: the record's URL; its host is tried if the domain's cannot be connected to.
            known: the files that a request may be conditional on; what is read is added. A 304 is
                answered as the file that it confirms.

        Returns:
            The answer, and the body as read: empty without one.
        """
        limits = self._limits
        visit = self._visit(limits.seconds, limits.gap_seconds)
        return ask_robots(visit, domain, url, self._clock, limits, known)

    def collect(
        self,
        domain: str,
        url: str,
        robots: tuple[RobotsAnswer, bytes],
        known: KnownFiles | None = None,
    ) -> Collection:
        """Collect the sitemaps, the home page and the feeds of a domain.

        The sitemap comes first, an index's children and further Sitemap lines last: they may use up
        all remaining time.
        Nothing is requested if robots.txt is unreachable or refused.

        Args:
            domain: as in `robots`.
            url: not used; the answer has the address that responded.
            robots: the result of `robots`, at most a day old.
            known: as in `robots`, for sitemaps.
        """
        del url
        answer, body = robots
        limits = self._limits
        if not answer.is_reachable or answer.outcome == "refused":
            nothing = f"https://{domain}{GUESSES[0]}"
            sitemap = SitemapAnswer(url=nothing, final_url=nothing, reason="robots_unreachable")
            return Collection(answer, body, sitemap)
        known = known or KnownFiles()
        visit = self._visit(
            limits.seconds - answer.duration_ms / 1000, limits.gap(answer.crawl_delay)
        )
        site = Site.of(domain, answer, body)
        hosts = Hosts(visit, site, self._kept, limits)
        sitemaps = Sitemaps(visit, site, hosts, self._clock, limits, known)
        found = sitemaps.find(answer)
        home: FoundHomepage | None = None
        if limits.wants_homepage(answer.crawl_delay):
            home = ask_homepage(visit, site, hosts, self._clock, limits)
        feeds = ask_feeds(visit, hosts, home.feeds, limits) if home is not None else ()
        sitemap = sitemaps.follow(found)
        return Collection(
            robots=answer,
            robots_body=body,
            sitemap=sitemap,
            sitemaps=sitemaps.sum(sitemap, answer.sitemap_urls),
            sitemap_body=found.file.content if found.file is not None else b"",
            feeds=feeds,
            homepage=home.answer if home is not None else None,
            homepage_body=home.body if home is not None else b"",
            requests=visit.requests,
            retry_after=visit.retry_after,
            urls=known.urls,
        )

    def _visit(self, seconds: float, gap_seconds: float) -> DomainVisit:
        return DomainVisit(
            self._fetches,
            self._pace,
            self._monotonic,
            self._sleep,
            seconds=seconds,
            most_bytes=self._limits.bytes,
            gap_seconds=gap_seconds,
            addresses=self._addresses,
        )
