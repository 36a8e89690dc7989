"""The pushes of a watch that are due: only what is proven, and what a second day has."""

from dataclasses import replace

from uring_local.sites.web.model import Domain, Web
from uring_local.sites.web.watch_journal import Push, WatchJournal, entry


def a_domain() -> Domain:
    return next(d for d in Web(7, 100).day(1) if (d.robots, d.sitemap) == ("plain", "urlset"))


def told(*days: Domain) -> list[tuple[str, int]]:
    """The kinds and days of what is pushed of a domain that is so from day 2 on."""
    journal = WatchJournal()
    for day, domain in enumerate(days, 2):
        journal.observe(day, [domain])
    assert {push.title.split()[0] for push in journal.pushes} <= {days[0].domain}
    return [(push.kind, push.day) for push in journal.pushes.elements()]


def test_the_first_look_and_a_calm_week_tell_nothing() -> None:
    assert told(*[a_domain()] * 7) == []


def test_what_changes_is_told_when_a_second_day_has_it() -> None:
    before = a_domain()
    after = replace(before, edition=1, urls=before.urls + 99)
    assert told(before, after, after, after) == [("robots_changed", 4), ("sitemap_changed", 4)]
    assert told(before, after, before, before) == []


def test_fewer_addresses_have_to_outlast_a_weekend() -> None:
    many = replace(a_domain(), urls=100)
    few = replace(many, urls=20)
    assert told(many, few, few, many, many) == []
    assert told(many, few, few, few, few) == [("sitemap_changed", 6)]


def test_an_address_with_another_day_in_it_is_the_same() -> None:
    days = [replace(a_domain(), robots="lines", lines=1, folder=f"maps-{n:02}") for n in range(9)]
    assert told(*days) == []


def test_a_sitemap_that_moves_without_a_line_is_no_other_robots_txt() -> None:
    before = a_domain()
    after = replace(before, folder="archive", guess="/sitemaps.xml")
    assert told(before, after, after) == [("sitemap_changed", 4)]


def test_what_differs_by_turns_is_told_once() -> None:
    one = a_domain()
    other = replace(one, edition=1)
    assert told(one, *[other, one] * 10) == [("robots_changed", 7)]


def test_what_is_back_within_a_week_is_told_and_then_no_more_until_it_stays() -> None:
    one = a_domain()
    other = replace(one, edition=1)
    first = [("robots_changed", 4), ("robots_changed", 6)]
    assert told(one, *[other, other, one, one] * 4) == first
    assert told(one, *[other, other, one, one] * 2, *[other] * 9) == [
        *first,
        ("robots_changed", 18),
    ]


def test_what_is_gone_is_told_on_the_second_day_and_its_return_too() -> None:
    there = a_domain()
    gone = replace(there, sitemap="missing")
    assert told(there, gone, there, there) == []
    assert told(there, gone, gone, there, there) == [
        ("sitemap_vanished", 4),
        ("sitemap_appeared", 6),
    ]


def test_an_outage_a_refusal_and_a_server_error_prove_nothing() -> None:
    there = a_domain()
    for bad in (
        replace(there, robots="error"),
        replace(there, robots="forbidden"),
        replace(there, sitemap="error"),
    ):
        assert told(there, bad, bad, there) == []


def test_a_loss_is_remembered_through_an_outage() -> None:
    there = a_domain()
    gone, out = replace(there, robots="missing"), replace(there, robots="error")
    assert told(there, gone, out, gone) == [("robots_vanished", 5)]


def test_a_push_names_the_watchs_topic_and_the_file() -> None:
    there = a_domain()
    journal = WatchJournal()
    journal.observe(2, [there])
    for day in (3, 4):
        journal.observe(day, [replace(there, edition=1)])
    assert [*journal.pushes] == [Push("sg-news", "robots_changed", f"{there.domain} robots.txt", 4)]


def test_a_large_web_is_watched_in_shards() -> None:
    assert [entry(size)["shards"] for size in (60, 300, 5_000, 100_000)] == [2, 3, 50, 64]
