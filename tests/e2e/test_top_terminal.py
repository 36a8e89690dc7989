"""`uring top` on a terminal: every key, every end, and the terminal as it was."""

import os
import signal
import sys
import termios
from collections.abc import Iterator
from typing import Any

import pytest
from terminal import Terminal
from uring_command import ROOT
from watched_stack import ENVIRONMENT, STACK

COMMAND = [sys.executable, ROOT / "tests" / "watched_stack.py", "top", "--stack", STACK]
KEYS = r"r check  p pause  d diff"
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
HIDDEN, SHOWN, UNWRAPPED, WRAPPED = "\x1b[?25l", "\x1b[?25h", "\x1b[?7l", "\x1b[?7h"


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """The view of a stack with one checked board, and a broken one."""
    width, height, *more = getattr(request, "param", (80, 24))
    made = Terminal([*COMMAND, *more], width, height, ENVIRONMENT)
    yield made
    made.close()


def attributes(terminal: Terminal) -> Any:
    return termios.tcgetattr(terminal.slave)


def assert_given_back(terminal: Terminal, before: Any) -> None:
    terminal.to_the_end()
    assert attributes(terminal) == before
    for begin, end in ((ENTERED, LEFT), (HIDDEN, SHOWN), (UNWRAPPED, WRAPPED)):
        assert terminal.written.rfind(begin) < terminal.written.rfind(end)
    assert not terminal.screen.is_alternate


def test_every_key_does_what_the_help_says(terminal: Terminal) -> None:
    before = attributes(terminal)
    terminal.until(KEYS)
    assert terminal.until(r"(1) of 2 sources needs a look · read \d")
    terminal.until(r"queues  NoticeQueue 0")
    assert terminal.until(r"\n  cs +ok +(\S+) +50 min  10 min") == "o.+x"
    terminal.press("j\r")
    terminal.until(r"name +컴퓨터공학과")
    terminal.press("qd")
    terminal.until(r"title: 장학금 신청 → 장학금 신청 연장")
    terminal.press("q?")
    terminal.until(r"pause it, as `uring pause`")
    terminal.press("qr")
    terminal.until("cs: its job is sent")
    terminal.press("\x0c")
    terminal.until("queues  NoticeQueue 1")
    terminal.press("p")
    terminal.until(r"until \[20\d\d-.*\]_  Enter pauses it")
    terminal.press("tomorrow\r")
    terminal.until("--until 'tomorrow' is not a day")
    terminal.press("p\r")
    terminal.until("cs is paused until")
    assert "paused to" in terminal.until(r"\n> cs .*")
    terminal.press("r")
    terminal.until("`uring resume` ends it")
    terminal.press("p")
    terminal.until("resume cs: it is asked at its next tick")
    terminal.press("\r")
    terminal.until("cs: it is asked at its next tick")
    terminal.press("/nothing")
    terminal.until("/nothing_  0 shown")
    terminal.press("\x1b[A\x1b")
    terminal.until(r"\n> \S+ ")
    terminal.press("q")
    assert_given_back(terminal, before)
    assert terminal.run.returncode == 0


@pytest.mark.parametrize("terminal", [(20, 5, "--every", "1")], indirect=True)
def test_a_small_terminal_is_refreshed_and_hostile_texts_leave_each_line_in_its_place(
    terminal: Terminal,
) -> None:
    terminal.until("> bad")
    terminal.press("jr")
    terminal.until("cs: its job is sent")
    assert terminal.screen.lines[0].startswith("uring-watched")
    assert terminal.screen.lines[1].startswith("  bad")
    assert terminal.screen.lines[2].startswith("> cs")
    for hostile in ("\x1b[2J", "\x1b]0", "\u202e"):
        assert hostile not in terminal.written
    terminal.press("q")
    terminal.to_the_end()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_the_terminal_is_given_back_at_any_end(
    terminal: Terminal, number: signal.Signals, code: int
) -> None:
    before = attributes(terminal)
    terminal.until(KEYS)
    terminal.run.send_signal(number)
    assert_given_back(terminal, before)
    assert terminal.run.returncode == code


def test_a_view_that_is_stopped_gives_the_terminal_back_and_takes_it_again(
    terminal: Terminal,
) -> None:
    before = attributes(terminal)
    terminal.until(KEYS)
    terminal.run.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(terminal.run.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert attributes(terminal) == before
    terminal.drain()
    assert not terminal.screen.is_alternate
    terminal.run.send_signal(signal.SIGCONT)
    terminal.until(KEYS)
    terminal.press("q")
    assert_given_back(terminal, before)
    assert terminal.written.count(ENTERED) == terminal.written.count(LEFT) == 2


def test_a_dumb_terminal_gets_the_list_once() -> None:
    terminal = Terminal(COMMAND, more={**ENVIRONMENT, "TERM": "dumb"})
    try:
        terminal.to_the_end()
        assert ENTERED not in terminal.written
        assert "1 of 2 sources needs a look" in terminal.written
        assert terminal.run.returncode == 1
    finally:
        terminal.close()
