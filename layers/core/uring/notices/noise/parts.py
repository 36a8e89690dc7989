"""The parts of a notice that may be noise, and how one title became another. Pure.

In titles a number that counts, named by the letters around it (its form, such as ``[#]``); badges,
and the same letters in many. In links the host, the parameters and the segments of the path.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

PARAMETER: Final = "parameter "

_NUMBER: Final = re.compile(r"\d[\d,.]*k?", re.IGNORECASE)
_BRACKETS: Final = {"(": ")", "[": "]", "\uff08": "\uff09", "\u3010": "\u3011"}
_TAIL: Final = re.compile(r"\s*[\[(\uff08]\s*\d[\d,.]*k?\s*[\])\uff09]\Z", re.IGNORECASE)
_LEFT: Final = re.compile(r"(?:[^\s\d]{1,6}\s?|\A)\Z")
_RIGHT: Final = re.compile(r"[^\s\d()\[\]]{0,3}")
_COUNTED: Final = re.compile(
    r"조회|댓글|추천|답글|읽음|view|hit|read|comment|repl|visit", re.IGNORECASE
)
# Behind a number these make a day, an ordinal or a quantity, which people edit.
_SAID: Final = re.compile(
    r"[일월년차기명주시분학급호번원개팀반층위점회편강세인종조:/~-]|st|nd|rd|th"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_BADGE_WORDS: Final = r"n|new|hot|up|새글|새 글|신규|오늘의글|오늘의 글"
_BADGE: Final = (
    rf"(?:[\[(]\s*(?:{_BADGE_WORDS})\s*[\])]|(?<![A-Za-z])(?:{_BADGE_WORDS})(?![A-Za-z])!?"
    r"|[\U0001f195\U0001f199\U0001f525\U0001f4ce\U0001f512]|첨부파일)"
)
_BADGES: Final = re.compile(rf"\A(?:{_BADGE}\s+)+|(?:\s*{_BADGE})+\Z", re.IGNORECASE)
_CUT: Final = re.compile(r"\s*(?:…|\.{2,4}|⋯)\Z")
_FEW_LETTERS: Final = 4
_SEGMENT: Final = "segment "
_HOST: Final = "host"
_SHARE: Final = 5
_MOST: Final = 10
_LONGEST: Final = 150


def counting_form(before: str, now: str) -> str | None:
    """Return the form of the one number in which two titles differ; None for any other change.

    A number in brackets at the end may be missing in one of them. Years, days, ordinals and
    quantities are no counters, unless a word such as views stands before them.
    """
    if _TAIL.sub("", before) == _TAIL.sub("", now):
        longer = max(before, now, key=len)
        number = [*_NUMBER.finditer(longer)][-1]
        return None if _YEAR.fullmatch(number[0]) else _form(longer, number)
    old, new = [*_NUMBER.finditer(before)], [*_NUMBER.finditer(now)]
    if _NUMBER.sub("#", before) != _NUMBER.sub("#", now):
        return None
    places = [
        place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0][0] != pair[1][0]
    ]
    if len(places) != 1:
        return None
    one, other = old[places[0]], new[places[0]]
    form = _form(now, other)
    if _YEAR.fullmatch(one[0]) or _YEAR.fullmatch(other[0]):
        return None
    left, _, right = form.partition("#")
    is_said = _SAID.match(now[other.end() :]) and not _COUNTED.search(left)
    is_bare = not left.strip() and not right.strip() and other.start() > 0
    return None if is_said or is_bare else form


def without_form(title: str, form: str) -> str:
    """Return the title without the numbers of a form; unchanged if it has none."""
    left, mark, right = form.partition("#")
    if not mark:
        return title
    if left[:1] in _BRACKETS and _TAIL.search(title):
        tail = _TAIL.search(title)
        if tail and tail[0].strip()[:1] == left[0] and len(left) == 1:
            return title[: tail.start()]
    start = r"\A" if not left else ""
    return re.sub(
        rf"{start}{re.escape(left)}{_NUMBER.pattern}(?={re.escape(right)})",
        lambda _: f"{left}#",
        title,
        flags=re.IGNORECASE,
    )


def has_form(title: str, form: str) -> bool:
    """Return whether a title has a number of this form."""
    return without_form(title, form) != title


def lost_a_badge(before: str, now: str) -> bool:
    """Return whether a title lost or got only badges of a new notice, such as ``N``."""
    return _BADGES.sub("", before).strip() == _BADGES.sub("", now).strip()


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


def differing_parts(pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the parts in which nearly all links (four fifths) differ from what they were.

    Args:
        pairs: of each notice the link before and now.

    Returns:
        by part (``host``, ``parameter NAME``, ``segment N`` of the path, from 1) two of its
        values; ten parts at most, and none with a very long name.
    """
    times: Counter[str] = Counter()
    seen: dict[str, tuple[str, str]] = {}
    for before, now in pairs:
        old, new = _link_parts(before), _link_parts(now)
        for part in {*old, *new}:
            if old.get(part) != new.get(part):
                times[part] += 1
                seen.setdefault(part, (old.get(part, ""), new.get(part, "")))
    parts = [
        part
        for part, count in times.items()
        if count * _SHARE >= len(pairs) * (_SHARE - 1) and len(part) <= _LONGEST
    ]
    return {part: seen[part] for part in sorted(parts)[:_MOST]}


def without_link_part(link: str, part: str) -> str:
    """Return the link without a part; a segment leaves an empty place, an unknown part nothing."""
    resource, mark, query = link.partition("?")
    if part.startswith(PARAMETER):
        name = part.removeprefix(PARAMETER)
        kept = [pair for pair in query.split("&") if pair.partition("=")[0] != name]
        return f"{resource}?{'&'.join(kept)}" if kept and mark else resource
    segments = resource.split("/")
    if part == _HOST:
        return "/".join(["", "", "", *segments[3:]]) + mark + query
    number = part.removeprefix(_SEGMENT)
    place = int(number) + 2 if number.isascii() and number.isdigit() else len(segments)
    if 2 < place < len(segments):  # noqa: PLR2004 - behind scheme and host
        segments[place] = ""
    return "/".join(segments) + mark + query


def _form(title: str, number: re.Match[str]) -> str:
    """Return the letters around a number with ``#`` in its place."""
    start, end = number.span()
    opened = max(title.rfind(bracket, 0, start) for bracket in _BRACKETS)
    closing = _BRACKETS.get(title[opened], "") if opened >= 0 else ""
    closed = title.find(closing, end) if closing else -1
    if closed >= 0 and closing not in title[opened:start] and closed - opened <= _LONGEST // 5:
        return f"{title[opened:start]}#{title[end : closed + 1]}"
    left = _LEFT.search(title[:start])
    right = _RIGHT.match(title[end:])
    return f"{left[0] if left else ''}#{right[0] if right else ''}"


def _change(before: str, now: str) -> tuple[str, str] | None:
    """Return the letters that were taken away and added; numbers in them count as equal."""
    if is_cut(before, now) or is_cut(now, before):
        return "…", "…"
    start = _shared(before, now)
    end = _shared(before[start:][::-1], now[start:][::-1])
    change = (
        _NUMBER.sub("#", before[start : len(before) - end]),
        _NUMBER.sub("#", now[start : len(now) - end]),
    )
    # Another number alone, such as that of a week, is content.
    return None if change == ("#", "#") else change


def is_cut(whole: str, cut: str) -> bool:
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


def _link_parts(link: str) -> Mapping[str, str]:
    """Return the parts of a link by name."""
    resource, _, query = link.partition("?")
    segments = resource.split("/")
    parts = {_HOST: "/".join(segments[:3])}
    parts |= {f"{_SEGMENT}{place}": text for place, text in enumerate(segments[3:], start=1)}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name:
            parts[f"{PARAMETER}{name}"] = value
    return parts
