"""The home page of a domain and the feeds that it names."""

import pytest
from collecting import DOMAIN, HOME, collect
from fakes.web import Page

from uring.seeds.collect.homepage import read_homepage
from uring.seeds.collect.limits import CollectLimits

RSS = b"<rss><channel><item/><item/></channel></rss>"


def head(*links: str) -> Page:
    body = f"<!doctype html><html><head><title> The\n Agency </title>{''.join(links)}</head><p>x"
    return Page(body.encode(), content_type="text/html; charset=utf-8")


def link(href: str, kind: str = "application/rss+xml", rel: str = "alternate") -> str:
    return f'<link rel="{rel}" type="{kind}" title="News" href="{href}">'


def test_a_home_page_is_kept_with_its_title() -> None:
    collection, _ = collect({"/robots.txt": b"", "/": head()})
    page = collection.homepage
    assert page is not None
    assert (page.status_code, page.title, page.url) == (200, "The Agency", f"{HOME}/")
    assert page.content_length == len(collection.homepage_body) > 0
    assert (page.encoding, page.content_type) == ("utf-8", "text/html; charset=utf-8")


def test_without_it_nothing_of_it_is_asked() -> None:
    collection, web = collect(
        {"/robots.txt": b"", "/": head(link("/f"))}, CollectLimits(homepage=False)
    )
    assert (collection.homepage, collection.homepage_body, collection.feeds) == (None, b"", ())
    assert f"{HOME}/" not in web.urls


@pytest.mark.parametrize("page", [Page(status=403), Page(reason="protocol"), Page(status=500)])
def test_a_home_page_that_fails_has_its_reason(page: Page) -> None:
    collection, _ = collect({"/robots.txt": b"", "/": page})
    assert collection.homepage is not None
    assert collection.homepage.reason in ("forbidden", "protocol", "http_status")
    assert collection.homepage.status_code == (0 if page.reason else page.status)


def test_a_feed_beside_the_home_page_is_asked_under_the_rules_of_its_host() -> None:
    """robots.txt led to the home page of www, which has a robots.txt of its own."""
    www = f"https://www.{DOMAIN}"
    collection, web = collect(
        {
            "/robots.txt": Page(location=f"{www}/"),
            f"{www}/robots.txt": b"User-agent: *\nDisallow: /inner\n",
            "/": Page(location=f"{www}/"),
            f"{www}/": head(link("/f"), link("/inner/f"), link(f"https://blog.{DOMAIN}/f")),
            f"{www}/f": b"<rss><channel><item/></channel></rss>",
        }
    )
    first, second, third = collection.feeds
    assert (first.is_read, first.items) == (True, 1)
    assert (second.reason, third.reason) == ("robots_disallowed", "another_host")
    assert web.urls.count(f"{www}/robots.txt") == 1


def test_feeds_are_asked_for_and_judged() -> None:
    pages = {
        "/robots.txt": b"",
        "/": head(link("/a"), link("b", "application/atom+xml; charset=utf-8"), link("/c")),
        "/a": RSS,
        "/b": Page(b"<!doctype html><p>Not found"),
        "/c": b"<urlset/>",
    }
    collection, _ = collect(pages)
    first, second, third = collection.feeds
    assert (first.url, first.is_read, first.items, first.title) == (f"{HOME}/a", True, 2, "News")
    assert (second.is_read, second.items, second.reason) == (False, None, "html")
    assert (third.is_read, third.reason) == (False, "not_a_feed")


def test_three_feeds_are_asked_for_and_ten_are_kept() -> None:
    collection, web = collect({"/robots.txt": b"", "/": head(*(link(f"/f{n}") for n in range(99)))})
    assert [url for url in web.urls if "/f" in url] == [f"{HOME}/f{n}" for n in range(3)]
    assert len(collection.feeds) == 10
    assert [feed.reason for feed in collection.feeds[2:4]] == ["not_found", ""]


def test_a_feed_is_asked_where_robots_speak_for_it_and_allow_it() -> None:
    pages = {
        "/robots.txt": b"User-agent: *\nDisallow: /inner",
        "/": head(link("/inner/f"), link("https://feeds.example.com/f"), link("/f")),
        "/f": RSS,
    }
    collection, web = collect(pages)
    assert [feed.reason for feed in collection.feeds] == ["robots_disallowed", "another_host", ""]
    assert [url for url in web.urls if url.endswith("/f")] == [f"{HOME}/f"]


@pytest.mark.parametrize(
    "line",
    [
        link("/f", rel="stylesheet"),
        link("/f", kind="text/html"),
        link(""),
        link("  "),
        link("javascript:alert(1)"),
        link("http://[::1"),
        link("ftp://agency.gov.sg/f"),
        '<link rel="alternate" href="/f">',
        "<link>",
        f"<!-- {link('/f')} -->",
    ],
)
def test_what_is_no_feed_is_passed_over(line: str) -> None:
    assert read_homepage(line, f"{HOME}/", 10).feeds == ()


def test_a_page_may_say_what_its_links_are_relative_to() -> None:
    page = read_homepage(f'<base href="/en/">{link("f")}{link("f")}', f"{HOME}/x", 10)
    assert [feed.url for feed in page.feeds] == [f"{HOME}/en/f"]


def test_titles_are_one_printable_line() -> None:
    page = read_homepage("<title>\x1b[31mA\u202e\n\tB" + "x" * 9_999, f"{HOME}/", 10)
    assert page.title.startswith("[31mA B")
    assert len(page.title) <= 300
    assert page.title.isprintable()


def test_a_markup_bomb_has_no_title() -> None:
    html = "<title>x</title>" + "<b><i>" * 200_000
    assert read_homepage(html, f"{HOME}/", 10).title == ""


def test_a_page_in_no_known_encoding_is_read_all_the_same() -> None:
    body = b"<title>\xff\xfe\xfd" + b"\x81\xff" * 500
    collection, _ = collect({"/robots.txt": b"", "/": Page(body, content_type="text/html")})
    assert collection.homepage is not None
    assert collection.homepage.encoding
