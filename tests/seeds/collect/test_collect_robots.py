"""robots.txt of a domain: where it is asked, and what its answer means (RFC 9309, 2.3.1)."""

import json

import pytest
from collecting import DOMAIN, HOME, RECORD, ROBOTS, collect, collector_of
from fakes.web import FakeWeb, Page

from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.collect.limits import CollectLimits

WWW = f"https://www.{DOMAIN}/robots.txt"
PLAIN = f"http://{DOMAIN}/robots.txt"


def robots_of(pages: dict[str, Page | bytes], url: str = RECORD) -> tuple[RobotsAnswer, FakeWeb]:
    web = FakeWeb(pages)
    answer, _ = collector_of(web).robots(DOMAIN, url)
    return answer, web


@pytest.mark.parametrize(
    ("page", "outcome", "status"),
    [
        (Page(b"User-agent: *\nDisallow:\n"), "ok", 200),
        (Page(b""), "ok", 200),
        (Page(status=204), "ok", 204),
        (Page(b"<!DOCTYPE html><title>Home</title>"), "html", 200),
        (Page(status=400), "unavailable_4xx", 400),
        (Page(status=401), "unavailable_4xx", 401),
        (Page(status=403), "unavailable_4xx", 403),
        (Page(status=404), "unavailable_4xx", 404),
        (Page(status=410), "unavailable_4xx", 410),
        (Page(status=429), "unreachable_5xx", 429),
        (Page(status=500), "unreachable_5xx", 500),
        (Page(status=503), "unreachable_5xx", 503),
        (Page(status=999), "unreachable_5xx", 0),
        (Page(b"User-agent: *\n", status=202), "ok", 202),
        (Page(b"User-agent: *\n", status=226), "ok", 226),
        (Page(b"<!DOCTYPE html><title>Wait</title>", status=202), "html", 202),
        (Page(status=206), "unreachable_5xx", 206),
        (Page(status=300), "redirect_limit", 300),
        (Page(reason="protocol"), "unreachable_network", 0),
        (Page(reason="bad_encoding"), "unreachable_network", 0),
        (Page(reason="too_big"), "unreachable_network", 0),
        (Page(reason="refused_address"), "refused", 0),
        (Page(reason="bad_address"), "refused", 0),
        (Page(status=302, location="/robots.txt"), "redirect_limit", 302),
        (Page(seconds=11), "unreachable_network", 0),
    ],
)
def test_every_answer_has_one_outcome(page: Page, outcome: str, status: int) -> None:
    answer, _ = robots_of(dict.fromkeys((ROBOTS, WWW, PLAIN), page))
    assert (answer.outcome, answer.status_code) == (outcome, status)
    assert answer.is_reachable == (not outcome.startswith("unreachable"))
    assert (answer.reason == "") == (outcome in ("ok", "html") and status != 204)


@pytest.mark.parametrize("outcome", ["ok", "unavailable_4xx", "unreachable_5xx"])
def test_an_answer_can_be_kept_with_keys_of_a_later_release(outcome: str) -> None:
    answer = RobotsAnswer(outcome=outcome, url=ROBOTS, sitemap_urls=(f"{HOME}/s.xml",))
    stored = json.loads(answer.model_dump_json()) | {"later": 1}
    again = RobotsAnswer.model_validate_json(json.dumps(stored))
    assert again.model_dump() == answer.model_dump() | {"later": 1}


@pytest.mark.parametrize("reason", ["dns", "connect", "tls", "timeout"])
def test_where_the_domain_cannot_be_reached_the_records_host_is_asked(reason: str) -> None:
    answer, web = robots_of({ROBOTS: Page(reason=reason), WWW: b"Sitemap: /s.xml"})
    assert web.urls == [ROBOTS, WWW]
    assert (answer.outcome, answer.url) == ("ok", WWW)
    assert answer.sitemap_urls == (f"https://www.{DOMAIN}/s.xml",)


def test_the_last_place_is_the_domain_without_tls() -> None:
    answer, web = robots_of({ROBOTS: Page(reason="tls"), WWW: Page(reason="dns"), PLAIN: b""})
    assert web.urls == [ROBOTS, WWW, PLAIN]
    assert (answer.outcome, answer.url) == ("ok", PLAIN)


@pytest.mark.parametrize(
    "url",
    [
        f"https://{DOMAIN}/news",
        "https://elsewhere.example.com/",
        f"https://not{DOMAIN}/",
        f"https://{DOMAIN}.example.com/",
        "https://127.0.0.1/",
        "no url",
    ],
)
def test_no_host_but_one_of_the_domain_stands_in_for_it(url: str) -> None:
    pages = {ROBOTS: Page(reason="dns"), WWW: Page(reason="dns"), PLAIN: Page(reason="connect")}
    answer, web = robots_of(pages, url)
    assert web.urls == [ROBOTS, WWW, PLAIN]
    assert (answer.outcome, answer.reason, answer.url) == ("unreachable_network", "dns", ROBOTS)


@pytest.mark.parametrize("url", [f"https://{DOMAIN}/", f"https://old.{DOMAIN}/x", "no url"])
def test_a_site_that_lives_at_www_alone_is_found(url: str) -> None:
    """Lists of certificates name the bare domain, and hosts that are gone."""
    pages = {ROBOTS: Page(reason="dns"), f"https://old.{DOMAIN}/robots.txt": Page(reason="dns")}
    answer, web = robots_of({**pages, WWW: b"User-agent: *", PLAIN: b""}, url)
    assert (answer.outcome, answer.url, web.urls[-1]) == ("ok", WWW, WWW)


def test_a_silent_domain_is_not_asked_at_www() -> None:
    pages = {ROBOTS: Page(reason="timeout"), WWW: b"", PLAIN: Page(reason="timeout")}
    _, web = robots_of(pages, f"https://{DOMAIN}/")
    assert web.urls == [ROBOTS, PLAIN]


@pytest.mark.parametrize("page", [Page(status=404), Page(status=503), Page(reason="protocol")])
def test_a_domain_that_was_connected_to_is_asked_once(page: Page) -> None:
    _, web = robots_of({ROBOTS: page, WWW: b""})
    assert web.urls == [ROBOTS]


def test_three_dead_places_take_no_more_than_the_domains_time() -> None:
    web = FakeWeb(dict.fromkeys((ROBOTS, WWW, PLAIN), Page(seconds=99)))
    answer, _ = collector_of(web, CollectLimits(seconds=15)).robots(DOMAIN, RECORD)
    assert answer.outcome == "unreachable_network"
    assert web.monotonic() <= 15
    assert web.urls == [ROBOTS, WWW]


def test_the_way_is_kept() -> None:
    pages: dict[str, Page | bytes] = {
        ROBOTS: Page(status=301, location=WWW),
        WWW: Page(status=302, location="/r.txt"),
        f"https://www.{DOMAIN}/r.txt": b"\xef\xbb\xbfSitemap: s.xml",
    }
    answer, _ = robots_of(pages)
    assert answer.hops == (ROBOTS, WWW)
    assert (answer.url, answer.final_url) == (ROBOTS, f"https://www.{DOMAIN}/r.txt")
    assert answer.sitemap_urls == (f"https://www.{DOMAIN}/s.xml",)
    assert answer.content_length == 17


def test_a_large_file_counts_as_far_as_its_first_megabyte() -> None:
    line = b"Sitemap: /s.xml\n"
    body = line + b"#" * (1024 * 1024) + b"\n" + b"Sitemap: /t.xml\n"
    answer, _ = robots_of({ROBOTS: body})
    assert (answer.truncated, answer.content_length) == (True, 1024 * 1024)
    assert answer.sitemap_urls == (f"{HOME}/s.xml",)


def test_sitemap_lines_become_addresses_and_all_are_counted() -> None:
    lines = [
        "/s.xml",
        "https://agency.gov.sg/s.xml",
        "HTTPS://Agency.GOV.sg:443/s.xml",
        "//www.agency.gov.sg/t.xml",
        "https://cdn.example.com/u.xml.gz",
        "ftp://agency.gov.sg/v.xml",
        "javascript:alert(1)",
        "https://user:secret@agency.gov.sg/w.xml",
        "http://[::1",
        "/" + "a" * 9_000,
    ]
    answer, _ = robots_of({ROBOTS: "\n".join(f"Sitemap: {line}" for line in lines).encode()})
    assert answer.sitemap_lines == len(lines)
    assert answer.sitemap_urls == (
        f"{HOME}/s.xml",
        f"https://www.{DOMAIN}/t.xml",
        "https://cdn.example.com/u.xml.gz",
    )
    assert answer.sitemap_foreign == 1


def test_a_flood_of_sitemap_lines_is_kept_in_part() -> None:
    body = "".join(f"Sitemap: /{number}\n" for number in range(30_000)).encode()
    answer, _ = robots_of({ROBOTS: body})
    assert (len(answer.sitemap_urls), answer.sitemap_lines) == (2_000, 30_000)


@pytest.mark.parametrize(
    "page",
    [Page(status=503), Page(status=429), Page(reason="protocol"), Page(reason="refused_address")],
)
def test_nothing_else_is_asked_of_an_unreachable_domain(page: Page) -> None:
    """RFC 9309, section 2.3.1.4: complete disallow."""
    collection, web = collect({"/robots.txt": page, "/sitemap.xml": b"<urlset/>"})
    assert web.urls == [ROBOTS]
    assert not collection.sitemap.exists
    assert (collection.sitemap.reason, collection.homepage) == ("robots_unreachable", None)
    assert collection.sitemap.url == f"{HOME}/sitemap.xml"


@pytest.mark.parametrize("status", [401, 403, 404])
def test_without_robots_everything_may_be_asked(status: int) -> None:
    """RFC 9309, section 2.3.1.3."""
    collection, _ = collect({"/robots.txt": Page(status=status), "/sitemap.xml": b"<urlset/>"})
    assert collection.sitemap.exists
