"""The loop of `uring top`: keys and answers in, screens out.

Two threads ask AWS, one for refreshes and one for commands, so that no key waits for an answer.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from queue import Empty, SimpleQueue
from typing import Final

from rich.console import Console

from uring.clock import system_clock
from uring_local.look.show import show
from uring_local.queues.show import show_pairs
from uring_local.top.model import Action, ViewState, name_of
from uring_local.top.press import press
from uring_local.top.screen import draw, fit
from uring_local.top.terminal import ENDS, Bell, Received, Terminal, is_usable, taken
from uring_local.top.work import Reader, ViewChange, act

# Ages grow on the screen.
_DRAWN_SECONDS: Final = 1.0


def watch(stack: str, every_seconds: int) -> bool:
    """Show a stack until a key or a signal ends it; without a terminal print it once.

    Args:
        stack: its name.
        every_seconds: the pause between two refreshes.

    Returns:
        False if it was printed, and a source needs a look.

    Raises:
        Misconfigured: no such stack, access is denied, or it has no index yet.
        Unavailable: AWS did not answer.
        KeyboardInterrupt: Ctrl-C has ended it.
        SystemExit: another signal has ended it.
    """
    reader = Reader(stack)
    seen = reader.read()
    console = Console(file=sys.stdout, highlight=False)
    if not is_usable(console):
        show_pairs(seen.pairs)
        print()
        show(seen.index.sources, len(seen.index.sources), system_clock())
        return not any(source.needs_look for source in seen.index.sources)
    bell = Bell()
    view = LiveStack(ViewState.first(stack, seen), reader, every_seconds, bell)
    ended: int = signal.SIGTSTP
    while ended == signal.SIGTSTP:
        with taken(console, bell) as terminal:
            ended = view.run(terminal)
        if ended == signal.SIGTSTP:
            # Not SIGTSTP again: the shell has the terminal of before by now, and waits.
            os.kill(os.getpid(), signal.SIGSTOP)
    if ended == signal.SIGINT:
        raise KeyboardInterrupt
    if ended:
        raise SystemExit(128 + ended)
    return True


class TaskThread:
    """A thread that does one task after the other; the view collects what they yield.

    Args:
        bell: is rung for each answer.
    """

    def __init__(self, bell: Bell) -> None:
        self._bell = bell
        self._tasks: SimpleQueue[Iterator[ViewChange]] = SimpleQueue()
        self._answers: SimpleQueue[ViewChange | Exception | None] = SimpleQueue()
        self._under_way = 0
        threading.Thread(target=self._work, daemon=True).start()

    @property
    def is_idle(self) -> bool:
        """Whether all tasks are done, and what they yielded is collected."""
        return self._under_way == 0

    def do(self, task: Iterator[ViewChange]) -> None:
        """Do a task as soon as the one before it is done."""
        self._under_way += 1
        self._tasks.put(task)

    def collect(self, state: ViewState) -> ViewState:
        """Return the view after the answers that have come; raise what a task has raised."""
        while True:
            try:
                answer = self._answers.get_nowait()
            except Empty:
                return state
            if isinstance(answer, Exception):
                raise answer
            if answer is None:
                self._under_way -= 1
            else:
                state = answer(state)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                for answer in task:
                    self._answers.put(answer)
                    self._bell.ring()
            except Exception as error:  # noqa: BLE001 a bug ends the view, whose thread raises it
                self._answers.put(error)
            # The end of the task.
            self._answers.put(None)
            self._bell.ring()


class LiveStack:
    """The view, from one key or answer to the next.

    Args:
        state: at its beginning.
        reader: of the stack.
        every_seconds: the pause between two refreshes.
        bell: wakes it.
        clock: seconds since any beginning.
    """

    def __init__(
        self,
        state: ViewState,
        reader: Reader,
        every_seconds: float,
        bell: Bell,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._state = state
        self._reader = reader
        self._every = every_seconds
        self._clock = clock
        self._due: float | None = clock() + every_seconds
        self._reads, self._commands = TaskThread(bell), TaskThread(bell)

    def run(self, terminal: Terminal) -> int:
        """Show the view on a terminal; return the signal that ended it, 0 for the key."""
        # A line printed by other code would tear the screen.
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            while True:
                self._state = self._commands.collect(self._reads.collect(self._state))
                self._draw(terminal)
                self._refresh()
                heard = terminal.hear(_DRAWN_SECONDS)
                if (ended := self._press(heard)) is not None:
                    return ended

    def _draw(self, terminal: Terminal) -> None:
        now, (width, height) = system_clock().astimezone(), terminal.size
        self._state = fit(self._state, width, height, now)
        terminal.draw(draw(self._state, width, height, now))

    def _refresh(self) -> None:
        """Begin a refresh if it is due, or read the beats of rows that have just come up."""
        if not self._reads.is_idle:
            return
        shown = self._state.on_screen
        if self._due is None:
            self._due = self._clock() + self._every
        if self._clock() >= self._due:
            self._due = None
            self._reads.do(self._reader.refresh(shown))
        elif not self._state.missed:
            known = self._state.seen.beats
            if unknown := [each for each in shown if name_of(each) not in known]:
                self._reads.do(self._reader.fill(unknown))

    def _press(self, heard: Received) -> int | None:
        """Take what was heard; return what ends the view, None if nothing does."""
        for key in heard.keys:
            now = system_clock().astimezone()
            self._state, action = press(self._state, key, now)
            if action is None:
                continue
            if action.kind == "quit":
                return 0
            self._do(action)
        ended = [each for each in (*ENDS, signal.SIGTSTP) if each in heard.signals]
        return ended[0] if ended else signal.SIGHUP if heard.is_gone else None

    def _do(self, action: Action) -> None:
        if action.source is None:
            self._due = self._clock()
        else:
            self._commands.do(act(action, action.source, self._state.stack))
