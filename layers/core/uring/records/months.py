"""A month of the archive: its address, and the files before it that never change. Pure.

    202603.jsonl ─ earlier ─► 202603.{digest}.jsonl ─ earlier ─► 202603.{digest}.jsonl

A month is appended to at its address until that is full. Then the older half of it is closed: it
becomes a file of its own, named by its bytes, and the first line that stays says in ``earlier``
which one. So an append costs at most what a full address costs, however much the month has. Who
reads the address and follows ``earlier`` has each line once: a file is there before it is named.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MONTH_BYTES: Final = 512 * 1024
"""The size of the object at a month's address, some 1,100 lines: twice what a busy board has."""

_ID: Final = b'{"event_id":"'
_DETECTED: Final = re.compile(
    rb'^\{"event_id":"[^"\n]*","kind":"[^"\n]*","detected_at":"([^"\n]*)"', re.MULTILINE
)
_FILE: Final = re.compile(r"[0-9]{6}\.[0-9a-f]{32}\.jsonl")


class Earlier(NamedTuple):
    """The lines before those of an object.

    Attributes:
        file: their name, beside the object.
        until: the latest ``detected_at`` of them and of all before them.
    """

    file: str
    until: str


class Month(NamedTuple):
    """A month after an append.

    Attributes:
        body: of the object at its address.
        closed: a file that has to be there before; empty where there was room.
        file: its name.
    """

    body: bytes
    closed: bytes = b""
    file: str = ""


def event_ids(body: bytes) -> frozenset[str]:
    """Return the ids of the events in some lines.

    A line break inside a JSON string is escaped: no title can pass for the begin of a line.
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
    """Return where the lines before an object's are; None where it has the first of its month."""
    try:
        link = json.loads(body[: body.find(b"\n")])["earlier"]
        found = Earlier(str(link["file"]), str(link["until"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    # A key is made of it.
    return found if _FILE.fullmatch(found.file) else None


def appended(month: str, body: bytes, lines: Sequence[bytes]) -> Month:
    """Return the month with some lines more; the lines of one append stay together.

    A last line without its newline (a hand edit) is closed, never joined.

    Args:
        month: ``YYYYMM``.
        body: of the object at its address, empty where there is none.
        lines: whole JSON objects, each with its newline; at least one.
    """
    if body and not body.endswith(b"\n"):
        body += b"\n"
    added = b"".join(lines)
    if not body or len(body) + len(added) <= MONTH_BYTES:
        return Month(body + added)
    # Half stays: a reader who knows no earlier files still sees the latest of the month.
    kept = _last_lines(body, min(MONTH_BYTES // 2, MONTH_BYTES - len(added)))
    closed = body[: len(body) - len(kept)]
    link = Earlier(_name(month, closed), _until(closed))
    return Month(_linked(kept + added, link), closed, link.file)


def _last_lines(body: bytes, most: int) -> bytes:
    """Return the last whole lines of so many bytes; none where the first can carry no link."""
    if most <= 0:
        return b""
    lines = body[body.find(b"\n", len(body) - most - 1) + 1 :]
    try:
        first = json.loads(lines[: lines.find(b"\n")])
    except (ValueError, RecursionError):
        return b""
    return lines if first and isinstance(first, dict) else b""


def _name(month: str, body: bytes) -> str:
    """Return a file's name: another body has another, and the same one the same."""
    return f"{month}.{hashlib.sha256(body).hexdigest()[:32]}.jsonl"


def _until(body: bytes) -> str:
    before = earlier(body)
    times = [str(time[1], "ascii", "replace") for time in _DETECTED.finditer(body)]
    return max([*times, before.until if before else ""])


def _linked(body: bytes, link: Earlier) -> bytes:
    """Return lines whose first one names the file before them; the others stay byte by byte."""
    first, _, rest = body.partition(b"\n")
    named = json.dumps({"earlier": link._asdict()}, separators=(",", ":")).encode()
    return first.rstrip()[:-1] + b"," + named[1:] + b"\n" + rest
