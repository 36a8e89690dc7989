"""A retraction is one more revision: pure, once for each push, bounded, read by all releases."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_pages import PROPERTY, STAMP

from uring.changes.state import Health, event_id
from uring.contracts import ChangePublished
from uring.push.payload import MAX_BYTES, compose, size
from uring.records.apply import PushPolicy, Seen, apply
from uring.records.archive import Archive
from uring.records.diff import ListHints
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.model import Observation, RecordState
from uring.records.retract import MOST_IDS, MOST_RECORDS, Pushed, retract, taken_back

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
POLICY = PushPolicy(push=frozenset({"new", "edited"}))


def page(*names: str, title: str = "글", length: int = 1) -> list[Observation]:
    content = {
        "title": title * length,
        "date": "2026-03-01",
        "category": "일반",
        "link": "https://cs.example.ac.kr/1",
    }
    return [Observation(name, f"{title}{name}", content) for name in names]


def state_with(*names: str) -> RecordState:
    """A state whose notices were pushed and published."""
    state = RecordState(source="cs", health=Health(since=STAMP))
    for seen in (page("0"), page(*names, "0")):
        applied = apply(state, Seen(seen), POLICY, NOW)
        assert applied
        state = applied.state.replace(outbox=())
    return state


def pushed(state: RecordState, name: str, **more: Any) -> Pushed:
    known = state.known[name]
    return Pushed(name, event_id("cs", name, known.revision, known.hash, state.history), **more)


def taken(state: RecordState, *pushes: Pushed) -> RecordState:
    after = retract(state, pushes, NOW)
    assert after
    return after


def message(state: RecordState, number: int = 0) -> ChangePublished:
    projections = RecordProjections(
        Archive(None, backoff=None),  # type: ignore[arg-type]
        Latest(None, backoff=None),  # type: ignore[arg-type]
        Publication("notices", "cs", "cs", {}, lambda revision: {**revision.content}),
    )
    return projections.message(state, state.outbox[number])


def test_a_retraction_is_a_revision_with_the_same_content() -> None:
    before = state_with("1")
    after = taken(before, pushed(before, "1"))
    [event] = after.outbox
    assert (event.kind, event.revision, event.push) == ("retracted", 2, True)
    assert event.hash == before.known["1"].hash
    assert after.known["1"] == before.known["1"]._replace(revision=2)
    assert after.hot[0].content == before.hot[0].content
    assert after.hot[0].retraction["retracted"] == "all"


def test_the_next_check_of_the_same_page_finds_nothing() -> None:
    before = state_with("1")
    after = taken(before, pushed(before, "1"))
    assert apply(after.replace(outbox=()), Seen(page("1", "0")), POLICY, NOW) is None


@pytest.mark.parametrize("drained", [False, True])
def test_what_is_taken_back_is_not_taken_back_again(*, drained: bool) -> None:
    before = state_with("1", "2")
    pushes = [pushed(before, "1"), pushed(before, "2")]
    after = taken(before, *pushes)
    if drained:
        after = after.replace(outbox=())
    assert retract(after, pushes, NOW) is None
    assert taken_back(after) == {push.event_id for push in pushes}


def test_records_that_the_state_does_not_know_are_skipped() -> None:
    before = state_with("1")
    ghost = Pushed("ghost", "0" * 40)
    assert retract(before, [ghost], NOW) is None
    assert retract(before, [], NOW) is None
    [event] = taken(before, ghost, pushed(before, "1")).outbox
    assert event.id == "1"


def test_a_release_before_this_one_reads_the_state_and_sends_the_events() -> None:
    """It checks each event's id by its content, has no word for kinds, and publishes content."""
    before = state_with("1")
    after = taken(before, pushed(before, "1"))
    [event] = after.outbox
    assert event.event_id == event_id("cs", "1", event.revision, event.hash, after.history)
    assert event.content["retracts"] == pushed(before, "1").event_id
    assert "retraction" not in event.model_dump()
    assert b"retraction" not in before.to_json()
    again = RecordState.from_json(after.to_json(), key="k", source="cs")
    assert again == after


@PROPERTY
@given(st.integers(1, 40), st.integers(0, 3))
def test_each_push_is_named_by_one_message(records: int, further: int) -> None:
    before = state_with(*map(str, range(1, records + 1)))
    pushes = [
        replace(pushed(before, str(record)), event_id=f"{record:039}{number}")
        for record in range(1, records + 1)
        for number in range(further + 1)
    ]
    after = taken(before, *pushes)
    named = [
        each
        for event in after.outbox
        if event.push
        for each in str(event.content["retracts"]).split()
    ]
    assert sorted(named) == sorted(push.event_id for push in pushes)
    assert sorted(event.id for event in after.outbox) == sorted({push.id for push in pushes})
    assert all(len(str(event.content["retracts"]).split()) <= MOST_IDS for event in after.outbox)


def test_a_retraction_is_bounded() -> None:
    before = state_with(*map(str, range(1, MOST_RECORDS + 50)))
    pushes = [
        Pushed(str(record), f"{record:020}{number:020}")
        for record in range(1, MOST_RECORDS + 50)
        for number in range(MOST_IDS + 5)
    ]
    after = taken(before, *pushes)
    assert len(after.outbox) == MOST_RECORDS


@pytest.mark.parametrize("content", [{}, {"a_url_of_its_own": "x" * 900}])
def test_the_largest_message_names_all_its_events(content: Mapping[str, str]) -> None:
    name = "글" * 200
    before = state_with(name)
    hot = [
        before.hot[0].model_copy(
            update={
                "content": {
                    **before.hot[0].content,
                    **content,
                    "title": "글" * 2000,
                    "link": "l" * 1000,
                }
            }
        )
    ]
    before = before.replace(hot=tuple(hot))
    after = taken(before, *(Pushed(name, f"{number:040}") for number in range(MOST_IDS)))
    data = compose(message(after)).data
    assert size(data) <= MAX_BYTES
    assert len(data["retracts"].split()) == MOST_IDS
    assert data["title"].startswith("[취소] 글")


def test_a_silent_revision_keeps_the_retraction_and_a_push_ends_it() -> None:
    before = state_with("1")
    after = taken(before, pushed(before, "1")).replace(outbox=())
    silent = apply(after, Seen(page("1", "0", title="다른"), quiet=("1",)), POLICY, NOW)
    assert silent
    assert silent.state.hot[0].retraction == after.hot[0].retraction
    loud = apply(after, Seen(page("1", "0", title="다른")), POLICY, NOW)
    assert loud
    assert not next(item for item in loud.state.hot if item.id == "1").retraction


def test_a_renumbered_notice_keeps_its_retraction() -> None:
    before = state_with("1")
    after = taken(before, pushed(before, "1")).replace(outbox=())
    seen = Seen(page("9", "0"), hints=ListHints(renamed={"9": "1"}))
    renamed = apply(after, seen, POLICY, NOW)
    assert renamed
    assert renamed.state.hot[0].id == "9"
    assert renamed.state.hot[0].retraction == after.hot[0].retraction


def test_a_digest_ends_it() -> None:
    before = state_with("1", "2", "3")
    after = taken(before, *(pushed(before, name) for name in "123")).replace(outbox=())
    policy = PushPolicy(push=frozenset({"new", "edited"}), digest_over=1)
    digest = apply(after, Seen(page("1", "2", "3", "0", title="다른")), policy, NOW)
    assert digest
    assert not any(item.retraction for item in digest.state.hot)


def test_a_digest_of_many_records_is_one_message() -> None:
    names = [str(record) for record in range(1, 31)]
    before = state_with(*names)
    digest = "d" * 40
    after = taken(before, *(Pushed(name, digest) for name in names))
    assert [event.content["retracts"] for event in after.outbox] == [digest] * 30
    assert sum(event.push for event in after.outbox) == 1
    assert retract(after, [Pushed(name, digest) for name in names], NOW) is None
