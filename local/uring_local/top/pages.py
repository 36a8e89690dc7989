"""The pages of `uring top` that need no reading: the keys, and the details of a source. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from uring.changes.history.beats import Beat
from uring_local.look.beats import MARKS, told
from uring_local.look.index import IndexedSource
from uring_local.look.show import health, pace, seconds_since, style, text_of
from uring_local.words import duration, printable

_KEYS: Final = {
    "j k, arrows": "move; space and page keys by a screen, g and G to the ends",
    "r": "check the source again now, as `uring check`",
    "p": "pause it, as `uring pause`; resume a paused one. It asks first",
    "d": "the newest changes with their differences; of a suspect source the page that was "
    "refused, as `uring refused`",
    "Enter": "the details and the recorded checks of a source",
    "/": "filter by id, name, list and health; Esc shows all again",
    "Ctrl-L": "read again now",
    "q, Ctrl-C": "quit",
}
_COLUMNS: Final = {
    "how": "status and reason; red needs a look",
    "last checks": ", ".join(f"{mark} {outcome}" for outcome, mark in MARKS.items())
    + ". A quiet check is recorded about once a day",
    "row": "failures in a row",
    "success": "age of the last success",
    "every": "the longest time between two checks; ~ by its rhythm",
}
_TIMES: Final = ("since", "last_success", "last_change")
_FACTS: Final = (
    ("name", "name"),
    ("list", ""),
    ("address", "base_url"),
    ("topic", "topic"),
    ("class", "class"),
    ("since", "since"),
    ("last success", "last_success"),
    ("last change", "last_change"),
    ("silent since", "stale_since"),
    ("paused until", "paused_until"),
)
_MOST_PARTS: Final = 30


def help_page() -> Group:
    """Return the keys and the columns."""
    page = Table.grid(padding=(0, 2))
    for part in (_KEYS, {"": ""}, _COLUMNS):
        for name, means in part.items():
            page.add_row(Text(name, "bold", no_wrap=True), Text(means))
    return Group(page)


def details(source: IndexedSource, beats: Sequence[Beat], now: datetime) -> Group:
    """Return what is published of a source, and its recorded checks, the newest first."""
    entry = source.entry
    lines = [_fact("how", health(source), style(source))]
    if source.failures:
        lines.append(_fact("failures", f"{source.failures:,} in a row"))
    for label, name in _FACTS:
        value = text_of(entry, name) if name else printable(source.listed)
        seconds = seconds_since(entry.get(name), now) if name in _TIMES else None
        if value:
            ago = "" if seconds is None else f", {duration(seconds)} ago"
            lines.append(_fact(label, value + ago))
    lines.append(_fact("checked", pace(source)))
    lines += [_fact("remark", each) for each in _texts(entry.get("remarks"))]
    lines += _parts(source)
    checks = [told(beat) for beat in reversed(beats)] or [Text("none recorded")]
    return Group(*lines, Text(), Text("recorded checks", "bold"), *checks)


def _parts(source: IndexedSource) -> list[Text]:
    """Return a line for each failed part, such as an airport."""
    failed = source.entry.get("failed")
    parts = failed.items() if isinstance(failed, dict) else ()
    return [
        _fact(
            "failed part",
            f"{printable(str(name))}: {text_of(trouble, 'reason')} since "
            f"{text_of(trouble, 'since')}",
        )
        for name, trouble in [*parts][:_MOST_PARTS]
        if isinstance(trouble, dict)
    ]


def _texts(value: object) -> list[str]:
    found = value if isinstance(value, list) else []
    return [printable(each[:200]) for each in found[:_MOST_PARTS] if isinstance(each, str)]


def _fact(label: str, value: str, style: str = "") -> Text:
    return Text(f"{label:13} ").append(value, style)
