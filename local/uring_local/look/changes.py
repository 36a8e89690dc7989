"""The newest changes of a source, each with its difference, as the archive has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rich.console import Group
from rich.text import Text

from uring.objects import Objects
from uring_local.entries.diff import differences
from uring_local.operate.archive_lines import Line, first_moment, lines_of, under_new_ids
from uring_local.words import counted, printable

_MOST: Final = 50
_FIRST: Final = "baseline"


@dataclass(frozen=True, slots=True)
class ArchivedChange:
    """A revision of a record, and the one before it; None where the archive read has none."""

    line: Line
    before: Line | None


def newest_changes(objects: Objects, source: str, now: datetime) -> list[ArchivedChange]:
    """Return the last changes of a source, the newest first; records of a first check are none."""
    known: dict[str, Line] = {}
    found = []
    for line in under_new_ids(lines_of(objects, source, now)):
        if line.kind != _FIRST:
            found.append(ArchivedChange(line, known.get(line.id)))
        known[line.id] = line
    return found[: -_MOST - 1 : -1]


def report(changes: Sequence[ArchivedChange], now: datetime) -> Group:
    """Return the changes for people."""
    if not changes:
        return Group(Text(f"no change since {first_moment(now)}"))
    return Group(*(_told(each) for each in changes))


def _told(change: ArchivedChange) -> Text:
    line, before = change.line, change.before
    push = ", pushed" if line.push else ""
    text = Text(printable(f"{line.detected_at}  "))
    text.append(printable(line.kind), "bold").append(push)
    text.append(printable(f"  {line.id}, revision {line.revision}"), "dim")
    text.append("\n" + printable(line.content.get("title") or ""))
    if before is not None:
        names = {**before.content, **line.content}
        text.append_text(differences(before.content, line.content, names))
    elif line.revision > 1:
        older = counted(line.revision - 1, "older revision")
        text.append(f"\n{older} of it not in the months that were read", "dim")
    return text.append("\n")
