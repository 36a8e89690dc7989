"""The parts of links that rotate: parameters and segments of the path. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

_SHARE: Final = 5
_MOST: Final = 5
PARAMETER: Final = "parameter "
_SEGMENT: Final = "segment "


def differing_parts(pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the parts in which nearly all links differ from what they were, five at most.

    Args:
        pairs: of each notice the link before and now.

    Returns:
        by part (``parameter NAME``, or ``segment N`` of the path, from 1) two of its values; empty
        if the links differ in anything else.
    """
    times: Counter[str] = Counter()
    seen: dict[str, tuple[str, str]] = {}
    for before, now in pairs:
        old, new = _parts(before), _parts(now)
        for part in {*old, *new}:
            if old.get(part) != new.get(part):
                times[part] += 1
                seen.setdefault(part, (old.get(part, ""), new.get(part, "")))
    parts = [part for part, count in times.items() if count * _SHARE >= len(pairs) * (_SHARE - 1)]
    if "" in parts or len(parts) > _MOST:
        return {}
    return {part: seen[part] for part in sorted(parts)}


def without_part(link: str, part: str) -> str:
    """Return the link without a part; a segment leaves an empty place."""
    resource, mark, query = link.partition("?")
    if part.startswith(PARAMETER):
        name = part.removeprefix(PARAMETER)
        kept = [pair for pair in query.split("&") if pair.partition("=")[0] != name]
        return f"{resource}?{'&'.join(kept)}" if kept and mark else resource
    segments = resource.split("/")
    place = int(part.removeprefix(_SEGMENT)) + 2
    if place < len(segments):
        segments[place] = ""
    return "/".join(segments) + mark + query


def _parts(link: str) -> Mapping[str, str]:
    """Return the parts of a link by name; ``""`` is what is not one of them: scheme and host."""
    resource, _, query = link.partition("?")
    segments = resource.split("/")
    parts = {"": "/".join(segments[:3])}
    parts |= {f"{_SEGMENT}{place}": text for place, text in enumerate(segments[3:], start=1)}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name:
            parts[f"{PARAMETER}{name}"] = value
    return parts
