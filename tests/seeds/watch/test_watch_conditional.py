"""A watch that asks by validators pushes what one that reads everything does, and reads less."""

from datetime import timedelta
from typing import Final

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
from fakes.seeds import sitemap_of
from fakes.watched_domains import SOURCE

from uring.errors import FetchFailed

GONE: Final = FetchFailed("not_found", "HTTP 404", status=404)


@pytest.fixture
def world() -> ConditionalWorld:
    return ConditionalWorld()


def test_what_did_not_change_is_read_at_most_once_in_four_looks(world: ConditionalWorld) -> None:
    world.days(29)
    for url in (ROBOTS, SITEMAP):
        statuses = world.site_web.statuses(url)
        assert statuses[:4] == [200, 304, 304, 304]
        assert 5 <= statuses.count(200) <= 8
    assert world.pushes() == []
    assert world.items()["a.com/sitemap"]["urls"] == "100"


def test_of_any_seven_looks_one_reads_whole(world: ConditionalWorld) -> None:
    world.days(60)
    for url in (ROBOTS, SITEMAP):
        text = "".join("w" if status == 200 else "." for status in world.site_web.statuses(url))
        assert "." * 7 not in text


@pytest.mark.parametrize("shown", [ROBOTS, SITEMAP])
def test_a_304_for_the_changed_answer_is_its_second_look(
    world: ConditionalWorld, shown: str
) -> None:
    world.days(2)
    world.show(shown, MORE if shown == ROBOTS else sitemap_of(900))
    world.days(2)
    assert world.site_web.statuses(shown)[-2:] == [200, 304]
    assert world.pushes() == [ROBOTS_CHANGED if shown == ROBOTS else SITEMAP_CHANGED]


@pytest.mark.parametrize("shown", [ROBOTS, SITEMAP])
def test_a_304_for_the_last_good_answer_after_a_404_says_that_it_is_back(
    world: ConditionalWorld, shown: str
) -> None:
    world.days(2)
    before = world.site_web.answers[shown]
    world.show(shown, GONE)
    world.days(1)
    world.show(shown, before)
    world.days(2)
    assert world.site_web.statuses(shown)[-2:] == [304, 304]
    assert world.pushes() == []


def test_an_answer_that_is_back_after_a_change_is_no_change(world: ConditionalWorld) -> None:
    world.days(2)
    world.show(ROBOTS, MORE)
    world.days(1)
    world.show(ROBOTS, R)
    world.days(3)
    assert world.site_web.statuses(ROBOTS)[-4:] == [200, 200, 304, 304]
    assert world.pushes() == []


def test_a_second_look_trusts_no_date(world: ConditionalWorld) -> None:
    """A file that is put back has its old date: Apache says 304 to any later one."""
    web = world.site_web
    web.etag = lambda _: None
    dates = {ROBOTS: MONDAY}
    web.last_modified = dates.get
    web.is_met = lambda request, page: (request.last_modified or "") >= (page.last_modified or "~")
    world.days(1)
    world.show(ROBOTS, MORE)
    dates[ROBOTS] = TUESDAY
    world.days(1)
    world.show(ROBOTS, R)
    dates[ROBOTS] = MONDAY
    world.days(3)
    assert web.statuses(ROBOTS)[:3] == [200, 200, 200]
    assert world.pushes() == []


@pytest.mark.parametrize("is_dated", [False, True])
def test_a_server_that_always_says_304_is_found_out_and_never_asked_so_again(
    world: ConditionalWorld, *, is_dated: bool
) -> None:
    web = world.site_web
    if is_dated:
        web.etag = lambda _: None
        web.last_modified = lambda _: MONDAY
    else:
        web.etag = lambda _: '"always"'
    web.is_met = lambda *_: True
    world.days(2)
    world.show(SITEMAP, sitemap_of(900))
    world.days(9)
    assert world.pushes() == [SITEMAP_CHANGED]
    web.requests.clear()
    world.days(5)
    assert web.statuses(SITEMAP) == [200] * 5
    assert web.statuses(ROBOTS) != [200] * 5


def test_a_304_of_another_validator_is_asked_again_for_the_whole(world: ConditionalWorld) -> None:
    web = world.site_web
    world.days(2)
    world.show(ROBOTS, MORE)
    web.is_met = lambda *_: True
    web.confirmed = '"another"'
    world.days(2)
    assert web.statuses(ROBOTS)[-4:] == [304, 200, 304, 200]
    assert world.pushes() == [ROBOTS_CHANGED]


@pytest.mark.parametrize("suffix", ["-gzip", ";gzip", "--gzip"])
def test_the_name_of_a_coding_in_an_etag_makes_no_other_file(
    world: ConditionalWorld, suffix: str
) -> None:
    web = world.site_web
    web.etag = lambda body: f'W/"{len(body)}{suffix}"'
    web.is_met = lambda request, page: request.etag == page.etag
    world.days(1)
    web.confirmed = f'"{len(R)}"'
    world.days(1)
    assert web.statuses(ROBOTS) == [200, 304]


@pytest.mark.parametrize(
    "etag", ['"' + "x" * 10_000 + '"', '"a\r\nX: 1"', '"\x00"', '"\u20ac"', "", None]
)
def test_a_validator_that_cannot_be_sent_again_is_not(
    world: ConditionalWorld, etag: str | None
) -> None:
    world.site_web.etag = lambda _: etag
    world.days(3)
    assert {sent.etag for sent in world.site_web.requests} == {None}
    assert world.pushes() == []
    assert len(world.state.to_json()) < 10_000


def test_validators_go_to_no_address_but_their_own(world: ConditionalWorld) -> None:
    web = world.site_web
    world.show(ROBOTS, R + b"Sitemap: https://a.com/one.xml\nSitemap: https://a.com/two.xml\n")
    for name in ("one", "two"):
        world.show(f"https://a.com/{name}.xml", sitemap_of(len(name)))
    world.days(3)
    seen: dict[str, set[str]] = {}
    for sent in web.requests:
        body = web.answers[sent.url]
        assert isinstance(body, bytes)
        if sent.etag:
            seen.setdefault(sent.url, set()).add(sent.etag)
            assert sent.etag == web.etag(body)
    assert {url for url in seen if "a.com" in url} == {
        ROBOTS,
        "https://a.com/one.xml",
        "https://a.com/two.xml",
    }


def test_the_sum_of_an_index_is_the_same_by_304s(world: ConditionalWorld) -> None:
    locs = "".join(f"<sitemap><loc>https://a.com/{n}.xml</loc></sitemap>" for n in range(3))
    world.show(SITEMAP, f"<sitemapindex>{locs}</sitemapindex>".encode())
    for number in range(3):
        world.show(f"https://a.com/{number}.xml", sitemap_of(50))
    world.days(3)
    assert world.items()["a.com/sitemap"]["urls"] == "3"
    assert world.site_web.statuses("https://a.com/2.xml") == [200, 304, 304]
    world.show("https://a.com/2.xml", sitemap_of(5_000))
    world.days(2)
    assert world.site_web.statuses("https://a.com/2.xml")[-2:] == [200, 304]
    # Of an index the children count, not their URLs.
    assert world.pushes() == []


def test_a_watch_of_bytes_sees_every_byte_and_reads_none_twice(world: ConditionalWorld) -> None:
    world.days(3, compare="bytes")
    assert world.site_web.statuses(SITEMAP) == [200, 304, 304]
    world.show(SITEMAP, sitemap_of(100) + b"<!-- -->")
    world.days(2, compare="bytes")
    assert world.site_web.statuses(SITEMAP)[-2:] == [200, 304]
    assert world.pushes() == [SITEMAP_CHANGED]


def test_another_epoch_reads_everything(world: ConditionalWorld) -> None:
    world.days(2)
    world.check(epoch=2)
    assert world.site_web.statuses(ROBOTS) == [200, 304, 200]


def test_a_long_robots_txt_is_read_at_each_look(world: ConditionalWorld) -> None:
    rules = b"".join(b"Disallow: /%064x\n" % (n * 0x9E3779B97F4A7C15**3) for n in range(100))
    world.show(ROBOTS, b"User-agent: *\n" + rules)
    world.days(3)
    assert world.site_web.statuses(ROBOTS) == [200, 200, 200]
    assert len(world.state.to_json()) < 12_000


def test_an_hourly_watch_reads_everything_once_a_day(world: ConditionalWorld) -> None:
    for _ in range(73):
        job = world.job(SOURCE, interval_minutes=60, entry=world.entry(interval_minutes=60))
        world.checker.check(job)
        world.clock.advance(timedelta(hours=1).total_seconds())
    assert 3 <= world.site_web.statuses(ROBOTS).count(200) <= 5


def test_a_state_of_before_and_one_with_keys_of_later_are_read(world: ConditionalWorld) -> None:
    world.days(2)
    stored = world.state
    assert stored.replace(kept={}).to_json() != stored.to_json()
    strange = {
        "a.com": [
            {"url": ROBOTS, "at": "2026-03-02T00:00:00Z", "etag": '"x"', "packed": "?", "new": 1},
            {"url": SITEMAP, "at": "2026-03-02T00:00:00Z", "etag": '"x"', "kind": "hologram"},
        ]
    }
    again = type(stored).model_validate({**stored.model_dump(mode="json"), "kept": strange})
    known = again.known_of("a.com", timedelta(days=1), world.clock())
    assert not known.conditions(ROBOTS)
    assert not known.conditions(SITEMAP)
