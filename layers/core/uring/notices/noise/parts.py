"""The parts of a notice that may be noise, and how one text became another. Pure.

In titles and categories numbers that count and texts that tell the time, named by the letters
around them (the form, such as ``[#]`` or ``({ago})``); badges, and the same letters in many titles.
In links the host, the parameters and the segments of the path.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from uring.reading.ago import RELATIVE, age_of

PARAMETER: Final = "parameter "

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_BRACKETS: Final = {"(": ")", "[": "]", "\uff08": "\uff09", "\u3010": "\u3011"}
# Not a part of a date, a time or a version.
_NUMBER: Final = (
    r"(?<!\d)(?<!\d[.,:/~-])(?<!\d[.:/~-]\s)(?:\d{1,3}(?:[,.]\d{3})+|\d+(?:[.,]\d+)?k|\d+)"
    r"(?!\d|,\d|[.:/~-]\s?\d)"
)
_YEAR: Final = r"20[12]\d(?!\d)"
_TIMES: Final = {
    "{D-day}": (
        r"(?<![a-z])d\s?[-+]\s?(?:\d{1,3}(?!\d|\s?[호실동관])|day)"
        r"|(?<!\d)\d{1,3}\s?(?:일\s?남\w*|days?\s(?:left|to\sgo))"
        r"|(?:마감|종료|접수|신청)\s?\d{1,3}일\s?전(?![가-힣])"
    ),
    # Not the fifth of March for a subject (전공), nor today's menu.
    "{ago}": rf"(?<!월)(?<!월\s)(?:{RELATIVE})(?![가-힣])",
}
# In a text the first that fits. A number alone in brackets may be missing.
_TOKEN: Final = re.compile(
    rf"(?P<loose>(?<=\S)\s*[\[(\uff08]\s*{_NUMBER}\s*[\])\uff09])|(?P<day>{_TIMES['{D-day}']})"
    rf"|(?P<ago>{_TIMES['{ago}']})|(?P<number>{_NUMBER})|(?P<date>\d+(?:\s?[-./:~]\s?\d+)+)|\d+",
    re.IGNORECASE,
)
_ANY_NUMBER: Final = re.compile(r"\d[\d,.]*k?", re.IGNORECASE)
_WORD: Final = (
    r"(?:조회|댓글|추천|답글|읽음|열람|공감|좋아요|[\U0001f441\U0001f4ac\U0001f44d\u2764\u2665]"
    r"|(?<![a-z])(?:views?|hits?|reads?|comments?|repl(?:y|ies)|visit(?:or)?s?|likes?)(?![a-z]))"
)
_COUNTED: Final = re.compile(_WORD, re.IGNORECASE)
_COUNTED_LEFT: Final = re.compile(rf"{_WORD}[^\s\d:]{{0,3}}\s?[:\uff1a]?\s?\Z", re.IGNORECASE)
_LEFT: Final = re.compile(r"(?:[^\s\d]{1,6}\s?|\A)\Z")
_RIGHT: Final = re.compile(rf"\s?{_WORD}|[^\s\d()\[\]]{{0,3}}", re.IGNORECASE)
_ALONE: Final = re.compile(r"[\[(\uff08\u3010]\s*#\s*[\])\uff09\u3011]")
# The left of a form at the end of a text, whatever its letters.
_END: Final = "…"
_DATE: Final = "{date}"
# Beside a number these make a day, an ordinal, an amount or a quantity, which people edit.
_SAID: Final = re.compile(
    r"[일월년차기명주시분학급호번원개팀반층위점회편강세인종조실관동:/~%십백천만억-]|st|nd|rd|th"
)
_SAID_BEFORE: Final = re.compile(r"(?:[$€£¥₩￦~]\s?|제\s?)\Z")
# Words in brackets, or a sign.
_TAG: Final = (
    r"(?:[\[(\uff08\u3010\u3014<][^\d\[\]()\uff08\uff09\u3010\u3011<>]{1,12}"
    r"[\])\uff09\u3011\u3015>]|[\u2190-\u2bff\u3003-\u3007\U0001f300-\U0001faff※*])"
)
_TAGS: Final = re.compile(rf"\A(?:{_TAG}\s*)+|(?:\s*{_TAG})+\Z")
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
_MOST_FORMS: Final = 6


def moving_forms(before: str, now: str, since: datetime, at: datetime) -> frozenset[str]:
    """Return the forms of the numbers and times in which alone two texts differ.

    Empty for any other change, for a year, and for more than six forms. A number in brackets may
    be missing in one of the texts. A time may only go on: how long ago something was, or how many
    days are left.

    Args:
        before: the older text.
        now: the newer one.
        since: the time of the older one.
        at: the time of the newer one.
    """
    forms = [_moving(one, other, since, at) for one, other in _differing(before, now)]
    return frozenset(forms) if all(forms) and len(forms) <= _MOST_FORMS else frozenset()


def is_moved(before: str, now: str, since: datetime, at: datetime) -> bool:
    """Return whether a countdown ends on another day than it did."""
    return any(
        one["day"] and other["day"] and not _goes_on(one, other, since, at)
        for one, other in _differing(before, now)
    )


def is_countdown(form: str) -> bool:
    """Return whether a form stands for the days that are left."""
    return "{D-day}" in form


def is_clock(form: str) -> bool:
    """Return whether a form stands for a time and not for a number."""
    return any(symbol in form for symbol in _TIMES)


def is_certain(form: str) -> bool:
    """Return whether a form says that it counts or tells the time.

    By a word such as views, by brackets around the number alone, or by its time.
    """
    return bool(_ALONE.fullmatch(form) or _COUNTED.search(form)) or is_clock(form)


def is_said(form: str) -> bool:
    """Return whether people edit such a number: a date, an ordinal, an amount or a quantity."""
    left, _, right = form.partition("#")
    is_it = _DATE in form or _SAID.match(right) or _SAID_BEFORE.search(left)
    return bool(is_it) and not is_certain(form)


def without_form(text: str, form: str) -> str:
    """Return the text without the numbers or times of a form; unchanged if it has none."""
    for pattern, by in _patterns(form):
        text = pattern.sub(by, text)
    return text


@lru_cache(maxsize=200)
def _patterns(form: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of a form, each with its template for `re.sub`; none without a symbol."""
    symbol = next((each for each in ("#", *_TIMES) if each in form), "")
    if not symbol:
        return ()
    left, _, right = form.partition(symbol)
    number = _NUMBER if _COUNTED.search(form) else rf"(?!{_YEAR}){_NUMBER}"
    pattern = _TIMES.get(symbol, number)
    if left == _END:
        return ((re.compile(rf"(?:{pattern})\Z", re.IGNORECASE), symbol),)
    start, end = (re.escape(left) if left else r"\A"), rf"(?={re.escape(right)})"
    whole = re.compile(rf"({start})(?:{pattern}){end}", re.IGNORECASE), rf"\g<1>{symbol}"
    if not _ALONE.fullmatch(form):
        return (whole,)
    loose = rf"(?<=\S)\s*{re.escape(left)}\s*{number}\s*{re.escape(right)}"
    return (re.compile(loose, re.IGNORECASE), ""), whole


def has_form(text: str, form: str) -> bool:
    """Return whether a text has a number or a time of this form."""
    return without_form(text, form) != text


def lost_a_badge(before: str, now: str) -> bool:
    """Return whether a title lost or got only badges of a new notice, such as ``N``."""
    return _BADGES.sub("", before).strip() == _BADGES.sub("", now).strip()


def alike(titles: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """Return the ids whose titles changed in the same letters, in tags, or were cut.

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


def _differing(before: str, now: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """Return the pairs of numbers and times that differ; empty where other letters do."""
    old, new = [*_TOKEN.finditer(before)], [*_TOKEN.finditer(now)]
    if _bare(before) != _bare(now):
        return []
    fixed = zip(
        [each for each in old if not each["loose"]],
        [each for each in new if not each["loose"]],
        strict=True,
    )
    pairs = [(one, other) for one, other in fixed if one[0] != other[0]]
    old, new = [each for each in old if each["loose"]], [each for each in new if each["loose"]]
    if len(old) == len(new):
        both = zip(old, new, strict=True)
        return pairs + [(one, other) for one, other in both if one[0] != other[0]]
    fewer, more = sorted((old, new), key=len)
    kept = {each[0] for each in fewer}
    return pairs + [(each, each) for each in more if each[0] not in kept]


def _bare(text: str) -> str:
    return _TOKEN.sub(lambda token: "" if token["loose"] else "#", text)


def _moving(one: re.Match[str], other: re.Match[str], since: datetime, at: datetime) -> str:
    """Return the form in which a number counts or a time goes on; empty for other changes."""
    if one["ago"] or one["day"]:
        symbol = "{ago}" if one["ago"] else "{D-day}"
        return _form(one, symbol) if _goes_on(one, other, since, at) else ""
    if one["date"] and other["date"]:
        return _form(other, _DATE)
    if not all(each["number"] or each["loose"] for each in (one, other)):
        return ""
    form = _form(other, "#")
    if _COUNTED.search(form):
        return form
    is_year = any(re.fullmatch(_YEAR, each[0].strip(" ()[]")) for each in (one, other))
    is_bare = not form.strip(" #") and _span(other)[0] > 0
    return "" if is_year or is_bare else form


def _goes_on(one: re.Match[str], other: re.Match[str], since: datetime, at: datetime) -> bool:
    """Return whether two times name the same moment; a date may follow how long ago it was."""
    elapsed = at - since
    if one["day"]:
        return bool(other["day"]) and -1 <= elapsed / _DAY - (_left(one[0]) - _left(other[0])) <= 1
    if other["date"]:
        day = since - age_of(one[0])[0]
        days = {((day + near * _DAY).month, (day + near * _DAY).day) for near in (-1, 0, 1)}
        return tuple(map(int, re.findall(r"\d+", other[0])[-2:])) in days
    if not other["ago"]:
        return False
    (old, unit), (new, other_unit) = age_of(one[0]), age_of(other[0])
    unit = max(unit, other_unit)
    if new >= old:
        return abs(elapsed - (new - old)) <= unit + _HOUR
    # Days until something.
    return unit == _DAY and abs(elapsed - (old - new)) <= unit


def _left(text: str) -> int:
    """Return the days that a countdown has left; negative ones are past."""
    days = _ANY_NUMBER.search(text)
    return (-1 if "+" in text else 1) * int(days[0]) if days else 0


def _span(token: re.Match[str]) -> tuple[int, int]:
    """Return the place of the number or time, without the brackets around a number."""
    number = _ANY_NUMBER.search(token[0]) if token["loose"] else None
    start, end = number.span() if number else (0, len(token[0]))
    return token.start() + start, token.start() + end


def _form(token: re.Match[str], symbol: str) -> str:
    """Return the letters around a number or time with a symbol in its place."""
    text, (start, end) = token.string, _span(token)
    opened = max(text.rfind(bracket, 0, start) for bracket in _BRACKETS)
    closing = _BRACKETS.get(text[opened], "") if opened >= 0 else ""
    closed = text.find(closing, end) if closing else -1
    if closed >= 0 and closing not in text[opened:start] and closed - opened <= _LONGEST // 5:
        left, right = text[opened:start], text[end : closed + 1]
        if not _TOKEN.search(left + right):
            return f"{left}{symbol}{right}"
    found = _COUNTED_LEFT.search(text[:start])
    if found:
        left = found[0]
    elif end == len(text) and not _SAID_BEFORE.search(text[:start]):
        return f"{_END}{symbol}"
    else:
        found = _LEFT.search(text[:start])
        left = found[0] if found else ""
    behind = _RIGHT.match(text[end:])
    return f"{left}{symbol}{behind[0] if behind else ''}"


def _change(before: str, now: str) -> tuple[str, str] | None:
    """Return the letters that were taken away and added; numbers in them count as equal.

    Tags in front or behind, such as ``[공지]`` and ``◆``, count as equal, too.
    """
    if is_cut(before, now) or is_cut(now, before):
        return "…", "…"
    if _TAGS.sub("", before) == _TAGS.sub("", now):
        return "[]", "[]"
    start = _shared(before, now)
    end = _shared(before[start:][::-1], now[start:][::-1])
    change = (
        _ANY_NUMBER.sub("#", before[start : len(before) - end]),
        _ANY_NUMBER.sub("#", now[start : len(now) - end]),
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
