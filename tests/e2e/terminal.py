"""A command on a terminal: what it shows, the keys that it gets, how it ends."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from screen import Screen
from uring_command import ROOT, environment

SECONDS = 240


class Terminal:
    """A command on a terminal of a size.

    Args:
        command: its words.
        width: in cells.
        height: in lines.
        more: variables of the command.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        width: int = 80,
        height: int = 24,
        more: Mapping[str, str] | None = None,
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.screen = Screen(width, height)
        self.written = ""
        self._rest = ""
        size = {"TERM": "xterm-256color", "COLUMNS": str(width), "LINES": str(height)}
        self.run = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment() | size | (more or {}),
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
        )

    def press(self, keys: str) -> None:
        """Send keys."""
        os.write(self.master, keys.encode())

    def until(self, pattern: str) -> str:
        """Read until the screen shows a pattern; return its first group, or all of it."""
        deadline = time.monotonic() + SECONDS
        while not (found := re.search(pattern, self.screen.text)):
            left = deadline - time.monotonic()
            assert left > 0, self.screen.text
            assert self._read(left), self.screen.text
        return found[found.lastindex or 0]

    def to_the_end(self) -> None:
        """Read until the command has ended, and all that is left."""
        deadline = time.monotonic() + SECONDS
        while self.run.poll() is None and time.monotonic() < deadline:
            self._read(0.2)
        self.run.wait(0)
        self.drain()

    def drain(self) -> None:
        """Read all that was written."""
        while self._read(0):
            pass

    def close(self) -> None:
        """Give up the command, if it still runs, and the terminal."""
        if self.run.poll() is None:
            self.run.kill()
            self.run.wait()
        os.close(self.master)
        os.close(self.slave)

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        chunk = os.read(self.master, 65_536)
        text = chunk.decode(errors="replace")
        self.written += text
        self._rest += text
        # A sequence may be cut anywhere: what follows the last escape waits for more.
        whole, mark, last = self._rest.rpartition("\x1b")
        self.screen.write(whole)
        self._rest = mark + last
        return bool(chunk)
