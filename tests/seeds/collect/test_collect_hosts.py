"""Every host that is really asked has its turn and its own robots.txt, whatever leads there."""

import threading
import time
from itertools import pairwise

import pytest
from collecting import DOMAIN, HOME, RECORD, collect, collector_of, index, pages_of
from fakes.web import FakeWeb, Page

from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.fetch.robots import RobotsFile, read_robots
from uring.seeds.collect.hosts import KeptRules
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.pace import Pace
from uring.seeds.collect.robots import ask_robots
from uring.seeds.collect.visit import BudgetSpent, DomainVisit, TurnMissed

ALONE = CollectLimits(homepage=False)
CLOSED = b"User-agent: *\nDisallow: /\n"
OTHER = "https://other.example.com"


def times(web: FakeWeb, host: str) -> list[float]:
    return [asked.at for asked in web.asked if asked.url.startswith(f"https://{host}/")]


def least_gap(moments: list[float]) -> float:
    return min(later - earlier for earlier, later in pairwise(sorted(moments)))


def collect_each(web: FakeWeb, *domains: str) -> None:
    collector = collector_of(web)
    for domain in domains:
        url = f"https://{domain}/"
        collector.collect(domain, url, collector.robots(domain, url))


def test_parked_domains_share_the_turns_of_the_host_that_they_lead_to() -> None:
    pages: dict[str, Page | bytes] = {"https://park.com/robots.txt": b"User-agent: *\n"}
    for domain in ("p0.com", "p1.com", "p2.com"):
        for path in ("robots.txt", "sitemap.xml", "sitemap_index.xml", ""):
            pages[f"https://{domain}/{path}"] = Page(
                status=302, location=f"https://park.com/{path}"
            )
    web = FakeWeb(pages)
    collect_each(web, "p0.com", "p1.com", "p2.com")
    assert len(times(web, "park.com")) > 9
    assert least_gap(times(web, "park.com")) >= 1.0


def test_two_hops_at_one_host_are_a_gap_apart() -> None:
    pages = {"/robots.txt": b"Sitemap: /a.xml", "/a.xml": Page(location="/b.xml")}
    _, web = collect({**pages, "/b.xml": pages_of(1)}, ALONE)
    assert [asked.at for asked in web.asked] == [0.0, 1.0, 2.0]


def test_robots_take_a_turn_for_each_hop_and_ask_no_leave() -> None:
    pages = {
        "/robots.txt": Page(location="/r"),
        "/r": Page(location=f"{OTHER}/robots.txt"),
        f"{OTHER}/robots.txt": CLOSED,
    }
    collection, web = collect({**pages}, ALONE)
    assert web.urls == [f"{HOME}/robots.txt", f"{HOME}/r", f"{OTHER}/robots.txt"]
    assert [asked.at for asked in web.asked] == [0.0, 1.0, 1.0]
    assert collection.robots.hops == (f"{HOME}/robots.txt", f"{HOME}/r")
    assert (collection.robots.outcome, collection.requests) == ("ok", 0)


@pytest.mark.parametrize(
    ("robots", "reason"),
    [
        (CLOSED, "robots_disallowed"),
        (Page(status=503), "robots_unreachable"),
        (Page(reason="timeout"), "robots_unreachable"),
        (Page(reason="refused_address"), "refused_address"),
        (b"User-agent: *\nDisallow: /inner", ""),
        (Page(status=404), ""),
        (Page(b"<!DOCTYPE html><title>x"), ""),
        (Page(location="/robots.txt"), ""),
    ],
)
def test_a_host_that_something_leads_to_is_asked_whether_it_allows_that(
    robots: Page | bytes, reason: str
) -> None:
    pages = {
        "/robots.txt": b"User-agent: *\n",
        "/sitemap.xml": Page(status=301, location=f"{OTHER}/sitemap.xml"),
        "/": Page(status=301, location=f"{OTHER}/"),
        f"{OTHER}/robots.txt": robots,
        f"{OTHER}/sitemap.xml": pages_of(2),
        f"{OTHER}/": b"<!doctype html><title>Other</title>",
    }
    collection, web = collect({**pages})
    sitemap, home = collection.sitemap, collection.homepage
    assert home is not None
    assert (sitemap.tried[0].reason, home.reason) == (reason, reason)
    assert (sitemap.final_url, home.final_url) == (f"{OTHER}/sitemap.xml", f"{OTHER}/")
    assert (sitemap.exists, collection.homepage_body != b"") == (not reason, not reason)
    assert web.urls.count(f"{OTHER}/robots.txt") in (1, 6)
    assert collection.requests == len(web.urls) - 1


def test_a_redirect_to_a_path_that_its_own_site_forbids_is_not_followed() -> None:
    pages = {
        "/robots.txt": b"User-agent: *\nDisallow: /inner",
        "/": Page(status=302, location="/inner/"),
        "/sitemap.xml": Page(status=302, location="/inner/s.xml"),
    }
    collection, web = collect({**pages})
    assert not [url for url in web.urls if "inner" in url]
    assert collection.homepage is not None
    assert collection.homepage.reason == "robots_disallowed"
    assert collection.homepage.final_url == f"{HOME}/inner/"


def test_what_the_domain_names_may_move_within_the_domain() -> None:
    """A Sitemap line is an invitation to the domain's own hosts, not to others."""
    www = f"https://www.{DOMAIN}"
    pages = {
        "/robots.txt": CLOSED + b"Sitemap: /a.xml",
        "/a.xml": Page(location=f"{www}/a.xml"),
        f"{www}/robots.txt": CLOSED,
        f"{www}/a.xml": pages_of(3),
    }
    collection, web = collect({**pages}, ALONE)
    assert (collection.sitemap.url_count, len(web.urls)) == (3, 3)
    pages["/a.xml"] = Page(location=f"{OTHER}/a.xml")
    pages |= {f"{OTHER}/robots.txt": CLOSED, f"{OTHER}/a.xml": pages_of(3)}
    collection, web = collect({**pages}, ALONE)
    assert collection.sitemap.reason == "robots_disallowed"
    assert f"{OTHER}/a.xml" not in web.urls


def test_of_another_site_one_file_is_asked_if_it_allows_that() -> None:
    lines = b"".join(b"Sitemap: https://victim.example.com/x?%d\n" % n for n in range(100))
    pages: dict[str, Page | bytes] = {"/robots.txt": lines}
    _, web = collect(pages, ALONE)
    assert [url for url in web.urls if "victim" in url] == [
        "https://victim.example.com/robots.txt",
        "https://victim.example.com/x?0",
    ]
    collection, web = collect({**pages, "https://victim.example.com/robots.txt": CLOSED}, ALONE)
    assert [url for url in web.urls if "victim" in url] == ["https://victim.example.com/robots.txt"]
    first = collection.sitemap
    assert (first.reason, first.fetched_at) == ("robots_disallowed", None)
    assert (first.final_url, first.exists) == ("https://victim.example.com/x?0", False)


def test_the_children_of_an_index_elsewhere_obey_its_host() -> None:
    pages = {
        "/robots.txt": f"Sitemap: {OTHER}/i.xml".encode(),
        f"{OTHER}/robots.txt": b"User-agent: *\nDisallow: /inner",
        f"{OTHER}/i.xml": index(f"{OTHER}/inner/a.xml", f"{OTHER}/b.xml"),
        f"{OTHER}/inner/a.xml": pages_of(9),
        f"{OTHER}/b.xml": pages_of(2),
    }
    collection, web = collect({**pages}, ALONE)
    assert f"{OTHER}/inner/a.xml" not in web.urls
    assert (collection.sitemap.url_count, collection.sitemap.is_complete) == (2, False)


def test_a_domain_leads_to_a_few_other_hosts_only() -> None:
    robots = "".join(f"Sitemap: https://h{n}.example.com/s.xml\n" for n in range(20)).encode()
    collection, web = collect({"/robots.txt": robots}, ALONE)
    asked = [url for url in web.urls if "example.com" in url]
    assert len(asked) == 2 * ALONE.hosts
    assert [tried.reason for tried in collection.sitemap.tried][5:20] == ["too_many_hosts"] * 15


def test_another_host_has_the_gap_that_it_asks_for() -> None:
    pages = {
        "/robots.txt": f"Sitemap: {OTHER}/i.xml".encode(),
        f"{OTHER}/robots.txt": b"User-agent: *\nCrawl-delay: 4",
        f"{OTHER}/i.xml": index(f"{OTHER}/a.xml"),
    }
    _, web = collect({**pages}, ALONE)
    assert times(web, "other.example.com") == [0.0, 4.0, 8.0]


def test_the_rules_of_a_host_are_read_once_for_many_domains() -> None:
    pages: dict[str, Page | bytes] = {f"{OTHER}/robots.txt": CLOSED}
    for domain in ("a.com", "b.com", "c.com"):
        pages[f"https://{domain}/"] = Page(status=302, location=f"{OTHER}/{domain}")
    web = FakeWeb(pages)
    collect_each(web, "a.com", "b.com", "c.com")
    assert [url for url in web.urls if OTHER in url] == [f"{OTHER}/robots.txt"]


def test_rules_are_kept_for_ten_minutes_and_within_bounds() -> None:
    now = [0.0]
    kept = KeptRules(lambda: now[0])
    kept.keep("long", RobotsFile("", is_html=False, rules="x" * 70_000))
    kept.keep("first", RobotsFile("", is_html=False))
    assert (kept.get("long"), kept.get("first") is None) == (None, False)
    now[0] = 601.0
    assert kept.get("first") is None
    for number in range(100):
        kept.keep(str(number), RobotsFile("", is_html=False))
    assert sum(kept.get(str(number)) is not None for number in range(100)) == 64


# Addresses.


def one_address(url: str, seconds: float) -> str:
    del url, seconds
    return "93.184.216.34"


def test_sixty_hosts_at_one_address_are_asked_four_a_second() -> None:
    pace = Pace(lambda: 10.0, 30.0)
    turns = [pace.reserve(f"h{number}", 1.0, 45.0, "1.2.3.4") for number in range(60)]
    assert turns == [number / 4 for number in range(60)]
    assert pace.reserve("h99", 1.0, 45.0, "5.6.7.8") == 0.0


def test_a_turn_is_that_of_host_and_address_at_once() -> None:
    """The later one of both, booked once: nobody books a turn that another one makes late."""
    pace = Pace(lambda: 10.0, 30.0)
    assert pace.reserve("a", 1.0, 9.0, "1.2.3.4") == 0.0
    assert pace.reserve("a", 1.0, 9.0, "1.2.3.4") == 1.0
    assert pace.reserve("b", 1.0, 9.0, "1.2.3.4") == 1.25
    assert pace.reserve("b", 1.0, 2.0, "1.2.3.4") is None
    assert pace.reserve("c", 1.0, 9.0, "1.2.3.4") == 1.5


def test_without_a_gap_an_address_has_none() -> None:
    pace = Pace(lambda: 10.0, 30.0, 0.0)
    assert [pace.reserve(f"h{n}", 0.0, 9.0, "1.2.3.4") for n in range(9)] == [0.0] * 9


class Crowd:
    """Answers when four requests are under way, or none more comes; counts the most at once."""

    def __init__(self) -> None:
        self._count = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._open = 0
        self.most = 0

    def fetch(self, request: Request) -> Response:
        with self._lock:
            self._open += 1
            self.most = max(self.most, self._open)
            if self._open == 4:
                for _ in range(4):
                    self._count.release()
        self._count.acquire(timeout=1.0)
        with self._lock:
            self._open -= 1
        return Response(200, request.url, b"", None, None, None, 1)


def test_an_address_answers_four_requests_at_once_at_most() -> None:
    crowd = Crowd()
    pace = Pace(lambda: 0.0, 30.0, 0.0)

    def ask(number: int) -> None:
        visit = DomainVisit(
            crowd, pace, lambda: 0.0, lambda _: None, seconds=9.0, most_bytes=9, gap_seconds=0.0,
            addresses=one_address,
        )  # fmt: skip
        visit.ask(f"https://h{number}.com/", seconds=9.0, max_bytes=9, accept="*/*")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert crowd.most == 4


def crowded(web: FakeWeb, seconds: float) -> DomainVisit:
    """A visit to an address whose next turn comes after so many seconds."""
    pace = Pace(web.monotonic, 30.0)
    for number in range(int(seconds * 4)):
        pace.reserve(f"h{number}", 1.0, 999.0, one_address("", 0.0))
    return DomainVisit(
        web, pace, web.monotonic, web.clock.sleep, seconds=45.0, most_bytes=10**6,
        gap_seconds=1.0, addresses=one_address,
    )  # fmt: skip


def test_a_turn_at_a_crowded_address_is_waited_for() -> None:
    web = FakeWeb({f"{HOME}/robots.txt": b"User-agent: *\n"})
    answer, _ = ask_robots(crowded(web, 20.0), DOMAIN, RECORD, web.clock, CollectLimits())
    assert (answer.outcome, web.asked[0].at) == ("ok", 20.0)


def test_a_turn_that_does_not_come_says_nothing_about_the_domain() -> None:
    web = FakeWeb({f"{HOME}/robots.txt": b"User-agent: *\n"})
    answer, _ = ask_robots(crowded(web, 60.0), DOMAIN, RECORD, web.clock, CollectLimits())
    assert web.urls == []
    assert answer.is_postponed
    assert not answer.is_reachable
    assert (answer.reason, answer.fetched_at) == ("busy_host", None)


def test_a_redirect_whose_next_host_has_no_turn_is_a_try_of_the_domain() -> None:
    """It was asked: postponed without an end, it would be asked each minute without an end."""
    web = FakeWeb({f"{HOME}/robots.txt": Page(status=302, location=f"{OTHER}/robots.txt")})
    visit = visit_of(web, full="other.example.com")
    answer, _ = ask_robots(visit, DOMAIN, RECORD, web.clock, CollectLimits())
    assert web.urls == [f"{HOME}/robots.txt"]
    assert (answer.is_postponed, answer.is_reachable, answer.reason) == (False, False, "busy_host")
    assert answer.hops == (f"{HOME}/robots.txt",)


def visit_of(web: FakeWeb, *, full: str) -> DomainVisit:
    """A visit while all turns of the next minute at one host are taken."""
    pace = Pace(web.monotonic, 30.0)
    for _ in range(60):
        pace.reserve(full, 1.0, 999.0)
    return DomainVisit(
        web, pace, web.monotonic, web.clock.sleep, seconds=45.0, most_bytes=10**6, gap_seconds=1.0
    )


def test_a_domain_that_was_silent_is_not_postponed() -> None:
    """What it did not answer is its own doing, however little time is left for its other places."""
    web = FakeWeb({f"{HOME}/robots.txt": Page(seconds=99)})
    limits = CollectLimits(seconds=11.0)
    answer, _ = collector_of(web, limits).robots(DOMAIN, f"{HOME}/")
    assert (answer.reason, answer.is_postponed) == ("timeout", False)


def test_a_place_at_a_host_that_others_hold_is_a_missed_turn() -> None:
    web = FakeWeb({f"{HOME}/robots.txt": Page(reason="busy_host")})
    answer, _ = collector_of(web).robots(DOMAIN, f"{HOME}/")
    assert answer.is_postponed


def test_an_address_that_cannot_be_looked_up_is_a_failure_of_the_site() -> None:
    def unknown(url: str, seconds: float) -> str:
        raise FetchFailed("dns", f"{url} within {seconds}")

    web = FakeWeb({})
    visit = crowded(web, 0.0)
    visit._addresses = unknown  # noqa: SLF001 - the lookup alone fails
    with pytest.raises(FetchFailed, match="dns") as failed:
        visit.ask(f"{HOME}/", seconds=9.0, max_bytes=9, accept="*/*")
    assert (failed.value.url, visit.requests, web.urls) == (f"{HOME}/", 0, [])


def test_the_rules_of_another_host_are_not_asked_beyond_the_time() -> None:
    pages = {"/robots.txt": Page(seconds=9.9), "/": Page(location=f"{OTHER}/", seconds=14.0)}
    collection, web = collect({**pages}, CollectLimits(seconds=35.0))
    assert web.monotonic() <= 35.0
    assert collection.homepage is not None
    assert not collection.homepage_body


def test_a_visit_without_time_is_spent() -> None:
    web = FakeWeb({})
    visit = DomainVisit(
        web, Pace(web.monotonic, 30.0), web.monotonic, web.clock.sleep, seconds=0.4,
        most_bytes=9, gap_seconds=1.0,
    )  # fmt: skip
    with pytest.raises(BudgetSpent, match="seconds"):
        visit.ask(f"{HOME}/", seconds=9.0, max_bytes=9, accept="*/*")


@pytest.mark.parametrize("path", ["/rules.txt", "/robots.txt?of=agency"])
@pytest.mark.parametrize("status", [200, 404])
def test_a_file_of_another_host_is_not_the_robots_txt_of_that_host(path: str, status: int) -> None:
    pages: dict[str, Page | bytes] = {
        "/robots.txt": Page(location=f"{OTHER}{path}"),
        f"{OTHER}{path}": Page(b"User-agent: *\nDisallow: /x\n", status=status),
        f"{OTHER}/robots.txt": CLOSED,
        "/": Page(location=f"{OTHER}/inner"),
        f"{OTHER}/inner": b"<!doctype html><title>Inner</title>",
    }
    collection, web = collect(pages)
    assert f"{OTHER}/robots.txt" in web.urls
    assert f"{OTHER}/inner" not in web.urls
    assert collection.homepage is not None
    assert collection.homepage.reason == "robots_disallowed"


@pytest.mark.parametrize("path", ["/", "/host-a/robots.txt", "/robots.txt?of=agency"])
@pytest.mark.parametrize("status", [200, 404])
def test_a_file_elsewhere_on_a_host_of_the_domain_is_not_its_robots_txt(
    path: str, status: int
) -> None:
    """Such as its home page, to which all of the bare domain redirects."""
    www = f"https://www.{DOMAIN}"
    pages: dict[str, Page | bytes] = {
        "/robots.txt": Page(location=f"{www}{path}"),
        f"{www}{path}": Page(b"<!doctype html><title>Home</title>", status=status),
        f"{www}/robots.txt": CLOSED,
        "/": Page(location=f"{www}/home"),
        f"{www}/home": b"<!doctype html><title>Home</title>",
    }
    collection, web = collect(pages)
    assert f"{www}/robots.txt" in web.urls
    assert f"{www}/home" not in web.urls
    assert collection.homepage is not None
    assert collection.homepage.reason == "robots_disallowed"


def test_kept_rules_are_small_whatever_a_host_sends() -> None:
    """Parsed, and with a megabyte of Sitemap lines, they took a third of the worker's memory."""
    kept = KeptRules(lambda: 0.0)
    read = read_robots(b"User-agent: *\nDisallow: /x\n" + b"Sitemap: /a\n" * 1_000)
    kept.keep("https://a.com/robots.txt", read)
    for _ in range(2):
        found = kept.get("https://a.com/robots.txt")
        assert found is not None
        assert not found.sitemaps
        assert "_matcher" not in vars(found)
        assert not found.allows("https://a.com/x")


class BusyWeb:
    """A web whose host is asked by another visit while it answers the first one."""

    def __init__(self) -> None:
        self.pace = Pace(time.monotonic, 30.0, 0.05)
        self.missed: list[TurnMissed] = []
        self.asked: list[Request] = []
        self.answered = 0.0

    def visit(self, seconds: float) -> None:
        visit = DomainVisit(
            self, self.pace, time.monotonic, time.sleep, seconds=seconds, most_bytes=99,
            gap_seconds=0.05,
        )  # fmt: skip
        try:
            visit.ask("https://park.com/robots.txt", seconds=9.0, max_bytes=9, accept="*/*")
        except TurnMissed as missed:
            self.missed.append(missed)

    def fetch(self, request: Request) -> Response:
        self.asked.append(request)
        if len(self.asked) == 1:
            other = threading.Thread(target=self.visit, args=(0.7,))
            other.start()
            other.join()
            self.answered = time.monotonic()
        return Response(200, request.url, b"", None, None, None, 1)


def test_a_visit_waits_for_a_busy_host_before_it_asks_and_not_as_part_of_the_answer() -> None:
    """Parked domains lead to one host: its lock used up the time of robots.txt, as a time-out."""
    web = BusyWeb()
    web.visit(9.0)
    assert (len(web.asked), len(web.missed)) == (1, 1)
    assert not web.pace.alone.waiting("park.com")
    web.visit(9.0)
    assert len(web.asked) == 2
    # The pause is as long as the answer was, and runs from its end.
    assert time.monotonic() - web.answered >= 0.15
