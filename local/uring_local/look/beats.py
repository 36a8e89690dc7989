"""The last checks of a source, as its ``health.json`` has them, in characters of a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.text import Text

from uring.changes.history.beats import MOST_BEATS, Beat
from uring.clock import parse_timestamp
from uring_local.words import counted, printable

MARKS: Final = {"unchanged": ".", "changed": "+", "failed": "x", "suspect": "?", "baseline": "o"}
"""A character for each outcome: they differ without colours, too."""

_STYLES: Final = {
    "unchanged": "green",
    "changed": "cyan",
    "failed": "bold red",
    "suspect": "bold yellow",
    "baseline": "cyan",
}
_MOST_REASON: Final = 60


def beats_in(body: bytes) -> list[Beat]:
    """Return the beats of a ``health.json``, the oldest first; malformed ones are left out."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return []
    found = document.get("beats") if isinstance(document, dict) else None
    return [*_read(found if isinstance(found, list) else [])][-MOST_BEATS:]


def bar(beats: Sequence[Beat], width: int) -> Text:
    """Return the last beats in this number of characters, the newest at the right."""
    shown = beats[-width:] if width > 0 else ()
    text = Text(" " * (width - len(shown)))
    for beat in shown:
        text.append(MARKS[beat.outcome], style=_STYLES[beat.outcome])
    return text


def told(beat: Beat) -> Text:
    """Return a beat in a line: when, its outcome, its reason, its rows, how long the site took."""
    parts = [
        f"{beat.at:%Y-%m-%dT%H:%M:%SZ} ",
        beat.outcome,
        printable(beat.reason),
        counted(beat.changes, "change") if beat.changes else "",
        "" if beat.rows is None else counted(beat.rows, "row"),
        f"{beat.milliseconds:,} ms" if beat.milliseconds else "",
    ]
    style = _STYLES[beat.outcome]
    return Text(f"{MARKS[beat.outcome]} ", style).append("  ".join(filter(None, parts)))


def _read(documents: Sequence[Any]) -> Iterator[Beat]:
    for each in documents[-MOST_BEATS:]:
        if not isinstance(each, dict) or each.get("outcome") not in MARKS:
            continue
        try:
            at = parse_timestamp(each["at"])
        except (KeyError, TypeError, ValueError):
            continue
        reason = each.get("reason")
        yield Beat(
            at,
            each["outcome"],
            _number(each.get("ms")) or 0,
            _number(each.get("rows")),
            _number(each.get("changes")) or 0,
            reason[:_MOST_REASON] if isinstance(reason, str) else "",
        )


def _number(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
