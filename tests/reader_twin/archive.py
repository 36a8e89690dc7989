"""The archive folded into items: each record as it is now, and how it became so."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from reader_twin.lines import Line, instant, is_name, is_record, utf16

V = TypeVar("V")
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


@dataclass(slots=True)
class Index:
    """Lines by id, from which records are derived.

    Attributes:
        own: lines by id, but for those of texts.
        texts: those, by id.
        renames: by former id the last line that renamed it.
        kin: by id the ids that a rename connects it to.
    """

    own: dict[str, list[Line]] = field(default_factory=dict)
    texts: dict[str, list[Line]] = field(default_factory=dict)
    renames: dict[str, Line] = field(default_factory=dict)
    kin: dict[str, set[str]] = field(default_factory=dict)

    def copy(self) -> "Index":
        """Return another with the same; its lists are never changed, but replaced."""
        kin = {key: set(others) for key, others in self.kin.items()}
        return Index(dict(self.own), dict(self.texts), dict(self.renames), kin)

    def note_rename(self, line: Line) -> None:
        """Note that a line renames its record, if it does."""
        former = line.get("renamed_from")
        if not is_name(former) or former == line["id"]:
            return
        other = self.renames.get(former)
        if other is None or _place(other) < _place(line):
            self.renames[former] = line
        self.kin.setdefault(former, set()).add(line["id"])
        self.kin.setdefault(line["id"], set()).add(former)

    def with_kin(self, keys: Iterable[str]) -> set[str]:
        """Return ids with all that renames connect to them."""
        found = set(keys)
        ahead = list(found)
        while ahead:
            more = self.kin.get(ahead.pop(), set()) - found
            found |= more
            ahead += more
        return found


class Folded(dict[str, Entry]):
    """The records of a source, by id, in no order.

    Attributes:
        texts: those of a registry's regulations, whose ids begin with ``text/``.
        lines: all that was folded, by ``event_id``.
        latest: items of ``latest.json``, by id.
        index: what the records are derived from.
    """

    def __init__(self, former: "Folded | None" = None) -> None:
        """Begin with what another has, which stays as it is."""
        super().__init__({} if former is None else former)
        self.texts: dict[str, Entry] = {} if former is None else dict(former.texts)
        self.lines: dict[str, Line] = {} if former is None else dict(former.lines)
        self.latest: dict[str, Line] = {} if former is None else dict(former.latest)
        self.index: Index = Index() if former is None else former.index.copy()

    def add(self, lines: Any) -> None:
        """Fold lines into what is there: only the records that they touch are derived again."""
        records: dict[str, list[Line]] = {}
        regulations: dict[str, list[Line]] = {}
        for each in lines if isinstance(lines, list) else ():
            if not is_record(each) or not is_name(event := each.get("event_id")):
                continue
            if event in self.lines:
                continue
            line = _without(each, {"earlier"}) if "earlier" in each else each
            self.lines[event] = line
            group = regulations if _is_text(line) else records
            group.setdefault(line["id"], []).append(line)
        for key, more in regulations.items():
            history = self.index.texts[key] = [*self.index.texts.get(key, ()), *more]
            self.texts[key] = _entry(_in_order(history))
        for key, more in records.items():
            self.index.own[key] = [*self.index.own.get(key, ()), *more]
            for line in more:
                self.index.note_rename(line)
        self._derive(records)

    def add_items(self, items: Any) -> None:
        """Add items of a ``latest.json`` to what is there."""
        touched = []
        for each in items if isinstance(items, list) else ():
            if not is_record(each):
                continue
            there = self.latest.get(each["id"])
            if there is None or _is_as_new(each, there):
                self.latest[each["id"]] = each
                touched.append(each["id"])
        self._derive(touched)

    def _derive(self, keys: Iterable[str]) -> None:
        """Derive records anew, with all that a rename connects to them."""
        touched = self.index.with_kin(keys)
        renames = _of(self.index.renames, touched)
        own = _of(self.index.own, touched)
        moved = _with_renamed(own, renames)
        fresh = {key: _entry(_in_order(history)) for key, history in own.items()}
        for before, renamed in moved.values():
            heir = fresh[_heir_of(renamed, moved)]
            heir.history = _in_order([*before, *heir.history])
        for key, item in _of(self.latest, touched).items():
            there, rename = fresh.get(key), renames.get(key)
            if there is not None:
                is_current = _is_as_new(item, there.item)
            else:
                is_current = rename is None or item["revision"] >= rename["revision"]
            if is_current:
                fresh[key] = Entry(item, there.history if there else [], is_gone=False)
        for key in touched - fresh.keys():
            self.pop(key, None)
        self.update(fresh)


def fold(lines: Any, former: Folded | None = None) -> Folded:
    """Fold lines of an archive, in any order, into the records that they tell of.

    An event counts once, the highest revision is shown. A record that is counted from 1 again (it
    was forgotten meanwhile) begins anew: its later life is shown. One that was renamed is found
    under its new id alone.

    Args:
        lines: see `parse_lines`; what is no record is passed over.
        former: to which they are added; it stays as it is.
    """
    folded = Folded(former)
    folded.add(lines)
    return folded


def merge(folded: Folded, items: Any) -> Folded:
    """Add the items of a ``latest.json`` to what was folded, which stays as it is.

    An item replaces what is shown if it was first seen later (the same id, counted anew), or then
    as well and its revision is as high. So neither an older copy nor an older archive wins.
    """
    merged = Folded(folded)
    merged.add_items(items)
    return merged


def _of(values: Mapping[str, V], keys: Iterable[str]) -> dict[str, V]:
    return {key: values[key] for key in keys if key in values}


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
