"""A web of domains as a script, and the watch of them in virtual time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fakes.worlds import FamilyWorld

from uring.changes.check import Check
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import Round
from uring.seeds.watch.state import WatchState
from uring.seeds.watch.watch import Watch

WATCH: dict[str, Any] = {
    "id": "sg-news",
    "name": "News of Singapore",
    "country": "sg",
    "category": "news",
}
SOURCE = "sg-news.1of1"


@dataclass(frozen=True, slots=True)
class Robots:
    """A robots.txt's answer, as far as the watch reads it."""

    outcome: str = "ok"
    status_code: int = 200
    url: str = ""
    content_length: int = 0
    sitemap_lines: int = 0

    @property
    def is_reachable(self) -> bool:
        return not self.outcome.startswith("unreachable")


@dataclass(frozen=True, slots=True)
class Map:
    """A sitemap's answer, likewise."""

    outcome: str = "ok"
    status_code: int = 200
    url: str = ""
    kind: str = "urlset"
    url_count: int | None = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Collected:
    """The rest of a collection."""

    sitemap: Map
    sitemap_body: bytes = b""
    requests: int = 2


NOT_FOUND = Map("unavailable_4xx", 404)
OUTAGE = Robots("unreachable_network", 0)


@dataclass
class Site:
    """A domain: its robots.txt, or its answer in place of one, and its sitemap."""

    robots: bytes | Robots | Exception = b"User-agent: *\nAllow: /\n"
    sitemap: Map = field(default_factory=lambda: Map(url_count=150))
    sitemap_body: bytes = b"<urlset/>"


class ScriptedWeb:
    """Implements `uring.seeds.watch.round.Collects`; a domain that it does not have is no host."""

    def __init__(self) -> None:
        self.sites: dict[str, Site] = {}
        self.asked: list[str] = []
        self.before: Callable[[], None] = lambda: None

    def robots(self, domain: str, url: str) -> tuple[Robots, bytes]:
        self.before()
        self.asked.append(domain)
        assert url == f"https://www.{domain}/"
        site = self.sites.get(domain, Site(OUTAGE))
        if isinstance(site.robots, Exception):
            raise site.robots
        address = f"https://{domain}/robots.txt"
        if isinstance(site.robots, Robots):
            return site.robots, b""
        lines = site.robots.lower().count(b"sitemap:")
        return Robots("ok", 200, address, len(site.robots), lines), site.robots

    def collect(self, domain: str, url: str, robots: tuple[Robots, bytes]) -> Collected:
        assert url == f"https://www.{domain}/"
        assert robots[0].is_reachable
        site = self.sites[domain]
        return Collected(site.sitemap, site.sitemap_body)


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
            Round(self.web, at_once=1, seconds=100, monotonic=lambda: self.elapsed),
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
