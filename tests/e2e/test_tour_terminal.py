"""What docs/tour.md says of the terminal, read off a terminal of 80 by 24."""

import re
import signal
from collections.abc import Iterator

import pytest
import urllib3
from screen import Screen
from terminal import Terminal
from uring_command import BINARIES, ROOT

TOUR = " ".join((ROOT / "docs" / "tour.md").read_text("utf-8").split())
SENTENCES = (
    "After half a minute the terminal shows two addresses, in its first line, until the end.",
    "A tick comes every ten seconds, and the terminal counts down to it.",
    "Other kinds of sources have one line each, with the time on their simulated clocks.",
    "Press Ctrl-C once. The **verdict** compares what was stored and pushed",
)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal(
        [BINARIES / "uring", "run", "--in-process", "--family", "notices", "--seed", "7"]
    )
    yield made
    made.close()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_tour_says_of_the_terminal_what_is_tried_here(sentence: str) -> None:
    assert sentence in TOUR


def test_the_terminal_shows_what_the_tour_says(terminal: Terminal) -> None:
    """Addresses, countdown, a push with its title; after Ctrl-C the verdict, and its exit code."""
    client = terminal.until(r"client (http://127\.0\.0\.1:\d+/) ")
    page = terminal.until(rf"operator's page ({client}status/)")
    for address in (client, page):
        assert urllib3.request("GET", address, timeout=60, retries=False).status == 200
    terminal.until(r"tick \d+ in 0:0\d")
    terminal.until(r"pushed   nurisol_\w+ \w+: [가-힣0-9]")
    # They stand there as long as the run does, on its own screen and nowhere else.
    first, *_ = terminal.screen.lines
    assert terminal.screen.is_alternate
    assert (client in first, page in first) == (True, True)
    terminal.run.send_signal(signal.SIGINT)
    terminal.until("ending after this tick")
    terminal.to_the_end()
    assert re.search(r"notices +\d+ +\d+ +(\d+) of \1 .* all well", terminal.screen.text)
    assert terminal.run.returncode == 0


def test_a_screen_is_read_as_a_terminal_shows_it() -> None:
    """The model of the test itself: moving, erasing, wrapping, scrolling, wide letters."""
    screen = Screen(6, 2)
    screen.write("abc\r\ndefghij")
    assert screen.lines == ["defghi", "j"]
    screen.write("\x1b[?1049h\x1b[H\x1b]8;;http://x\x1b\\한글\x1b]8;;\x1b\\\x1b[1mx\x1b[0m")
    assert (screen.is_alternate, screen.lines) == (True, ["한글x", ""])
    screen.write("\x1b[2;2Hzz\x1b[1A\x1b[2K\x1b[?1049l")
    assert (screen.is_alternate, screen.lines) == (False, ["defghi", "j"])
