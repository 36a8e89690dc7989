"""Adds an entry to a configuration file, in the style of its others; the rest stays unchanged."""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from uring.errors import ConfigInvalid, UringError
from uring.sources.problems.places import Lines, members
from uring_local.entries.family import FileFamily
from uring_local.entries.pages import form_of, list_key
from uring_local.project import ROOT

_WIDTH: Final = 100
_BOM: Final = "\ufeff"
_EMPTY: Final = '{{\n  "{key}": []\n}}\n'


class NotAdded(UringError):
    """The entry was not added to the file; the message has the reason."""


@dataclass(frozen=True, slots=True)
class _List:
    """The place of the list of entries in the text.

    Attributes:
        start: the position after its opening bracket.
        elements: begin and end of each entry.
        end: the position after its closing bracket.
    """

    start: int
    elements: tuple[tuple[int, int], ...]
    end: int


def add_entry(
    family: FileFamily[Any, Any], config: Path, entry: Mapping[str, Any], *addresses: str
) -> None:
    """Append an entry, atomically: a reader sees the old file or the new one.

    Args:
        family: the family of the file's sources.
        config: the file; created if missing.
        entry: JSON values.
        addresses: further addresses of its list, such as the target of a redirect.

    Raises:
        NotAdded: the id is taken, its list is watched already, or the entry would be refused.
        ConfigInvalid: the file is not a valid one of its family; it stays unchanged.
        OSError: the file cannot be written.
    """
    target = config.resolve()
    if not target.parent.is_dir():
        raise NotAdded(
            f"{config}: there is no directory {config.parent} here; change to the directory of the "
            f"project, {ROOT}, or name another file with --config"
        )
    before = target.read_bytes() if target.exists() else _EMPTY.format(key=family.key).encode()
    known = family.load(before)
    if watched := watching(family, before, entry["url"], *addresses):
        raise NotAdded(
            f"{config}: {watched} watches this list already; change that entry, or write one for "
            "another list of the same page by hand"
        )
    if entry["id"] in {source.id for source in known.sources}:
        raise NotAdded(f"{config} has a source {entry['id']!r} already; give another with --id")
    after = with_entry(family, before.decode("utf-8-sig"), entry)
    if before.startswith(_BOM.encode()):
        after = _BOM + after
    written = family.load(after.encode())
    if len(written.sources) != len(known.sources) + 1:
        raise NotAdded(f"{config}: {written.problems[-1]}")
    _replace(target, after.encode())


def watching(family: FileFamily[Any, Any], body: bytes, *urls: str) -> str | None:
    """Return the entry of a file that has the list of one of these addresses.

    Refused entries count: once they are corrected, both would be watched.

    Returns:
        Its id and line; None if no entry has the list.
    """
    text = body.decode("utf-8-sig")
    wanted = {list_key(url) for url in urls}
    for index, entry in enumerate(json.loads(text)[family.key]):
        if isinstance(entry, dict) and isinstance(entry.get("url"), str):
            request = entry.get("request")
            form = form_of(request) if isinstance(request, dict) else None
            key = list_key(entry["url"], form)
            if key is not None and key in wanted:
                line = Lines(text, family.key).line((family.key, index))
                return f"{entry.get('id', 'an entry without id')!s} (line {line})"
    return None


def with_entry(family: FileFamily[Any, Any], text: str, entry: Mapping[str, Any]) -> str:
    """Return the file's text with one more entry, indented and broken like the last one.

    Raises:
        ConfigInvalid: the text has no list of entries.
    """
    place = _entries(family, text)
    newline = "\r\n" if "\r\n" in text else "\n"
    if not place.elements:
        inner = _indent_at(text, place.start) + "  "
        body = _written(entry, inner, "  ", newline, one_line=False)
        closing = newline + _indent_at(text, place.start)
        return f"{text[: place.start]}{newline}{inner}{body}{closing}{text[place.end - 1 :]}"
    begin, end = place.elements[-1]
    last = text[begin:end]
    own_line = not text[:begin].rpartition("\n")[2].strip()
    outer = _indent_at(text, begin) if own_line else ""
    second = last.partition("\n")[2].partition("\n")[0]
    deeper = second[: len(second) - len(second.lstrip())]
    step = deeper[len(outer) :] if deeper.startswith(outer) and len(deeper) > len(outer) else "  "
    body = _written(entry, outer, step, newline, one_line="\n" not in last)
    gap = newline + outer if own_line else " "
    return f"{text[:end]},{gap}{body}{text[end:]}"


def written(entry: Mapping[str, Any]) -> str:
    """Return the entry by itself, in the style of the bundled sitemap."""
    return _written(entry, "", "  ", "\n", one_line=False)


def _written(
    entry: Mapping[str, Any], outer: str, step: str, newline: str, *, one_line: bool
) -> str:
    if one_line:
        return _compact(entry)
    inner = outer + step
    lines = []
    for key, value in entry.items():
        head = f"{inner}{_compact(key)}: "
        text = _compact(value)
        if isinstance(value, dict) and (len(value) > 1 or len(head) + len(text) > _WIDTH):
            text = _object(value, inner, step, newline)
        elif isinstance(value, list) and len(head) + len(text) > _WIDTH:
            text = _list(value, inner, step, newline)
        lines.append(head + text)
    return "{" + newline + f",{newline}".join(lines) + newline + outer + "}"


def _object(value: Mapping[str, Any], outer: str, step: str, newline: str) -> str:
    lines = [f"{outer}{step}{_compact(key)}: {_compact(item)}" for key, item in value.items()]
    return "{" + newline + f",{newline}".join(lines) + newline + outer + "}"


def _list(value: Sequence[Any], outer: str, step: str, newline: str) -> str:
    lines = [f"{outer}{step}{_compact(item)}" for item in value]
    return "[" + newline + f",{newline}".join(lines) + newline + outer + "]"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _indent_at(text: str, position: int) -> str:
    line = text[:position].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip())]


def _entries(family: FileFamily[Any, Any], text: str) -> _List:
    """Find the list of entries; the text is valid JSON."""
    key = family.key
    place = dict(members(text).spans).get(key)
    if place is None or text[place.start] != "[":
        raise ConfigInvalid(f'{family.what} has no list "{key}"; write {{"{key}": [ … ]}}')
    entries = members(text, place.start)
    spans = tuple((span.start, span.end) for _, span in entries.spans)
    return _List(place.start + 1, spans, entries.end)


def _replace(target: Path, body: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
