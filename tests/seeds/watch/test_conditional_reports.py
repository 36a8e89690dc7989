"""Conditional requests as public reports have them; each test names the report.

The servers and readers are of feeds and of pages; a sitemap or a robots.txt meets the same ones.
"""

import pytest
from conditional_world import (
    MONDAY,
    MORE,
    ROBOTS,
    ROBOTS_CHANGED,
    SITEMAP,
    SITEMAP_CHANGED,
    TUESDAY,
    ConditionalWorld,
    R,
)
from fakes.conditional import etag_of
from fakes.seeds import sitemap_of


@pytest.fixture
def world() -> ConditionalWorld:
    return ConditionalWorld()


def test_a_date_in_the_future_as_validator_hides_a_change_for_a_week_at_most(
    world: ConditionalWorld,
) -> None:
    """FreshRSS 1020: Last-Modified and ETag are the same day in 2041, the answer always 304."""
    web, day = world.site_web, "Sat, 16 Nov 2041 19:11:00 GMT"
    web.etag = lambda _: f'"{day}"'
    web.last_modified = lambda _: day
    web.is_met = lambda *_: True
    world.days(2)
    world.show(ROBOTS, MORE)
    world.days(8)
    assert world.pushes() == [ROBOTS_CHANGED]


def test_a_last_modified_that_stays_behind_its_page_does_not_hide_it(
    world: ConditionalWorld,
) -> None:
    """FreshRSS 1680: a date of January with pages of October."""
    web = world.site_web
    web.etag = lambda _: None
    web.last_modified = lambda _: MONDAY
    world.days(2)
    world.show(SITEMAP, sitemap_of(900))
    world.days(4)
    assert world.pushes() == [SITEMAP_CHANGED]


def test_an_answer_with_the_known_etag_is_read_all_the_same(world: ConditionalWorld) -> None:
    """miniflux-legacy 218: the ETag stays, the date moves, and a page comes: it was not read."""
    web = world.site_web
    web.etag = lambda _: '"stuck"'
    dates = {ROBOTS: MONDAY}
    web.last_modified = dates.get
    web.is_met = lambda request, page: request.last_modified == page.last_modified
    world.days(1)
    world.show(ROBOTS, MORE)
    dates[ROBOTS] = TUESDAY
    world.days(2)
    assert world.pushes() == [ROBOTS_CHANGED]


def test_both_validators_are_replaced_though_one_or_the_page_stays(
    world: ConditionalWorld,
) -> None:
    """Commafeed 1746: the date stays; feedbin 726: the page stays. The ETag is another one."""
    web = world.site_web
    web.last_modified = lambda _: MONDAY
    world.days(1)
    web.etag = lambda body: etag_of(body + b"of another server")
    world.days(2)
    assert web.statuses(ROBOTS) == [200, 200, 304]
    assert web.requests[-1].etag == etag_of(sitemap_of(100) + b"of another server")


def test_a_date_is_sent_as_it_was_received(world: ConditionalWorld) -> None:
    """FreshRSS 6056: a date of the reader's own, which no server that compares exactly knows."""
    web = world.site_web
    web.etag = lambda _: None
    web.last_modified = lambda _: "Monday, 02-Mar-26 08:00:00 GMT"
    world.days(2)
    sent = [each for each in web.requests if each.url == ROBOTS]
    assert [each.last_modified for each in sent] == [None, "Monday, 02-Mar-26 08:00:00 GMT"]
    assert sent[-1].status == 304


def test_a_server_that_takes_any_etag_of_a_coding_is_found_out(world: ConditionalWorld) -> None:
    """Jetty 952: an If-None-Match that ends in --gzip is always 304."""
    web = world.site_web
    web.etag = lambda body: etag_of(body)[:-1] + '--gzip"'
    web.is_met = lambda request, _: (request.etag or "").endswith('--gzip"')
    world.days(2)
    world.show(SITEMAP, sitemap_of(900))
    world.days(9)
    assert world.pushes() == [SITEMAP_CHANGED]


def test_a_304_may_leave_out_the_name_of_the_coding(world: ConditionalWorld) -> None:
    """Jetty 623, Apache 45023: the ETag of a page has a suffix, that of its 304 has none."""
    web = world.site_web
    web.etag = lambda body: etag_of(body)[:-1] + '-gzip"'
    web.is_met = lambda request, page: request.etag == page.etag
    world.days(1)
    web.confirmed = etag_of(R)
    world.days(1)
    assert web.statuses(ROBOTS) == [200, 304]


def test_a_server_that_never_finds_its_own_suffix_is_read_whole(world: ConditionalWorld) -> None:
    """Symfony 25475, rails 19056: the suffix is compared with an ETag without it."""
    web = world.site_web
    web.etag = lambda body: etag_of(body)[:-1] + '-gzip"'
    web.is_met = lambda request, page: request.etag == etag_of(page.body)
    world.days(2)
    world.show(ROBOTS, MORE)
    world.days(2)
    assert 304 not in web.statuses(ROBOTS)
    assert world.pushes() == [ROBOTS_CHANGED]


def test_a_weak_etag_is_the_same_as_its_strong_one(world: ConditionalWorld) -> None:
    """Etagconditionals 7, commontools/labs 1751: nginx makes an ETag weak when it compresses."""
    web = world.site_web
    world.days(1)
    web.confirmed = f"W/{etag_of(R)}"
    world.days(1)
    assert web.statuses(ROBOTS) == [200, 304]
    assert world.items()["a.com/robots.txt"]["outcome"] == "ok"


def test_a_304_removes_nothing(world: ConditionalWorld) -> None:
    """elastic/crawler 221: a page that answers 304 was deleted from the index."""
    world.days(6)
    assert world.site_web.statuses(SITEMAP)[1] == 304
    assert world.items()["a.com/sitemap"]["outcome"] == "ok"
    assert world.items()["a.com/sitemap"]["urls"] == "100"
    assert world.pushes() == []
