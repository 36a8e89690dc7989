"""The table of sources, in the columns that a terminal has room for. Pure."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from unicodedata import normalize

from rich.text import Text

from uring.clock import parse_timestamp
from uring_local.look.beats import bar
from uring_local.look.index import IndexedSource
from uring_local.look.show import health, seconds_since, style, text_of
from uring_local.queues.show import age
from uring_local.top.model import ViewState, name_of
from uring_local.words import printable

_MOST_TEXT: Final = 400
_MARK: Final = 2
_LEAST_SOURCE: Final = 8
_LEAST_HEALTH: Final = 8
_MOST_HEALTH: Final = 40
_MOST_BEATS: Final = 96
# The least cells of each further column; the first ones are the last to be left out.
_NARROW: Final = {"failures": 4, "beats": 6, "success": 7, "pace": 7}
# As in the live view of a run.
_NAMES_FROM: Final = 100


@dataclass(frozen=True, slots=True)
class Columns:
    """The widths of the table in cells; 0 leaves a column out."""

    source: int
    health: int
    failures: int = 0
    beats: int = 0
    success: int = 0
    pace: int = 0
    name: int = 0


def columns_of(state: ViewState, width: int) -> Columns:
    """Return the columns for a width in cells."""
    longest = max((len(each.id) for each in state.sources), default=0)
    source = max(_LEAST_SOURCE, min(longest, width * 3 // 10))
    left = width - _MARK - source - 1 - _LEAST_HEALTH
    found = Columns(source, _LEAST_HEALTH)
    for name, least in _NARROW.items():
        if left > least:
            found, left = replace(found, **{name: least}), left - least - 1
    if width >= _NAMES_FROM:
        found, left = replace(found, name=width // 5), left - width // 5 - 1
    left = max(0, left)
    # The end of a pause fits in 24 cells.
    health = min(max(left // 2, 24 - _LEAST_HEALTH) if found.beats else left, left)
    health = min(health, _MOST_HEALTH - _LEAST_HEALTH)
    beats = min(found.beats + left - health, _MOST_BEATS) if found.beats else 0
    return replace(found, health=found.health + health, beats=beats)


def head(columns: Columns) -> Text:
    """Return the names of the columns."""
    cells = [
        ("source", columns.source, False),
        ("name", columns.name, False),
        ("how", columns.health, False),
        ("last checks" if columns.beats >= len("last checks") else "checks", columns.beats, True),
        ("row", columns.failures, True),
        ("success", columns.success, True),
        ("every", columns.pace, True),
    ]
    line = Text(" " * _MARK, "dim")
    for text, width, is_right in cells:
        if width:
            line.append_text(_cell(text, width, is_right=is_right))
    return line


def row(state: ViewState, at: int, columns: Columns, now: datetime) -> Text:
    """Return the row of a source: its place among the rows names it."""
    source = state.rows[at]
    # The style is that of the whole row.
    line = Text("> ", "reverse") if at == state.at else Text("  ")
    line.append_text(_cell(source.id, columns.source))
    if columns.name:
        line.append_text(_cell(text_of(source.entry, "name"), columns.name, "dim"))
    line.append_text(_cell(_health(source, now), columns.health, style(source)))
    if columns.beats:
        beats = state.seen.beats.get(name_of(source), ())
        line.append_text(bar(beats, columns.beats)).append(" ")
    seconds = seconds_since(source.entry.get("last_success"), now)
    for text, width in (
        (f"{source.failures:,}" if source.failures else "", columns.failures),
        ("never" if seconds is None else age(int(seconds)), columns.success),
        (_pace(source), columns.pace),
    ):
        if width:
            line.append_text(_cell(text, width, is_right=True))
    return line


def line_of(text: str, style: str = "") -> Text:
    """Return a text that cannot control the terminal, as one line."""
    # NFC: one character for a syllable that comes in parts.
    return Text(printable(normalize("NFC", text[:_MOST_TEXT])), style, no_wrap=True)


def _health(source: IndexedSource, now: datetime) -> str:
    """Return how a source is, beginning with its pause, in the zone of `now`."""
    words = health(source)
    try:
        until = parse_timestamp(source.entry["paused_until"])
    except (KeyError, TypeError, ValueError):
        return words
    return f"paused to {until.astimezone(now.tzinfo):%m-%d %H:%M}, {words}"


def _pace(source: IndexedSource) -> str:
    minutes = source.entry.get("interval_minutes")
    if not isinstance(minutes, int):
        return ""
    return f"{'~' if 'rhythm' in source.entry else ''}{age(minutes * 60)}"


def _cell(text: str, width: int, style: str = "", *, is_right: bool = False) -> Text:
    """Return a text in this number of cells, and a space."""
    cell = line_of(text, style)
    cell.truncate(width, overflow="ellipsis")
    pad = " " * (width - cell.cell_len)
    return Text.assemble(pad if is_right else "", cell, "" if is_right else pad, " ")
