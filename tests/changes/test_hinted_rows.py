"""Boards whose view counters move: their rows are recognised, and nothing else is (rule 8)."""

import json
from typing import Any

import pytest
from fakes import ENTRY, Notice
from hinted_world import ONE, STATE, THREE, TWO, HintedWorld
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uring.fetch.request import Validators
from uring.notices.item import rows_digest

LANDMARK = {"expect": {"landmarks": ["공지사항"]}}
PINNED = Notice("9", "고정", is_pinned=True)


def begun(*notices: Notice, decoration: str = "", **entry: Any) -> HintedWorld:
    world = HintedWorld(**entry)
    world.show(*(notices or (TWO, ONE)), decoration=decoration)
    world.begin()
    return world


def counted(world: HintedWorld, *notices: Notice, decoration: str = "77 views") -> str:
    """Return the end of a check of a page whose counter has moved."""
    world.show(*(notices or (TWO, ONE)), decoration=decoration)
    outcome: str = world.tick()[-1]["outcome"]
    return outcome


@pytest.mark.parametrize(
    "notices",
    [
        (Notice("2", "둘", is_pinned=True), ONE),
        (Notice("2", "둘 (수정)"), ONE),
        (Notice("2", "둘", date="2026-02-28"), ONE),
        (THREE, TWO, ONE),
    ],
    ids=["pin", "title", "date", "new"],
)
def test_whatever_a_row_says_is_in_the_digest(notices: tuple[Notice, ...]) -> None:
    assert counted(begun(), *notices) == "changed"


def test_a_page_that_is_not_believed_is_not_recognised_by_its_rows() -> None:
    """A cached list in the frame of a maintenance page is no proof that all is well."""
    world = begun(decoration="공지사항", **LANDMARK)
    assert counted(world, decoration="공지사항, 7 views") == "unchanged"
    assert world.hinted == 1
    assert counted(world, decoration="점검 중") == "suspect"
    assert world.state.health.reason == "landmark_missing"


def test_rows_that_mean_another_day_each_year_have_no_digest() -> None:
    """What they say hangs on when they were first seen, which the state alone knows."""
    date = {"select": "td.date", "formats": ["%m-%d"]}
    short = [Notice(each.id, each.title, date="03-01") for each in (TWO, ONE)]
    world = begun(*short, fields={**ENTRY["fields"], "date": date})
    assert world.state.rows == ""
    world.tick()
    assert world.hinted == 1
    assert counted(world, *short) == "unchanged"
    assert world.hinted == 1


def test_pinned_rows_alone_have_none() -> None:
    """What is new stands on a page behind them."""
    world = begun(PINNED)
    assert (world.state.rows, rows_digest([], "")) == ("", "")
    assert counted(world, PINNED) == "unchanged"
    assert world.hinted == 0


def test_the_days_write_takes_the_page_as_it_stands() -> None:
    """Fingerprint, rows and validators are of one answer, also where no record changed."""
    world = begun(THREE, TWO, ONE)
    world.show(THREE, TWO, etag='"b"')
    before = world.state
    for _ in range(144):
        world.tick()
    slow = world.seen_by["worker"].calls["get"]
    after = world.state
    assert after.known == before.known
    assert after.validators == Validators(etag='"b"')
    assert (after.rows, after.fingerprint) != (before.rows, before.fingerprint)
    assert counted(world, THREE, TWO) == "unchanged"
    assert world.seen_by["worker"].calls["get"] == slow


def test_rows_that_a_release_before_kept_name_nothing() -> None:
    """Rolled back, it commits a later page and keeps the key that it does not know."""
    world = begun()
    rows = world.document(STATE)["rows"]
    assert counted(world, Notice("2", "둘 (수정)"), ONE) == "changed"
    world.bucket.plant(STATE, json.dumps({**world.document(STATE), "rows": rows}).encode())
    world.watch()
    assert counted(world) == "changed"
    assert [change.content["title"] for change in world.messages()] == ["둘 (수정)", "[취소] 둘"]
    assert world.state.known["2"].revision == 4


def test_validators_follow_the_bytes_that_they_are_of() -> None:
    world = begun()
    world.show(TWO, ONE, etag='"new"')
    for _ in range(144):
        world.tick()
    assert world.state.validators == Validators(etag='"new"')
    world.tick()
    assert world.sites.asked[-1].etag == '"new"'


NOTICES = st.builds(
    Notice,
    id=st.sampled_from("1234"),
    title=st.sampled_from(["가", "나"]),
    is_pinned=st.booleans(),
    date=st.sampled_from(["2026-03-01", "2026-03-02"]),
)
PAGES = st.lists(
    st.tuples(
        st.lists(NOTICES, min_size=1, max_size=4, unique_by=lambda notice: notice.id),
        st.sampled_from(["", "1 view", "2 views"]),
        st.sampled_from([None, '"a"']),
    ),
    min_size=2,
    max_size=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(PAGES, st.sampled_from([{}, {"changes": {"returned": "push"}}]))
def test_with_hints_and_without_the_same_is_told(
    pages: list[tuple[list[Notice], str, str | None]], entry: dict[str, Any]
) -> None:
    """Whatever a board shows in turn: the same outcomes, the same archive, the same pushes."""
    hinted, plain = HintedWorld(**entry), HintedWorld(**entry)
    plain.hints = dict
    # A validator that lies is believed for a day, by a hint for as long: that is told elsewhere.
    hinted.sites.conditional = plain.sites.conditional = False
    for notices, decoration, etag in [page for page in pages for _ in range(2)]:
        outcomes = []
        for world in (hinted, plain):
            world.show(*notices, decoration=decoration, etag=etag)
            outcomes.append(world.tick()[-1]["outcome"])
        assert outcomes[0] == outcomes[1]
        assert hinted.pushes() == plain.pushes()
    for key, body in plain.bucket.bodies().items():
        if "/archive/" in key:
            assert hinted.bucket.body(key) == body
    assert plain.hinted == 0
