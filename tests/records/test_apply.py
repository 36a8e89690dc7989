"""The next state of a list: pure, total, equal to a model that never forgets (N5, N6, N7, N19)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_pages import PROPERTY, STAMP, hints, known_of, pages, saw

from uring.changes.state import Health, event_id
from uring.records import apply as subject
from uring.records.apply import (
    FORGET_AFTER,
    HOT_ITEMS,
    KNOWN_BEYOND_PAGE,
    Applied,
    PushPolicy,
    Seen,
    apply,
)
from uring.records.diff import ListHints
from uring.records.model import Event, Known, Observation, RecordState

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
NAMES = {"marked": "pinned", "unmarked": "unpinned"}
POLICY = PushPolicy(push=frozenset({"new", "edited"}), names=NAMES)


def fresh() -> RecordState:
    return RecordState(source="cs", health=Health(since=STAMP))


def after(
    state: RecordState,
    records: Sequence[Observation],
    *,
    policy: PushPolicy = POLICY,
    now: datetime = NOW,
    **more: Any,
) -> Applied[RecordState] | None:
    """Drain the state and apply this page to it."""
    return apply(state.replace(outbox=()), Seen(records, **more), policy, now)


def step(state: RecordState, records: Sequence[Observation], **more: Any) -> RecordState:
    """Return the state after this page, its outbox still full."""
    applied = after(state, records, **more)
    assert applied is not None
    return applied.state


def kinds(state: RecordState) -> list[tuple[str, str, int]]:
    return [(event.id, event.kind, event.revision) for event in state.outbox]


@dataclass
class Model:
    """The same rules with a memory that never ends and hot as a plain list."""

    records: dict[str, tuple[str, bool, int]] = field(default_factory=dict)
    hot: list[tuple[str, int]] = field(default_factory=list)
    started: bool = False

    def see(self, page: Sequence[Observation], hot_items: int) -> list[tuple[str, str, int]]:
        """The events that this page makes, in the order of the outbox."""
        events = []
        for each in reversed(page):
            before = self.records.get(each.id)
            if before is None:
                kind = "new" if self.started else "baseline"
            elif before[0] != each.hash:
                kind = "edited"
            elif before[1] != each.is_marked:
                kind = "pinned" if each.is_marked else "unpinned"
            else:
                continue
            revision = before[2] + 1 if before else 1
            self.records[each.id] = (each.hash, each.is_marked, revision)
            self.hot = [(each.id, revision), *(old for old in self.hot if old[0] != each.id)]
            events.append((each.id, kind, revision))
        self.hot = self.hot[:hot_items]
        self.started = True
        return events


@PROPERTY
@given(st.lists(pages, min_size=1, max_size=8))
def test_any_sequence_of_pages_makes_the_events_and_the_hot_list_of_the_model(
    sequence: list[list[Observation]],
) -> None:
    """With a memory of two beyond the page, records spill, are recalled and come back."""
    model, state = Model(), fresh()
    memory: dict[str, Known] = {}
    ids: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject, "KNOWN_BEYOND_PAGE", 2)
        patch.setattr(subject, "HOT_ITEMS", 4)
        for number, page in enumerate(sequence):
            unknown = {each.id for each in page} - state.known.keys()
            recalled = {key: memory[key] for key in unknown & memory.keys()}
            assert not recalled or state.spilled, "nobody would have looked it up"
            now = NOW + timedelta(minutes=10 * number)
            made = after(state, page, recalled=recalled, now=now)
            expected = model.see(page, 4)
            if made is None:
                assert expected == []
                continue
            memory |= made.evicted
            state = made.state
            assert kinds(state) == expected
            assert [(item.id, item.revision) for item in state.hot] == model.hot
            assert len(state.known.keys() - {each.id for each in page}) <= 2
            ids += [event.event_id for event in state.outbox]
    assert len(ids) == len(set(ids)), "two revisions share an event id"


@PROPERTY
@given(st.lists(st.tuples(pages, hints), min_size=1, max_size=8))
def test_whatever_is_deleted_and_renamed_a_state_can_be_read_and_no_two_events_share_a_name(
    sequence: list[tuple[list[Observation], ListHints]],
) -> None:
    state = fresh()
    memory: dict[str, Known] = {}
    ids: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject, "KNOWN_BEYOND_PAGE", 2)
        patch.setattr(subject, "HOT_ITEMS", 4)
        for page, told in sequence:
            unknown = {each.id for each in page} - state.known.keys()
            recalled = {key: memory[key] for key in unknown & memory.keys()}
            made = after(state, page, recalled=recalled, hints=told)
            if made is None:
                continue
            memory |= made.evicted
            state = RecordState.from_json(made.state.to_json(), key="cs", source="cs")
            assert state == made.state
            now = memory | state.known
            assert all(now[each.id].hash == each.hash for each in (*page, *state.hot))
            ids += [event.event_id for event in state.outbox]
    assert len(ids) == len(set(ids))


class TestRevisions:
    def test_an_edit_back_and_forth_is_a_revision_each_time(self) -> None:
        state = step(fresh(), [saw("1", 0)])
        names = {event.event_id for event in state.outbox}
        for version in (1, 0, 1):
            state = step(state, [saw("1", version)])
            names |= {event.event_id for event in state.outbox}
        assert state.known["1"].revision == 4
        assert len(names) == 4


class TestBaseline:
    def test_the_first_page_is_stored_and_silent(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        assert kinds(state) == [("1", "baseline", 1), ("2", "baseline", 1)]
        assert not any(event.push for event in state.outbox)
        assert state.baseline_at == STAMP

    def test_after_it_the_kinds_that_were_asked_for_are_pushed(self) -> None:
        state = step(fresh(), [saw("3"), saw("2"), saw("1")])
        state = step(state, [saw("4"), saw("3", 1), saw("2", marked=True)])
        assert {event.kind: event.push for event in state.outbox} == {
            "new": True,
            "edited": True,
            "pinned": False,
        }

    def test_a_first_page_without_records_is_a_baseline_all_the_same(self) -> None:
        state = step(fresh(), [])
        state = step(state, [saw("1")])
        assert kinds(state) == [("1", "new", 1)]

    def test_the_baseline_is_taken_once(self) -> None:
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("2"), saw("1")], now=NOW + timedelta(days=1))
        assert state.baseline_at == STAMP


class TestNothingToWrite:
    def test_an_unchanged_page_needs_no_write(self) -> None:
        state = step(fresh(), [saw("1")])
        assert after(state, [saw("1")]) is None

    def test_a_page_that_lost_records_needs_no_write(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        assert after(state, [saw("2")]) is None

    def test_a_recalled_record_is_written_back_without_an_event(self) -> None:
        """Or each check from now on would have to look it up again."""
        state = step(fresh(), [saw("1")])
        old = Known("hash0", 5, False, STAMP, STAMP)
        later = NOW + timedelta(days=30)
        state = step(state, [saw("1"), saw("7")], recalled={"7": old}, now=later)
        assert state.outbox == ()
        assert state.changed_at == STAMP, "readers see no change"
        assert state.known["7"] == old._replace(last_seen="2026-04-01T01:00:00Z")

    def test_a_recalled_record_that_changed_goes_on_counting(self) -> None:
        state = step(fresh(), [saw("1")])
        old = Known("hash0", 5, False, "2025-01-01T00:00:00Z", STAMP)
        state = step(state, [saw("7", 1)], recalled={"7": old})
        (event,) = state.outbox
        assert (event.kind, event.revision) == ("edited", 6)
        assert event.first_seen == "2025-01-01T00:00:00Z"


class TestHot:
    def test_changed_items_come_first_in_page_order(self) -> None:
        state = step(fresh(), [saw("4"), saw("3"), saw("2"), saw("1")])
        state = step(state, [saw("5"), saw("4"), saw("3", 1), saw("2"), saw("1")])
        assert [item.id for item in state.hot] == ["5", "3", "4", "2", "1"]

    def test_it_holds_at_most_thirty_and_all_of_them_reach_the_archive(self) -> None:
        assert HOT_ITEMS == 30
        state = step(fresh(), [saw(str(number)) for number in range(45)])
        assert [item.id for item in state.hot] == [str(number) for number in range(30)]
        assert len(state.outbox) == 45

    def test_an_item_stands_in_it_once_with_its_last_revision(self) -> None:
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("1", 1)])
        assert [(item.id, item.revision) for item in state.hot] == [("1", 2)]

    def test_what_scrolled_off_the_page_stays_until_newer_ones_push_it_out(self) -> None:
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("2")])
        assert [item.id for item in state.hot] == ["2", "1"]


class TestOutbox:
    def test_the_oldest_comes_first(self) -> None:
        """Boards list the newest first; subscribers hear in the order of posting."""
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("3"), saw("2"), saw("1")])
        assert [event.id for event in state.outbox] == ["2", "3"]

    def test_an_event_has_everything_that_its_readers_need(self) -> None:
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("1", 1)], now=NOW + timedelta(hours=1))
        assert state.outbox == (
            Event(
                event_id=state.outbox[0].event_id,
                kind="edited",
                detected_at="2026-03-02T02:00:00Z",
                push=True,
                id="1",
                revision=2,
                hash="hash1",
                is_marked=False,
                first_seen=STAMP,
                content={"title": "1 v1"},
            ),
        )


class TestMemory:
    def test_the_page_and_the_most_recent_others_stay(self) -> None:
        assert KNOWN_BEYOND_PAGE == 300
        state = step(fresh(), [saw(str(number)) for number in range(400)])
        later = NOW + timedelta(days=1)
        made = after(state, [saw("new")], now=later)
        assert made is not None
        assert len(made.state.known) == 301
        assert len(made.evicted) == 100
        assert made.evicted.keys().isdisjoint(made.state.known)
        assert made.state.spilled

    def test_what_was_seen_last_is_kept_longest(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(subject, "KNOWN_BEYOND_PAGE", 1)
            state = step(fresh(), [saw("2"), saw("1")])
            state = step(state, [saw("3")], now=NOW + timedelta(days=1))
            made = after(state, [saw("4")], now=NOW + timedelta(days=2))
        assert made is not None
        assert made.state.known.keys() == {"4", "3"}
        assert made.evicted.keys() == {"2"}

    def test_what_is_on_the_page_is_never_forgotten(self) -> None:
        state = step(fresh(), [saw("1")])
        state = step(state, [saw("2"), saw("1")], now=NOW + 2 * FORGET_AFTER)
        assert "1" in state.known

    @pytest.mark.parametrize(("days", "spilled"), [(399, {"1"}), (401, set())])
    def test_a_record_unseen_for_400_days_is_not_even_spilled(
        self, days: int, spilled: set[str]
    ) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(subject, "KNOWN_BEYOND_PAGE", 0)
            state = step(fresh(), [saw("1")])
            made = after(state, [saw("2")], now=NOW + timedelta(days=days))
        assert made is not None
        assert made.evicted.keys() == spilled
        assert made.state.known.keys() == {"2"}


def test_an_event_id_depends_on_each_of_its_parts() -> None:
    names = {
        event_id(*parts)
        for parts in [
            ("cs", "1", 1, "a"),
            ("ee", "1", 1, "a"),
            ("cs", "2", 1, "a"),
            ("cs", "1", 2, "a"),
            ("cs", "1", 1, "b"),
        ]
    }
    assert len(names) == 5
    assert all(len(name) == 40 for name in names)


class TestReturned:
    def back(self, policy: PushPolicy) -> list[tuple[str, str, bool]]:
        state = step(fresh(), [saw("2"), saw("1")])
        state = step(state, [saw("3"), saw("2")], now=NOW + timedelta(minutes=10))
        made = after(
            state,
            [saw("3"), saw("2"), saw("1")],
            policy=policy,
            now=NOW + timedelta(minutes=20),
        )
        return [(e.id, e.kind, e.push) for e in made.state.outbox] if made else []

    def test_by_default_it_is_no_revision(self) -> None:
        assert self.back(POLICY) == []

    def test_where_it_counts_it_is_one_and_pushed_if_wanted(self) -> None:
        assert self.back(PushPolicy(push=frozenset(), returned=True)) == [("1", "returned", False)]
        wanted = PushPolicy(push=frozenset({"returned"}), returned=True)
        assert self.back(wanted) == [("1", "returned", True)]

    def test_an_edit_on_the_way_is_an_edit(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        state = step(state, [saw("3")], now=NOW + timedelta(minutes=10))
        made = step(
            state,
            [saw("3"), saw("1", 1)],
            policy=PushPolicy(push=frozenset(), returned=True),
            now=NOW + timedelta(minutes=20),
        )
        assert kinds(made) == [("1", "edited", 2)]

    def test_a_recalled_record_has_been_away(self) -> None:
        state = step(fresh(), [saw("2")])
        made = step(
            state,
            [saw("2"), saw("1")],
            recalled=known_of([saw("1")]),
            policy=PushPolicy(push=frozenset(), returned=True),
        )
        assert kinds(made) == [("1", "returned", 2)]


class TestDeletedAndRenamed:
    POLICY = PushPolicy(push=frozenset({"withdrawn", "renamed"}), names={"deleted": "withdrawn"})

    def test_a_deleted_record_is_told_as_it_was_last_seen_and_shown_no_longer(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        state = step(state, [saw("2")], hints=ListHints(deleted=["1"]), policy=self.POLICY)
        (event,) = state.outbox
        assert (event.id, event.kind, event.revision, event.push) == ("1", "withdrawn", 2, True)
        assert (event.hash, event.content) == ("", {"title": "1 v0"})
        assert [item.id for item in state.hot] == ["2"]

    def test_it_is_told_once_and_comes_back_with_its_next_revision(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        state = step(state, [saw("2")], hints=ListHints(deleted=["1"]))
        assert after(state, [saw("2")], hints=ListHints(deleted=["1"])) is None
        state = step(state, [saw("2"), saw("1")])
        assert kinds(state) == [("1", "returned", 3)]
        assert [item.id for item in state.hot] == ["1", "2"]

    def test_a_renamed_record_keeps_its_first_day_and_leaves_its_old_place(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        seen, told = [saw("9"), saw("2")], ListHints(renamed={"9": "1"})
        later = NOW + timedelta(days=1)
        state = step(state, seen, hints=told, policy=self.POLICY, now=later)
        (event,) = state.outbox
        assert (event.id, event.kind, event.revision, event.push) == ("9", "renamed", 2, True)
        assert event.first_seen == STAMP
        assert [item.id for item in state.hot] == ["9", "2"]
        assert after(state, seen, hints=told) is None

    def test_an_old_name_that_is_used_again_counts_on(self) -> None:
        """From 1 it would be taken for what was pushed long ago."""
        state = step(fresh(), [saw("2"), saw("1")])
        state = step(state, [saw("9"), saw("2")], hints=ListHints(renamed={"9": "1"}))
        state = step(state, [saw("1"), saw("9"), saw("2")])
        assert kinds(state) == [("1", "returned", 2)]


class TestDigest:
    def flood(self, count: int) -> list[Event]:
        state = step(fresh(), [saw("0")])
        seen = [saw(str(number)) for number in range(count, -1, -1)]
        return list(step(state, seen).outbox)

    def test_up_to_the_cap_each_is_pushed(self) -> None:
        events = self.flood(20)
        assert [event.push for event in events] == [True] * 20
        assert {event.digest_of for event in events} == {0}

    def test_above_it_the_newest_stands_for_all_and_the_archive_has_them(self) -> None:
        events = self.flood(21)
        assert len(events) == 21
        assert [(e.id, e.digest_of) for e in events if e.push] == [("21", 21)]
        assert {event.kind for event in events} == {"new"}


class TestReread:
    def again(self, seen: Sequence[Observation]) -> list[tuple[str, str, bool]]:
        state = step(fresh(), [saw("3"), saw("2"), saw("1")])
        made = step(state, seen, reread=True)
        return [(event.id, event.kind, event.push) for event in made.outbox]

    def test_what_was_known_is_taken_anew_in_silence(self) -> None:
        seen = [saw("3", 1), saw("2", 1), saw("1")]
        assert self.again(seen) == [("2", "baseline", False), ("3", "baseline", False)]

    def test_what_was_not_known_is_still_new(self) -> None:
        seen = [saw("4", 1), saw("3", 1), saw("2", 1)]
        assert self.again(seen)[-1] == ("4", "new", True)

    def test_where_most_are_unknown_the_ids_changed(self) -> None:
        seen = [saw("c"), saw("b"), saw("3")]
        assert self.again(seen) == [("b", "baseline", False), ("c", "baseline", False)]

    def test_what_was_away_meanwhile_is_taken_anew_when_it_comes_back(self) -> None:
        state = step(fresh(), [saw("3"), saw("2"), saw("1")])
        later = NOW + timedelta(minutes=10)
        made = step(state, [saw("3", 1)], now=later, reread=True)
        back = step(made, [saw("3", 2), saw("2", 1)], now=later + timedelta(minutes=10))
        assert kinds(back) == [("2", "baseline", 2), ("3", "edited", 3)]
        again = step(back, [saw("3", 2), saw("2", 2)], now=later + timedelta(minutes=20))
        assert kinds(again) == [("2", "edited", 3)]

    def test_a_pin_that_other_rules_see_is_taken_in_silence_too(self) -> None:
        state = step(fresh(), [saw("2"), saw("1")])
        seen = [saw("2", marked=True), saw("1")]
        made = step(state, seen, reread=True)
        assert kinds(made) == [("2", "baseline", 2)]

    def test_an_edit_of_the_entry_alone_is_written_and_published_again(self) -> None:
        state = step(fresh(), [saw("1")])
        made = step(state, [saw("1")], renew=True)
        assert (made.outbox, made.republish) == ((), True)
