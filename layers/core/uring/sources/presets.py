"""Presets: the common keys of one system's entries, filled in where an entry has none."""

import difflib
from collections.abc import Mapping
from typing import Any, Final

Presets = Mapping[str, Mapping[str, Any]]
"""Keys of an entry, by the name of the system."""

_MERGED: Final = frozenset({"changes", "expect", "fields", "request"})


def expanded(entry: Mapping[str, Any], presets: Presets) -> dict[str, Any]:
    """Return the entry merged over its preset; a copy of the entry if it has no known preset.

    The entry's own keys win. ``fields``, ``request``, ``changes`` and ``expect`` are merged key by
    key: a value in the entry replaces the preset's as a whole, and null removes a field. Expanding
    twice is the same as expanding once.
    """
    name = entry.get("preset")
    preset = presets.get(name) if isinstance(name, str) else None
    if preset is None:
        return dict(entry)
    merged = {**preset, **entry}
    for key in _MERGED & preset.keys() & entry.keys():
        if isinstance(entry[key], dict):
            merged[key] = {**preset[key], **entry[key]}
    return merged


def nearest_preset(name: str, presets: Presets) -> str:
    """Return the remedy for an unknown preset."""
    if not presets:
        return "remove it; this kind of list has no presets"
    close = difflib.get_close_matches(name[:100], presets, n=1)
    return f'write "{close[0]}"' if close else f"choose one of: {', '.join(presets)}"
