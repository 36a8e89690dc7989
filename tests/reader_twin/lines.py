"""Lines of an archive: JSON Lines in which anything may be broken."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

Line = dict[str, Any]
"""A record at a time: an item of ``latest.json``, or a line of the archive."""

_INSTANT: Final = re.compile(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII
)
_EARLIER: Final = re.compile(r"[0-9]{6}\.[0-9a-f]{32}\.jsonl")
# Records are flat; what is nested deeper than this is made to hurt.
_DEEPEST: Final = 16
_SAFE_INTEGER: Final = 2**53 - 1
_EXACT_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file of an archive.

    Attributes:
        lines: the records, in the file's order.
        broken: how many other lines there are.
        earlier: the name of the file beside this one that has the lines before, or None.
    """

    lines: list[Line]
    broken: int
    earlier: str | None


def parse_lines(text: Any) -> Parsed:
    """Parse a file of an archive.

    A line is a JSON object with an ``event_id``, an ``id`` and a ``revision``; every other one is
    counted as broken, a last line that was cut among them. Unknown fields stay.
    """
    lines: list[Line] = []
    broken = 0
    earlier = None
    for each in text.split("\n") if isinstance(text, str) else ():
        if not each.strip(" \t\r"):
            continue
        line = parsed(each)
        earlier = earlier or _name_of_earlier(line)
        if is_record(line) and is_name(line.get("event_id")):
            lines.append(line)
        else:
            broken += 1
    return Parsed(lines, broken, earlier)


def parsed(text: Any) -> Any:
    """Return a JSON value with numbers as JavaScript has them; None where it is none."""
    try:
        value = json.loads(text, parse_int=_number, parse_constant=_refused)
    except (ValueError, TypeError, RecursionError):
        return None
    return None if _is_deeper(value, _DEEPEST) else value


def is_record(value: Any) -> TypeGuard[Line]:
    """Return whether a value is a record: an object with an ``id`` and a ``revision`` from 1."""
    return (
        isinstance(value, dict) and is_name(value.get("id")) and _is_revision(value.get("revision"))
    )


def is_name(value: Any) -> TypeGuard[str]:
    """Return whether a value can name something: a string that is not empty."""
    return isinstance(value, str) and value != ""


def instant(value: Any) -> str:
    """Return a time that compares as text, ``2026-01-22T10:00:00Z``; "" where it is none."""
    return value if isinstance(value, str) and _INSTANT.fullmatch(value) else ""


def utf16(text: str) -> bytes:
    """Return what JavaScript orders a text by."""
    return text.encode("utf-16-be", "surrogatepass")


def _is_revision(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 1 <= value <= _SAFE_INTEGER and value == int(value)


def _number(text: str) -> float:
    return int(text) if len(text) <= _EXACT_DIGITS else float(text)


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _name_of_earlier(line: Any) -> str | None:
    link = line.get("earlier") if isinstance(line, dict) else None
    file = link.get("file") if isinstance(link, dict) else None
    # An address is made of it.
    return file if isinstance(file, str) and _EARLIER.fullmatch(file) else None
