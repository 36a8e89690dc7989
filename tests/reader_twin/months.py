"""Months of an archive, ``YYYYMM`` in UTC, and where they lie."""

import re
from typing import Any, Final

from reader_twin.lines import instant

_MONTH: Final = re.compile(r"[0-9]{4}(?:0[1-9]|1[0-2])")
_SOURCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def month_of(value: Any) -> str | None:
    """Return the month of an instant such as ``2026-01-22T10:00:00Z``; None where it is none."""
    time = instant(value)
    return time[:4] + time[5:7] if time else None


def months_back(start: Any, count: int) -> list[str]:
    """Return so many months, this one first, then the one before, and so on.

    None where ``start`` is no month; fewer at the year 0.
    """
    if not isinstance(start, str) or not _MONTH.fullmatch(start):
        return []
    number = int(start[:4]) * 12 + int(start[4:]) - 1
    numbers = range(number, max(-1, number - count), -1)
    return [f"{each // 12:04}{each % 12 + 1:02}" for each in numbers]


def archive_path(source: Any, month: Any) -> str | None:
    """Return where a month of a source lies, below ``data/``.

    None where one of them cannot be part of an address.
    """
    is_path = is_source(source) and isinstance(month, str) and _MONTH.fullmatch(month)
    return f"{source}/archive/{month}.jsonl" if is_path else None


def is_source(value: Any) -> bool:
    """Return whether a value can be a source's folder below ``data/``."""
    return isinstance(value, str) and bool(_SOURCE.fullmatch(value))
