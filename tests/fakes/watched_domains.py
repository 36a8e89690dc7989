"""A web of domains as a script, and the watch of them in virtual time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fakes.worlds import FamilyWorld
from uring.changes.check import Check
from uring.seeds.collect.answers import (
    Collection,
    RobotsAnswer,
    RobotsOutcome,
    SitemapAnswer,
    Tried,
)
from uring.seeds.known.files import KnownFiles
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound
from uring.seeds.watch.sight import WatchState
from uring.seeds.watch.watch import Watch

WATCH: dict[str, Any] = {
    "id": "sg-news",
    "name": "News of Singapore",
    "country": "sg",
    "category": "news",
}
SOURCE = "sg-news.1of1"


def robots(outcome: RobotsOutcome, status_code: int = 0) -> RobotsAnswer:
    """Return an answer without a file."""
    return RobotsAnswer(outcome=outcome, status_code=status_code)


def sitemap(url: str = "https://mom.gov.sg/sitemap.xml", **keys: Any) -> SitemapAnswer:
    """Return the answer of a sitemap, by default one of 150 URLs."""
    values = {"status_code": 200, "exists": True, "kind": "urlset", "url_count": 150, **keys}
    tried = Tried(url=url, status_code=200, kind=values["kind"])
    return SitemapAnswer.model_validate({"url": url, "tried": [tried], **values})


def no_sitemap(*statuses: int, **keys: Any) -> SitemapAnswer:
    """Return the answer where every candidate fails with one of these; 200 is a page."""
    tried = [
        Tried(url=f"https://mom.gov.sg/{status}.xml", status_code=status) for status in statuses
    ]
    return SitemapAnswer(url="https://mom.gov.sg/sitemap.xml", tried=tuple(tried), **keys)


NOT_FOUND = no_sitemap(404, 200, 410)
OUTAGE = robots("unreachable_network")


@dataclass
class Site:
    """A domain: its robots.txt, or the answer in place of one, and its sitemap."""

    robots: bytes | RobotsAnswer | Exception = b"User-agent: *\nAllow: /\n"
    sitemap: SitemapAnswer = field(default_factory=sitemap)
    sitemap_body: bytes = b"<urlset/>"


class ScriptedWeb:
    """Implements `uring.seeds.watch.round.CollectsDomains`; an unknown domain is no host."""

    def __init__(self) -> None:
        self.sites: dict[str, Site] = {}
        self.asked: list[str] = []
        self.before: Callable[[], None] = lambda: None

    def robots(self, domain: str, url: str, known: KnownFiles) -> tuple[RobotsAnswer, bytes]:
        del known
        self.before()
        self.asked.append(domain)
        assert url == f"https://www.{domain}/"
        site = self.sites.get(domain, Site(OUTAGE))
        if isinstance(site.robots, Exception):
            raise site.robots
        address = f"https://{domain}/robots.txt"
        if isinstance(site.robots, RobotsAnswer):
            return site.robots, b""
        lines, length = site.robots.lower().count(b"sitemap:"), len(site.robots)
        answer = RobotsAnswer(
            outcome="ok", status_code=200, url=address, content_length=length, sitemap_lines=lines
        )
        return answer, site.robots

    def collect(
        self, domain: str, url: str, robots: tuple[RobotsAnswer, bytes], known: KnownFiles
    ) -> Collection:
        del known
        assert url == f"https://www.{domain}/"
        answer, body = robots
        if not answer.is_reachable:
            return Collection(answer, body, SitemapAnswer(reason="robots_unreachable"))
        site = self.sites[domain]
        return Collection(answer, body, site.sitemap, site.sitemap_body, requests=2)


class WatchWorld(FamilyWorld[WatchState]):
    """A shard of a watch, by default of two domains that answer.

    Attributes:
        web: the domains.
        domains: those of the shard.
        elapsed: the round's clock, in seconds.
    """

    model = WatchState

    def __init__(self, **seams: Any) -> None:
        self.web, self.elapsed = ScriptedWeb(), 0.0
        self.domains = ["mom.gov.sg", "nus.edu.sg"]
        for domain in self.domains:
            self.web.sites[domain] = Site()
        super().__init__(**seams)

    def family(self) -> SeedWatch:
        return SeedWatch(
            WatchRound(self.web, at_once=1, seconds=100, monotonic=lambda: self.elapsed),
            self.objects,
            round_seconds=100,
            clock=self.clock,
            backoff=self.backoff,
        )

    def entry(self, **keys: Any) -> dict[str, Any]:
        """Return the entry of a job, with these keys of its watch changed."""
        watch = Watch.model_validate({**WATCH, **keys})
        return {"watch": watch.model_dump(mode="json"), "domains": sorted(self.domains)}

    def check(self, source: str = SOURCE, **keys: Any) -> Check:
        """Check the shard once, and let a day pass."""
        job = self.job(source, interval_minutes=1440, entry=self.entry(**keys))
        check = self.checker.check(job)
        self.clock.advance(timedelta(days=1).total_seconds())
        return check

    @property
    def site(self) -> Site:
        """The first domain."""
        return self.web.sites[self.domains[0]]

    @property
    def state(self) -> WatchState:
        return self.state_of(SOURCE)

    def items(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the items of ``latest.json`` by id."""
        items = self.document(f"data/{SOURCE}/latest.json")["items"]
        return {item["id"]: item for item in items}

    def pushes(self) -> list[tuple[str, str]]:
        """Return kind and record of what was sent to the notify queue."""
        return [(change.kind, change.id) for change in self.messages()]


def kinds(check: Check) -> list[tuple[str, str]]:
    """Return kind and record of what a check committed."""
    return [(event.kind, event.id) for event in check.events]  # type: ignore[attr-defined]
