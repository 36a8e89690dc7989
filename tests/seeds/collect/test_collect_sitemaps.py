"""The sitemap of a domain: which candidate is asked, which one wins, and an index's children."""

import gzip

import pytest
from collecting import DOMAIN, HOME, collect, index, pages_of, sitemap
from fakes.web import Page

from uring.seeds.collect.limits import CollectLimits

ALONE = CollectLimits(homepage=False)
GUESSED = [f"{HOME}{path}" for path in ("/sitemap.xml", "/sitemap_index.xml")]
GUESSED += [f"{HOME}{path}" for path in ("/sitemap-index.xml", "/sitemaps.xml")]
HTML = Page(b"<!DOCTYPE html><title>Home</title>", content_type="application/xml")


def test_the_lines_of_robots_come_before_the_guesses_in_the_documents_order() -> None:
    robots = b"Sitemap: /a.xml\nSitemap: https://cdn.example.com/b.xml\nSitemap: /sitemap.xml\n"
    collection, web = collect({"/robots.txt": robots}, ALONE)
    named = [f"{HOME}/a.xml", "https://cdn.example.com/b.xml"]
    assert [url for url in web.urls if not url.endswith("/robots.txt")] == named + GUESSED
    answer = collection.sitemap
    assert (answer.exists, answer.url, answer.status_code) == (False, named[0], 404)
    assert [tried.url for tried in answer.tried] == named + GUESSED
    assert {tried.reason for tried in answer.tried} == {"not_found"}


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemap_index.xml", "/sitemaps.xml"])
def test_the_first_that_is_a_sitemap_wins(path: str) -> None:
    collection, web = collect({"/robots.txt": b"", path: pages_of(7)}, ALONE)
    answer = collection.sitemap
    assert web.urls[-1] == answer.url == f"{HOME}{path}"
    assert (answer.exists, answer.status_code, answer.kind) == (True, 200, "urlset")
    assert (answer.url_count, answer.is_complete, answer.from_robots) == (7, True, False)
    assert collection.sitemap_body == pages_of(7)
    assert answer.content_length == len(pages_of(7))
    assert collection.requests == len(web.urls) - 1


@pytest.mark.parametrize(
    "page",
    [
        HTML,
        Page(b""),
        Page(status=500),
        Page(reason="timeout"),
        Page(seconds=16),
        Page(reason="bad_encoding"),
        Page(status=302, location="/"),
        Page(reason="refused_address"),
    ],
)
def test_what_is_none_is_passed_over(page: Page) -> None:
    pages = {"/robots.txt": b"Sitemap: /a.xml", "/a.xml": page, "/": HTML}
    collection, _ = collect({**pages, "/sitemap.xml": pages_of(2)}, ALONE)
    assert collection.sitemap.url == f"{HOME}/sitemap.xml"
    assert collection.sitemap.tried[0].reason
    collection, _ = collect(pages, ALONE)
    assert not collection.sitemap.exists
    assert collection.sitemap_body == b""
    assert collection.sitemap.url_count is None


def test_a_sitemap_may_be_gzip_whatever_its_name_and_type() -> None:
    collection, _ = collect({"/robots.txt": b"", "/sitemap.xml": gzip.compress(pages_of(3))}, ALONE)
    assert (collection.sitemap.url_count, collection.sitemap_body) == (3, pages_of(3))


def test_a_truncated_sitemap_is_never_complete() -> None:
    limits = CollectLimits(homepage=False, sitemap_bytes=1_000)
    collection, _ = collect({"/robots.txt": b"", "/sitemap.xml": pages_of(100)}, limits)
    answer = collection.sitemap
    assert (answer.truncated, answer.is_complete, answer.parse_mode) == (True, False, "strict")
    assert len(collection.sitemap_body) == answer.content_length == 1_000
    assert answer.url_count
    assert answer.url_count < 100


def test_no_more_lines_than_the_limit_are_tried() -> None:
    robots = "".join(f"Sitemap: /{number}.xml\n" for number in range(500)).encode()
    limits = CollectLimits(homepage=False, seconds=999)
    collection, web = collect({"/robots.txt": robots}, limits)
    assert len(web.urls) == 1 + 20 + 4
    assert collection.robots.sitemap_lines == 500


SEVERAL = b"Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /a.xml\nSitemap: /c.xml\n"


def test_several_lines_have_a_sum_and_the_first_stays_itself() -> None:
    pages: dict[str, Page | bytes] = {
        "/robots.txt": SEVERAL,
        "/a.xml": pages_of(1),
        "/b.xml": index("/b1.xml", "/b2.xml"),
        "/b1.xml": pages_of(20),
        "/b2.xml": pages_of(300),
        "/c.xml": pages_of(4000),
    }
    collection, web = collect(pages, ALONE)
    first, whole = collection.sitemap, collection.sitemaps
    assert (first.url, first.url_count, first.is_complete) == (f"{HOME}/a.xml", 1, True)
    assert whole is not None
    assert (whole.url_count, whole.is_complete) == (4321, True)
    assert (whole.files.listed, whole.files.read) == (4, 4)
    assert len(web.urls) == len({*web.urls}) == 6


@pytest.mark.parametrize(
    ("changed", "count", "is_complete"),
    [
        # The first is empty at night.
        ({"/a.xml": sitemap()}, 900, True),
        ({"/b.xml": Page(status=302, location="/a.xml")}, 101, True),
        ({"/c.xml": Page(status=404)}, 801, False),
        ({"/a.xml": Page(status=404)}, 900, False),
        # The host wants no more requests.
        ({"/b.xml": Page(status=503)}, 1, False),
        ({"/c.xml": Page(pages_of(100)[:-9])}, 901, False),
        ({"/b.xml": index("/c.xml", "https://cdn.example.com/b2.xml")}, 101, False),
    ],
)
def test_a_sum_is_complete_only_with_proof(
    changed: dict[str, Page | bytes],
    count: int,
    is_complete: bool,  # noqa: FBT001
) -> None:
    pages: dict[str, Page | bytes] = {
        "/robots.txt": SEVERAL,
        "/a.xml": pages_of(1),
        "/b.xml": pages_of(800),
        "/c.xml": pages_of(100),
    }
    whole = collect({**pages, **changed}, ALONE)[0].sitemaps
    assert whole is not None
    assert (whole.url_count, whole.is_complete) == (count, is_complete)


def test_lines_on_another_site_are_not_asked_and_the_sum_says_so() -> None:
    robots = SEVERAL + b"".join(b"Sitemap: https://victim.example.org/%d\n" % n for n in range(99))
    pages = {"/robots.txt": robots, "/a.xml": pages_of(1), "/b.xml": pages_of(2)}
    collection, web = collect({**pages, "/c.xml": pages_of(3)}, ALONE)
    assert not [url for url in web.urls if "victim" in url]
    whole = collection.sitemaps
    assert whole is not None
    assert (whole.url_count, whole.is_complete, whole.files.foreign) == (6, False, 99)


def test_one_line_has_no_sum() -> None:
    pages = {"/robots.txt": b"Sitemap: /a.xml\nSitemap: /a.xml\n", "/a.xml": pages_of(1)}
    assert collect(pages, ALONE)[0].sitemaps is None


def test_a_guess_that_robots_forbid_is_not_asked() -> None:
    robots = b"User-agent: *\nDisallow: /sitemap.xml\nDisallow: /*index\n"
    _, web = collect({"/robots.txt": robots}, ALONE)
    assert web.urls[1:] == [f"{HOME}/sitemaps.xml"]
    collection, web = collect({"/robots.txt": b"User-agent: uRing\nDisallow: /\n"})
    assert len(web.urls) == 1
    assert collection.sitemap.reason == "robots_disallowed"
    assert (collection.sitemap.status_code, collection.sitemap.url) == (0, GUESSED[0])
    assert collection.homepage is not None
    assert collection.homepage.reason == "robots_disallowed"


def test_a_sitemap_that_robots_name_is_an_invitation() -> None:
    """Sites forbid all files of a kind, or everything, and name the sitemap beside it."""
    robots = b"User-agent: *\nDisallow: /\nSitemap: /a.xml\n"
    pages = {"/robots.txt": robots, "/a.xml": index("/b.xml"), "/b.xml": pages_of(2)}
    collection, web = collect(pages, ALONE)
    assert web.urls[1:] == [f"{HOME}/a.xml", f"{HOME}/b.xml"]
    assert (collection.sitemap.url_count, collection.sitemap.from_robots) == (2, True)


def test_an_index_has_the_urls_of_its_children() -> None:
    pages = {
        "/robots.txt": b"",
        "/sitemap.xml": index("/a.xml", "/b.xml", "/a.xml", "/c.txt"),
        "/a.xml": pages_of(3),
        "/b.xml": index("/d.xml.gz", "/a.xml"),
        "/c.txt": b"https://agency.gov.sg/1\nhttps://agency.gov.sg/2\n",
        "/d.xml.gz": gzip.compress(pages_of(10)),
    }
    collection, web = collect(pages, ALONE)
    answer = collection.sitemap
    assert (answer.kind, answer.url_count, answer.is_complete) == ("sitemapindex", 15, True)
    assert collection.sitemap_body == index("/a.xml", "/b.xml", "/a.xml", "/c.txt")
    assert [url.removeprefix(HOME) for url in web.urls[2:]] == [
        "/a.xml",
        "/b.xml",
        "/c.txt",
        "/d.xml.gz",
    ]
    assert answer.children is not None
    assert (answer.children.listed, answer.children.asked, answer.children.read) == (5, 4, 4)
    assert [tried.url_count for tried in answer.children.tried] == [3, None, 2, 10]


@pytest.mark.parametrize(
    "page",
    [
        Page(status=404),
        HTML,
        Page(reason="timeout"),
        Page(b"<urlset><url><loc>a</loc>" + b"<b>" * 30),
    ],
)
def test_an_index_with_an_unread_child_is_not_complete(page: Page) -> None:
    pages = {"/robots.txt": b"", "/sitemap.xml": index("/a.xml", "/b.xml"), "/b.xml": pages_of(2)}
    collection, _ = collect({**pages, "/a.xml": page}, ALONE)
    answer = collection.sitemap
    assert answer.url_count in (2, 3)
    assert not answer.is_complete
    assert answer.children is not None
    assert answer.children.ended_by == ""


def test_an_index_without_a_single_child_has_no_count() -> None:
    collection, _ = collect({"/robots.txt": b"", "/sitemap.xml": index("/a.xml")}, ALONE)
    assert (collection.sitemap.exists, collection.sitemap.url_count) == (True, None)


def test_nobody_can_turn_us_on_a_third_party() -> None:
    elsewhere = [f"https://victim.example.com/{number}" for number in range(500)]
    pages = {
        "/robots.txt": b"",
        "/sitemap.xml": index(
            *elsewhere, "https://www.agency.gov.sg/a.xml", "ftp://agency.gov.sg/"
        ),
        "https://www.agency.gov.sg/a.xml": pages_of(1),
    }
    collection, web = collect(pages, ALONE)
    assert web.urls[2:] == ["https://www.agency.gov.sg/a.xml"]
    answer = collection.sitemap
    assert answer.children is not None
    assert (answer.children.listed, answer.children.foreign) == (502, 501)
    assert (answer.url_count, answer.is_complete) == (1, False)


def test_an_index_on_storage_of_another_name_names_what_lies_beside_it() -> None:
    store = "https://store.example.com"
    pages = {
        "/robots.txt": f"Sitemap: {store}/agency/i.xml".encode(),
        f"{store}/agency/i.xml": index(f"{store}/agency/a.xml", "https://other.example.com/"),
        f"{store}/agency/a.xml": pages_of(4),
    }
    collection, web = collect(pages, ALONE)
    assert web.urls[1:] == [
        f"{store}/robots.txt",
        f"{store}/agency/i.xml",
        f"{store}/agency/a.xml",
    ]
    assert collection.robots.sitemap_foreign == 1
    assert collection.sitemap.url_count == 4


def test_an_index_of_itself_ends() -> None:
    pages = {
        "/robots.txt": b"",
        "/sitemap.xml": index("/sitemap.xml", "/a.xml", "/b.xml"),
        "/a.xml": Page(status=301, location="/sitemap.xml"),
        "/b.xml": index("/a.xml", "/b.xml", "/sitemap.xml"),
    }
    collection, web = collect(pages, ALONE)
    assert len(web.urls) == 5
    answer = collection.sitemap
    assert answer.children is not None
    assert [tried.reason for tried in answer.children.tried] == ["repeated", ""]


def test_children_that_all_lead_to_one_count_once() -> None:
    pages = {
        "/robots.txt": b"",
        "/sitemap.xml": index("/a.xml", "/b.xml", "/c.xml"),
        **{path: Page(status=302, location="/z.xml") for path in ("/a.xml", "/b.xml", "/c.xml")},
        "/z.xml": pages_of(5),
    }
    collection, _ = collect(pages, ALONE)
    assert collection.sitemap.url_count == 5


def test_an_endless_line_of_indexes_is_followed_three_deep() -> None:
    pages: dict[str, Page | bytes] = {
        f"/{depth}.xml": index(f"/{depth + 1}.xml") for depth in range(1, 90)
    }
    pages |= {"/robots.txt": b"", "/sitemap.xml": index("/1.xml")}
    collection, web = collect(pages, ALONE)
    assert [url.removeprefix(HOME) for url in web.urls[2:]] == ["/1.xml", "/2.xml", "/3.xml"]
    answer = collection.sitemap
    assert answer.children is not None
    assert (answer.children.ended_by, answer.is_complete) == ("depth", False)


def test_of_fifty_thousand_children_fifty_are_asked() -> None:
    paths = [f"/{number}.xml" for number in range(50_000)]
    pages: dict[str, Page | bytes] = {path: pages_of(2) for path in paths}
    pages |= {"/robots.txt": b"", "/sitemap.xml": index(*paths)}
    collection, web = collect(pages, CollectLimits(homepage=False, seconds=999))
    answer = collection.sitemap
    assert len(web.urls) == 2 + 50
    assert answer.children is not None
    assert (answer.children.listed, answer.children.asked) == (50_000, 50)
    assert (answer.children.ended_by, answer.url_count) == ("children", 100)


def test_exactly_as_many_children_as_are_asked_are_all_of_them() -> None:
    paths = [f"/{number}.xml" for number in range(50)]
    pages: dict[str, Page | bytes] = {path: pages_of(2) for path in paths}
    pages |= {"/robots.txt": b"", "/sitemap.xml": index(*paths)}
    collection, _ = collect(pages, CollectLimits(homepage=False, seconds=999))
    assert collection.sitemap.is_complete


def test_the_bytes_of_all_sitemaps_have_a_limit() -> None:
    body = sitemap(*(f"/{'a' * 900}{number}" for number in range(10)))
    paths = [f"/{number}.xml" for number in range(40)]
    pages: dict[str, Page | bytes] = {path: gzip.compress(body) for path in paths}
    pages |= {"/robots.txt": b"", "/sitemap.xml": index(*paths)}
    limits = CollectLimits(homepage=False, seconds=999, bytes=10 * len(body))
    collection, web = collect(pages, limits)
    answer = collection.sitemap
    assert answer.children is not None
    assert answer.children.ended_by == "bytes"
    assert 8 <= len(web.urls) - 2 <= 11


def test_a_host_that_is_overloaded_is_left_alone() -> None:
    """429 and 503: every further request would be a nuisance."""
    robots = b"Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: https://www.agency.gov.sg/c.xml\n"
    for status in (429, 503):
        pages = {
            "/robots.txt": robots,
            "/a.xml": Page(status=status),
            "https://www.agency.gov.sg/c.xml": index("https://www.agency.gov.sg/d.xml", "/e.xml"),
            "https://www.agency.gov.sg/d.xml": pages_of(3),
        }
        collection, web = collect(pages, CollectLimits())
        assert [url.partition("//")[2] for url in web.urls[1:]] == [
            f"{DOMAIN}/a.xml",
            "www.agency.gov.sg/c.xml",
            "www.agency.gov.sg/d.xml",
        ]
        answer = collection.sitemap
        assert answer.children is not None
        assert (answer.url_count, answer.children.ended_by) == (3, "throttled")
        assert collection.homepage is not None
        assert collection.homepage.reason == "throttled"


def test_the_host_that_is_overloaded_is_the_one_that_said_so() -> None:
    robots = b"Sitemap: /a.xml\nSitemap: https://www.agency.gov.sg/b.xml\n"
    pages = {
        "/robots.txt": robots,
        "/a.xml": Page(location="https://www.agency.gov.sg/a.xml"),
        "https://www.agency.gov.sg/a.xml": Page(status=503),
        "/sitemap.xml": pages_of(1),
    }
    collection, web = collect(pages, ALONE)
    assert collection.sitemap.url == f"{HOME}/sitemap.xml"
    assert "https://www.agency.gov.sg/b.xml" not in web.urls


def test_a_child_that_leads_to_a_page_is_not_counted_as_read() -> None:
    """Sites send their home page for what is missing; a line has been led there before."""
    pages = {
        "/robots.txt": b"Sitemap: /old.xml\nSitemap: /index.xml\n",
        "/": HTML,
        "/old.xml": Page(status=302, location="/"),
        "/index.xml": index("/b.xml", "/c.xml"),
        "/b.xml": pages_of(5),
        "/c.xml": Page(status=302, location="/"),
    }
    answer = collect(pages, ALONE)[0].sitemap
    assert (answer.url_count, answer.is_complete) == (5, False)


def test_one_file_by_http_and_by_https_counts_once() -> None:
    robots = f"Sitemap: http://{DOMAIN}/s.xml\nSitemap: {HOME}/s.xml\n".encode()
    pages = {"/robots.txt": robots, f"http://{DOMAIN}/s.xml": pages_of(5), "/s.xml": pages_of(5)}
    collection, web = collect(pages, ALONE)
    assert collection.sitemaps is not None
    assert (collection.sitemaps.url_count, collection.sitemaps.is_complete) == (5, True)
    assert len(web.urls) == 2


def test_an_index_and_the_other_lines_share_one_limit() -> None:
    lines = b"Sitemap: /index.xml\n" + b"".join(b"Sitemap: /l%d.xml\n" % n for n in range(100))
    pages: dict[str, Page | bytes] = {"/robots.txt": lines}
    pages["/index.xml"] = index(*(f"/c{n}.xml" for n in range(100)))
    pages |= {f"/c{n}.xml": pages_of(1) for n in range(100)}
    pages |= {f"/l{n}.xml": pages_of(1) for n in range(100)}
    limits = CollectLimits(homepage=False, seconds=9_999)
    collection, web = collect(pages, limits)
    assert len(web.urls) == 2 + limits.children
    assert collection.sitemaps is not None
    assert not collection.sitemaps.is_complete


HOMES = Page(status=302, location="/")


@pytest.mark.parametrize(
    ("pages", "guesses"),
    [
        # The home page in place of a missing file.
        ({"/": HTML, "/sitemap.xml": HOMES}, 1),
        ({"/": HTML, "/sitemap.xml": Page(location=f"https://www.{DOMAIN}/")}, 1),
        # Two that lead to one page.
        (dict.fromkeys(("/sitemap.xml", "/sitemap_index.xml"), Page(location="/404")), 2),
        # A page for each, robots.txt among them.
        (dict.fromkeys(("/robots.txt", "/sitemap.xml"), HTML), 1),
        (dict.fromkeys(("/sitemap.xml", "/sitemap_index.xml"), HTML), 2),
        ({"/sitemap.xml": HTML}, 4),
        ({"/robots.txt": HTML}, 4),
        ({"/sitemap.xml": Page(status=500)}, 4),
    ],
)
def test_where_a_page_comes_for_missing_files_no_more_are_guessed(
    pages: dict[str, Page | bytes], guesses: int
) -> None:
    collection, web = collect({"/robots.txt": b"", "/404": HTML, **pages}, ALONE)
    assert [url for url in web.urls if url in GUESSED] == GUESSED[:guesses]
    assert (collection.sitemap.exists, collection.sitemap.ended_by) == (False, "")


def test_files_that_robots_name_are_no_guesses() -> None:
    robots = b"".join(b"Sitemap: /%d.xml\n" % number for number in range(5))
    pages = {"/robots.txt": robots, "/": HTML, **{f"/{n}.xml": HOMES for n in range(4)}}
    collection, _ = collect({**pages, "/4.xml": pages_of(3)}, ALONE)
    assert collection.sitemap.url == f"{HOME}/4.xml"
