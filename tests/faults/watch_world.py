"""A watched shard under faults: the real worker with the real collector, and the notifier.

As with the weather, the notifier's own I/O is not broken here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cloud import MOST_EXTRA_TICKS, Handles
from fakes.conditional import ConditionalWeb
from fakes.seeds import sitemap_of
from faulty import Faults, FaultyBucket, FaultyFetcher
from verdict import RecordWorld, Shown

from uring.contracts import Job
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound
from uring.seeds.watch.sight import WatchState
from uring.seeds.watch.watch import ShardEntry, Watch

START: Final = datetime(2026, 3, 27, 16, tzinfo=UTC)
WATCH: Final = Watch(id="news", name="News", country="sg", category="news", topic="news")
# As in the template.
VISIBILITY_SECONDS: Final = 930
_LIMITS: Final = CollectLimits(children=0, homepage=False, gap_seconds=0)
# Longer than a failed round is left alone.
_PAUSE_SECONDS: Final = 1_000
_TURNS: Final = 8


@dataclass(frozen=True, slots=True)
class Domain:
    """What a domain has: the rules of its robots.txt and the URLs of its sitemap; None for none."""

    rules: int | None = 1
    urls: int | None = None
    is_down: bool = False

    @property
    def robots(self) -> bytes | FetchFailed:
        """The answer for robots.txt."""
        if self.is_down:
            return FetchFailed("timeout", "no answer")
        if self.rules is None:
            return FetchFailed("not_found", "HTTP 404", status=404)
        return b"User-agent: *\n" + b"".join(b"Disallow: /x%d\n" % n for n in range(self.rules))


Page = Mapping[str, Domain]


@dataclass(frozen=True, slots=True)
class WatchScenario:
    """What the domains of a shard have around the worker.

    Attributes:
        pages: the listed domains in turn, the last for good.
        told: kind and record of every push of an undisturbed run.
        before: the domains that were checked before the first fault can happen.
        days: without a fault, for which each page stays: a file is gone by two.
        down: from the first death to the next process.
    """

    name: str
    pages: tuple[Page, ...]
    told: tuple[tuple[str, str], ...] = ()
    before: Page | None = None
    days: int = 1
    down: timedelta = timedelta()


class WatchWorld(RecordWorld):
    """One shard with its bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        needless: what the last run of all wrote, though nothing had changed.
    """

    family, source, model = "seeds", "news.1of1", WatchState
    fields = ("outcome", "bytes", "urls")

    def __init__(self, scenario: WatchScenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.needless: set[str] = set()
        self.page: Page = scenario.before or scenario.pages[0]
        super().__init__(START, plan, down=scenario.down, visibility_seconds=VISIBILITY_SECONDS)

    def run(self) -> None:
        """From what was before until every page was seen and all is quiet."""
        self.faults.counting = False
        if self.scenario.before is not None:
            self.round()
            self.clock.advance(days=1)
        self.faults.counting = True
        for page in self.scenario.pages:
            self.page = page
            for _ in range(self.scenario.days):
                self._calm_day()
        self.faults.counting = False
        # What a fault hid from the first look has its second one.
        self.round()
        self.clock.advance(days=1)
        before = self._written()
        self.round()
        self.needless = {key for key, _ in before ^ self._written()}

    def _calm_day(self) -> None:
        """Days until one that no fault has touched."""
        for _ in range(MOST_EXTRA_TICKS):
            is_calm = self.round()
            self.clock.advance(days=1)
            if is_calm:
                return

    def round(self) -> bool:
        """A day: the check, to its last try."""
        before = len(self.faults.broken)
        self.tick()
        for _ in range(_TURNS):
            self.poll()
            self.push()
            if not (self.work.messages or self.notify.messages):
                break
            self.clock.advance(_PAUSE_SECONDS)
        calm = len(self.faults.broken) == before
        return calm and not (self.work.messages or self.notify.messages)

    def meta(self) -> dict[str, str]:
        return {"name": "News", "country": "sg", "category": "news"}

    def site(self) -> dict[str, Shown]:
        shown: dict[str, Shown] = {}
        for name, domain in self.scenario.pages[-1].items():
            robots = domain.robots
            is_there = isinstance(robots, bytes)
            shown[f"{name}/robots.txt"] = (
                ("ok", str(len(robots)), None) if is_there else ("unavailable_4xx", None, None)
            )
            urls = domain.urls
            shown[f"{name}/sitemap"] = (
                ("none", None, None) if urls is None else ("ok", None, str(urls))
            )
        return shown

    def tick(self) -> None:
        entry = ShardEntry(watch=WATCH, domains=tuple(sorted(self.page)))
        job = Job(
            family=self.family,
            source=self.source,
            scheduled_at=self.clock(),
            interval_minutes=1440,
            entry=entry.model_dump(mode="json"),
        )
        self.work.send(job.group, job.job_id, job.body())

    def new_worker(self, faults: Faults) -> Handles:
        objects = FaultyBucket(self.objects, faults)
        collector = Collector(
            FaultyFetcher(_Now(self), faults),
            clock=self.clock,
            limits=_LIMITS,
            monotonic=lambda: 0.0,
            sleep=lambda _: None,
        )
        watch = SeedWatch(
            # One at a time, so that the same plan breaks the same I/O.
            WatchRound(collector, at_once=1, seconds=600, monotonic=lambda: 0.0),
            objects,
            round_seconds=600,
            clock=self.clock,
            backoff=self.backoff,
        )
        return self.worker_of(watch, WatchState, objects, faults)

    def new_notifier(self, faults: Faults) -> Handles:
        del faults
        return super().new_notifier(Faults())

    def _written(self) -> set[tuple[str, int]]:
        """How often each key was written, but for the state, which has the time of each check."""
        own = f"state/{self.family}/{self.source}.json"
        return {(key, len(all_)) for key, all_ in self.objects.versions.items() if key != own}


class _Now:
    """The web as it is at the moment of each request."""

    def __init__(self, world: WatchWorld) -> None:
        self._world = world

    def fetch(self, request: Request) -> Response:
        web = ConditionalWeb()
        for name, domain in self._world.page.items():
            urls = None if domain.urls is None else sitemap_of(domain.urls)
            web.put(name, domain.robots, urls)
        return web.fetch(request)


A, B, C = "a.com.sg", "b.com.sg", "c.com.sg"
ALL: Final[Page] = {A: Domain(urls=100), B: Domain(), C: Domain(rules=None, urls=7)}


def _other(**changed: Domain) -> Page:
    named: Mapping[str, Any] = {f"{name}.com.sg": domain for name, domain in changed.items()}
    return {**ALL, **named}


WATCH_SCENARIOS: Final = (
    WatchScenario("watch: first sight", (ALL,)),
    WatchScenario(
        "watch: both files of a domain change, a sitemap appears",
        (_other(a=Domain(rules=3, urls=900), b=Domain(urls=5)),),
        (
            ("robots_changed", f"{A}/robots.txt"),
            ("sitemap_changed", f"{A}/sitemap"),
            ("sitemap_appeared", f"{B}/sitemap"),
        ),
        before=ALL,
        days=2,
    ),
    WatchScenario(
        "watch: files vanish, one for a day alone",
        (_other(a=Domain(rules=None), b=Domain(rules=None)), _other(a=Domain(rules=None))),
        (
            ("robots_vanished", f"{A}/robots.txt"),
            ("sitemap_vanished", f"{A}/sitemap"),
        ),
        before=ALL,
    ),
    WatchScenario(
        "watch: a domain is down and comes back as another",
        (_other(a=Domain(is_down=True)), _other(a=Domain(rules=9, urls=100))),
        (("robots_changed", f"{A}/robots.txt"),),
        before=ALL,
        down=timedelta(hours=3),
        days=2,
    ),
    WatchScenario(
        "watch: a domain leaves the list, another joins",
        ({A: ALL[A], B: ALL[B]}, {A: ALL[A], B: ALL[B], "d.com.sg": Domain(urls=3)}),
        before=ALL,
    ),
)
