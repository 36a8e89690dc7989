"""How a domain is asked: one request at a time, with a gap, and never longer than its time."""

from itertools import pairwise

import pytest
from collecting import DOMAIN, HOME, RECORD, collect, collector_of, index, pages_of
from fakes.web import FakeWeb, Page

from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.pace import Pace


def gaps(web: FakeWeb) -> list[float]:
    return [later.at - earlier.at for earlier, later in pairwise(web.asked)]


@pytest.mark.parametrize(
    ("robots", "gap"),
    [
        (b"", 1.0),
        (b"User-agent: *\nCrawl-delay: 3", 3.0),
        (b"User-agent: *\nCrawl-delay: 0", 1.0),
        (b"User-agent: *\nCrawl-delay: 7", 7.0),
        (b"User-agent: uRing\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 4", 2.0),
    ],
)
def test_between_two_requests_to_a_host_there_is_a_gap(robots: bytes, gap: float) -> None:
    _, web = collect({"/robots.txt": robots})
    assert gaps(web) == [gap] * 5


def test_the_gap_begins_when_the_answer_has_ended() -> None:
    pages = {"/robots.txt": Page(b"", seconds=4), "/sitemap.xml": Page(pages_of(1), seconds=2)}
    collection, web = collect({**pages})
    assert (collection.robots.duration_ms, collection.sitemap.duration_ms) == (4_000, 2_000)
    # An answer of four seconds is followed by a rest of four.
    assert gaps(web) == [8.0, 4.0]


@pytest.mark.parametrize(
    ("delay", "paths"),
    [
        ("5", ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "sitemaps.xml", ""]),
        ("10", ["sitemap.xml", "sitemap_index.xml", ""]),
        ("15", ["sitemap.xml"]),
        ("30", []),
        ("3600", []),
    ],
)
def test_a_long_delay_leaves_out_what_nobody_named(delay: str, paths: list[str]) -> None:
    """Two of the requests that fit into 45 seconds are for what comes behind the guesses."""
    collection, web = collect({"/robots.txt": f"User-agent: *\nCrawl-delay: {delay}".encode()})
    assert web.urls[1:] == [f"{HOME}/{path}" for path in paths]
    assert all(gap >= min(float(delay), 30.0) for gap in gaps(web))
    assert web.monotonic() <= 45.0
    assert collection.sitemap.ended_by == ("" if len(paths) > 4 else "seconds")
    assert (collection.homepage is None) == ("" not in paths)


def test_a_delay_beyond_the_longest_leaves_the_first_file_that_robots_name() -> None:
    robots = b"User-agent: *\nCrawl-delay: 60\nSitemap: /a.xml\nSitemap: /b.xml\n"
    collection, web = collect({"/robots.txt": robots, "/a.xml": pages_of(3), "/b.xml": pages_of(4)})
    assert [(asked.url, asked.at) for asked in web.asked[1:]] == [(f"{HOME}/a.xml", 30.0)]
    assert collection.sitemap.url_count == 3
    assert collection.sitemaps is not None
    assert not collection.sitemaps.is_complete


def test_a_rest_has_a_longest_and_ends_with_a_quick_answer() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0], 30.0)
    pace.answered("h", seconds=99.0)
    assert pace.reserve("h", 1.0, 45.0) == 30.0
    now[0] = 30.0
    pace.answered("h", seconds=0.1)
    assert pace.reserve("h", 1.0, 45.0) == 1.0


def test_an_answer_that_never_came_is_followed_by_no_rest() -> None:
    pages = {"/robots.txt": b"Sitemap: /a.xml", "/a.xml": Page(seconds=99)}
    _, web = collect({**pages}, CollectLimits(homepage=False, sitemap_seconds=5.0))
    assert gaps(web)[:2] == [1.0, 6.0]


def test_without_a_gap_a_slow_host_has_no_rest() -> None:
    pages = {"/robots.txt": Page(b"", seconds=4)}
    _, web = collect({**pages}, CollectLimits(homepage=False, gap_seconds=0.0))
    assert gaps(web) == [4.0, 0.0, 0.0, 0.0]


def test_the_longest_wait_that_a_host_asks_for_is_known() -> None:
    class Busy(FakeWeb):
        def fetch(self, request: Request) -> Response:
            if request.url.endswith(".xml"):
                seconds = 7.0 if "a.xml" in request.url else 60.0
                raise FetchFailed("forbidden", "later", status=429, retry_after=seconds)
            return super().fetch(request)

    robots = f"Sitemap: /a.xml\nSitemap: https://www.{DOMAIN}/b.xml".encode()
    collector = collector_of(Busy({f"{HOME}/robots.txt": robots}))
    collection = collector.collect(DOMAIN, RECORD, collector.robots(DOMAIN, RECORD))
    assert (collection.retry_after, collection.sitemap.ended_by) == (60.0, "throttled")


def test_another_host_need_not_be_waited_for() -> None:
    robots = b"Sitemap: https://a.agency.gov.sg/1\nSitemap: https://b.agency.gov.sg/1\n"
    _, web = collect({"/robots.txt": robots}, CollectLimits(homepage=False))
    assert gaps(web)[:2] == [0.0, 0.0]
    assert web.asked[3].at == 1.0


def test_a_host_that_was_redirected_to_has_its_gap_too() -> None:
    www = "https://www.agency.gov.sg/x"
    pages = {
        "/robots.txt": b"Sitemap: /a\nSitemap: https://www.agency.gov.sg/b",
        "/a": Page(location=www),
    }
    _, web = collect({**pages, www: b""}, CollectLimits(homepage=False))
    assert [asked.at for asked in web.asked[:4]] == [0.0, 1.0, 1.0, 2.0]


def test_two_domains_on_one_host_share_its_gap() -> None:
    web = FakeWeb({})
    collector = collector_of(web)
    for domain in ("a.sg", "b.sg"):
        answer, body = collector.robots(domain, "")
        shared = answer.model_copy(update={"sitemap_urls": ("https://cdn.example.com/s.xml",)})
        collector.collect(domain, "", (shared, body))
    asked = [asked.at for asked in web.asked if "cdn" in asked.url]
    assert asked[1] - asked[0] >= 1.0


@pytest.mark.parametrize("seconds", [0.0, 3.0, 9.0, 14.9, 30.0])
def test_a_domain_never_takes_longer_than_its_time(seconds: float) -> None:
    """Whatever each answer takes, those that come too late included."""
    paths = [f"/{number}.xml" for number in range(99)]
    pages: dict[str, Page | bytes] = {path: Page(pages_of(1), seconds=seconds) for path in paths}
    pages["/robots.txt"] = Page(b"Sitemap: /s.xml", seconds=min(seconds, 9.9))
    pages["/s.xml"] = Page(index(*paths), seconds=min(seconds, 14.9))
    collection, web = collect(pages)
    assert web.monotonic() <= 45.0
    assert collection.sitemap.exists
    answer = collection.sitemap
    assert answer.children is not None
    assert answer.children.ended_by == "seconds"
    assert not answer.is_complete


def test_a_site_without_end_leaves_a_time_out_of_our_own_unsaid() -> None:
    """What we cut short is the budget's doing, and no failure of the site."""
    robots = "".join(f"Sitemap: /{number}.xml\n" for number in range(9)).encode()
    pages: dict[str, Page | bytes] = {f"/{number}.xml": Page(seconds=99) for number in range(9)}
    collection, web = collect({**pages, "/robots.txt": robots})
    answer = collection.sitemap
    assert (answer.exists, answer.ended_by, answer.reason) == (False, "seconds", "timeout")
    assert [tried.reason for tried in answer.tried] == ["timeout", "timeout"]
    assert web.monotonic() <= 45.0


def test_robots_of_a_cache_cost_what_they_cost_then() -> None:
    web = FakeWeb({f"{HOME}/sitemap.xml": pages_of(1)})
    cached = RobotsAnswer(
        outcome="ok", status_code=200, url=f"{HOME}/robots.txt", duration_ms=44_900
    )
    collection = collector_of(web).collect(DOMAIN, RECORD, (cached, b""))
    assert (collection.sitemap.reason, web.urls) == ("seconds", [])


def test_requests_are_cut_to_the_first_bytes_and_say_what_they_want() -> None:
    _, web = collect({"/robots.txt": b"", "/sitemap.xml": pages_of(1)})
    robots, first, home = (asked.request for asked in web.asked)
    assert [request.cut_body for request in (robots, first, home)] == [True] * 3
    assert (robots.timeout_seconds, robots.max_bytes) == (10.0, 1024 * 1024)
    assert (first.timeout_seconds, first.max_bytes) == (15.0, 10 * 1024 * 1024)
    assert robots.headers["Accept"].startswith("text/plain")
    assert "xml" in first.headers["Accept"]
    assert home.headers["Accept"].startswith("text/html")


def test_the_hosts_of_long_ago_are_forgotten() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0], 5.0)
    for number in range(5_000):
        now[0] += 1.0
        pace.reserve(f"h{number}", 1.0, 9.0)
        pace.answered(f"h{number}")
    assert pace.hosts <= 1_001


def test_more_hosts_than_are_kept_have_their_turns_until_the_longest_gap_is_over() -> None:
    """A worker of two hundred domains at once meets three thousand hosts in thirty seconds."""
    now = [0.0]
    pace = Pace(lambda: now[0], 30.0)
    most = 0
    for number in range(30_000):
        now[0] = number / 100
        pace.reserve(f"h{number}", 30.0, 99.0)
        pace.answered(f"h{number}")
        most = max(most, pace.hosts)
    assert 3_000 <= most <= 2 * 3_001
    assert pace.reserve("h27100", 30.0, 99.0) == pytest.approx(1.01)


def test_a_turn_that_is_taken_is_not_given_twice() -> None:
    pace = Pace(lambda: 10.0, 5.0)
    assert [pace.reserve("h", 1.0, 9.0) for _ in range(3)] == [0.0, 1.0, 2.0]
    assert pace.reserve("other", 1.0, 0.0) == 0.0


def test_a_turn_that_comes_too_late_is_not_taken() -> None:
    """Ten threads on one host must not queue beyond their domains' time."""
    pace = Pace(lambda: 10.0, 5.0)
    assert [pace.reserve("h", 1.0, 1.5) for _ in range(4)] == [0.0, 1.0, None, None]
    assert pace.reserve("h", 1.0, 2.0) == 2.0


def test_a_host_that_is_its_own_address_has_the_gap_of_a_host() -> None:
    pace = Pace(lambda: 0.0, 30.0)
    assert pace.reserve("192.0.2.1", 10.0, 99.0, "192.0.2.1") == 0.0
    assert pace.reserve("192.0.2.1", 10.0, 99.0, "192.0.2.1") == 10.0
