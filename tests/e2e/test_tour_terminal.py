"""What docs/tour.md says of the terminal, read off a terminal of 80 by 24."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from typing import Final

import pytest
import urllib3
from reader.javascript import NODE
from screen import Screen
from terminal import Terminal
from uring_command import BINARIES, ROOT, environment

TOUR = " ".join((ROOT / "docs" / "tour.md").read_text("utf-8").split())
SENTENCES = (
    "After half a minute the terminal shows two addresses, in its first line, until the end.",
    "A tick comes every ten seconds, and the terminal counts down to it.",
    "Other kinds of sources have one line each, with the time on their simulated clocks.",
    "copy it into the second terminal, it works while the run goes on.",
    "Press Ctrl-C once. The **verdict** compares what was stored and pushed",
)

# A board of the seed below that answers at each of the first nineteen ticks.
BOARD: Final = "nurisol_cse"
RUNBOOK: Final = f"""
import {{ readFileSync }} from "node:fs";
import {{ advice, runOf }} from "{(ROOT / "web" / "status" / "runbook.js").as_uri()}";
const cut = {{ family: "departments", id: "{BOARD}", kind: "suspect", class: "structure" }};
const config = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(advice(cut, "NAME", runOf(config)).commands));
"""


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
    """Addresses, countdown, a push with its title; after Ctrl-C the verdict, and its exit code.

    In between the commands of the operator's page, which cost no other run here.
    """
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
    the_page_s_commands_find_the_run(client)
    terminal.run.send_signal(signal.SIGINT)
    terminal.until("ending after this tick")
    terminal.to_the_end()
    assert re.search(r"notices +\d+ +\d+ +(\d+) of \1 .* all well", terminal.screen.text)
    assert terminal.run.returncode == 0


def the_page_s_commands_find_the_run(client: str) -> None:
    """As they are copied into a second terminal, and `uring list` with the stack that they name."""
    tried, checked, uploaded = commands_of_page(client)
    rows = typed(tried)
    assert re.search(r"^ +1 │ \d+ +│ \d{4}-\d\d-\d\d │", rows, re.MULTILINE), rows
    assert typed(checked).endswith(": 14 sources are fine\n")
    stack = uploaded.partition(" --stack ")[2]
    # Pending until the monitor has run after the first check.
    listed = typed(f"uring list --stack {stack}")
    assert re.search(rf"^{BOARD} +(ok|pending) +", listed, re.MULTILINE), listed


def commands_of_page(client: str) -> list[str]:
    """The commands for a board that is suspect, by the page's own module and the run's places."""
    config = urllib3.request("GET", f"{client}config.json", timeout=60, retries=False).data
    module = [NODE, "--input-type=module", "--eval", RUNBOOK]
    commands = subprocess.run(module, input=config, capture_output=True, check=True, timeout=60)
    return [*json.loads(commands.stdout)]


def typed(line: str) -> str:
    """What a command shows, with its errors."""
    shell = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=ROOT,
        env=environment() | {"COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    return shell.stdout


def test_a_screen_is_read_as_a_terminal_shows_it() -> None:
    """The model of the test itself: moving, erasing, wrapping, scrolling, wide letters."""
    screen = Screen(6, 2)
    screen.write("abc\r\ndefghij")
    assert screen.lines == ["defghi", "j"]
    screen.write("\x1b[?1049h\x1b[H\x1b]8;;http://x\x1b\\한글\x1b]8;;\x1b\\\x1b[1mx\x1b[0m")
    assert (screen.is_alternate, screen.lines) == (True, ["한글x", ""])
    screen.write("\x1b[2;2Hzz\x1b[1A\x1b[2K\x1b[?1049l")
    assert (screen.is_alternate, screen.lines) == (False, ["defghi", "j"])
