"""The parts of a raw file's list: how one begins, where its brackets close, and its record."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

# Brackets are followed so far.
NEAR: Final = 8 * 1024
# Brackets that do not close.
MISFIT: Final = 0
FAR: Final = -1
# JavaScript reads a longer number as a float, too; Python would refuse 4,300 digits.
_LONGEST_INT: Final = 15
# Within a record's beginning.
_BLANK: Final = r"\s{0,100}"

OPENS: Final[Mapping[str, str]] = {"{": "}", "[": "]"}
# A text, whole or cut by the end of what is read, or a bracket.
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|,\s*\{|[\[\]{}]', re.DOTALL)
# Of a text that lost a quote the end is another's beginning.
_SHIFTED: Final = re.compile(r'\}\s*,\s*\{\s*"\Z')
OBJECT: Final = re.compile(rf'\{{{_BLANK}"((?:[^"\\]|\\.){{1,100}}+)"{_BLANK}:', re.DOTALL)
# Behind a record's bracket, and never behind the file's.
_GOES_ON: Final = re.compile(r'[\s}]*(?:,\s*["{\[]|[{\]])')


class NotJson(Exception):
    """There is no value at a place.

    Attributes:
        looked_at: the number of characters that were looked at in vain.
    """

    def __init__(self, reason: str, looked_at: int = 0) -> None:
        self.looked_at = looked_at
        super().__init__(reason)


class BadRecord(NamedTuple):
    """A part of the list that is not JSON.

    Attributes:
        reason: what is wrong, in words.
    """

    reason: str


def as_record(value: Any) -> Mapping[str, Any]:
    """Return a record as a mapping.

    Raises:
        ValueError: it is not JSON, no object, or its ``raw_url`` is not a text.
    """
    if isinstance(value, BadRecord):
        raise ValueError(f"not JSON: {value.reason}")  # noqa: TRY004 - of the input
    if not isinstance(value, dict):
        raise ValueError("the record is not an object")  # noqa: TRY004 - of the input
    if not isinstance(value.get("raw_url"), str):
        raise ValueError("raw_url: missing or not a text")  # noqa: TRY004 - of the input
    return value


def has_url(value: Any) -> bool:
    """Return whether a value is an object with a ``raw_url``, of whatever type."""
    return isinstance(value, dict) and "raw_url" in value


def beginnings(keys: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of the beginning of a record whose first key is one of these."""
    names = "|".join(re.escape(json.dumps(key, ensure_ascii=False)) for key in keys)
    return re.compile(rf"\{{{_BLANK}(?:{names}){_BLANK}:")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_JSON: Final = json.JSONDecoder(strict=False, parse_int=_number)


def decoded(text: str, at: int) -> tuple[Any, int]:
    """Return the value at a place of a text, and its end.

    Raises:
        NotJson: there is none.
    """
    try:
        return _JSON.raw_decode(text, at)
    except RecursionError:
        raise NotJson("nested too deep", min(len(text) - at, NEAR)) from None
    except json.JSONDecodeError as error:
        is_open = error.msg.startswith("Unterminated")
        raise NotJson(
            f"{error.msg} at its character {error.pos - at + 1}",
            (len(text) if is_open else error.pos) - at,
        ) from None


def closed(text: str, at: int, expected: str) -> tuple[int, int]:
    """Return the end of the last of these brackets, read from a place on.

    Returns:
        The place behind it, `MISFIT` if others close before, `FAR` if they do not close near the
        place; and the number of characters that were looked at in vain.
    """
    stack, end = [*reversed(expected)], at
    for token in _TOKEN.finditer(text, at, at + NEAR):
        sign, end = token[0], token.end()
        if sign[0] == '"':
            if _SHIFTED.search(sign):
                break
        elif sign[-1] in OPENS:
            if sign[0] == "," and stack and stack[-1] == "}":
                # A key is due: the object was not closed.
                break
            stack.append(OPENS[sign[-1]])
        elif not stack or sign != stack.pop():
            break
        elif not stack:
            return end, 0
    else:
        return FAR, end - at
    return MISFIT, end - at


def is_file_end(text: str, end: int) -> bool:
    """Return whether the brackets that close here are the file's: no record is behind them."""
    if end <= 0 or _GOES_ON.match(text, end):
        return False
    return not OBJECT.search(text, end, end + NEAR)
