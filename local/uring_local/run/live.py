"""The live view of a run: one screen of a terminal, of any size.

addresses of the client and of the operator's page
headline: current step, time left, elapsed time
totals of the first family
table of its sources           the quietest rows are left out first
number of rows and lines left out
a line for each other family, with the time on its simulated clock
queues
news of the first family       the oldest lines are left out first, changes before pushes
"""

import io
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.style import Style
from rich.table import Table
from rich.text import Text

from uring_local.run.view import JsonView, PlainView, Scene, View, timed, trouble
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
# The head of the table and its rule.
_HEAD: Final = 2
_LEAST_NEWS: Final = 2
_NONE: Final[Mapping[str, int]] = MappingProxyType({})
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


@dataclass
class _Family:
    """The totals of a family, and its newest line."""

    checks: int = 0
    day: str = ""
    line: str = ""


class LiveView(PlainView):
    """A view on the terminal's second screen; at the end the whole table is printed below.

    Args:
        scene: the addresses, the sources, the simulated families.
        stop: set once the run is asked to end.
        clock: seconds since any beginning.
    """

    def __init__(
        self,
        console: Console,
        scene: Scene,
        stop: threading.Event,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(console, scene)
        self._rows = {(family, key): _Row(name) for family, key, name in scene.sources}
        self._families = {family: _Family() for family, _, _ in scene.sources}
        self._first = next(iter(self._families), "")
        self._stop = stop
        self._clock = clock
        self._depths: dict[str, tuple[Mapping[str, int], Mapping[str, int]]] = {}
        self._news: list[tuple[bool, str]] = []
        self._told = 0
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
            self._add(text)
        else:
            self._console.print(text, markup=False)

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:
        """See `View.event`."""
        name, family = event["event"], event["family"]
        row = self._rows.get((family, source_of(event)))
        if row is not None:
            self._count(family, row, event, figure)
        if name == "tick":
            self._tick = event["tick"]
            simulated = "simulated " if family in self._scene.simulated else ""
            at = datetime.fromisoformat(event["at"])
            self._families[family].day = f"{simulated}{at:%m-%d %H:%M}"
            return
        if name == "summary":
            # All further lines stay on the terminal.
            self.__exit__()
        if not self._live.is_started:
            if line:
                self.note(line)
        elif line and family == self._first:
            self._add(line, is_minor=figure == "changed")
        elif line:
            # Beside a simulated time the real one would confuse.
            told = line.removeprefix(timed(event, "  "))
            self._families[family].line = " ".join(told.split())

    def stage(self, text: str, until: float | None = None) -> None:
        """See `View.stage`."""
        self._stage = (text, until)

    def depths(
        self, family: str, depths: Mapping[str, int], expected: Mapping[str, int] = _NONE
    ) -> None:
        """See `View.depths`."""
        self._depths[family] = depths, expected

    def screen(self) -> Group:
        """Return the current screen, with at most the terminal's number of lines."""
        height = self._console.height
        # The newest line stays on the smallest terminal, then the addresses.
        top = [*self._addresses(), _line(self._headline(), "bold"), _line(self._totals())]
        top = top[: max(0, height - 1)]
        below = [*self._others(), self._queues()][: max(0, height - len(top) - 2)]
        room = height - len(top) - len(below) - 1
        for_table = room - _HEAD - max(_LEAST_NEWS, (room - _HEAD) // 3)
        shown = self._shown(for_table)
        if shown:
            room -= _HEAD + len(shown)
        news = self._newest(max(1, room))
        table = [self._table(shown)] if shown else []
        hidden = [_line(self._hidden(len(shown), len(news)), "dim")] if room > 0 else []
        return Group(*top, *table, *hidden, *below, *map(_line, news))

    def _all(self) -> Group:
        """Return the text that stays on the terminal at the end."""
        news = [text for _, text in self._news[-_NEWS_LEFT_BEHIND:]]
        return Group(
            _line(self._totals()),
            self._table([*self._rows]),
            _line(self._hidden(len(self._of_first()), len(news)), "dim"),
            *map(_line, news),
        )

    def _add(self, text: str, *, is_minor: bool = False) -> None:
        self._told += 1
        self._news = [*self._news, (is_minor, text)][-_MOST_NEWS:]

    def _newest(self, room: int) -> list[str]:
        """Return the newest lines in their order; changes give way to all others."""
        ranked = sorted(range(len(self._news)), key=lambda at: (self._news[at][0], -at))
        return [self._news[at][1] for at in sorted(ranked[:room])]

    def _count(self, family: str, row: _Row, event: Mapping[str, Any], figure: str) -> None:
        if figure == "checked":
            self._families[family].checks += 1
            row.outcome, row.trouble = outcome_of(event), trouble(event)
        row.changes += figure == "changed"
        row.pushes += figure == "pushed"
        if row.trouble or figure in ("changed", "pushed"):
            row.touched = self._tick + 1

    def _addresses(self) -> list[Text]:
        """Return the lines with both addresses whole: one, two without room, bare without more."""
        places = [("client", self._scene.client), ("operator's page", self._scene.status)]
        named = [_link(f"{name} ", url) for name, url in places]
        whole = Text(" · ", no_wrap=True).join(named)
        width = self._console.width
        if whole.cell_len <= width:
            return [whole]
        return [
            line if line.cell_len <= width else _link("", url)
            for line, (_, url) in zip(named, places, strict=True)
        ]

    def _headline(self) -> str:
        text, until = self._stage
        if until is not None:
            text += f" in {_minutes(max(0.0, until - self._clock()))}"
        parts = [text, f"{_minutes(self._clock() - self._began)} elapsed"]
        if len(self._families) == 1 and self._first in self._scene.simulated:
            parts.append(self._families[self._first].day)
        if self._stop.is_set():
            parts.append("ending after this tick, Ctrl-C: at once")
        return " · ".join(part for part in parts if part)

    def _totals(self) -> str:
        checks = self._families[self._first].checks if self._first else 0
        changes, pushes = self._counts(self._first)
        named = f"{self._first}: " if len(self._families) > 1 else ""
        text = f"{named}{counted(checks, 'check')}, {counted(changes, 'change')} stored, "
        text += f"{pushes:,} pushed"
        whole = f"{text} (not pins, not first reads)"
        return whole if len(whole) <= self._console.width else text

    def _counts(self, family: str) -> tuple[int, int]:
        rows = [row for (name, _), row in self._rows.items() if name == family]
        return sum(row.changes for row in rows), sum(row.pushes for row in rows)

    def _others(self) -> list[Text]:
        """Return a line for each other family: the time on its clock, its totals, its news."""
        width = max(map(len, self._families), default=0)
        lines = []
        for family, its in self._families.items():
            if family == self._first:
                continue
            changes, pushes = self._counts(family)
            told = [its.day, f"{counted(changes, 'change')}, {pushes:,} pushed", its.line]
            lines.append(_line(f"{family:{width}} {' · '.join(filter(None, told))}", "dim"))
        return lines

    def _hidden(self, rows: int, news: int) -> str:
        left = [
            (len(self._of_first()) - rows, "quiet source"),
            (self._told - news, "earlier line"),
        ]
        texts = [counted(count, noun) for count, noun in left if count]
        return f"not shown: {', '.join(texts)}" if texts else ""

    def _of_first(self) -> list[tuple[str, str]]:
        return [key for key in self._rows if key[0] == self._first]

    def _shown(self, room: int) -> list[tuple[str, str]]:
        """Return the keys of the first family's latest `room` rows, in the table's order."""
        keys = self._of_first()
        latest = sorted(keys, key=lambda key: self._rows[key].touched, reverse=True)
        chosen = {*latest[: max(0, room)]}
        return [key for key in keys if key in chosen]

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
        """Return the line of the queues: dead letters that the site caused are no alarm."""
        waiting: list[str] = []
        dead: list[str] = []
        caused = 0
        for family, (depths, expected) in self._depths.items():
            for name, depth in depths.items():
                due = min(depth, expected.get(name, 0))
                caused += due
                shown = f"{family} {name}" if name.startswith("Notify") else name
                if depth > due:
                    (dead if "DeadLetter" in name else waiting).append(f" {shown} {depth - due} ")
        line = _line("waiting ").append("".join(dead), "bold red")
        line.append("".join(waiting) or ("" if dead else " nothing"), "dim")
        if caused:
            line.append(f" · {counted(caused, 'dead letter')}, as expected", "dim")
        return line


class _Lines(io.TextIOBase):
    """A stream that passes its lines to a view as notes."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def write(self, text: str) -> int:
        """Note each line of a text; the line feeds that `print` writes alone give no line."""
        for line in text.splitlines():
            self._note(line)
        return len(text)


def view_for(scene: Scene, stop: threading.Event, *, as_json: bool) -> View:
    """Return the view that fits the standard output: JSON, a terminal, or a pipe.

    Args:
        scene: the addresses, the sources, the simulated families.
        stop: set once the run is asked to end.
        as_json: whether machines read the output.
    """
    # The stream itself: a console that looks it up each time would draw into its own notes.
    console = Console(file=sys.stdout, highlight=False)
    if as_json:
        return JsonView(console, scene)
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveView(console, scene, stop)
    return PlainView(console, scene)


def _line(text: str, style: str = "") -> Text:
    """Return a text as one line, cut where the terminal ends."""
    # A title comes from a foreign site: characters that move the cursor, or change the reading
    # direction, are not shown.
    shown = "".join(char if char.isprintable() else " " for char in text)
    return Text(shown, style=style, overflow="ellipsis", no_wrap=True)


def _link(before: str, url: str) -> Text:
    """Return an address as a link, where the terminal can; a narrow terminal cuts it."""
    line = Text(before, overflow="ellipsis", no_wrap=True)
    return line.append(url, Style(link=url))


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
