"""The watch over the real collector: what a site answers, asked over a scripted web."""

from datetime import timedelta

import pytest
from fakes.seeds import SeedWeb, sitemap_of
from fakes.watched_domains import WatchWorld, kinds

from uring.errors import FetchFailed
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound

ROBOTS = b"User-agent: *\nDisallow: /private\n"
INDEX = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>'
).format
CHILD = "<sitemap><loc>https://b.com.sg/{}.xml</loc></sitemap>".format
LIMITS = CollectLimits(children=0, homepage=False)


class CollectedWorld(WatchWorld):
    """A watch whose domains are collected, in virtual time."""

    def __init__(self, *domains: str) -> None:
        self.answers = SeedWeb()
        super().__init__()
        self.domains = list(domains)
        for domain in domains:
            self.answers.put(domain, ROBOTS, sitemap_of(100))

    def family(self) -> SeedWatch:
        collector = Collector(
            self.answers,
            clock=self.clock,
            limits=LIMITS,
            monotonic=lambda: self.elapsed,
            sleep=self.sleep,
        )
        return SeedWatch(
            WatchRound(collector, at_once=4, seconds=700, monotonic=lambda: self.elapsed),
            self.objects,
            round_seconds=700,
            clock=self.clock,
            backoff=self.backoff,
        )

    def sleep(self, seconds: float) -> None:
        self.elapsed += seconds

    def day(self) -> list[tuple[str, str]]:
        """Check once; return what happened."""
        found = kinds(self.check())
        self.elapsed += timedelta(days=1).total_seconds()
        return found


@pytest.fixture
def world() -> CollectedWorld:
    world = CollectedWorld("a.com.sg", "b.com.sg")
    assert {kind for kind, _ in world.day()} == {"baseline"}
    return world


def test_what_readers_see_is_what_the_site_answers(world: CollectedWorld) -> None:
    items = world.items()
    assert items["a.com.sg/robots.txt"]["link"] == "https://a.com.sg/robots.txt"
    assert items["a.com.sg/robots.txt"]["bytes"] == str(len(ROBOTS))
    assert items["a.com.sg/sitemap"]["link"] == "https://a.com.sg/sitemap.xml"
    assert items["a.com.sg/sitemap"]["urls"] == "100"


def test_a_day_without_a_change_is_one_without_an_event(world: CollectedWorld) -> None:
    assert world.day() == []
    assert world.pushes() == []


def test_a_sitemap_line_that_leads_elsewhere_is_both_files_changed(world: CollectedWorld) -> None:
    world.answers.put("a.com.sg", ROBOTS + b"Sitemap: https://a.com.sg/other.xml\n")
    world.answers.answers["https://a.com.sg/other.xml"] = sitemap_of(100)
    assert world.day() == []
    assert sorted(world.day()) == [
        ("robots_changed", "a.com.sg/robots.txt"),
        ("sitemap_changed", "a.com.sg/sitemap"),
    ]


def test_a_sitemap_that_is_gone_for_two_days_has_vanished(world: CollectedWorld) -> None:
    del world.answers.answers["https://a.com.sg/sitemap.xml"]
    assert world.day() == []
    assert world.day() == [("sitemap_vanished", "a.com.sg/sitemap")]


@pytest.mark.parametrize(
    "failure",
    [
        FetchFailed("timeout", "no answer"),
        FetchFailed("connect", "refused"),
        FetchFailed("http_status", "HTTP 503", status=503),
        FetchFailed("forbidden", "HTTP 403", status=403),
        FetchFailed("refused_address", "127.0.0.1 is not public"),
    ],
    ids=lambda failure: failure.reason,
)
def test_a_site_that_answers_with_failures_keeps_what_was_known(
    world: CollectedWorld, failure: FetchFailed
) -> None:
    for url in (*world.answers.answers,):
        if "a.com.sg" in url:
            world.answers.answers[url] = failure
    for _ in range(3):
        assert world.day() == []
    world.answers.put("a.com.sg", ROBOTS, sitemap_of(110))
    assert world.day() == []


def test_a_site_below_www_alone_is_reached_and_its_move_is_no_change(
    world: CollectedWorld,
) -> None:
    answers = world.answers.answers
    down = FetchFailed("dns", "no address")
    for url in (*answers,):
        if url.startswith(("https://a.com.sg", "http://a.com.sg")):
            answers[url] = down
    answers["https://www.a.com.sg/sitemap.xml"] = sitemap_of(100)
    assert world.day() == []
    assert world.check().fields["unreachable"] == 0


def test_an_index_is_counted_and_its_children_are_not_asked() -> None:
    world = CollectedWorld("b.com.sg")
    children = "".join(CHILD(number) for number in range(30))
    world.answers.put("b.com.sg", ROBOTS, INDEX(children).encode())
    world.day()
    assert world.items()["b.com.sg/sitemap"]["urls"] == "30"
    assert world.answers.asked == [
        "https://b.com.sg/robots.txt",
        "https://b.com.sg/sitemap.xml",
    ]


def test_a_page_in_place_of_everything_is_no_file(world: CollectedWorld) -> None:
    page = b"<!doctype html><html><body>Welcome</body></html>"
    world.answers.put("a.com.sg", page, page)
    world.answers.answers |= {
        f"https://a.com.sg{path}": page
        for path in ("/sitemap_index.xml", "/sitemap-index.xml", "/sitemaps.xml")
    }
    assert world.day() == []
    assert sorted(world.day()) == [
        ("robots_vanished", "a.com.sg/robots.txt"),
        ("sitemap_vanished", "a.com.sg/sitemap"),
    ]
