"""The live view at a fixed moment: what a screen shows, and what it tells of the rest."""

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, cast

import pytest
from rich.cells import cell_len
from rich.console import Console

from uring_local.run.live import LiveView
from uring_local.run.view import JsonView, PlainView, Scene, View, describe, timed

SOURCES = 17
SIZES = [(80, 10), (80, 24), (120, 40)]
CLIENT, STATUS = "http://127.0.0.1:53281/", "http://127.0.0.1:53281/status/"
OTHERS = [("weather", "metar", "METAR"), ("seeds", "sg/news", "60 domains")]
TITLE = "2026학년도 제2학기 교내 성적우수 장학금 신청 안내 및 제출 서류 목록 (기한 연장)"
PUSHED = {
    "event": "pushed",
    "family": "notices",
    "source": "s03",
    "record": "1",
    "kind": "new",
    "at": "2026-03-02T09:15:42+00:00",
    "title": TITLE,
}


def event(name: str, number: int, **fields: Any) -> dict[str, Any]:
    return {
        "event": name,
        "family": "notices",
        "source": f"s{number:02}",
        "at": "2026-03-02T09:15:00+00:00",
        **fields,
    }


class Screen:
    """A terminal of a size, and a view of a run that has gone some way."""

    def __init__(
        self,
        width: int,
        height: int,
        news: int = 30,
        others: Sequence[tuple[str, str, str]] = (),
        simulated: Sequence[str] = (),
    ) -> None:
        self.now = 100.0
        self.width, self.height = width, height
        self.stop = threading.Event()
        self.output = StringIO()
        terminal = Console(file=self.output, force_terminal=True, width=width, height=height)
        sources = [("notices", f"s{number:02}", "학과 이름 " * 20) for number in range(SOURCES)]
        scene = Scene(sources + list(others), CLIENT, STATUS, simulated)
        self.view = LiveView(terminal, scene, self.stop, lambda: self.now)
        self.view._live.auto_refresh = False  # noqa: SLF001 - drawn when it is asked for
        self.view.__enter__()
        self.view.depths("notices", {"NoticeQueue": 3, "NotifyQueue": 0})
        for number in range(SOURCES):
            tell(self.view, event("checked", number, outcome="unchanged"), "checked")
        tell(self.view, event("checked", 9, outcome="suspect", reason="all_rows_bad"), "checked")
        at = "2026-03-02T09:15:00+00:00"
        self.view.event({"event": "tick", "family": "notices", "tick": 7, "at": at}, "tick 7")
        for number in range(news):
            changed = event("changed", 5, record=str(number), kind="pinned", revision=2)
            tell(self.view, changed, "changed")
        self.now += 83

    def lines(self) -> list[str]:
        paper = Console(file=StringIO(), width=self.width, height=self.height)
        paper.print(self.view.screen())
        return cast("StringIO", paper.file).getvalue().splitlines()


def tell(view: View, one: Mapping[str, Any], figure: str = "") -> None:
    view.event(one, timed(one, describe(one)), figure)


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def screen(request: pytest.FixtureRequest) -> Iterator[Screen]:
    made = Screen(*request.param)
    yield made
    made.view.__exit__()


def test_no_line_is_wider_than_the_terminal_and_none_is_below_it(screen: Screen) -> None:
    tell(screen.view, PUSHED, "pushed")
    lines = screen.lines()
    assert len(lines) <= screen.height
    assert max(map(cell_len, lines)) <= screen.width


def test_the_newest_push_is_the_last_line_with_its_time_and_title(screen: Screen) -> None:
    tell(screen.view, PUSHED, "pushed")
    last = screen.lines()[-1].rstrip()
    assert time_of(PUSHED) in last
    assert f"pushed   s03 new: {TITLE[:20]}" in last
    # A Korean letter is two cells wide: as much is shown as fits, and a cut is seen.
    assert last.endswith("…") == (screen.width == 80)
    assert cell_len(last) > screen.width - 3 or last.endswith(TITLE)


def test_each_source_has_one_line_and_the_quiet_ones_give_way(screen: Screen) -> None:
    tell(screen.view, PUSHED, "pushed")
    lines = screen.lines()
    rows = [line[:3] for line in lines if line[:1] == "s"]
    assert rows == sorted(set(rows))
    assert "s03" in rows
    assert ("s05" in rows) == (screen.height > 10)
    assert ("s16" in rows) == (screen.height == 40)
    if screen.height > 10:
        assert any(line.startswith("s09") and "all_rows_bad" in line for line in lines)


def test_what_is_not_shown_is_counted(screen: Screen) -> None:
    tell(screen.view, PUSHED, "pushed")
    lines = screen.lines()
    rows = sum(line[:1] == "s" for line in lines)
    news = sum(" changed " in line or " pushed " in line for line in lines[5:])
    left_out = f"{31 - news} earlier lines"
    if rows < SOURCES:
        left_out = f"{SOURCES - rows} quiet sources, {left_out}"
    assert f"not shown: {left_out}" in [line.rstrip() for line in lines]


def test_one_is_singular() -> None:
    screen = Screen(80, 24, news=1)
    assert ", 1 change stored, " in screen.lines()[2]
    screen.view.__exit__()


def test_a_screen_that_has_room_for_all_says_that_nothing_is_missing() -> None:
    roomy = Screen(120, 40, news=3)
    assert not any("not shown" in line for line in roomy.lines())
    roomy.view.__exit__()


def test_the_lines_below_the_addresses_tell_the_time_the_next_tick_and_the_totals(
    screen: Screen,
) -> None:
    screen.view.stage("tick 8", screen.now + 7.5)
    tell(screen.view, PUSHED, "pushed")
    _, headline, totals, *_ = screen.lines()
    assert headline.rstrip() == "tick 8 in 0:07 · 1:23 elapsed"
    assert totals.startswith("18 checks, 30 changes stored, 1 pushed")
    screen.view.stage("tick 8 under way")
    screen.stop.set()
    assert screen.lines()[1].rstrip() == (
        "tick 8 under way · 1:23 elapsed · ending after this tick, Ctrl-C: at once"
    )


def test_what_others_print_becomes_a_line_and_does_not_tear_the_screen() -> None:
    screen = Screen(80, 24)
    sys.stderr.write("a word\n")
    assert screen.lines()[-1].rstrip() == "a word"
    assert "a word" not in screen.output.getvalue()
    screen.view.__exit__()


@pytest.mark.parametrize("title", ["a\x1b[2Jb", "a\nb", "a\u202eb", "a\x9bb"])
def test_no_title_moves_the_cursor_or_turns_the_line(screen: Screen, title: str) -> None:
    tell(screen.view, {**PUSHED, "title": title}, "pushed")
    last = screen.lines()[-1]
    assert "new: a" in last
    assert last.rstrip().isprintable()


def test_a_terminal_that_is_too_small_for_a_table_has_the_newest_line_all_the_same() -> None:
    for height in (5, 6, 8):
        small = Screen(40, height)
        tell(small.view, PUSHED, "pushed")
        lines = small.lines()
        assert len(lines) <= height
        assert "pushed" in lines[-1]
        small.view.__exit__()


def test_the_whole_table_and_the_totals_stay_when_the_screen_is_left() -> None:
    screen = Screen(80, 10)
    tell(screen.view, PUSHED, "pushed")
    screen.view.__exit__()
    _, _, left = screen.output.getvalue().rpartition("\x1b[?1049l")
    assert all(f"s{number:02}" in left for number in range(SOURCES))
    assert "18 checks, 30 changes stored, 1 pushed" in left
    assert "pushed   s03" in left
    screen.view.note("a verdict")
    assert screen.output.getvalue().endswith("a verdict\n")


def test_a_pipe_has_title_and_time_of_each_push() -> None:
    scene = Scene([], CLIENT, STATUS)
    plain = Console(file=StringIO(), width=20)
    tell(PlainView(plain, scene), PUSHED)
    line = cast("StringIO", plain.file).getvalue()
    assert line == f"  {time_of(PUSHED)} pushed   s03 new: {TITLE}\n"
    machine = Console(file=StringIO())
    tell(JsonView(machine, scene), PUSHED)
    assert json.loads(cast("StringIO", machine.file).getvalue()) == PUSHED


def time_of(one: Mapping[str, Any]) -> str:
    assert one["at"] == "2026-03-02T09:15:42+00:00"
    return time.strftime("%H:%M:%S", time.localtime(1_772_442_942))


def test_both_addresses_are_the_first_line_as_links_all_the_time(screen: Screen) -> None:
    """`tmux capture-pane -p | grep http` finds both."""
    tell(screen.view, PUSHED, "pushed")
    first, *_ = screen.lines()
    assert first.rstrip() == f"client {CLIENT} · operator's page {STATUS}"
    drawn = StringIO()
    Console(file=drawn, force_terminal=True, width=80).print(screen.view.screen())
    assert f";{CLIENT}\x1b\\" in drawn.getvalue()
    assert f";{STATUS}\x1b\\" in drawn.getvalue()


@pytest.mark.parametrize("width", [32, 60])
def test_a_narrow_terminal_has_the_addresses_whole_on_two_lines(width: int) -> None:
    narrow = Screen(width, 24)
    client, status, *_ = [line.rstrip() for line in narrow.lines()]
    narrow.view.__exit__()
    assert client.endswith(CLIENT)
    assert status.endswith(STATUS)


def test_thousands_of_another_family_are_written_as_those_of_the_first() -> None:
    screen = Screen(80, 24, 3, OTHERS, ["weather", "seeds"])
    for figure in ("changed", "pushed"):
        for _ in range(1_824):
            told = {**event(figure, 0), "family": "weather", "source": "metar"}
            screen.view.event(told, "", figure)
    lines = screen.lines()
    screen.view.__exit__()
    assert any("1,824 changes, 1,824 pushed" in line for line in lines)


def test_the_first_family_has_the_news_and_each_other_one_line_with_its_simulated_time() -> None:
    """At 80x24 twenty failed files of the seeds leave the pushes of the boards where they are."""
    screen = Screen(80, 24, 3, OTHERS, ["weather", "seeds"])
    tell(screen.view, PUSHED, "pushed")
    at = {"family": "weather", "at": "2026-03-02T00:41:00+00:00"}
    screen.view.event({"event": "tick", "tick": 7, **at}, "tick 7")
    screen.view.event({**event("changed", 0), **at, "source": "metar"}, "  it rains", "changed")
    for number in range(20):
        screen.view.event(
            {"event": "failed", "family": "seeds", "at": "2026-03-02T09:16:00+00:00"},
            f"  failed   sg/policy/{number}",
        )
    lines = [line.rstrip() for line in screen.lines()]
    screen.view.__exit__()
    assert "pushed   s03 new" in lines[-1]
    assert sum("sg/policy" in line for line in lines) == 1
    (weather, seeds) = (line for line in lines if line.startswith(("weather", "seeds")))
    assert seeds.startswith("seeds   0 changes, 0 pushed · "), "its clock has not begun"
    assert "simulated 03-02 00:41 · 1 change, 0 pushed · it rains" in weather
    assert lines[2].startswith("notices: 18 checks, 3 changes stored, 1 pushed")
    assert not any(line.startswith("metar") for line in lines)


def test_the_totals_of_a_long_run_are_whole_and_tell_what_is_left_out_if_there_is_room() -> None:
    for width, ends in ((120, "pushed (not pins, not first reads)"), (60, "1,501 pushed")):
        screen = Screen(width, 24, 0, OTHERS)
        for number in range(1_501):
            pushed = {**PUSHED, "record": str(number)}
            tell(screen.view, pushed, "pushed")
        lines = [line.rstrip() for line in screen.lines()]
        screen.view.__exit__()
        (totals,) = (line for line in lines if line.startswith("notices: "))
        assert totals.endswith(ends)


def test_where_there_is_no_room_for_both_a_push_is_shown_before_changes() -> None:
    screen = Screen(80, 24, news=0)
    tell(screen.view, PUSHED, "pushed")
    for number in range(30):
        tell(
            screen.view,
            event("changed", 5, record=str(number), kind="pinned", revision=2),
            "changed",
        )
    assert any("pushed   s03" in line for line in screen.lines())
    screen.view.__exit__()


def test_dead_letters_that_the_site_caused_are_told_as_expected_and_only_others_are_red() -> None:
    screen = Screen(80, 24)
    queues = {"DomainQueue": 0, "DomainDeadLetterQueue": 3, "SeedDeadLetterQueue": 17}
    screen.view.depths("notices", {})
    screen.view.depths("seeds", queues, {"DomainDeadLetterQueue": 3, "SeedDeadLetterQueue": 18})
    assert waiting(screen) == ("waiting  nothing · 20 dead letters, as expected", "")
    screen.view.depths("seeds", queues, {"DomainDeadLetterQueue": 1, "SeedDeadLetterQueue": 18})
    assert waiting(screen) == (
        "waiting  DomainDeadLetterQueue 2  · 18 dead letters, as expected",
        " DomainDeadLetterQueue 2 ",
    )
    screen.view.__exit__()


def waiting(screen: Screen) -> tuple[str, str]:
    """The line of the queues, and what is red in it."""
    line = screen.view._queues()  # noqa: SLF001 - a colour is no text
    red = [line.plain[span.start : span.end] for span in line.spans if "red" in str(span.style)]
    return line.plain, "".join(red)


def test_the_time_of_a_family_on_its_own_clock_is_in_the_headline() -> None:
    screen = Screen(80, 24, simulated=["notices"])
    at = "2026-03-02T07:00:00+00:00"
    screen.view.event({"event": "tick", "family": "notices", "tick": 8, "at": at}, "")
    assert screen.lines()[1].rstrip().endswith(" · simulated 03-02 07:00")
    screen.view.__exit__()


def test_figures_that_are_longer_than_a_line_go_on_below_their_beginning() -> None:
    calls = {f"dynamodb:Operation{number}": 10_000 + number for number in range(9)}
    described = describe({"event": "summary", "family": "notices", "ticks": 9, "aws_calls": calls})
    head, *lines = described.lstrip("\n").splitlines()
    assert head == "notices"
    assert lines[0] == "  ticks      9"
    assert all(line[:13].strip() == "" for line in lines[2:])
    assert max(map(len, lines)) < 80
    told = "  ".join(line[13:] for line in lines[1:])
    assert told.split("  ") == [f"{name} {count}" for name, count in calls.items()]
