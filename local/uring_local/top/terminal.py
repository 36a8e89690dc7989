"""A terminal that is taken for a view, and given back whatever ends it.

Signals are read as the keys are, so that none interrupts the way back. Lines do not wrap: a letter
that the terminal makes wider than expected spoils its own line alone.
"""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console, Group
from rich.text import Text

from uring_local.top.keys import Keys

ENDS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end a program."""

_TAKEN: Final = (*ENDS, signal.SIGTSTP, signal.SIGWINCH)
_NO_WRAP: Final = "\x1b[?7l"
_WRAP: Final = "\x1b[?7h"
_CHUNK: Final = 4096
# The rest of a key of several bytes follows at once, even from far.
_REST_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Received:
    """What came in: keys, signals, and whether the terminal is gone."""

    keys: Sequence[str] = ()
    signals: frozenset[int] = frozenset()
    is_gone: bool = False


class Bell:
    """A pipe that wakes the view: signals and other threads write to it.

    It stays open as long as the process: a thread may ring it after the view has ended.
    """

    def __init__(self) -> None:
        self.out, self.rope = os.pipe()
        os.set_blocking(self.rope, False)

    def ring(self) -> None:
        """Wake the view, from any thread."""
        # A full pipe wakes it, too.
        with suppress(BlockingIOError):
            os.write(self.rope, b"\0")

    def heard(self) -> frozenset[int]:
        """Return the signals since the last call; it blocks without a ring."""
        return frozenset(os.read(self.out, _CHUNK)) - {0}


class Terminal:
    """A terminal for a view.

    Args:
        console: writes to it.
        keyboard: the descriptor that its keys come from.
        bell: ends a wait.
    """

    def __init__(self, console: Console, keyboard: int, bell: Bell) -> None:
        self._console = console
        self._keyboard = keyboard
        self._bell = bell
        self._keys = Keys()

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in cells."""
        return self._console.size

    def draw(self, lines: Sequence[Text]) -> None:
        """Show these lines from the top."""
        self._console.update_screen(Group(*lines))

    def hear(self, seconds: float) -> Received:
        """Wait for a key, a signal or a ring of the bell, this long at most."""
        ready, _, _ = select.select([self._keyboard, self._bell.out], [], [], seconds)
        signals = self._bell.heard() if self._bell.out in ready else frozenset()
        if self._keyboard not in ready:
            return Received(signals=signals)
        keys, is_gone = self._read()
        if self._keys.is_waiting:
            rest = select.select([self._keyboard], [], [], _REST_SECONDS)[0]
            more, is_gone = self._read() if rest else (self._keys.flush(), is_gone)
            keys += more
        return Received(keys, signals, is_gone)

    def _read(self) -> tuple[list[str], bool]:
        """Return the keys that have come, and whether the terminal is gone."""
        try:
            data = os.read(self._keyboard, _CHUNK)
        except OSError:
            data = b""
        return self._keys.feed(data), not data


def is_usable(console: Console) -> bool:
    """Return whether a view can be shown, and keys can be read."""
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and console.is_terminal
        and not console.is_dumb_terminal
    )


@contextmanager
def taken(console: Console, bell: Bell) -> Iterator[Terminal]:
    """Yield the terminal of the standard input for a block; give it back at its end."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    handlers: dict[int, Any] = {each: signal.signal(each, _pass) for each in _TAKEN}
    woken = signal.set_wakeup_fd(bell.rope, warn_on_full_buffer=False)
    try:
        tty.setcbreak(keyboard)
        with console.screen(hide_cursor=True), _unwrapped(console):
            yield Terminal(console, keyboard, bell)
    finally:
        # A terminal that is gone takes nothing back.
        with suppress(termios.error):
            termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)
        signal.set_wakeup_fd(woken)
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def _unwrapped(console: Console) -> Iterator[None]:
    console.file.write(_NO_WRAP)
    try:
        yield
    finally:
        with suppress(OSError):
            console.file.write(_WRAP)
            console.file.flush()


def _pass(*_: object) -> None:
    """Leave a signal to the bell."""
