"""What a key, a refresh and an answer do to the view: no terminal, no AWS."""

import pytest
from viewed import NOW, ids, pair, pressed, seen, source, view

from uring_local.top.model import TextPage, ViewState

SOURCES = (source("art"), source("law", 1), source("math", 3), source("sea"))


def test_sources_that_need_a_look_come_first_then_other_failures() -> None:
    assert ids(view(*SOURCES)) == ["math", "law", "art", "sea"]


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ("j", "law"),
        ("jjk", "law"),
        ("k", "math"),
        ("G", "sea"),
        ("Gg", "math"),
        ("jjjjjj", "sea"),
    ],
)
def test_keys_move(keys: str, chosen: str) -> None:
    state, action = pressed(view(*SOURCES), *keys)
    assert state.source is not None
    assert (state.source.id, action) == (chosen, None)


def test_the_chosen_source_stays_chosen_when_the_rows_are_sorted_in_another_way() -> None:
    state, _ = pressed(view(*SOURCES), "j", "j")
    after = state.refreshed(seen(source("art"), source("law"), source("math"), source("sea", 5)))
    assert ids(after) == ["sea", "art", "law", "math"]
    assert after.source is not None
    assert after.source.id == "art"


def test_before_the_first_key_the_list_is_read_from_its_top() -> None:
    state = view(*SOURCES).refreshed(seen(source("art", 9), source("math")))
    assert state.source is not None
    assert state.source.id == "art"


def test_a_chosen_source_that_vanishes_leaves_its_place_to_the_next() -> None:
    state, _ = pressed(view(*SOURCES), "G")
    after = state.refreshed(seen(source("art"), source("law")))
    assert after.source is not None
    assert after.source.id == "law"
    empty = after.refreshed(seen())
    assert empty.source is None
    for key in ("j", "k", "G", "r", "p", "d", "enter", "page down"):
        assert pressed(empty, key) == (empty, None)


@pytest.mark.parametrize(("key", "kind"), [("r", "check"), ("d", "diff")])
def test_a_command_acts_on_the_chosen_source_and_once(key: str, kind: str) -> None:
    state, action = pressed(view(*SOURCES), "j", key)
    assert action is not None
    assert action.source is not None
    assert (action.kind, action.source.id, state.doing) == (kind, "law", f"{kind} law")
    # The key is held: no second command before the answer.
    assert pressed(state, key)[1] is None
    assert pressed(state.answered("done"), key)[1] is not None


class TestPause:
    def test_it_asks_first_and_names_an_end_some_hours_ahead_in_the_zone_of_the_reader(
        self,
    ) -> None:
        state, action = pressed(view(*SOURCES), "p")
        assert action is None
        assert state.question is not None
        assert state.question.until == "2026-03-02T05:00+00:00"
        state, action = pressed(state, "enter")
        assert action is not None
        assert (action.kind, action.until) == ("pause", "2026-03-02T05:00+00:00")
        assert state.question is None

    def test_another_end_is_typed_in_its_place(self) -> None:
        _, action = pressed(
            view(*SOURCES), "p", *"x", "clear", *"2026-03-0", "back", *"09", "enter"
        )
        assert action is not None
        assert action.until == "2026-03-09"

    def test_escape_leaves_the_source_as_it_is(self) -> None:
        state, action = pressed(view(*SOURCES), "p", *"2026", "escape")
        assert (state.question, action, state.doing) == (None, None, "")

    def test_no_key_of_the_list_acts_while_it_asks(self) -> None:
        state, action = pressed(view(*SOURCES), "p", "q")
        assert action is None
        assert state.question is not None
        assert state.question.typed == "q"

    def test_a_paused_source_is_resumed_after_a_question_too(self) -> None:
        state, action = pressed(view(source("law", paused_until="2026-03-09T00:00:00Z")), "p")
        assert (state.question and state.question.until, action) == ("", None)
        # Nothing can be typed there.
        assert pressed(state, "x", "j")[0] == state
        _, action = pressed(state, "enter")
        assert action is not None
        assert (action.kind, action.until) == ("resume", "")

    def test_its_own_pause_is_shown_until_the_monitor_has_written_the_index_again(self) -> None:
        """The monitor runs every ten minutes: a second p in between would pause once more."""
        law = source("law", 9)
        paused = view(law).paused(law, "2026-03-09T00:00:00Z")
        again = paused.refreshed(seen(law))
        for state in (paused, again):
            assert state.rows[0].entry["paused_until"] == "2026-03-09T00:00:00Z"
            assert not state.rows[0].needs_look
        later = again.refreshed(seen(law, written_at="2026-03-02T01:40:00Z"))
        assert "paused_until" not in later.rows[0].entry

    def test_the_end_of_a_pause_is_shown_in_the_same_way(self) -> None:
        law = source("law", paused_until="2026-03-09T00:00:00Z")
        assert "paused_until" not in view(law).paused(law, None).rows[0].entry


class TestFilter:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("MATH", ["math"]),
            ("timeout", ["math", "law"]),
            ("law failed", ["law"]),
            ("바다", []),
            ("과", ["math", "law", "art", "sea"]),
        ],
    )
    def test_words_are_of_the_id_the_name_or_the_health(self, words: str, found: list[str]) -> None:
        state, action = pressed(view(*SOURCES), "/", *words)
        assert (ids(state), action) == (found, None)

    def test_enter_keeps_it_and_escape_shows_all(self) -> None:
        state, action = pressed(view(*SOURCES), "/", *"law", "enter", "r")
        assert action is not None
        assert action.source is not None
        assert action.source.id == "law"
        assert ids(pressed(state, "escape")[0]) == ["math", "law", "art", "sea"]
        assert ids(pressed(view(*SOURCES), "/", *"law", "escape")[0])[0] == "math"

    def test_letters_are_words_and_arrows_move(self) -> None:
        state, action = pressed(view(*SOURCES), "/", "r", "q", "back", "back", "down")
        assert (state.words, action, state.at) == ("", None, 1)


class TestPage:
    def test_details_and_help_open_and_close(self) -> None:
        for key in ("enter", "?"):
            state, action = pressed(view(*SOURCES), key)
            assert state.page is not None
            assert action is None
            for close in ("q", "escape", "enter", "?"):
                closed, action = pressed(state, close)
                assert (closed.page, action) == (None, None)

    def test_no_command_acts_behind_a_page(self) -> None:
        state, _ = pressed(view(*SOURCES), "?")
        for key in ("r", "p", "d", "/"):
            assert pressed(state, key) == (state, None)

    def test_an_answer_opens_its_page(self) -> None:
        state, _ = pressed(view(*SOURCES), "d")
        opened = state.opened(TextPage("math: changes"))
        assert (opened.page and opened.page.title, opened.doing) == ("math: changes", "")


def test_a_refresh_that_fails_keeps_what_is_shown() -> None:
    state = view(*SOURCES, pairs=[pair("NoticeQueue")])
    failed = state.failed("s3:GetObject: 503")
    assert (failed.rows, failed.seen, failed.missed) == (
        state.rows,
        state.seen,
        "s3:GetObject: 503",
    )
    assert failed.refreshed(seen(*SOURCES)).missed == ""


def test_q_and_the_refresh_are_the_view_s_own() -> None:
    state = view(*SOURCES)
    for key, kind in (("q", "quit"), ("again", "read")):
        after, action = pressed(state, key)
        assert after == state
        assert action is not None
        assert (action.kind, action.source) == (kind, None)
    assert pressed(state, "x", "한", "7") == (state, None)


def test_two_sources_of_one_id_in_two_lists_are_two() -> None:
    state = view(source("law"), source("law", listed="registries"))
    _, action = pressed(state, "j", "r")
    assert action is not None
    assert action.source is not None
    assert action.source.listed == "registries"


def test_an_answer_stays_until_the_next_command_or_escape() -> None:
    state = view(*SOURCES).answered("law: its job is sent")
    assert pressed(state, "j")[0].said
    assert not pressed(state, "escape")[0].said
    assert not pressed(state, "r")[0].said


def test_a_view_is_a_value() -> None:
    assert ViewState.first("uring-here", seen(*SOURCES, at=NOW)) == view(*SOURCES)
