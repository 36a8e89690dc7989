"""Presets: what the entries of one system have in common, filled in where they say nothing."""

import difflib
from collections.abc import Mapping
from typing import Any, Final

Presets = Mapping[str, Mapping[str, Any]]
"""Keys of an entry, by the name of the system."""

_MERGED: Final = frozenset({"changes", "expect", "fields", "request"})


def expanded(entry: Mapping[str, Any], presets: Presets) -> dict[str, Any]:
    """Return the entry with its preset under it; without a preset that exists, the entry.

    The entry's own keys win. ``fields``, ``request``, ``changes`` and ``expect`` are merged key by
    key; what the entry has in them replaces the preset's as a whole, and null takes a field away.
    Expanding twice is expanding once.
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
    """Return what to write instead of a name that no preset has."""
    if not presets:
        return "remove it; there are no presets here"
    close = difflib.get_close_matches(name[:100], presets, n=1)
    return f'write "{close[0]}"' if close else f"choose one of: {', '.join(presets)}"
