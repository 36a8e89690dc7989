"""States of the release before, and what it makes of ours: no wave of pushes, no change lost."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from fakes.watched_domains import NOT_FOUND, SOURCE, WatchWorld, kinds, robots, sitemap
from pydantic import Field

from uring.clock import Timestamp
from uring.records.model import RecordState
from uring.seeds.collect.site import place
from uring.sources.entry import digest

KEY = f"state/seeds/{SOURCE}.json"
ROBOTS, SITEMAP = "mom.gov.sg/robots.txt", "mom.gov.sg/sitemap"
NEW = ("bases", "unsettled", "second_look")
CLOSED = b"User-agent: *\nDisallow: /\n"
GONE = robots("unavailable_4xx", 404)


class StateBefore(RecordState):
    """The state as the release before reads and writes it."""

    fingerprint: str = ""
    missing: dict[str, Timestamp] = Field(default_factory=dict)


def rewrite(world: WatchWorld, state: Mapping[str, Any]) -> None:
    """Store a state."""
    stored = world.bucket.get(KEY)
    assert stored is not None
    body = json.dumps(state).encode()
    world.bucket.put(KEY, body, if_match=stored.etag, content_type="application/json")


def hash_before(content: Mapping[str, Any]) -> str:
    """The hash of a sitemap in the release before."""
    return digest([place(content["link"]), content["format"], int(content["urls"])])


def upgraded(**keys: Any) -> WatchWorld:
    """A world whose state was written by the release before, with these keys changed."""
    world = WatchWorld()
    world.check()
    state = world.document(KEY)
    for name in NEW:
        del state[name]
    for item in state["hot"]:
        if item["id"].endswith("/sitemap"):
            item["hash"] = hash_before(item["content"])
            state["known"][item["id"]][0] = item["hash"]
    rewrite(world, {**state, **keys})
    return world


def test_the_first_check_after_an_upgrade_takes_the_files_over_silently() -> None:
    world = upgraded()
    known = world.state.known
    writes = [key for key in world.bucket.versions if key != KEY]
    check = world.check()
    assert (check.outcome, kinds(check), world.pushes()) == ("unchanged", [], [])
    assert [key for key in world.bucket.versions if key != KEY] == writes
    assert {name: each.hash for name, each in world.state.known.items()} == {
        name: each.hash for name, each in known.items()
    }
    assert sorted(world.state.bases) == sorted(known)
    # From now on what is understood counts.
    world.site.robots = b"\xef\xbb\xbfuser-agent:*\nAllow:/"
    for _ in range(3):
        assert world.check().outcome == "unchanged"


def test_a_sitemap_that_grew_a_little_since_is_taken_over() -> None:
    world = upgraded()
    world.site.sitemap = sitemap(url_count=170)
    for _ in range(3):
        assert world.check().outcome == "unchanged"


def test_what_changed_at_the_upgrade_is_pushed_with_the_second_look() -> None:
    world = upgraded()
    world.site.robots = CLOSED
    world.site.sitemap = sitemap(url_count=900)
    assert kinds(world.check()) == []
    assert sorted(kinds(world.check())) == [
        ("robots_changed", ROBOTS),
        ("sitemap_changed", SITEMAP),
    ]
    assert world.check().outcome == "unchanged"


def test_what_differs_on_the_day_of_the_upgrade_alone_is_no_change() -> None:
    world = upgraded()
    was = world.site.robots
    world.site.robots = b"Access denied"
    assert world.check().outcome == "unchanged"
    world.site.robots = was
    for _ in range(2):
        assert world.check().outcome == "unchanged"
    assert world.state.bases.keys() >= {ROBOTS}


def test_an_outage_on_the_day_of_the_upgrade_puts_it_off() -> None:
    world = upgraded()
    was, world.site.robots = world.site.robots, robots("unreachable_5xx", 503)
    assert world.check().outcome == "unchanged"
    assert ROBOTS not in world.state.bases
    world.site.robots = was
    assert world.check().outcome == "unchanged"
    world.site.robots = CLOSED
    world.check()
    assert kinds(world.check()) == [("robots_changed", ROBOTS)]


def test_a_sitemap_of_which_readers_have_no_content_is_taken_over() -> None:
    world = upgraded(hot=[])
    assert world.check().outcome == "unchanged"
    assert world.pushes() == []


def test_a_first_look_of_the_release_before_counts() -> None:
    world = upgraded()
    since = "2026-01-01T00:00:00Z"
    rewrite(world, {**world.document(KEY), "missing": {ROBOTS: since, SITEMAP: since}})
    world.site.robots = GONE
    check = world.check()
    assert kinds(check) == [("robots_vanished", ROBOTS)]
    assert world.messages()[0].content["since"] == since
    assert world.state.missing == {}


def test_a_first_look_that_the_release_before_took_back_does_not_count() -> None:
    world = WatchWorld()
    world.check()
    world.site.robots = GONE
    world.check()
    rewrite(world, {**world.document(KEY), "missing": {}})
    assert kinds(world.check()) == []
    assert kinds(world.check()) == [("robots_vanished", ROBOTS)]


def test_the_release_before_reads_ours_and_sees_no_change() -> None:
    world = WatchWorld()
    world.check()
    world.site.robots = CLOSED
    world.site.sitemap = sitemap(url_count=400)
    for _ in range(2):
        world.check()
    body = world.bucket.body(KEY)
    state = StateBefore.from_json(body, key=KEY, source=SOURCE)
    assert state.problem() is None
    # It compares a sitemap by these three fields, and hashes lines of robots.txt without comments.
    shown = {item.id: item.content for item in state.hot}
    assert (shown[SITEMAP]["link"], shown[SITEMAP]["format"], shown[SITEMAP]["urls"]) == (
        "https://mom.gov.sg/sitemap.xml",
        "urlset",
        "400",
    )
    assert state.reading == world.state.reading
    lines = hashlib.sha256(b"User-agent: *\nDisallow: /").hexdigest()
    assert state.known[ROBOTS].hash == lines
    assert json.loads(state.to_json()) == json.loads(body)


@pytest.mark.parametrize("days", [1, 2])
def test_the_release_before_goes_on_with_a_first_look_at_a_missing_file(days: int) -> None:
    world = WatchWorld()
    world.check()
    world.site.robots = GONE
    world.site.sitemap = NOT_FOUND
    for _ in range(days):
        world.check()
    missing = StateBefore.from_json(world.bucket.body(KEY), key=KEY, source=SOURCE).missing
    assert sorted(missing) == ([ROBOTS, SITEMAP] if days == 1 else [])


def test_a_change_that_the_release_before_took_in_between_has_no_basis_of_ours() -> None:
    world = WatchWorld()
    world.check()
    state = world.document(KEY)
    state["known"][ROBOTS][0] = "f" * 64
    rewrite(world, state)
    world.site.robots = CLOSED
    world.check()
    assert kinds(world.check()) == [("robots_changed", ROBOTS)]
