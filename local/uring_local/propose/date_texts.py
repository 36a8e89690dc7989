"""Texts that look like dates, and the formats that read them all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from uring.reading.ago import relative_day
from uring.reading.calendars import DateRefused
from uring.reading.date_formats import DEFAULT_FORMATS, FURTHER_FORMATS, compile_format
from uring.reading.dates import parse_date, read_date

_MONTH: Final = r"(?<![a-z])(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"
_ERA: Final = r"(?:令和|平成|昭和|民國|民国|中華民國|\b[RHS]\.?)\s?(?:\d{1,3}|元)"
_FULL: Final = (
    rf"(?:{_ERA}|\d{{2,4}})\s?[./년年-]\s?[./-]?\s?\d{{1,2}}\s?[./월月-]\s?[./-]?\s?\d{{1,4}}(?!\d)"
    r"|\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[\s.,-]*{_MONTH}[\s.,-]*(?:\d{{2,4}}(?![\d:]))?"
    rf"|{_MONTH}[\s.,-]*\d{{1,2}}(?:st|nd|rd|th)?(?![\d:])(?:[\s.,-]*\d{{4}})?"
    r"|\d{1,2}\s?[월月]\s?\d{1,2}\s?[일日]|(?<!\d)(?:19|20)\d{6}(?!\d)"
)
_WITHOUT_YEAR: Final = r"(?<![\d./-])\d{2}[./-]\s?\d{2}(?![\d./-]*\d)"
_LIKE: Final = re.compile(rf"(?<!\d)(?:{_FULL}|{_WITHOUT_YEAR})", re.IGNORECASE)
_STRONG: Final = re.compile(rf"(?<!\d)(?:{_FULL})", re.IGNORECASE)
_CLOCK: Final = re.compile(
    r"(?:(?<=\d)T)?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE
)
# Words beside a date that say nothing else.
_BESIDE: Final = re.compile(
    r"[\d\s.,:;/|·\[\]()+~-]|년|월|일|年|月|日|등록|작성|게시|날짜|오전|오후|date|posted|on\b|at\b"
    r"|[월화수목금토일]요일|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|[화수목금토火水木金土]|[ap]m\b|kst|utc|gmt",
    re.IGNORECASE,
)
_TRIPLE: Final = re.compile(
    r"(?<![\d./-])\d{1,2}([./-])(\s?)\d{1,2}\1\s?(\d{4}|\d{2})(?![\d./-]*\d)"
)
_UNIX: Final = re.compile(r"[1-9]\d{8,9}(?:\d{3})?\Z", re.ASCII)
# The orders of day, month and year; only an entry can say which one its board uses.
_ORDERS: Final = {2: ("ymd", "dmy", "mdy"), 4: ("dmY", "mdY")}
_ORDERED: Final = re.compile(r"%[dmy][./-]%[dmy][./-]%[yYd]\Z")
_FREE: Final = tuple(
    (name, compile_format(name))
    for name in (*DEFAULT_FORMATS, *FURTHER_FORMATS)
    if not (_ORDERED.match(name) and name in FURTHER_FORMATS) and not name.startswith("unix")
)
_STAMPS: Final = tuple((name, compile_format(name)) for name in ("unix", "unix_ms"))
_DEFAULTS: Final = tuple(compile_format(name) for name in DEFAULT_FORMATS)
_ANY: Final = tuple(compiled for _, compiled in _FREE)
_EVERY: Final = tuple(compile_format(name) for name in (*DEFAULT_FORMATS, *FURTHER_FORMATS))


@dataclass(frozen=True, slots=True)
class ChosenFormats:
    """The formats for texts; without names the reason why there are none."""

    names: tuple[str, ...]
    reason: str = ""


def is_relative(text: str, today: date) -> bool:
    """Return True if a text says how long ago something was."""
    try:
        return relative_day(text, today) is not None
    except DateRefused:
        return True


def is_stamp(text: str) -> bool:
    """Return True for Unix seconds or milliseconds."""
    return _UNIX.match(text) is not None


def dates_like(text: str, *, strong: bool = False) -> list[str]:
    """Return the parts of a text that look like dates.

    ``strong`` leaves out two pairs of digits, which may be anything.
    """
    return (_STRONG if strong else _LIKE).findall(text)


def is_plain_date(text: str, today: date) -> bool:
    """Return True if a text is a date with hardly any other text, in any known format."""
    rest = _BESIDE.sub("", _LIKE.sub("", _CLOCK.sub("", text)))
    if is_relative(text, today):
        return len(text) <= _RELATIVE_LENGTH
    if len(rest) > 1:
        return False
    return bool(_LIKE.search(text)) or parse_date(text, _ANY, today) is not None


_RELATIVE_LENGTH: Final = 24


def chosen_formats(texts: Sequence[str], today: date) -> ChosenFormats:
    """Return the formats that read all texts as the days that they mean.

    A single format is preferred. Of day, month and year the order is decided by the rows: a number
    above 12, or of a year of two digits the order whose days are near. Else there is no format.

    Args:
        texts: the dates of a list's rows.
        today: for dates without a year and relative ones; a datetime has the time, too.
    """
    ordered = _order(texts, today)
    if ordered is not None and not ordered.names:
        return ordered
    known = [(name, compile_format(name)) for name in ordered.names] if ordered else []
    if all(map(is_stamp, texts)):
        known += _STAMPS
    known += _FREE
    first = [_read(texts, (name,), today) for name, _ in known]
    for (name, _), days in zip(known, first, strict=True):
        if all(days):
            is_default = days == _read(texts, DEFAULT_FORMATS, today)
            return ChosenFormats(DEFAULT_FORMATS if is_default else (name,))
    if ordered is None and all(parse_date(text, _DEFAULTS, today) for text in texts):
        return ChosenFormats(DEFAULT_FORMATS)
    used: set[str] = set()
    for at, text in enumerate(texts):
        reader = next(
            (name for (name, _), days in zip(known, first, strict=True) if days[at]), None
        )
        if reader is None:
            reason = read_date(text, _EVERY, today).reason
            return ChosenFormats((), reason or f"no format reads {text!r}")
        used.add(reader)
    return ChosenFormats(tuple(name for name, _ in known if name in used))


def _read(texts: Sequence[str], names: Sequence[str], today: date) -> list[str | None]:
    compiled = [compile_format(name) for name in names]
    return [parse_date(text, compiled, today) for text in texts]


def _order(texts: Sequence[str], today: date) -> ChosenFormats | None:
    """Return the one order of day, month and year of these texts; None if they have none."""
    found = [(text, match) for text in texts if (match := _TRIPLE.search(text))]
    if not found:
        return None
    separator, _, year = found[0][1].groups()
    gap = " " if any(match[2] for _, match in found) else ""
    fitting: dict[str, list[str | None]] = {}
    for order in _ORDERS[len(year)]:
        name = f"{separator}{gap}".join(f"%{letter}" for letter in order)
        days = _read([text for text, _ in found], (name,), today)
        if all(days) and days not in fitting.values():
            fitting[name] = days
    if not fitting:
        return None
    if len(fitting) > 1 and len(year) == 2:  # noqa: PLR2004 - digits
        fitting = _nearest(fitting, today)
    if len(fitting) == 1:
        return ChosenFormats(tuple(fitting))
    return ChosenFormats(
        (),
        f"{found[0][0]!r} may be {' or '.join(str(days[0]) for days in fitting.values())}, and no "
        f'row tells; write "formats" with one of {", ".join(fitting)}',
    )


def _nearest(fitting: dict[str, list[str | None]], today: date) -> dict[str, list[str | None]]:
    """Return the order whose days are much nearer than the others'; all without such a one."""
    day = today.date() if isinstance(today, datetime) else today
    spans = {
        name: max(abs((date.fromisoformat(text) - day).days) for text in days if text)
        for name, days in fitting.items()
    }
    first, second = sorted(spans, key=lambda name: spans[name])[:2]
    return {first: fitting[first]} if spans[first] * 2 < spans[second] else fitting
