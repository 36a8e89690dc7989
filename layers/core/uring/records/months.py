"""A month of the archive: the object at its address, and immutable earlier files. Pure.

    202603.jsonl ─ earlier ─► 202603.{digest}.jsonl ─ earlier ─► 202603.{digest}.jsonl

Lines are appended to the object at the month's address until it is full. Then its older half is
closed: it becomes a file of its own, named by the hash of its bytes, and the first remaining line
names that file in ``earlier``. So the cost of an append is bounded by `MONTH_BYTES`, no matter how
long the month is. A reader that follows ``earlier`` gets each line once: a file is written before
a line names it.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MONTH_BYTES: Final = 512 * 1024
"""The largest object at a month's address, some 1,100 lines: twice the month of a busy board."""

_ID: Final = b'{"event_id":"'
_DETECTED: Final = re.compile(
    rb'^\{"event_id":"[^"\n]*","kind":"[^"\n]*","detected_at":"([^"\n]*)"', re.MULTILINE
)
_FILE: Final = re.compile(r"[0-9]{6}\.[0-9a-f]{32}\.jsonl")


class Earlier(NamedTuple):
    """A link to the file with the lines before those of an object.

    Attributes:
        file: its name, in the same folder.
        until: the latest ``detected_at`` of its lines and of all earlier ones.
    """

    file: str
    until: str


class ArchiveMonth(NamedTuple):
    """A month after an append.

    Attributes:
        body: of the object at its address.
        closed: a file to write before the body; empty if the append had room.
        file: its name; empty without ``closed``.
    """

    body: bytes
    closed: bytes = b""
    file: str = ""


def event_ids(body: bytes) -> frozenset[str]:
    """Return the event ids of archive lines; other lines are skipped.

    A line break inside a JSON string is escaped, so no title can look like the start of a line.
    """
    ids, at = [], 0
    while at < len(body):
        end = body.find(b"\n", at) + 1 or len(body)
        if body.startswith(_ID, at):
            first = at + len(_ID)
            ids.append(body[first : body.find(b'"', first, end)])
        at = end
    return frozenset(each.decode(errors="replace") for each in ids)


def earlier(body: bytes) -> Earlier | None:
    """Return the link to the earlier file; None if the first line has no valid one."""
    try:
        link = json.loads(body[: body.find(b"\n")])["earlier"]
        found = Earlier(str(link["file"]), str(link["until"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    # The file name becomes part of a key.
    return found if _FILE.fullmatch(found.file) else None


def appended(month: str, body: bytes, lines: Sequence[bytes]) -> ArchiveMonth:
    """Return the month with the lines appended; the lines of one append stay in one object.

    A last line without its newline (a hand edit) gets one.

    Args:
        month: ``YYYYMM``.
        body: of the object at its address; empty for a missing object.
        lines: whole JSON objects, each with its newline; at least one.
    """
    if body and not body.endswith(b"\n"):
        body += b"\n"
    added = b"".join(lines)
    if not body or len(body) + len(added) <= MONTH_BYTES:
        return ArchiveMonth(body + added)
    # Half stays: a reader that ignores ``earlier`` still sees the latest lines of the month.
    kept = _last_lines(body, min(MONTH_BYTES // 2, MONTH_BYTES - len(added)))
    closed = body[: len(body) - len(kept)]
    link = Earlier(_name(month, closed), _until(closed))
    return ArchiveMonth(_linked(kept + added, link), closed, link.file)


def _last_lines(body: bytes, most: int) -> bytes:
    """Return the last whole lines within ``most`` bytes; empty if the first cannot hold a link."""
    if most <= 0:
        return b""
    lines = body[body.find(b"\n", len(body) - most - 1) + 1 :]
    try:
        first = json.loads(lines[: lines.find(b"\n")])
    except (ValueError, RecursionError):
        return b""
    return lines if first and isinstance(first, dict) else b""


def _name(month: str, body: bytes) -> str:
    """Return a file's name: the month and the hash of its body."""
    return f"{month}.{hashlib.sha256(body).hexdigest()[:32]}.jsonl"


def _until(body: bytes) -> str:
    before = earlier(body)
    times = [str(time[1], "ascii", "replace") for time in _DETECTED.finditer(body)]
    return max([*times, before.until if before else ""])


def _linked(body: bytes, link: Earlier) -> bytes:
    """Return the lines with the link added to the first one; the others stay byte for byte."""
    first, _, rest = body.partition(b"\n")
    named = json.dumps({"earlier": link._asdict()}, separators=(",", ":")).encode()
    return first.rstrip()[:-1] + b"," + named[1:] + b"\n" + rest
