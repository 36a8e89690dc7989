"""The live view of a run: one screen of a terminal, of any size.

headline: current step, time left, elapsed time
totals
table of the sources           the quietest rows are left out first
number of rows and lines left out
queues
news                           the oldest lines are left out first
"""

import io
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, Final, Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from uring_local.run.view import JsonView, PlainView, View, trouble
from uring_local.stack.event_log import outcome_of, source_of
from uring_local.words import counted

_STYLES: Final = {
    "changed": "green",
    "baseline": "cyan",
    "unchanged": "dim",
    "collected": "green",
    "unreachable": "yellow",
    "failed": "red",
    "suspect": "yellow",
    "dropped": "red",
}
# Kept for a terminal that grows.
_MOST_NEWS: Final = 200
_NEWS_LEFT_BEHIND: Final = 12
# Headline, totals, number left out, queues; then the head of the table and its rule.
_LINES_AROUND: Final = 4
_HEAD: Final = 2
_LEAST_NEWS: Final = 2
_NAMES_FROM: Final = 100


@dataclass
class _Row:
    """A source in the table."""

    name: str
    outcome: str = ""
    changes: int = 0
    pushes: int = 0
    trouble: str = ""
    touched: int = 0


class LiveView(PlainView):
    """A view on the terminal's second screen; at the end the whole table is printed below.

    Args:
        sources: family, id and name of each.
        stop: set once the run is asked to end.
        clock: seconds since any beginning.
    """

    def __init__(
        self,
        console: Console,
        sources: Sequence[tuple[str, str, str]],
        stop: threading.Event,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(console)
        self._rows = {(family, key): _Row(name) for family, key, name in sources}
        self._stop = stop
        self._clock = clock
        self._depths: dict[str, Mapping[str, int]] = {}
        self._news: list[str] = []
        self._told = 0
        self._checks = 0
        self._tick = 0
        self._stage: tuple[str, float | None] = ("", None)
        self._began = clock()
        self._exits = ExitStack()
        self._live = Live(
            console=console,
            get_renderable=self.screen,
            refresh_per_second=8,
            screen=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._exits.enter_context(self._live)
        # A line printed by other code would tear the screen.
        lines = _Lines(self.note)
        self._exits.enter_context(redirect_stdout(lines))
        self._exits.enter_context(redirect_stderr(lines))
        return self

    def __exit__(self, *_: object) -> None:
        if self._live.is_started:
            self._exits.close()
            self._console.print(self._all())

    def note(self, text: str) -> None:
        """See `View.note`."""
        if self._live.is_started:
            self._told += 1
            self._news = [*self._news, text][-_MOST_NEWS:]
        else:
            self._console.print(text, markup=False)

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:
        """See `View.event`."""
        name = event["event"]
        row = self._rows.get((event["family"], source_of(event)))
        if row is not None:
            self._count(row, event, figure)
        if name == "tick":
            self._tick = event["tick"]
            return
        if name == "summary":
            # All further lines stay on the terminal.
            self.__exit__()
        if line:
            self.note(line)

    def stage(self, text: str, until: float | None = None) -> None:
        """See `View.stage`."""
        self._stage = (text, until)

    def depths(self, family: str, depths: Mapping[str, int]) -> None:
        """See `View.depths`."""
        self._depths[family] = depths

    def screen(self) -> Group:
        """Return the current screen, with at most the terminal's number of lines."""
        room = self._console.height - _LINES_AROUND
        for_table = room - _HEAD - max(_LEAST_NEWS, (room - _HEAD) // 4)
        shown = self._shown(for_table)
        if shown:
            room -= _HEAD + len(shown)
        news = self._news[-room:] if room > 0 else []
        table = [self._table(shown)] if shown else []
        return Group(
            _line(self._headline(), "bold"),
            _line(self._totals()),
            *table,
            _line(self._hidden(len(shown), len(news)), "dim"),
            self._queues(),
            *map(_line, news),
        )

    def _all(self) -> Group:
        """Return the text that stays on the terminal at the end."""
        news = self._news[-_NEWS_LEFT_BEHIND:]
        return Group(
            _line(self._totals()),
            self._table([*self._rows]),
            _line(self._hidden(len(self._rows), len(news)), "dim"),
            *map(_line, news),
        )

    def _count(self, row: _Row, event: Mapping[str, Any], figure: str) -> None:
        if figure == "checked":
            self._checks += 1
            row.outcome, row.trouble = outcome_of(event), trouble(event)
        row.changes += figure == "changed"
        row.pushes += figure == "pushed"
        if row.trouble or figure in ("changed", "pushed"):
            row.touched = self._tick + 1

    def _headline(self) -> str:
        text, until = self._stage
        if until is not None:
            text += f" in {_minutes(max(0.0, until - self._clock()))}"
        parts = [text, f"{_minutes(self._clock() - self._began)} elapsed"]
        if self._stop.is_set():
            parts.append("ending after this tick, Ctrl-C: at once")
        return " · ".join(part for part in parts if part)

    def _totals(self) -> str:
        changes = sum(row.changes for row in self._rows.values())
        pushes = sum(row.pushes for row in self._rows.values())
        return (
            f"{counted(self._checks, 'check')}, {counted(changes, 'change')} stored, "
            f"{pushes} pushed (pins and first reads are not)"
        )

    def _hidden(self, rows: int, news: int) -> str:
        left = [
            (len(self._rows) - rows, "quiet source"),
            (self._told - news, "earlier line"),
        ]
        texts = [counted(count, noun) for count, noun in left if count]
        return f"not shown: {', '.join(texts)}" if texts else ""

    def _shown(self, room: int) -> list[tuple[str, str]]:
        """Return the keys of the latest `room` rows, in the table's order."""
        latest = sorted(self._rows, key=lambda key: self._rows[key].touched, reverse=True)
        chosen = {*latest[: max(0, room)]}
        return [key for key in self._rows if key in chosen]

    def _table(self, shown: Sequence[tuple[str, str]]) -> Table:
        width = self._console.width
        named = width >= _NAMES_FROM
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("id", no_wrap=True, max_width=width * 3 // 8)
        if named:
            table.add_column("source", no_wrap=True, max_width=width // 4)
        table.add_column("last check", no_wrap=True)
        table.add_column("changes", justify="right", no_wrap=True)
        table.add_column("pushes", justify="right", no_wrap=True)
        table.add_column("health", no_wrap=True)
        for key in shown:
            row = self._rows[key]
            style = _STYLES.get(row.outcome, "")
            table.add_row(
                key[1],
                *([Text(row.name, style="dim")] if named else []),
                Text(row.outcome or "…", style=style),
                str(row.changes),
                str(row.pushes),
                Text(row.trouble or "ok", style=style if row.trouble else ""),
            )
        return table

    def _queues(self) -> Text:
        line = _line("waiting ")
        busy = {
            (f"{family} {name}" if name.startswith("Notify") else name): depth
            for family, depths in self._depths.items()
            for name, depth in depths.items()
            if depth
        }
        for name, total in busy.items():
            line.append(f" {name} {total} ", "bold red" if "DeadLetter" in name else "dim")
        return line if busy else line.append(" nothing", "dim")


class _Lines(io.TextIOBase):
    """A stream that passes its lines to a view as notes."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def write(self, text: str) -> int:
        """Note each line of a text; the line feeds that `print` writes alone give no line."""
        for line in text.splitlines():
            self._note(line)
        return len(text)


def view_for(
    sources: Sequence[tuple[str, str, str]], stop: threading.Event, *, as_json: bool
) -> View:
    """Return the view that fits the standard output: JSON, a terminal, or a pipe.

    Args:
        sources: family, id and name of each row of a live table.
        stop: set once the run is asked to end.
        as_json: whether machines read the output.
    """
    # The stream itself: a console that looks it up each time would draw into its own notes.
    console = Console(file=sys.stdout, highlight=False)
    if as_json:
        return JsonView(console)
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveView(console, sources, stop)
    return PlainView(console)


def _line(text: str, style: str = "") -> Text:
    """Return a text as one line, cut where the terminal ends."""
    # A title comes from a foreign site: characters that move the cursor, or change the reading
    # direction, are not shown.
    shown = "".join(char if char.isprintable() else " " for char in text)
    return Text(shown, style=style, overflow="ellipsis", no_wrap=True)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
