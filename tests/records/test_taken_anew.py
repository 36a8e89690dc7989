"""A state that was lost and taken anew tells its revisions apart from those before (N8, N15)."""

import json
from typing import Any

import pytest
from fakes import Notice
from fakes.worlds import NoticeWorld

from uring.changes.state import event_id

STATE = "state/notices/cs.json"
TITLES = {"1": "하나", "2": "둘"}


class World(NoticeWorld):
    """A department whose notices are edited one at a time."""

    def see(self, pinned: str = "", **titles: str) -> None:
        texts = {**TITLES, **{name.strip("n"): title for name, title in titles.items()}}
        self.clock.advance(600)
        self.show(
            *(
                Notice(record, title, is_pinned=record == pinned)
                for record, title in sorted(texts.items(), reverse=True)
            )
        )
        self.check()

    def lose(self) -> None:
        """Without its state and what readers saw, the next check is a first sight."""
        for key in (STATE, "data/cs/latest.json"):
            self.bucket.remove(key)

    def lines(self) -> list[dict[str, Any]]:
        body = self.bucket.body("data/cs/archive/202603.jsonl")
        return [json.loads(line) for line in body.splitlines()]

    def folded(self) -> dict[str, tuple[str, int]]:
        """What the archive adds up to."""
        return {line["id"]: (line["title"], line["revision"]) for line in self.lines()}

    def shown(self) -> dict[str, tuple[str, int]]:
        items = self.document("data/cs/latest.json")["items"]
        return {item["id"]: (item["title"], item["revision"]) for item in items}


def edited_twice_and_lost() -> World:
    world = World()
    world.see()
    world.see(n1="고침")
    world.see(n1="다시 고침")
    world.lose()
    world.see(n1="다시 고침")
    return world


@pytest.mark.parametrize("title", ["고침", "하나", "다른 것"])
def test_an_edit_that_repeats_an_earlier_revision_is_archived_and_pushed(title: str) -> None:
    """``고침`` was revision 2 before, and is it again: the event had the old one's name."""
    world = edited_twice_and_lost()
    before = len(world.messages())
    world.see(n1=title)
    (push,) = world.messages()[before:]
    assert (push.id, push.kind, push.revision) == ("1", "edited", 2)
    assert world.folded() == world.shown()
    ids = [line["event_id"] for line in world.lines()]
    assert len(set(ids)) == len(ids)


def test_a_pin_that_repeats_one_as_well() -> None:
    world = World()
    world.see()
    world.see(pinned="1")
    world.see()
    world.lose()
    world.see()
    world.see(pinned="1")
    assert [line["kind"] for line in world.lines()][-1] == "pinned"


def test_a_new_notice_that_was_new_before_is_pushed_again() -> None:
    """It is not listed when the state is taken anew, so nobody knows that it was there."""
    world = World()
    world.see()
    world.see(n3="셋")
    world.lose()
    world.see()
    world.see(n3="셋")
    assert world.pushes() == [("3", "new"), ("3", "new")]
    assert len({change.event_id for change in world.messages()}) == 2


def test_a_state_lost_twice_has_three_histories() -> None:
    world = World()
    for _ in range(3):
        world.see()
        world.see(n1="고침")
        world.lose()
    edits = [line["event_id"] for line in world.lines() if line["kind"] == "edited"]
    assert len(set(edits)) == len(edits) == 3


def test_a_state_of_a_release_without_histories_goes_on_naming_its_events_as_it_did() -> None:
    world = World()
    world.see()
    stored = json.loads(world.bucket.body(STATE))
    del stored["history"]
    world.bucket.plant(STATE, json.dumps(stored).encode())
    world.see(n1="고침")
    (push,) = world.messages()
    assert push.event_id == event_id("cs", "1", 2, world.state.known["1"].hash)
