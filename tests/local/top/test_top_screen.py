"""The lines of `uring top`, at any size, whatever a source has in its texts."""

import json
from datetime import timedelta
from typing import Any

import pytest
from rich.console import Console, Group
from viewed import HOSTILE, NOW, beat, pair, pressed, seen, source, view

from uring_local.look.beats import MARKS, beats_in
from uring_local.top.model import TextPage, ViewState
from uring_local.top.screen import draw, fit

SIZES = [(80, 24), (120, 40), (20, 5), (40, 10), (300, 80), (1, 1), (3, 2), (81, 3)]
LAW = ("departments", "law")
CHECKS = [beat("baseline", 50), beat("unchanged", 40), beat("changed", 30, changes=2, rows=20)]
CHECKS += [beat("failed", 20, reason="timeout"), beat("suspect", 10, reason="all_rows_bad")]


def lines(state: ViewState, width: int = 80, height: int = 24) -> list[str]:
    fitted = fit(state, width, height, NOW)
    return [line.plain for line in draw(fitted, width, height, NOW)]


def sources(count: int) -> list[Any]:
    return [source(f"board{number:03}") for number in range(count)]


def test_a_screen_of_80_by_24_has_all_of_it() -> None:
    state = view(
        source("law", 4, rhythm={}),
        source("sea", last_success=None),
        pairs=[pair("NoticeQueue", 3), pair("NotifyQueue", 0, 2)],
        beats={LAW: CHECKS},
        at=NOW - timedelta(seconds=7),
    )
    shown = lines(state)
    assert shown[:7] == [
        "uring-here · 1 of 2 sources needs a look · read 7 s ago · 01:30:00",
        "queues  NotifyQueue 0 + 2 dead  NoticeQueue 3",
        "",
        "  source   how                                  last checks  row success   every",
        "> law      failed timeout                             o.+x?    4  30 min ~10 min",
        "  sea      ok                                                      never  10 min",
        "",
    ]
    assert shown[-1] == "r check  p pause  d diff  Enter details  / filter  ? help  q quit"


def test_each_outcome_has_a_character_of_its_own() -> None:
    """They differ without colours."""
    assert len({*MARKS.values()}) == len(MARKS) == 5
    assert "o.+x?" in lines(view(source("law"), beats={LAW: CHECKS}))[4]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_line_is_wider_than_the_terminal_and_none_is_too_many(width: int, height: int) -> None:
    check = {"at": "2026-03-02T01:00:00Z", "outcome": "failed", "reason": HOSTILE}
    hostile = source(HOSTILE, 7, name=HOSTILE, reason=HOSTILE, remarks=[HOSTILE], base_url=HOSTILE)
    state = view(
        *(hostile, *sources(50)),
        pairs=[pair(f"Queue{number}Of{'Long' * 9}", number) for number in range(9)],
        beats={("departments", HOSTILE): beats_in(json.dumps({"beats": [check] * 99}).encode())},
    )
    keys: list[tuple[str, ...]] = [
        (),
        ("enter",),
        ("?",),
        ("p",),
        ("/", *HOSTILE[:40]),
        ("r",),
        ("G",),
    ]
    views = [pressed(state, *each)[0] for each in keys]
    views += [state.answered(HOSTILE, is_bad=True), state.failed(HOSTILE), state.opened(PAGE)]
    for each in views:
        fitted = fit(each, width, height, NOW)
        drawn = draw(fitted, width, height, NOW)
        assert len(drawn) == height
        assert max(line.cell_len for line in drawn) <= width
        text = "".join(line.plain for line in drawn)
        assert [char for char in text if not char.isprintable()] == []
        # None takes longer to write than some lines of text.
        assert len(text) < 4 * width * height + 2_000


PAGE = TextPage(HOSTILE, Group("\n".join(f"line {number} of a long page" for number in range(100))))


def test_the_chosen_row_is_always_on_the_screen() -> None:
    state = view(*sources(100))
    for height in (24, 5, 2):
        for keys in ("G", "G" + "k" * 30, "j" * 40, "jjg"):
            moved, _ = pressed(fit(state, 80, height, NOW), *keys)
            assert any(line.startswith("> ") for line in lines(moved, 80, height))


def test_a_screen_that_grows_shows_more_rows_and_one_that_shrinks_keeps_the_chosen() -> None:
    state = fit(pressed(view(*sources(100)), "G")[0], 80, 24, NOW)
    assert len(fit(state, 80, 60, NOW).on_screen) > len(state.on_screen)
    assert fit(state, 80, 6, NOW).on_screen[-1].id == "board099"


def test_a_page_key_moves_by_a_screen() -> None:
    state = fit(view(*sources(100)), 80, 24, NOW)
    moved, _ = pressed(state, "page down")
    assert moved.at == state.room == len(state.on_screen)


def test_a_failed_refresh_says_so_and_how_old_the_rest_is() -> None:
    state = view(source("law"), at=NOW - timedelta(minutes=3)).failed("s3:GetObject b/k: 503")
    for height in (24, 5):
        shown = lines(state, 80, height)
        assert "read 3 min 00 s ago" in shown[0]
        assert shown[1] == "not read since: s3:GetObject b/k: 503"
        assert any(line.startswith("> law") for line in shown)


def test_a_long_answer_is_read_to_its_remedy() -> None:
    said = f"{'law: access is denied and so on, ' * 4}correct the role"
    assert " ".join(" ".join(lines(view(source("law")).answered(said))).split()).endswith("role")


def test_the_command_that_goes_on_is_named_in_place_of_the_last_answer() -> None:
    state, _ = pressed(view(source("law")).answered("sea: its job is sent"), "r")
    assert lines(state)[-1] == "check law …"


def test_a_question_says_what_it_will_do_before_it_does() -> None:
    shown = lines(pressed(view(source("law")), "p", *"2026-04-01")[0])
    assert shown[-2] == "pause law: not asked, and nobody is alerted of it, until then"
    assert shown[-1] == "until 2026-04-01_  Enter pauses it, Esc does not"
    paused = source("law", paused_until="2026-03-09T00:00:00Z")
    shown = lines(pressed(view(paused), "p")[0], 20, 5)
    assert shown[-2].startswith("resume law: it is")


def test_a_pause_is_what_a_row_says_first() -> None:
    shown = lines(view(source("law", 9, paused_until="2026-03-09T00:00:00Z")))[4]
    assert "paused to 03-09 00:00" in shown


def test_queues_that_do_not_fit_are_counted_and_never_the_dead() -> None:
    pairs = [pair(f"Queue{number:02}") for number in range(30)] + [pair("ZQueue", 0, 1)]
    shown = lines(view(source("law"), pairs=pairs))
    assert shown[1].startswith("queues  ZQueue 0 + 1 dead  Queue00 0")
    assert shown[2].endswith("more")


def test_details_have_the_checks_the_newest_first() -> None:
    law = source(
        "law", 2, remarks=["two ids"], failed={"RKSI": {"reason": "overdue", "since": "x"}}
    )
    shown = lines(pressed(view(law, beats={LAW: CHECKS}), "enter")[0], 100, 40)
    at = shown.index("recorded checks")
    assert shown[at + 1] == "? 2026-03-02T01:20:00Z   suspect  all_rows_bad"
    assert shown[at + 3] == "+ 2026-03-02T01:00:00Z   changed  2 changes  20 rows"
    for told in ("how           failed timeout", "remark        two ids"):
        assert told in shown
    assert "last success  2026-03-02T01:00:00Z, 30 min 00 s ago" in shown
    assert "failed part   RKSI: overdue since x" in shown


def test_details_of_a_source_that_vanishes_say_so() -> None:
    state, _ = pressed(view(source("law")), "enter")
    assert "it is not in the index any more" in lines(state.refreshed(seen()))


def test_a_long_page_is_read_to_its_end_and_no_further() -> None:
    state = view(source("law")).opened(PAGE)
    state = fit(state, 80, 24, NOW)
    for _ in range(3):
        state = fit(pressed(state, "G")[0], 80, 24, NOW)
        assert "line 99 of a long page" in lines(state)
    assert "of 100" in lines(state)[0]
    assert "line 0 of a long page" in lines(pressed(state, "g")[0])


def test_the_help_names_each_key_and_each_mark() -> None:
    text = " ".join(lines(pressed(view(), "?")[0], 80, 40))
    for name in ("uring check", "uring pause", "uring refused", "Ctrl-L", "Enter"):
        assert name in text
    for outcome, mark in MARKS.items():
        assert f"{mark} {outcome}" in text


def test_colours_are_left_out_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(force_terminal=True, color_system="truecolor", width=80)
    state = view(source("law", 9), beats={LAW: CHECKS})
    with console.capture() as caught:
        for line in draw(fit(state, 80, 24, NOW), 80, 24, NOW):
            console.print(line)
    assert "\x1b[31m" not in caught.get()
    assert ";31m" not in caught.get()


def test_entries_of_another_release_are_shown_as_they_can_be() -> None:
    odd = source("law", consecutive_failures="many", interval_minutes="often", last_success=7)
    odd = type(odd)(odd.listed, {**odd.entry, "status": "resting", "health": 7, "name": None})
    shown = lines(view(odd, written_at=""))
    assert shown[4].startswith("> law      resting")
