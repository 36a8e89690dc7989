"""The archive folded into items: each record as it is now, and how it became so."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from uring_local.reader.lines import Line, instant, is_name, is_record, utf16

Moved = dict[str, tuple[list[Line], Line]]
"""By former id the lines of before a rename, and that of the rename."""

_OF_LINES: Final = frozenset({"event_id", "kind", "detected_at", "push", "renamed_from"})


@dataclass(slots=True)
class Entry:
    """A record.

    Attributes:
        item: the fields of ``latest.json``, as they are now.
        history: the lines of the archive in order, those under former names too.
        is_gone: whether it was deleted or unlisted.
    """

    item: Line
    history: list[Line]
    is_gone: bool


class Folded(dict[str, Entry]):
    """The records of a source, by id.

    Attributes:
        texts: those of a registry's regulations, whose ids begin with ``text/``.
        lines: all that was folded, by ``event_id``.
        latest: items of ``latest.json``, by id.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, Entry] = {}
        self.lines: Mapping[str, Line] = {}
        self.latest: Mapping[str, Line] = {}


def fold(lines: Any, former: Folded | None = None) -> Folded:
    """Fold lines of an archive, in any order, into the records that they tell of.

    An event counts once, the highest revision is shown. A record that is counted from 1 again (it
    was forgotten meanwhile) begins anew: its later life is shown. One that was renamed is found
    under its new id alone.

    Args:
        lines: see `parse_lines`; what is no record is passed over.
        former: to which they are added; it stays as it is.
    """
    former = Folded() if former is None else former
    known = dict(former.lines)
    for each in lines if isinstance(lines, list) else ():
        if is_record(each) and is_name(each.get("event_id")) and each["event_id"] not in known:
            known[each["event_id"]] = _without(each, {"earlier"}) if "earlier" in each else each
    return _derived(known, former.latest)


def merge(folded: Folded, items: Any) -> Folded:
    """Add the items of a ``latest.json`` to what was folded, which stays as it is.

    An item replaces what is shown if it was first seen later (the same id, counted anew), or then
    as well and its revision is as high. So neither an older copy nor an older archive wins.
    """
    latest = dict(folded.latest)
    for each in items if isinstance(items, list) else ():
        if is_record(each) and (each["id"] not in latest or _is_as_new(each, latest[each["id"]])):
            latest[each["id"]] = each
    return _derived(folded.lines, latest)


def _derived(lines: Mapping[str, Line], latest: Mapping[str, Line]) -> Folded:
    folded = Folded()
    folded.lines, folded.latest = lines, latest
    own: dict[str, list[Line]] = {}
    texts: dict[str, list[Line]] = {}
    for line in lines.values():
        (texts if _is_text(line) else own).setdefault(line["id"], []).append(line)
    folded.texts = {key: _entry(_in_order(history)) for key, history in texts.items()}
    renames = _renames(line for history in own.values() for line in history)
    moved = _with_renamed(own, renames)
    for key, history in own.items():
        folded[key] = _entry(_in_order(history))
    for before, renamed in moved.values():
        heir = folded[_heir_of(renamed, moved)]
        heir.history = _in_order([*before, *heir.history])
    for key, item in latest.items():
        there, rename = folded.get(key), renames.get(key)
        if there is not None:
            is_current = _is_as_new(item, there.item)
        else:
            is_current = rename is None or item["revision"] >= rename["revision"]
        if is_current:
            folded[key] = Entry(item, there.history if there else [], is_gone=False)
    return folded


def _renames(lines: Iterable[Line]) -> dict[str, Line]:
    """Return by former id the last line that renamed it."""
    renames: dict[str, Line] = {}
    for line in lines:
        former = line.get("renamed_from")
        if is_name(former) and former != line["id"]:
            other = renames.get(former)
            if other is None or _place(other) < _place(line):
                renames[former] = line
    return renames


def _is_text(line: Line) -> bool:
    """Return whether a line tells of the text behind a regulation rather than of a record."""
    return line["id"].startswith("text/") and "articles_changed" in line


def _entry(history: list[Line]) -> Entry:
    line = history[-1]
    is_gone = _tells_end(line)
    item = _without(line, _OF_LINES)
    if is_gone:
        # The last line of a record may tell no more than that it is gone.
        before = [each for each in history if not _tells_end(each)]
        item = {**_without(before[-1], _OF_LINES), **item} if before else item
    return Entry(item, history, is_gone)


def _tells_end(line: Line) -> bool:
    """Return whether a line says that its record is gone: what has no content has no hash."""
    return bool(line.get("hash") == "")


def _without(line: Line, names: Iterable[str]) -> Line:
    return {name: value for name, value in line.items() if name not in names}


def _with_renamed(own: dict[str, list[Line]], renames: Mapping[str, Line]) -> Moved:
    """Take the lines from before a rename out of a former id, and return them by that.

    What comes later is another record.
    """
    moved: Moved = {}
    for key, rename in renames.items():
        history = [line for line in own.get(key, ()) if _is_before(line, rename)]
        if not history:
            continue
        moved[key] = (history, rename)
        own[key] = [line for line in own[key] if not _is_before(line, rename)]
        if not own[key]:
            del own[key]
    return moved


def _heir_of(rename: Line, moved: Moved) -> str:
    """Follow renames to the id that is shown: each is later than the one before."""
    line = rename
    while line["id"] in moved and _is_before(line, moved[line["id"]][1]):
        line = moved[line["id"]][1]
    return str(line["id"])


def _is_before(line: Line, rename: Line) -> bool:
    return instant(line.get("detected_at")) < instant(rename.get("detected_at"))


def _is_as_new(item: Line, shown: Line) -> bool:
    seen, shown_seen = instant(item.get("first_seen")), instant(shown.get("first_seen"))
    # Revisions count within one life alone: an id that was forgotten is counted from 1 again.
    if seen and shown_seen and seen != shown_seen:
        return seen > shown_seen
    return bool(item["revision"] >= shown["revision"])


def _in_order(history: list[Line]) -> list[Line]:
    """Return the lines of a record, the oldest first."""
    if len(history) == 1:
        return history
    starts = sorted(instant(line.get("detected_at")) for line in history if line["revision"] == 1)

    def place(line: Line) -> tuple[Any, ...]:
        time = instant(line.get("detected_at"))
        lives = bisect_right(starts, time) if len(starts) > 1 else 0
        return (lives, *_place(line))

    return sorted(history, key=place)


def _place(line: Line) -> tuple[Any, ...]:
    return line["revision"], instant(line.get("detected_at")), utf16(line["event_id"])
