"""A board that moves to another system counts its ids anew: they name other notices (N5, N16)."""

import json
from typing import Any

import pytest
from fakes import ENTRY, Notice
from fakes.worlds import NoticeWorld

OLD = "https://old.example.ac.kr/list.do"
NEW = {"url": "https://new.example.ac.kr/list.do"}


def page(newest: int, *, label: str = "새") -> list[Notice]:
    numbers = range(newest, max(newest - 10, 0), -1)
    return [Notice(str(number), f"{label} 글 {number}") for number in numbers]


def moved(**entry: Any) -> NoticeWorld:
    """A board that had the ids up to 60, and counts from 1 again since it moved."""
    world = NoticeWorld()
    for newest in range(10, 61, 5):
        world.show(*page(newest, label="옛"))
        world.check(url=OLD)
        world.clock.advance(600)
    world.notify.messages.clear()
    world.show(*page(12))
    assert world.check(**entry).outcome == "changed"
    world.clock.advance(600)
    assert world.messages() == [], "nobody can tell our change from the site's"
    return world


@pytest.mark.parametrize("entry", [NEW, {**NEW, "epoch": 2}], ids=["address", "epoch too"])
def test_every_notice_from_its_first_new_one_on_is_pushed(entry: dict[str, Any]) -> None:
    world = moved(**entry)
    for newest in range(13, 70):
        world.show(*page(newest))
        world.check(**entry)
        world.clock.advance(600)
    pushed = [(each.id, each.kind, each.content["title"]) for each in world.messages()]
    assert pushed == [(str(number), "new", f"새 글 {number}") for number in range(13, 70)]


def test_revisions_count_on_and_the_first_day_is_its_own() -> None:
    """Counted from 1 again, a push would have the name of one that was sent."""
    world = moved(**NEW)
    world.show(*page(13))
    (event,) = world.check(**NEW).events
    assert (event.id, event.kind, event.revision) == ("13", "new", 2)
    assert event.first_seen == event.detected_at
    assert world.state.known["13"].first_seen == event.detected_at
    world.clock.advance(600)
    world.show(Notice("13", "새 글 13, 고침"), *page(12))
    assert [(each.kind, each.revision) for each in world.check(**NEW).events] == [("edited", 3)]


def test_an_old_notice_that_moves_up_is_no_news_though_its_id_was_seen_elsewhere() -> None:
    world = moved(**NEW)
    world.show(*page(12)[1:], Notice("2", "새 글 2"))
    (event,) = world.check(**NEW).events
    assert (event.id, event.kind, event.push) == ("2", "baseline", False)


def test_other_selectors_are_no_other_board() -> None:
    world = NoticeWorld()
    world.show(*page(30))
    world.check()
    world.clock.advance(600)
    world.show(*page(31))
    title = {"select": "td.subject a", "pattern": r"글 (\d+)"}
    check = world.check(fields={**ENTRY["fields"], "title": title})
    assert [(each.id, each.kind) for each in check.events if each.kind != "baseline"] == [
        ("31", "new")
    ]
    assert world.state.moved_at is None


def test_a_state_that_does_not_say_whose_ids_it_has_takes_the_boards() -> None:
    """It is of the release before."""
    world = NoticeWorld()
    world.show(*page(30))
    world.check()
    document = world.document("state/notices/cs.json")
    del document["board"]
    world.bucket.plant("state/notices/cs.json", json.dumps(document).encode())
    world.clock.advance(600)
    world.show(*page(31))
    assert [each.kind for each in world.check().events] == ["new"]
    assert world.state.moved_at is None
    assert world.state.board


def renumbered(first: int) -> NoticeWorld:
    """A board whose notices 51 to 60 are called otherwise on another system."""
    world = NoticeWorld()
    world.show(*page(60, label="옛"))
    world.check(url=OLD)
    world.clock.advance(600)
    world.notify.messages.clear()
    numbers = zip(range(first, first - 10, -1), range(60, 50, -1), strict=True)
    world.show(*(Notice(str(number), f"옛 글 {old}") for number, old in numbers))
    return world


@pytest.mark.parametrize("first", [58, 55, 52, 63, 68])
def test_ids_that_overlap_in_part_make_no_news_of_the_others(first: int) -> None:
    world = renumbered(first)
    check = world.check(**NEW)
    assert (check.outcome, world.messages()) == ("changed", [])
    assert {event.kind for event in check.events} == {"baseline"}
    world.clock.advance(600)
    shown = [Notice(str(first - at), f"옛 글 {60 - at}") for at in range(9)]
    world.show(Notice(str(first + 1), "새 글"), *shown)
    assert [(each.id, each.kind) for each in world.check(**NEW).events] == [(str(first + 1), "new")]


def test_where_the_ids_stay_what_was_known_stays_known() -> None:
    """Another address and another layout; a notice that was hidden meanwhile is shown again."""
    world = NoticeWorld()
    world.show(*page(30))
    world.check(url=OLD)
    world.clock.advance(600)
    hidden, *others = page(31)[1:]
    world.show(page(31)[0], *others)
    (event,) = world.check(url=OLD).events
    assert (event.id, event.kind) == ("31", "new")
    world.clock.advance(600)
    world.show(*page(32)[:2], *others)
    events = world.check(**NEW).events
    assert [each.id for each in events if each.kind == "new"] == ["32"]
    assert world.state.moved_at is None
    world.clock.advance(600)
    world.show(*page(32)[:2], hidden, *others)
    assert [each.id for each in world.check(**NEW).events if each.push] == []


def test_an_id_of_the_board_before_is_news_when_the_entry_is_edited_too() -> None:
    world = moved(**NEW)
    world.show(*page(13))
    title = {"select": "td.subject a", "strip": ["!"]}
    check = world.check(**NEW, fields={**ENTRY["fields"], "title": title})
    assert [(each.id, each.kind) for each in check.events if each.kind != "baseline"] == [
        ("13", "new")
    ]
