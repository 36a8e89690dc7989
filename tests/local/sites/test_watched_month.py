"""Thirty days of a watch over domains that flap, cut, rotate and move: pushes due and sent.

``pytest -s`` prints the figures.
"""

import itertools
from collections import Counter
from urllib.parse import urljoin, urlsplit

from fakes.watched_domains import SOURCE, WatchWorld

from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound
from uring_local.loopback import Answer
from uring_local.sites.web.model import Domain, Web
from uring_local.sites.web.replies import no_page, reply
from uring_local.sites.web.robots import FILES_HOST
from uring_local.sites.web.watch_journal import WatchJournal

SEED, DOMAINS, DAYS = 7, 900, 30
CALM_DOMAINS = 30
FIRST = 2
MOST_HOPS = 5
TABLE = "{:24}{:>9}{:>6}{:>6}{:>6}{:>8}".format


class PlayedWeb:
    """The played domains without a socket; implements `Fetches`."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.day = FIRST
        self.tries: Counter[str] = Counter()

    def fetch(self, request: Request) -> Response:
        url, hops = request.url, list[str]()
        for _ in range(MOST_HOPS):
            found = self._reply(url)
            if found.manner != "whole":
                raise FetchFailed("timeout", "no answer")
            if target := found.headers.get("Location"):
                hops.append(url)
                url = urljoin(url, target)
                if "//10." in url:
                    raise FetchFailed("refused_address", "private")
                continue
            if found.status in (403, 404):
                reason = "forbidden" if found.status == 403 else "not_found"
                raise FetchFailed(reason, "", status=found.status)
            if found.status != 200:
                raise FetchFailed("http_status", "", status=found.status)
            body, most = found.body, request.max_bytes
            kind = found.headers["Content-Type"]
            requests = 1 + len(hops)
            return Response(
                200, url, body[:most], kind, None, None, requests, tuple(hops), len(body) > most
            )
        raise FetchFailed("too_many_redirects", "", status=302)

    def _reply(self, url: str) -> Answer:
        parts = urlsplit(url)
        host, path = parts.netloc, parts.path
        name = host
        if host == FILES_HOST:
            name, _, rest = path.removeprefix("/").partition("/")
            path = f"/{rest}"
        number = self.web.numbers.get(name.removeprefix("www."))
        if number is None:
            return no_page(404)
        domain = self.web.domain(number, self.day)
        tries = self.tries[domain.domain]
        self.tries[domain.domain] += path == "/robots.txt"
        return reply(domain, host, path, tries)


class PlayedWatch(WatchWorld):
    """A shard that watches the domains with a story, and some without."""

    def __init__(self, web: Web) -> None:
        self.played = PlayedWeb(web)
        super().__init__()
        domains = [each for each in web.day(1) if each.is_reachable]
        calm = [each for each in domains if not web.story(each.number)[0]]
        told = [each for each in domains if web.story(each.number)[0]]
        self.watched = [*told, *calm[:CALM_DOMAINS]]
        self.domains = [each.domain for each in self.watched]

    def family(self) -> SeedWatch:
        collector = Collector(
            self.played,
            clock=self.clock,
            limits=CollectLimits(children=3, homepage=False, gap_seconds=0),
            monotonic=lambda: 0.0,
            sleep=lambda _: None,
        )
        return SeedWatch(
            WatchRound(collector, at_once=1, seconds=600, monotonic=lambda: 0.0),
            self.objects,
            round_seconds=600,
            clock=self.clock,
            backoff=self.backoff,
        )

    def days(self) -> list[tuple[str, str, int]]:
        """Check daily; return kind, title and day of every change that is pushed."""
        pushed = list[tuple[str, str, int]]()
        for day in range(FIRST, FIRST + DAYS):
            self.played.day = day
            self.played.tries.clear()
            check = self.check(SOURCE)
            pushed += [
                (event.kind, f"{event.content['title']}", day)  # type: ignore[attr-defined]
                for event in check.events
                if event.kind != "baseline"
            ]
        return pushed


def test_thirty_days_push_what_is_due_on_its_day_and_nothing_else() -> None:
    web = Web(SEED, DOMAINS)
    world = PlayedWatch(web)
    sent = Counter(world.days())
    journal = WatchJournal()
    for day in range(FIRST, FIRST + DAYS):
        journal.observe(day, (web.domain(each.number, day) for each in world.watched))
    due = Counter({(push.kind, push.title, push.day): n for push, n in journal.pushes.items()})
    print("\n" + table(web, world.watched, due, sent))  # noqa: T201 - the figures
    assert sent == due
    rhythms = {"sitemap_rotates", "sitemap_rests", "robots_emptied", "outage", ""}
    # A fault of the first day is taken for the file, and its end for a change.
    stories = {
        domain.domain: web.story(domain.number)[0]
        for domain in world.watched
        if web.story(domain.number)[1] != FIRST
    }
    assert not [push for push in due if stories.get(push[1].split()[0]) in rhythms]
    assert len(due) > 50


def table(web: Web, watched: list[Domain], due: Counter, sent: Counter) -> str:  # type: ignore[type-arg]
    """The figures of each story: days that differ from the day before, and pushes."""
    rows = Counter[tuple[str, str]]()
    for domain in watched:
        story = web.story(domain.number)[0] or "no story"
        rows[story, "domains"] += 1
        days = [web.domain(domain.number, day) for day in range(FIRST, FIRST + DAYS)]
        rows[story, "changes"] += sum(a != b for a, b in itertools.pairwise(days))
        for name, pushes in (("due", due), ("sent", sent)):
            rows[story, name] += sum(
                n for push, n in pushes.items() if push[1].split()[0] == domain.domain
            )
    columns = ("domains", "changes", "due", "sent")
    lines = [TABLE("story", "domains", "days", "due", "sent", "")]
    for story in sorted({story for story, _ in rows}):
        numbers = [rows[story, name] for name in columns]
        lines.append(TABLE(story, *numbers, ""))
    totals = [sum(n for (_, name), n in rows.items() if name == column) for column in columns]
    return "\n".join([*lines, TABLE("all", *totals, "")])
