"""A run on a terminal, as it draws and as it ends."""

import os
import pty
import re
import signal
import subprocess
import threading

from uring_command import BINARIES, ROOT, environment

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"


def test_the_view_has_a_screen_of_its_own_and_who_ends_it_at_once_leaves_nothing_behind() -> None:
    """The stack's folder would be 200 MB after a deployment."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [BINARIES / "uring", "run", "--in-process", "--family", "notices", "--seed", "7"],
        cwd=ROOT,
        env=environment() | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ) as run:
        os.close(slave)
        patience = threading.Timer(120, run.kill)
        patience.start()
        shown = read_until(master, r"tick 2 in 0:0\d")
        (folder,) = (ROOT / ".uring").glob(f"stack-{run.pid}-*")
        run.send_signal(signal.SIGINT)
        shown += read_until(master, "ending after this tick")
        run.send_signal(signal.SIGINT)
        shown += read_until(master, "never")
        patience.cancel()
    assert run.returncode == 130
    assert shown.count(ENTERED) == shown.count(LEFT) == 1
    before, _, screen = shown.partition(ENTERED)
    assert "embedded stack" in before
    assert "14 checks" in screen.partition(LEFT)[0]
    # What stays is the table, on the terminal's own screen.
    assert "nurisol_cse" in screen.partition(LEFT)[2]
    assert not folder.exists()


def read_until(master: int, pattern: str) -> str:
    """What the terminal gets up to there, or until its last program is gone."""
    text = ""
    while not re.search(pattern, text):
        try:
            chunk = os.read(master, 65_536)
        except OSError:
            break
        if not chunk:
            break
        text += chunk.decode(errors="replace")
    return text
