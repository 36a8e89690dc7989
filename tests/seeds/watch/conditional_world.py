"""A watch of three domains whose servers have validators, really collected."""

from typing import Final

from fakes.conditional import ConditionalWeb
from fakes.seeds import sitemap_of
from fakes.watched_domains import WatchWorld

from uring.errors import FetchFailed
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound

R: Final = b"User-agent: *\nDisallow: /p\n"
MORE: Final = R + b"Disallow: /q\n"
ROBOTS: Final = "https://a.com/robots.txt"
SITEMAP: Final = "https://a.com/sitemap.xml"
ROBOTS_CHANGED: Final = ("robots_changed", "a.com/robots.txt")
SITEMAP_CHANGED: Final = ("sitemap_changed", "a.com/sitemap")
MONDAY: Final = "Mon, 02 Mar 2026 08:00:00 GMT"
TUESDAY: Final = "Tue, 03 Mar 2026 08:00:00 GMT"


class ConditionalWorld(WatchWorld):
    """Three domains whose servers have validators, really collected."""

    def __init__(self) -> None:
        self.site_web = ConditionalWeb()
        super().__init__()
        self.domains = ["a.com", "b.com", "c.com"]
        for domain in self.domains:
            self.site_web.put(domain, R, sitemap_of(100))

    def family(self) -> SeedWatch:
        collector = Collector(
            self.site_web,
            clock=self.clock,
            limits=CollectLimits(gap_seconds=0, homepage=False, children=3),
            monotonic=lambda: 0.0,
            sleep=lambda _: None,
        )
        return SeedWatch(
            WatchRound(collector, at_once=1, seconds=100, monotonic=lambda: 0.0),
            self.objects,
            round_seconds=100,
            clock=self.clock,
            backoff=self.backoff,
        )

    def days(self, count: int, **keys: str) -> "ConditionalWorld":
        for _ in range(count):
            self.check(**keys)
        return self

    def show(self, url: str, answer: bytes | FetchFailed) -> None:
        self.site_web.answers[url] = answer
