"""Differences between two revisions of a record."""

from typing import Any, Final, NamedTuple

from reader_twin.lines import utf16

_FIRST: Final = ("title", "date", "category", "link", "is_pinned")
# What says which revision it is, not what it says.
_EVENT: Final = frozenset({"event_id", "kind", "detected_at", "push", "earlier", "renamed_from"})
_BESIDE: Final = _EVENT | {"id", "revision", "hash", "first_seen"}


class FieldChange(NamedTuple):
    """A field before and after; None where it was missing."""

    field: str
    before: Any
    after: Any


def changed(before: Any, after: Any) -> list[FieldChange]:
    """Return the fields of a record that differ, title first; of items or lines of the archive."""
    old, now = (each if isinstance(each, dict) else {} for each in (before, after))
    names = old.keys() | now.keys()
    others = sorted(names - _BESIDE - {*_FIRST}, key=utf16)
    return [
        FieldChange(name, old.get(name), now.get(name))
        for name in [*(name for name in _FIRST if name in names), *others]
        if not _is_equal(old.get(name), now.get(name))
    ]


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_equal(one[key], other[key]) for key in one)
    # True is 1 in Python.
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
