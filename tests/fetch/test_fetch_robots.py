"""How robots.txt is read."""

import pytest
from protego import Protego

from uring.fetch.robots import read_robots


@pytest.mark.parametrize(
    "line",
    ["", "   ", "# a comment", "no colon", "Allow: /" + "*a" * 300],
    ids=["empty", "blank", "comment", "no colon", "too many wildcards"],
)
def test_a_line_that_says_nothing_ends_nothing(line: str) -> None:
    text = f"{line}\nUser-agent: *\n{line}\nDisallow: /inner\n"
    rules = read_robots(text.encode())
    assert not rules.allows("http://site.test/inner/list.do")
    assert rules.allows("http://site.test/list.do")


INNER = "http://site.test/inner/list.do"


@pytest.mark.parametrize(
    "agent", ["uRing", "URING", "uRing/1.0", "uRing 1.0", "uRing bot", "uRing;", "*", "* # all"]
)
def test_a_group_that_names_us_is_ours_whatever_follows_the_token(agent: str) -> None:
    rules = read_robots(f"User-agent: {agent}\nDisallow: /inner\n".encode())
    assert not rules.allows(INNER)


@pytest.mark.parametrize("agent", ["uRingbot", "my-uRing", "a uRing", "", "*bot", "1uRing"])
def test_another_product_is_not_us(agent: str) -> None:
    rules = read_robots(f"User-agent: {agent}\nDisallow: /inner\n".encode())
    assert rules.allows(INNER)


@pytest.mark.parametrize("line", ["Crawl-delay: 3", "Sitemap: http://site.test/s.xml", "Foo: bar"])
def test_only_a_rule_ends_the_names_of_a_group(line: str) -> None:
    rules = read_robots(f"User-agent: uRing\n{line}\nUser-agent: other\nDisallow: /inner".encode())
    assert not rules.allows(INNER)
    rules = read_robots(b"User-agent: uRing\nAllow: /x\nUser-agent: other\nDisallow: /inner")
    assert rules.allows(INNER)


def test_a_long_rule_counts_as_far_as_others_read_it() -> None:
    path = "/" + "a" * 5_000
    rules = read_robots(f"User-agent: *\nDisallow: {path}\n".encode())
    assert not rules.allows(f"http://site.test{path}/list.do")


def test_a_line_ends_where_google_s_ends() -> None:
    """Its buffer of 8 * 2083 bytes keeps one for the end."""
    path = "/" + "a" * (16_663 - len("Disallow: /"))
    rules = read_robots(f"User-agent: *\nDisallow: {path}x\n".encode())
    assert not rules.allows(f"http://site.test{path}")
    assert rules.allows(f"http://site.test{path[:-1]}")


@pytest.mark.parametrize(
    "text", ["User-agent *\nDisallow /inner", "user-agent\t uRing\nDISALLOW\t/inner"]
)
def test_a_colon_may_be_missing_between_two_words(text: str) -> None:
    assert not read_robots(text.encode()).allows(INNER)


@pytest.mark.parametrize(
    "line", ["Disallow /inner /list", "Disallow", "/inner Disallow", "Disallow/inner"]
)
def test_other_lines_without_a_colon_are_no_rules(line: str) -> None:
    assert read_robots(f"User-agent: *\n{line}\n".encode()).allows(INNER)


def sitemaps_of(text: str) -> tuple[str, ...]:
    return read_robots(text.encode()).sitemaps


@pytest.mark.parametrize(
    "line",
    [
        "Sitemap: https://a.sg/s.xml",
        "sitemap:https://a.sg/s.xml",
        "SITEMAP :\thttps://a.sg/s.xml   # ours",
        "   Site-map: https://a.sg/s.xml",
        "Sitemaps: https://a.sg/s.xml",
        "Sitemap https://a.sg/s.xml",
        "Sitemap\thttps://a.sg/s.xml",
        "\ufeffSitemap: https://a.sg/s.xml (the newest)",
        'Sitemap: "https://a.sg/s.xml"',
        "Sitemap: <https://a.sg/s.xml>",
        "Sitemap: 'https://a.sg/s.xml',",
    ],
)
def test_a_sitemap_line_is_read_as_crawlers_read_it(line: str) -> None:
    assert sitemaps_of(line) == ("https://a.sg/s.xml",)


@pytest.mark.parametrize("between", [" ", ", ", "\t"])
def test_a_line_may_have_several_sitemaps(between: str) -> None:
    urls = ("https://a.sg/1.xml", "http://a.sg/2.xml", "HTTPS://a.sg/3.xml")
    assert sitemaps_of(f"Sitemap: {between.join(urls)} all of them") == urls


@pytest.mark.parametrize(
    "line",
    [
        "Sitemap:",
        "Sitemap",
        'Sitemap: ""',
        "Sitemap: <>",
        "Sitemap: # none",
        "# Sitemap: /s.xml",
        "A sitemap: /s.xml",
        "Map: /",
    ],
)
def test_a_line_without_a_sitemap_has_none(line: str) -> None:
    assert sitemaps_of(line) == ()


def test_a_sitemap_line_is_for_all_and_ends_no_group() -> None:
    robots = read_robots(
        b"User-agent: other\nSitemap: /a.xml\nDisallow: /\n"
        b"User-agent: *\nSitemap: /b.xml\nDisallow: /inner\nSitemap: /a.xml\n"
    )
    assert robots.sitemaps == ("/a.xml", "/b.xml", "/a.xml")
    assert not robots.allows(INNER)
    assert robots.allows("http://site.test/outer")


TEXT = "User-agent: *\nDisallow: /inner\nSitemap: /s.xml?caf\u00e9\n"


@pytest.mark.parametrize("ends", ["\n", "\r", "\r\n", "\n\n\r"])
@pytest.mark.parametrize(
    ("codec", "read_as"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("latin-1", "latin-1"),
    ],
)
def test_every_encoding_and_line_end_says_the_same(codec: str, read_as: str, ends: str) -> None:
    robots = read_robots(TEXT.replace("\n", ends).encode(codec))
    assert (robots.encoding, robots.lines) == (read_as, 3)
    assert robots.sitemaps == ("/s.xml?caf\u00e9",)
    assert not robots.allows(INNER)


@pytest.mark.parametrize("letter", ["é", "한", "😀"])
def test_a_letter_that_the_end_cuts_does_not_change_the_encoding(letter: str) -> None:
    whole = f"Sitemap: /{letter}.xml\n# {letter}".encode()
    for cut in range(1, len(letter.encode())):
        robots = read_robots(whole[:-cut])
        assert (robots.encoding, robots.sitemaps) == ("utf-8", (f"/{letter}.xml",))


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><html><body>User-agent: *<br>Disallow: /",
        " \n<html>\nUser-agent: *\nDisallow: /\n",
        "<script>\nSitemap: /s.xml",
        "<div>404</div>",
        "<!-- moved -->\n<p>Not found",
        "<" * 100_000,
    ],
)
def test_a_page_has_no_rules(page: str) -> None:
    robots = read_robots(page.encode())
    assert robots.is_html
    assert robots.sitemaps == ()
    assert robots.allows(INNER)


def test_rules_behind_a_stray_tag_count() -> None:
    """RFC 9309, section 2.2.4: every line that can be parsed is to be used."""
    robots = read_robots(b"<pre>\nUser-agent: *\nDisallow: /inner\n</pre>")
    assert not robots.is_html
    assert not robots.allows(INNER)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 3", 3.0),
        ("User-agent: *\ncrawl delay: 0.5\nCrawl-delay: 9", 0.5),
        ("User-agent: *\nCrawl-delay: 3\nUser-agent: uRing\nDisallow:\nCrawl-delay: 7", 7.0),
        ("User-agent: uRing\nDisallow: /x\n\nUser-agent: *\nDisallow:\nCrawl-delay: 3", None),
        ("User-agent: other\nCrawl-delay: 3", None),
        ("User-agent: *\nCrawl-delay: soon", None),
        ("User-agent: *\nCrawl-delay: -1", None),
        ("User-agent: *\nCrawl-delay: nan\nCrawl-delay: 1e999", None),
        ("User-agent: *\nCrawl-delay: 10s", 10.0),
        ("User-agent: *\nCrawl-delay: 1.5 seconds", 1.5),
        ("User-agent: *\nCrawl-delay: 2 min", 120.0),
        ("User-agent: *\nCrawl-delay: 500ms", 0.5),
        ("User-agent: *\nCrawl-delay: 10 sheep", None),
        ("User-agent: *\nCrawl-delay: " + "9" * 400 + "s", None),
        ("User-agent: *\nRequest-rate: 1/5", 5.0),
        ("User-agent: *\nRequest-rate: 2/1m 0600-0845", 30.0),
        ("User-agent: *\nRequest-rate: 1 / 10s", 10.0),
        ("User-agent: *\nRequest-rate: 0/5", None),
        ("User-agent: *\nRequest-rate: 5", None),
        ("User-agent: *\nRequest-rate: 1/5\nCrawl-delay: 3", 5.0),
        ("User-agent: *\nRequest-rate: 1/5\nCrawl-delay: 9\nCrawl-delay: 99", 9.0),
    ],
)
def test_the_delay_is_that_of_our_group(text: str, seconds: float | None) -> None:
    assert read_robots(text.encode()).crawl_delay == seconds


def test_rules_count_as_far_as_the_standard_asks_and_sitemaps_to_the_end() -> None:
    filler = b"# " + b"x" * 600_000 + b"\n"
    robots = read_robots(b"User-agent: *\n" + filler + b"Disallow: /inner\nSitemap: /s.xml\n")
    assert robots.allows(INNER)
    assert robots.sitemaps == ("/s.xml",)


def test_a_longer_line_counts_to_the_length_of_others() -> None:
    [value] = sitemaps_of("Sitemap: /" + "a" * 100_000)
    assert len(value) < 16_664


def test_the_library_gets_no_group_but_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes agents times rules: 3,000 of each, 100 KB, took 14 s."""
    parsed: list[str] = []
    monkeypatch.setattr(
        "protego.Protego.parse", lambda content: parsed.append(content) or Protego()
    )
    agents = "".join(f"User-agent: bot{number}\n" for number in range(3_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(3_000))
    robots = read_robots(f"{agents}{rules}User-agent: *\nDisallow: /x\n".encode())
    assert robots.allows("http://site.test/")
    assert parsed == ["User-agent: *\ndisallow: /x"]
