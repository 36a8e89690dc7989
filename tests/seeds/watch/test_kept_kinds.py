"""What a watch keeps of a file is of one kind, and of one way of comparing."""

from datetime import UTC, datetime

from conditional_world import ROBOTS, ConditionalWorld, R
from fakes.conditional import ConditionalWeb
from fakes.seeds import sitemap_of

from uring.errors import FetchFailed
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.known.files import KnownFiles
from uring.seeds.watch.kept import kept_files
from uring.seeds.watch.round import WatchRound

AWAY = FetchFailed("connect", "no route")


def test_a_domain_that_was_away_at_another_way_of_comparing_is_read_whole_then() -> None:
    world = ConditionalWorld().days(2)
    world.show(ROBOTS, AWAY)
    world.show("https://www.a.com/robots.txt", AWAY)
    world.show("http://a.com/robots.txt", AWAY)
    world.days(1, compare="bytes")
    world.show(ROBOTS, R)
    world.days(1, compare="bytes")
    world.days(12, compare="bytes")
    assert world.pushes() == []


def test_one_address_that_is_robots_txt_and_sitemap_is_both_by_304s() -> None:
    world = ConditionalWorld()
    both = b"https://a.com/page\nUser-agent: *\nDisallow: /p\nSitemap: https://a.com/robots.txt\n"
    world.show(ROBOTS, both)
    world.days(4)
    assert 304 in world.site_web.statuses(ROBOTS)
    item = world.items()["a.com/robots.txt"]
    assert world.pushes() == []
    assert item["bytes"] == str(len(both))


def test_a_round_holds_no_long_file_of_a_domain_until_its_end() -> None:
    """A thousand robots.txt of a megabyte, or indexes of 50,000 children, would be too much."""
    web = ConditionalWeb()
    rules = b"User-agent: *\n" + b"Disallow: /%d\n" * 50_000
    locs = "".join(f"<sitemap><loc>https://a.com/{n}.xml</loc></sitemap>" for n in range(5_000))
    web.put("a.com", rules, f"<sitemapindex>{locs}</sitemapindex>".encode())
    web.put("b.com", R, sitemap_of(100))
    limits = CollectLimits(gap_seconds=0, homepage=False, children=3)
    now, idle = datetime(2026, 3, 2, tzinfo=UTC), lambda _: None
    collector = Collector(web, clock=lambda: now, limits=limits, sleep=idle)
    watch = WatchRound(collector, at_once=1, seconds=100)
    sights = watch.ask(["a.com", "b.com"], "shape", lambda _: KnownFiles()).sights
    known = [sights[domain].known for domain in ("a.com", "b.com")]
    assert [len(each.read) for each in known if each] == [0, 2]
    assert known[0] is not None
    assert kept_files(known[0], (), now, by_bytes=False) == ()
