"""Formats of dates: directives as in ``strptime``, and four that have names.

``iso8601`` and ``rfc822`` are those of feeds and of ``<time datetime>``, ``unix`` and ``unix_ms``
count seconds and milliseconds, ``ago`` is a text such as ``3시간 전`` or ``yesterday``.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

DEFAULT_FORMATS: Final = (
    "iso8601",
    "rfc822",
    "%Y-%m-%d",
    "%Y. %m. %d",
    "%Y/%m/%d",
    "%Y년 %m월 %d일",
    "%y-%m-%d",
    "%y. %m. %d",
    "%Y年 %m月 %d日",
    "%b %d, %Y",
    "%d %b %Y",
)
"""A space in a format matches any white space, or none."""

FURTHER_FORMATS: Final = (
    "%y/%m/%d",
    "%y년 %m월 %d일",
    "%Y%m%d",
    "%Y %b %d",
    "%b %d %H:%M:%S %Y",
    "%b %d %H:%M:%S %Z %Y",
    "%d %Y.%m",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%m/%d/%Y",
    "%m.%d.%Y",
    "%m-%d-%Y",
    "%d.%m.%y",
    "%d/%m/%y",
    "%d-%m-%y",
    "%m/%d/%y",
    "%m월 %d일",
    "%m月 %d日",
    "%m-%d",
    "%m/%d",
    "%m. %d",
    "%d/%m",
    "%d. %m",
    "%b %d",
    "%d %b",
    "%H:%M",
    "ago",
    "unix",
    "unix_ms",
)
"""Formats that an entry must name, since other boards mean something else by the same text.

`uring add` and `uring try` try them in this order after `DEFAULT_FORMATS`.
"""

_MONTH_NAMES: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH: Final = rf"(?<![a-z])(?P<b>{_MONTH_NAMES})(?![a-z])\.?"
_WEEKDAY: Final = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?|[월화수목금토일](?:요일)?"
    r"|[月火水木金土日]曜?日?|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天])"
)
_ZONE: Final = r"(?P<zone>(?:GMT|UTC)?[+-]\d{1,2}:?\d{2}|[A-Z]{1,5})"
_ORDINAL: Final = "(?:st|nd|rd|th)?"

_DIRECTIVES: Final = {
    "Y": (r"(?P<Y>\d{4})", r"(?P<Y>\d{4})"),
    "y": (r"(?P<y>\d{2})", r"(?P<y>\d{2})"),
    "m": (r"(?P<m>\d{1,2})", r"(?P<m>\d{2})"),
    "b": (_MONTH, _MONTH),
    "B": (_MONTH, _MONTH),
    "d": (rf"(?P<d>\d{{1,2}}){_ORDINAL}", r"(?P<d>\d{2})"),
    "a": (_WEEKDAY, _WEEKDAY),
    "A": (_WEEKDAY, _WEEKDAY),
    "H": (r"(?P<H>\d{1,2})", r"(?P<H>\d{2})"),
    "M": (r"(?P<M>\d{2})", r"(?P<M>\d{2})"),
    "S": (r"(?P<S>\d{2})", r"(?P<S>\d{2})"),
    "z": (_ZONE, _ZONE),
    "Z": (_ZONE, _ZONE),
}
_TOKEN: Final = re.compile(r"%(.?)|(\s+)|([^%\s]+)", re.DOTALL)
_YEARS: Final = frozenset("Yy")
_MONTHS: Final = frozenset("mbB")
_FLAGS: Final = re.ASCII | re.IGNORECASE

# A letter before two digits names an era: R08 is 2026, H30 is 2018.
_NO_ERA: Final = r"(?<![a-z年令和平成昭大正明治民國国])(?<!\b[a-z][. ])(?<!\d[./-])"
# 02.16 is not a date inside 2024.02.16, 02.16.2024, 2024년 02.16 or Feb 16, 2024.
_NO_YEAR_BEFORE: Final = (
    r"(?<!\d[./-])(?<!\d[./-]\s)(?<!\d[년年])(?<!\d[년年]\s)(?<!\d{4}\s)(?<!\d{4},\s)"
)
_NO_YEAR_AFTER: Final = r"(?!\s?[.,/-]?\s?'?\d{4})(?![./-]?\d)"


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A compiled format. ``directives`` are its letters, such as ``Y``; ``name`` is its text."""

    expression: re.Pattern[str]
    directives: frozenset[str]
    name: str = ""

    @property
    def has_year(self) -> bool:
        """True when the format has a year, so that its date needs no other day to count from."""
        return bool(self.directives & _YEARS)

    @property
    def lacks_year(self) -> bool:
        """True for a month and a day without their year."""
        return bool(self.directives & _MONTHS) and not self.has_year

    @property
    def is_relative(self) -> bool:
        """True for ``ago``: its text changes while its day stays."""
        return self.name == "ago"


def compile_format(text: str) -> DateFormat:
    """Compile one format.

    Raises:
        ValueError: the format is invalid; the message has the reason and the remedy.
    """
    if text in _NAMED:
        return _NAMED[text]
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    directives = _directives(tokens)
    # Beside a month's name people write blanks, commas, dots or hyphens.
    gap = r"[\s.,/-]" if directives & {"b", "B"} else ""
    body = "".join(_source(tokens, position, gap) for position in range(len(tokens)))
    if not directives & _MONTHS:
        # A bare time means today, so the text must have no other digits.
        return DateFormat(re.compile(rf"\A\D*{body}\D*\Z", _FLAGS), directives, text)
    before, after = r"(?<!\d)", r"(?!\d)"
    if "y" in directives:
        before, after = before + _NO_ERA, r"(?![\d:])"
    if not directives & _YEARS:
        before, after = before + _NO_YEAR_BEFORE, _NO_YEAR_AFTER
        if tokens[-1][0]:
            # 1.5MB and 1.5시간 are no dates.
            after += "(?![a-z%가-힣])"
        if directives & {"b", "B"}:
            # 24 Nov 26: two more digits may be the year.
            after += r"(?!\s?[.,'/-]*\s?\d{2}(?![\d:]))"
    return DateFormat(re.compile(before + body + after, _FLAGS), directives, text)


_NAMED: Final = {
    name: DateFormat(re.compile(expression, _FLAGS), frozenset(directives), name)
    for name, expression, directives in (
        ("iso8601", r"(?<!\d)(?P<Y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?!\d)", "Ymd"),
        (
            "rfc822",
            rf"(?<!\d)(?P<d>\d{{1,2}})[ -](?P<b>{_MONTH_NAMES})[ -](?P<Y>\d{{4}}|\d{{2}})(?![\d:])",
            "Ybd",
        ),
        # Seconds since 1973; a telephone number begins with 0.
        ("unix", r"(?<![\d.,:/-])(?P<unix>[1-9]\d{8,9})(?:\.\d+)?(?![\d:/.-])", "Ymd"),
        ("unix_ms", r"(?<![\d.,:/-])(?P<ms>[1-9]\d{11,12})(?:\.\d+)?(?![\d:/.])", "Ymd"),
        ("ago", r"(?!)", ""),
    )
}


def _directives(tokens: list[tuple[str, str, str]]) -> frozenset[str]:
    letters = [token[0] for token in tokens if not token[1] and not token[2]]
    for letter in letters:
        if letter not in _DIRECTIVES:
            raise ValueError(
                f"%{letter} is not supported; use %Y %y %m %b %d %a %H %M %S %Z and literal text, "
                "or iso8601, rfc822, unix, unix_ms, ago"
            )
        if letters.count(letter) > 1:
            raise ValueError(f"%{letter} occurs twice; keep one")
    directives = frozenset(letters)
    for one, other in (("Y", "y"), ("m", "b"), ("m", "B"), ("b", "B"), ("z", "Z"), ("a", "A")):
        if {one, other} <= directives:
            raise ValueError(f"%{one} and %{other} occur together; {_KEPT.get(one + other, _ONE)}")
    if directives & {*_YEARS, *_MONTHS, "d"}:
        if not (directives & _MONTHS and "d" in directives):
            raise ValueError("a date needs its month and its day; add %m or %d")
    elif not directives >= {"H", "M"}:
        raise ValueError("has no date; write for example %Y-%m-%d, or %H:%M for today")
    return directives


_ONE: Final = "keep one of them"
_KEPT: Final = {"Yy": "keep %Y for four digits or %y for two"}


def _source(tokens: list[tuple[str, str, str]], position: int, gap: str) -> str:
    letter, space, literal = tokens[position]
    if space and gap:
        beside = (tokens[at][0] for at in (position - 1, position + 1) if 0 <= at < len(tokens))
        return f"{gap}*" if {"b", "B"} & {*beside} else f"{gap}+"
    if space:
        return r"\s*"
    if literal == ",":
        return ",?"
    if literal:
        return re.escape(literal)
    neighbours = (tokens[at] for at in (position - 1, position + 1) if 0 <= at < len(tokens))
    # Adjacent digits (%Y%m%d) can be separated only by their fixed widths.
    touching = any(not token[1] and not token[2] for token in neighbours)
    return _DIRECTIVES[letter][touching]
