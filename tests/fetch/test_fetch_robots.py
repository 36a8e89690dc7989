"""How robots.txt is read."""

import pytest

from uring.fetch.robots import PRODUCT, _rules


@pytest.mark.parametrize(
    "line",
    ["", "   ", "# a comment", "no colon", "Allow: /" + "*a" * 300],
    ids=["empty", "blank", "comment", "no colon", "too many wildcards"],
)
def test_a_line_that_says_nothing_ends_nothing(line: str) -> None:
    text = f"{line}\nUser-agent: *\n{line}\nDisallow: /inner\n"
    rules = _rules(text.encode())
    assert rules is not None
    assert not rules.can_fetch("http://site.test/inner/list.do", PRODUCT)
    assert rules.can_fetch("http://site.test/list.do", PRODUCT)


INNER = "http://site.test/inner/list.do"


@pytest.mark.parametrize(
    "agent", ["uRing", "URING", "uRing/1.0", "uRing 1.0", "uRing bot", "uRing;", "*", "* # all"]
)
def test_a_group_that_names_us_is_ours_whatever_follows_the_token(agent: str) -> None:
    rules = _rules(f"User-agent: {agent}\nDisallow: /inner\n".encode())
    assert rules is not None
    assert not rules.can_fetch(INNER, PRODUCT)


@pytest.mark.parametrize("agent", ["uRingbot", "my-uRing", "a uRing", "", "*bot", "1uRing"])
def test_another_product_is_not_us(agent: str) -> None:
    rules = _rules(f"User-agent: {agent}\nDisallow: /inner\n".encode())
    assert rules is not None
    assert rules.can_fetch(INNER, PRODUCT)


@pytest.mark.parametrize("line", ["Crawl-delay: 3", "Sitemap: http://site.test/s.xml", "Foo: bar"])
def test_only_a_rule_ends_the_names_of_a_group(line: str) -> None:
    rules = _rules(f"User-agent: uRing\n{line}\nUser-agent: other\nDisallow: /inner".encode())
    assert rules is not None
    assert not rules.can_fetch(INNER, PRODUCT)
    rules = _rules(b"User-agent: uRing\nAllow: /x\nUser-agent: other\nDisallow: /inner")
    assert rules is not None
    assert rules.can_fetch(INNER, PRODUCT)


def test_a_long_rule_counts_as_far_as_others_read_it() -> None:
    path = "/" + "a" * 5_000
    rules = _rules(f"User-agent: *\nDisallow: {path}\n".encode())
    assert rules is not None
    assert not rules.can_fetch(f"http://site.test{path}/list.do", PRODUCT)
