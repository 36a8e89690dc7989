"""The revision of a row beside a number that lasts: a date, a number, a word. Pure and total."""

import re
import unicodedata
from datetime import date
from typing import Final

REVISION_LIMIT: Final = 40
"""Characters of a revision: it becomes part of items and of pages."""

_DATE: Final = re.compile(r"([0-9]{4})(?:[.\-/년]([0-9]{1,2})[.\-/월]([0-9]{1,2})[.일]?|(..)(..))")


def revision_of(text: str) -> str:
    """Return the revision that a text names, in one spelling; empty without a letter or digit.

    A date is ISO 8601: ``2024. 3. 1.``, ``20240301`` and ``2024년 3월 1일`` are ``2024-03-01``.
    Of any other text letters and digits are kept, in lower case, with ``-`` between: ``제12호``.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    found = _DATE.fullmatch("".join(folded.split()))
    if found:
        year, *rest = (part for part in found.groups() if part)
        try:
            return date(int(year), *map(int, rest)).isoformat()
        except ValueError:
            # Eight digits that are not a date are a number.
            pass
    return "-".join(re.findall(r"[^\W_]+", folded))
