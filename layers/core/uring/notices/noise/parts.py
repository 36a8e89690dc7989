"""The parts of a notice that may be noise, and how one title became another. Pure.

In titles a number that counts, a badge, the same letters in many; in links the parameters and the
segments of the path that rotate.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

TAIL: Final = "tail"
"""The part of a title that is a number in brackets at its end, such as ``[3]``."""

_NUMBER: Final = re.compile(r"\d[\d,]*")
_TAIL: Final = re.compile(r"\s*[\[(\uff08]\s*\d[\d,]*\s*[\])\uff09]\Z")
_BADGE: Final = re.compile(r"\s*(?:\b(?:n|new|hot|up)\b|새글|새 글)\s*\Z", re.IGNORECASE)
_CUT: Final = re.compile(r"\s*(?:…|\.{2,4}|⋯)\Z")
_FEW_LETTERS: Final = 4

_SHARE: Final = 5
_MOST: Final = 5
PARAMETER: Final = "parameter "
_SEGMENT: Final = "segment "


def counting_part(before: str, now: str) -> str | None:
    """Return the place of the one number in which two titles differ; None for any other change.

    The place is counted from the end (``-1`` is the last number); `TAIL` is a number in brackets
    at the end, which one of the titles may lack.
    """
    if _TAIL.sub("", before) == _TAIL.sub("", now):
        return TAIL
    if _NUMBER.sub("#", before) != _NUMBER.sub("#", now):
        return None
    old, new = _NUMBER.findall(before), _NUMBER.findall(now)
    places = [place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
    return str(places[0] - len(old)) if len(places) == 1 else None


def without_title_part(title: str, part: str) -> str:
    """Return the title without a counting part; unchanged if it has none there."""
    if part == TAIL:
        return _TAIL.sub("", title)
    numbers = [*_NUMBER.finditer(title)]
    place = int(part)
    if not -len(numbers) <= place < 0:
        return title
    found = numbers[place]
    return f"{title[: found.start()]}#{title[found.end() :]}"


def has_tail(title: str) -> bool:
    """Return whether a title ends with a number in brackets."""
    return _TAIL.search(title) is not None


def lost_a_badge(before: str, now: str) -> bool:
    """Return whether a title lost or got only the badge of a new notice, such as ``N``."""
    return _BADGE.sub("", before) == _BADGE.sub("", now)


def alike(titles: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """Return the ids whose titles changed in the same letters, or were cut in the same way.

    Args:
        titles: by id, the title before and now.

    Returns:
        the largest group of ids; empty without one.
    """
    changes = {key: _change(*pair) for key, pair in titles.items()}
    common = Counter(change for change in changes.values() if change).most_common(1)
    if not common:
        return frozenset()
    return frozenset(key for key, change in changes.items() if change == common[0][0])


def _change(before: str, now: str) -> tuple[str, str] | None:
    """Return the letters that were taken away and added; numbers in them count as equal."""
    if _is_cut(before, now) or _is_cut(now, before):
        return "…", "…"
    start = _shared(before, now)
    end = _shared(before[start:][::-1], now[start:][::-1])
    removed = before[start : len(before) - end]
    added = now[start : len(now) - end]
    return _NUMBER.sub("#", removed), _NUMBER.sub("#", added)


def _is_cut(whole: str, cut: str) -> bool:
    """Return whether a title is the beginning of another, with dots where it was cut."""
    if not _CUT.search(cut):
        return False
    begin = _CUT.sub("", cut)
    return len(begin) >= _FEW_LETTERS and _CUT.sub("", whole).startswith(begin)


def _shared(one: str, other: str) -> int:
    """Return the length of the common beginning."""
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length


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
        old, new = _link_parts(before), _link_parts(now)
        for part in {*old, *new}:
            if old.get(part) != new.get(part):
                times[part] += 1
                seen.setdefault(part, (old.get(part, ""), new.get(part, "")))
    parts = [part for part, count in times.items() if count * _SHARE >= len(pairs) * (_SHARE - 1)]
    if "" in parts or len(parts) > _MOST:
        return {}
    return {part: seen[part] for part in sorted(parts)}


def without_link_part(link: str, part: str) -> str:
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


def _link_parts(link: str) -> Mapping[str, str]:
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
