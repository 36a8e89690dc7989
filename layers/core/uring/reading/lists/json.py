"""The rows of a JSON answer."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Final, NoReturn

from uring.errors import SuspectPage
from uring.reading.kinds import Require, Scalar, paths
from uring.reading.lists.html_limits import bomb
from uring.reading.lists.rows import ROW_LIMIT, Listing
from uring.reading.rules import RowRule
from uring.reading.text import clean, plain, shorten

_SHOWN: Final = 60
_SIZE_LIMIT: Final = 2_000_000
_DEPTH_LIMIT: Final = 64
_LIST_LIMIT: Final = 20
_OUTSIDE_STRINGS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)


class Number(str):
    """A number as it is written: ids have more digits than floats, ``1.10`` is not ``1.1``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value; ``select`` is a path of keys, or of indices of lists from 0."""

    link_attribute: ClassVar[str | None] = None
    escape: ClassVar[str] = ""
    has_names: ClassVar[bool] = True
    value: Any

    def first(self, select: str) -> "JsonNode | None":
        """Return the first part that ``select`` finds, or None."""
        return next(iter(self.every(select, 1)), None)

    def every(self, select: str, most: int) -> Iterable["JsonNode"]:
        """Return the first ``most`` parts that ``select`` finds."""
        values = (_at(self.value, path) for path in paths(select))
        return islice((JsonNode(value) for value in values if value is not None), most)

    def others(self, select: str) -> Iterable["JsonNode"]:
        """Return the parts after the first one."""
        return islice(self.every(select, len(paths(select))), 1, None)

    def address(self, value: str, /) -> str:
        """Return it unchanged: a value has no base of its own."""
        return value

    def shows(self, select: str) -> bool:
        """Return whether ``select`` finds a value that is not false, null, 0 or empty."""
        return any(
            bool(part.value) and not (isinstance(part.value, Number) and _is_zero(part.value))
            for part in self.every(select, len(paths(select)))
        )

    def text(self, _drop: Collection[str] = (), /) -> str:
        """Return the value as text, a list with commas; empty for an object. Ignores ``_drop``."""
        return plain(_text(self.value))

    def attribute(self, _name: str, /) -> str | None:
        """Return None: JSON has no attributes."""
        return None

    def glimpse(self, most: int) -> str:
        """Return the text of its values, at most ``most`` characters."""
        values = self.value.values() if isinstance(self.value, dict) else [self.value]
        texts = (plain(_text(value)[: most * 2]) for value in islice(values, _LIST_LIMIT))
        return shorten(" ".join(filter(None, texts)), most)


def json_rows(rule: RowRule, require: Require, text: str, url: str) -> Listing:
    """Return the rows of an answer; empty if ``rows.select`` finds no list.

    Raises:
        SuspectPage: ``not_json``, ``wrong_envelope`` or ``markup_bomb``.
    """
    document = _parsed(text)
    for path, wanted in require.items():
        seen = _at(document, paths(path)[0])
        if not _is(seen, wanted):
            raise SuspectPage(
                "wrong_envelope",
                f"{path} is {_shown(seen)}, not {_shown(wanted)}: the site reports an error, or "
                "answers in another form; correct require if the answer has the list",
            )
    value = next(filter(None, (_at(document, path) for path in paths(rule.select))), None)
    rows = value[:ROW_LIMIT] if isinstance(value, list) else []
    return Listing([JsonNode(row) for row in rows], url)


def _parsed(text: str) -> Any:
    if len(text) > _SIZE_LIMIT:
        raise bomb(f"more than {_SIZE_LIMIT} characters")
    _refuse_depth(text)
    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        seen = shorten(clean(text[: _SHOWN * 4]), _SHOWN)
        raise SuspectPage(
            "not_json",
            f"{error}; the answer begins {seen!r}: an error or login page, or the list is html; "
            "see what the address answers without a browser",
        ) from error


def _refuse_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= _DEPTH_LIMIT:
        return
    depth = 0
    for token in _OUTSIDE_STRINGS.finditer(text):
        if token[1]:
            depth += 1
            if depth > _DEPTH_LIMIT:
                raise bomb(f"values nested deeper than {_DEPTH_LIMIT}")
        elif token[2]:
            depth -= 1


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")


def _at(value: Any, path: Iterable[str]) -> Any:
    """Return the value at a path; None if it is missing or null."""
    for name in path:
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit():
            index = int(name[:9])
            value = value[index] if index < len(value) else None
        else:
            return None
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = (_text(part) for part in value[:_LIST_LIMIT] if not isinstance(part, list))
        return ", ".join(filter(None, texts))
    return ""


def _is_zero(number: Number) -> bool:
    return not number.strip("-0.")


def _is(seen: Any, wanted: Scalar) -> bool:
    if isinstance(seen, Number):
        return (
            isinstance(wanted, int | float)
            and not isinstance(wanted, bool)
            and float(seen) == float(wanted)
        )
    return type(seen) is type(wanted) and bool(seen == wanted)


def _shown(value: Any) -> str:
    if value is None:
        return "absent or null"
    if isinstance(value, Number):
        return shorten(str(value), _SHOWN)
    if isinstance(value, Mapping | list):
        return "an object or a list"
    return shorten(json.dumps(value, ensure_ascii=False), _SHOWN)
