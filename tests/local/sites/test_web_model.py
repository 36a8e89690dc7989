"""The web of domains is a function of its seed, and has the shares of recorded ones."""

import itertools
from collections import Counter

import pytest

from uring_local.sites.web.expected import find
from uring_local.sites.web.model import LINED, Web
from uring_local.sites.web.names import name_of
from uring_local.sites.web.robots import READ_BYTES, robots
from uring_local.sites.web.sitemaps import BOMB_BYTES, sitemap


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(7, 3000)


def test_a_domain_is_the_same_whenever_it_is_asked_for(web: Web) -> None:
    again = Web(7, 3000)
    for day in (3, 1, 9):
        assert [*web.day(day)] == [*again.day(day)]
    assert [*Web(8, 3000).day(1)] != [*web.day(1)]


def test_no_two_domains_have_one_name(web: Web) -> None:
    assert len(web.numbers) == len(web) == 3000


def test_names_are_written_in_unicode_and_asked_for_in_ascii() -> None:
    foreign = name_of(7, 39)
    assert foreign.domain.startswith("xn--")
    assert foreign.domain.isascii()
    assert not foreign.written.isascii()


def test_half_of_the_domains_have_sitemap_lines_and_few_have_pages_for_robots(web: Web) -> None:
    """4,231 recorded files have 52 % and 3.8 %."""
    kinds = Counter(domain.robots for domain in web.day(1))
    assert sum(kinds[kind] for kind in LINED) / len(web) == pytest.approx(0.52, abs=0.01)
    assert kinds["html"] / len(web) == pytest.approx(0.038, abs=0.002)


def test_a_small_web_has_one_of_each_kind() -> None:
    small = Web(7, 300).day(1)
    assert {domain.robots for domain in small} >= {"utf16", "long", "late_line", "endless_head"}
    assert {domain.sitemap for domain in small} >= {"bomb", "doctype", "looping", "lacking"}


def test_a_web_smaller_than_its_kinds_still_has_its_size() -> None:
    assert len(Web(7, 10).day(1)) == 10
    assert len(Web(7, 110).day(1)) == 110


def test_the_web_of_a_run_of_all_families_has_nobody_who_never_ends() -> None:
    kinds = {domain.robots for domain in Web(7, 60).day(1)}
    assert kinds > {"lines", "html", "missing", "flaky", "error"}
    assert not kinds & {"endless_head", "drip"}


def test_the_lines_of_a_robots_txt_are_read_whatever_its_encoding(web: Web) -> None:
    decoded = {"utf16": "utf-16", "latin1": "latin-1", "bom": "utf-8-sig"}
    for domain in web.day(1):
        if domain.robots in LINED:
            text = robots(domain)[:READ_BYTES].decode(decoded.get(domain.robots, "utf-8"))
            assert text.lower().count("sitemap") >= domain.lines
            assert "beyond-the-end" not in text
            assert find(domain).lines


def test_a_bomb_is_small_on_the_wire_and_large_when_it_is_inflated(web: Web) -> None:
    bomb = next(domain for domain in web.day(1) if domain.sitemap == "bomb")
    assert len(sitemap(bomb)) < BOMB_BYTES // 500


def test_from_the_second_day_on_things_change_appear_and_vanish(web: Web) -> None:
    """Whoever watches sees each kind of change within a week."""
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(len(web)):
        story, first = web.story(number)
        if story:
            days = [find(web.domain(number, day)) for day in range(1, 12)]
            # Others have another sitemap every day, or rest at weekends.
            assert first == 1 or days[0] == days[first - 2]
            changes = sum(old != new for old, new in itertools.pairwise(days))
            assert changes >= 1
            seen[story, "changes"] += changes
    assert len(seen) == 10
