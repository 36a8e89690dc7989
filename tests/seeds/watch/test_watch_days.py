"""Days of a domain and the pushes that are due: a change counts when a second look has it."""

from collections.abc import Sequence
from typing import Final

import pytest
from fakes.seeds import SeedWeb, sitemap_of
from fakes.watched_domains import WatchWorld

from uring.errors import FetchFailed
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import WatchRound

R: Final = b"User-agent: *\nDisallow: /p\n"
MORE: Final = R + b"Disallow: /q\n"
GONE: Final = FetchFailed("not_found", "HTTP 404", status=404)
ROBOTS: Final = ("robots_changed", "a.com/robots.txt")
SITEMAP: Final = ("sitemap_changed", "a.com/sitemap")
Day = tuple[bytes | FetchFailed, bytes | FetchFailed]


class DailyWorld(WatchWorld):
    """Three domains of which one changes, really collected, once a day."""

    def __init__(self) -> None:
        self.site_web = SeedWeb()
        super().__init__()
        self.domains = ["a.com", "b.com", "c.com"]
        for domain in self.domains:
            self.site_web.put(domain, R, sitemap_of(100))

    def family(self) -> SeedWatch:
        collector = Collector(
            self.site_web,
            clock=self.clock,
            limits=CollectLimits(gap_seconds=0, homepage=False),
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

    def day(self, robots: bytes | FetchFailed, *sitemaps: bytes | FetchFailed) -> None:
        """Show these for a check; further sitemaps are ``/2.xml``, ``/3.xml``."""
        self.site_web.put("a.com", robots)
        for number, sitemap in enumerate(sitemaps, 1):
            name = "sitemap" if number == 1 else str(number)
            self.site_web.answers[f"https://a.com/{name}.xml"] = sitemap
        self.check()


def pushed(*days: Day) -> list[tuple[str, str]]:
    """The pushes of a domain that shows these after a first day of R and 100 URLs."""
    world = DailyWorld()
    world.check()
    for robots, sitemap in days:
        world.day(robots, sitemap)
    return world.pushes()


S100: Final = sitemap_of(100)
CALM: Final[Day] = (R, S100)


def shows(robots: bytes | FetchFailed = R, sitemap: bytes | FetchFailed = S100) -> Day:
    return robots, sitemap


WEEK: Final = [CALM] * 5 + [shows(sitemap=sitemap_of(45))] * 2


@pytest.mark.parametrize(
    "day",
    [
        shows(sitemap=sitemap_of(0)),
        shows(sitemap=S100[: len(S100) // 3]),
        shows(sitemap=GONE),
        shows(sitemap=sitemap_of(900)),
        shows(R[:18]),
        shows(b"Access denied"),
        shows(b""),
        shows(GONE),
        shows(b"User-agent: *\nDisallow: /\n"),
    ],
    ids=["empty", "cut", "404", "tenfold", "robots cut", "denied", "blank", "robots 404", "closed"],
)
def test_what_lasts_a_day_is_no_change(day: Day) -> None:
    assert pushed(day, CALM, CALM, day, CALM, CALM) == []


@pytest.mark.parametrize(
    "robots",
    [
        b"\xef\xbb\xbf" + R,
        b"User-agent: *\nDisallow:/p\n",
        b"# made today\r\nUser-Agent: *   # all\r\n\r\nDisallow: /p\r\nDisallow: /%70",
        b"User-agent: other\nDisallow: /\n\n" + R,
        "User-agent: *\nDisallow: /p\n".encode("utf-16"),
    ],
    ids=["mark", "no blank", "spellings", "another robot's", "utf-16"],
)
def test_other_bytes_of_the_same_rules_are_no_change(robots: bytes) -> None:
    assert pushed(*[shows(robots)] * 4) == []


@pytest.mark.parametrize(
    ("day", "days", "pushes"),
    [
        (shows(MORE), 2, [ROBOTS]),
        (shows(b"User-agent: *\nDisallow: /\n"), 2, [ROBOTS]),
        (shows(b"User-agent: *\nDisallow: /p\nCrawl-delay: 9\n"), 2, [ROBOTS]),
        (shows(GONE), 2, [("robots_vanished", ROBOTS[1])]),
        (shows(sitemap=sitemap_of(0)), 2, [SITEMAP]),
        (shows(sitemap=sitemap_of(300)), 2, [SITEMAP]),
        (shows(sitemap=GONE), 2, [("sitemap_vanished", SITEMAP[1])]),
        (shows(sitemap=sitemap_of(45)), 4, [SITEMAP]),
    ],
    ids=["rule", "closed", "delay", "robots 404", "empty", "more", "404", "fewer"],
)
def test_what_lasts_is_pushed_once_with_the_second_look(
    day: Day, days: int, pushes: list[tuple[str, str]]
) -> None:
    """Fewer URLs have to outlast a weekend."""
    assert pushed(*[day] * (days - 1)) == []
    assert pushed(*[day] * days) == pushed(*[day] * 10) == pushes


def test_a_push_is_dated_by_the_first_look() -> None:
    world = DailyWorld()
    world.check()
    first = world.clock().isoformat().replace("+00:00", "Z")
    world.day(MORE, S100)
    world.day(MORE, S100)
    (push,) = world.messages()
    assert push.content["since"] == first
    assert push.detected_at > first


def test_two_edges_by_turns_are_told_once() -> None:
    """It changes every day, and nothing that anybody could act on changes."""
    world = DailyWorld()
    world.check()
    for _ in range(15):
        world.day(MORE, S100)
        world.day(R, S100)
    (push,) = world.messages()
    assert (push.kind, push.content["alternates"]) == ("robots_changed", "true")


def test_a_change_that_is_taken_back_within_a_week_is_the_last_for_now() -> None:
    assert pushed(*([shows(MORE)] * 2 + [CALM] * 2) * 8) == [ROBOTS, ROBOTS]


def test_an_alternating_file_that_settles_is_told_where_it_stays() -> None:
    turns = [shows(MORE), CALM] * 3
    assert pushed(*turns, *[shows(MORE)] * 20) == [ROBOTS]
    assert pushed(*turns, *[CALM] * 6) == [ROBOTS]
    assert pushed(*turns, *[CALM] * 20) == [ROBOTS, ROBOTS]
    assert pushed(*turns, *[CALM] * 10, *[shows(MORE)] * 2) == [ROBOTS] * 3


def test_an_alternating_file_with_a_third_state_is_told() -> None:
    closed = shows(b"User-agent: *\nDisallow: /\n")
    assert pushed(*[shows(MORE), CALM] * 3, closed, closed) == [ROBOTS, ROBOTS]


def test_a_weekend_is_no_change() -> None:
    assert pushed(*WEEK * 4) == []
    assert pushed(*WEEK * 2, *[shows(sitemap=sitemap_of(45))] * 3) == [SITEMAP]


@pytest.mark.parametrize(
    "name", ["sm-2026-01-{:02}.xml", "sitemap.xml?v={}", "{}/map.xml", "sm-a{0}f3c{0}.xml"]
)
def test_a_sitemap_with_another_name_each_day_is_the_same(name: str) -> None:
    world = DailyWorld()
    for number in range(1, 12):
        address = f"https://a.com/{name.format(number)}"
        world.site_web.answers[address] = S100
        world.day(R + f"Sitemap: {address}\n".encode())
        del world.site_web.answers[address]
    assert world.pushes() == []


@pytest.mark.parametrize("names", [("2.xml", "3.xml"), ("news.xml", "pages.xml")])
def test_the_second_of_two_sitemaps_counts(names: Sequence[str]) -> None:
    world = DailyWorld()
    addresses = [f"https://a.com/{name}" for name in names]
    lines = "".join(f"Sitemap: {address}\n" for address in addresses)
    robots = R + lines.encode()
    for address in addresses:
        world.site_web.answers[address] = S100
    world.day(robots)
    assert world.items()[SITEMAP[1]]["all_urls"] == "200"
    del world.site_web.answers[addresses[1]]
    world.day(robots)
    assert world.pushes() == []
    world.day(robots)
    assert world.pushes() == [SITEMAP]
    world.site_web.answers[addresses[1]] = S100
    for _ in range(3):
        world.day(R + f"Sitemap: {addresses[0]}\n".encode())
    assert world.pushes() == [SITEMAP, ROBOTS]


def test_all_sitemaps_have_one_number() -> None:
    world = DailyWorld()
    lines = b"Sitemap: https://a.com/sitemap.xml\nSitemap: https://a.com/news.xml\n"
    news = "https://a.com/news.xml"
    world.site_web.answers[news] = sitemap_of(20)
    world.day(R + lines, sitemap_of(100))
    world.site_web.answers[news] = sitemap_of(900)
    for _ in range(3):
        world.day(R + lines)
    assert world.pushes() == [SITEMAP]
    assert world.items()[SITEMAP[1]]["all_urls"] == "1000"
    # One that fails today makes no sum, and says nothing.
    world.site_web.answers[news] = FetchFailed("http_status", "HTTP 503", status=503)
    for _ in range(5):
        world.day(R + lines)
    assert world.pushes() == [SITEMAP]


def test_a_sitemap_of_which_every_byte_counts_is_told_although_it_is_another_one_each_day() -> None:
    """Sites date each page. Nothing that is gone or broken at the second look is told."""
    world = DailyWorld()
    world.check(compare="bytes")
    for number in range(1, 7):
        world.site_web.put("a.com", R, sitemap_of(100 + number))
        world.check(compare="bytes")
        assert world.pushes() == [SITEMAP] * (number // 2)
    for sitemap in (sitemap_of(1), GONE, sitemap_of(2), sitemap_of(0), sitemap_of(2)[:-20]):
        world.site_web.put("a.com", R, sitemap)
        world.check(compare="bytes")
    assert world.pushes() == [SITEMAP] * 3


def test_a_sitemap_that_moves_is_told_once() -> None:
    world = DailyWorld()
    world.check()
    world.site_web.answers["https://a.com/maps/all.xml"] = S100
    for _ in range(10):
        world.day(R + b"Sitemap: https://a.com/maps/all.xml\n")
    assert sorted(world.pushes()) == [ROBOTS, SITEMAP]
