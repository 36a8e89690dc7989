"""The field of a registry's row that changes with each revision, where the number lasts."""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from bs4 import Tag

from uring.regulations.revision import revision_of
from uring_local.propose.rows import FEWEST, seldom, text_of

_HISTORY: Final = re.compile(r"hist|revis|_rev|rev_|version|_ver\b|ver_|chng|amend", re.IGNORECASE)
LASTING: Final = (
    "their numbers look like those of regulations, not of their revisions: a text that changes "
    "under its number is noticed by recheck_days alone"
)
"""What is said where no field of a row looks like a revision."""

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_DATE_LENGTH: Final = 60
# A number that grows with every file is soon larger than its list is long.
_NUMBERS_A_ROW: Final = 2


def lasting(numbers: Sequence[str]) -> bool:
    """Return whether numbers look like those of regulations: small, and one for each row."""
    digits = {int(number) for number in numbers if number.isascii() and number.isdigit()}
    return len(digits) >= FEWEST and max(digits) <= _NUMBERS_A_ROW * len(numbers)


def revision_rule(
    rows: Sequence[Tag], number: dict[str, Any], numbers: Sequence[str]
) -> dict[str, Any] | str | None:
    """Return the rule of the field that looks like a revision; None without one, or without need.

    Args:
        rows: the rows' elements.
        number: the rule of ``file_no``.
        numbers: that it reads.
    """
    return history_rule(rows, number) or (date_column(rows) if lasting(numbers) else None)


def history_rule(rows: Sequence[Tag], number: dict[str, Any]) -> dict[str, Any] | None:
    """Return the rule of a link's parameter named like a revision, such as ``SEQ_HISTORY``.

    Args:
        rows: the rows' elements.
        number: the rule of ``file_no``; its own parameter does not count.
    """
    select, own = number.get("select"), number.get("parameter")
    if not select or not own or _HISTORY.search(own):
        return None
    found: dict[str, int] = {}
    for row in rows:
        link = row.select_one(select)
        for name, value in _parameters("" if link is None else str(link.get("href") or "")):
            if name != own and _HISTORY.search(name) and revision_of(value):
                found[name] = found.get(name, 0) + 1
    name = max(found, key=lambda each: found[each], default="")
    if not name or seldom(found[name], len(rows)):
        return None
    return {"select": select, "attribute": "href", "parameter": name}


def date_column(rows: Sequence[Tag]) -> str | None:
    """Return the selector of the column whose cells are dates, the latest of several; or None."""
    dates: dict[int, list[str]] = {}
    for row in rows:
        for at, cell in enumerate(row.find_all("td", recursive=False), 1):
            if is_date(text := text_of(cell)):
                dates.setdefault(at, []).append(revision_of(text))
    full = {at: days for at, days in dates.items() if not seldom(len(days), len(rows))}
    # A regulation is revised after it was enacted.
    at = max(full, key=lambda each: sorted(full[each]), default=0)
    return f"td:nth-child({at})" if at else None


def is_date(text: str) -> bool:
    """Return whether a text is a date and nothing else."""
    return len(text) <= _DATE_LENGTH and _DATE.match(revision_of(text)) is not None


def _parameters(href: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(href).query)[:50]
    except ValueError:
        return []
